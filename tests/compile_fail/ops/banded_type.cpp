// SPDX-License-Identifier: MIT
// expect-error: xgrad: tridiagonal_solve\(d, b\), tridiagonal_matmul\(d, x\) or banded_triangular_solve\(d, b\): d is neither float nor double
// Integers.
#include <xgrad/ops/linalg/banded.hpp>

namespace xg = xgrad;

constexpr auto d = xg::input<"d", std::int32_t, 3, 5>;
constexpr auto b = xg::input<"b", float, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::tridiagonal_matmul(d, b);
#else
constexpr auto y = xg::tridiagonal_matmul(xg::cast<float>(d), b);
#endif
