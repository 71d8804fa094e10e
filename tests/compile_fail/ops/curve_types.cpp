// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyval\(p, x\), interp\(x, xs, ys\), trapezoid<axis>\(y, x\): the operands have different element types
// Two element types.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto p = xg::input<"p", float, 4>;
constexpr auto x = xg::input<"x", double, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyval(p, x);
#else
constexpr auto z = xg::polyval(xg::cast<double>(p), x);
#endif
