// SPDX-License-Identifier: MIT
// expect-error: xgrad::trapezoid<axis>\(y\): the axis has no points
// No points.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 0, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::trapezoid<0>(y);
#else
constexpr auto z = xg::trapezoid<1>(y);
#endif
