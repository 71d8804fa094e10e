// SPDX-License-Identifier: MIT
// expect-error: xgrad: tridiagonal_solve\(d, b\), tridiagonal_matmul\(d, x\) or banded_triangular_solve\(d, b\): the element types differ
// A right side in double.
#include <xgrad/ops/linalg/banded.hpp>

namespace xg = xgrad;

constexpr auto d = xg::input<"d", float, 3, 5>;
constexpr auto b = xg::input<"b", double, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::tridiagonal_solve(d, b);
#else
constexpr auto y = xg::tridiagonal_solve(xg::cast<double>(d), b);
#endif
