// SPDX-License-Identifier: MIT
// expect-error: xgrad::solve\(a, b\), triangular_solve\(l, b\), cholesky_solve\(l, b\), lstsq\(a, b\): the axes before the last two do not broadcast
// Two matrices and five right sides.
#include <xgrad/ops/linalg/cholesky.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 3, 3>;
constexpr auto b = xg::input<"b", float, 5, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::triangular_solve(a, b);
#else
constexpr auto z = xg::triangular_solve(a, xg::slice<0, 0, 1>(b));
#endif
