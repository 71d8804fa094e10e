// SPDX-License-Identifier: MIT
// expect-error: xgrad: tridiagonal_solve\(d, b\), tridiagonal_matmul\(d, x\) or banded_triangular_solve\(d, b\): the axes before the last two do not broadcast
// Two systems and three right sides.
#include <xgrad/ops/linalg/banded.hpp>

namespace xg = xgrad;

constexpr auto d = xg::input<"d", float, 2, 3, 5>;
constexpr auto b = xg::input<"b", float, 3, 5, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::tridiagonal_solve(d, b);
#else
constexpr auto y = xg::tridiagonal_solve(xg::expand_dims<1>(d), b);
#endif
