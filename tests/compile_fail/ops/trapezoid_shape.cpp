// SPDX-License-Identifier: MIT
// expect-error: xgrad::trapezoid<axis>\(y, x\): x has neither the shape of y nor one axis of the same extent
// Fewer places than heights.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 3, 5>;
constexpr auto x = xg::input<"x", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::trapezoid<1>(y, x);
#else
constexpr auto z = xg::trapezoid<0>(y, x);
#endif
