// SPDX-License-Identifier: MIT
// expect-error: xgrad::solve\(a, b\), triangular_solve\(l, b\), cholesky_solve\(l, b\), lstsq\(a, b\): b has fewer axes
// A vector as the right side.
#include <xgrad/ops/linalg/solve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 3, 3>;
constexpr auto b = xg::input<"b", float, 2, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::solve(a, b);
#else
constexpr auto z = xg::solve(a, xg::expand_dims<-1>(b));
#endif
