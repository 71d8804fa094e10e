// SPDX-License-Identifier: MIT
// expect-error: xgrad::solve\(a, b\), triangular_solve\(l, b\), cholesky_solve\(l, b\): the axes before the last two differ
// Two matrices and one right side.
#include <xgrad/ops/cholesky.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 3, 3>;
constexpr auto b = xg::input<"b", float, 1, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::triangular_solve(a, b);
#else
constexpr auto z = xg::triangular_solve(a, xg::broadcast_to<2, 3, 4>(b));
#endif
