// SPDX-License-Identifier: MIT
// expect-error: xgrad: tridiagonal_solve\(d, b\), tridiagonal_matmul\(d, x\) or banded_triangular_solve\(d, b\): b is not \[..., n, k\]
// A vector.
#include <xgrad/ops/linalg/banded.hpp>

namespace xg = xgrad;

constexpr auto d = xg::input<"d", float, 3, 5>;
constexpr auto b = xg::input<"b", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::banded_triangular_solve(d, b);
#else
constexpr auto y = xg::banded_triangular_solve(d, xg::expand_dims<-1>(b));
#endif
