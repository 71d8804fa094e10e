// SPDX-License-Identifier: MIT
// expect-error: xgrad::trapezoid<axis>\(y, x\): axis is outside of -rank \.\.\. rank-1
// An axis that y does not have.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::trapezoid<1>(x, x);
#else
constexpr auto z = xg::trapezoid<0>(x, x);
#endif
