// SPDX-License-Identifier: MIT
// expect-error: xgrad: dilation2d<window\{...\}>\(x, filter\) or erosion2d: the filter does not fit
// A filter beyond the image.
#include <xgrad/ops/images/morphology.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4, 4, 3>;
constexpr auto f = xg::input<"f", float, 5, 5, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::erosion2d(x, f);
#else
constexpr auto w = xg::erosion2d<xg::window{.padding = xg::window_padding::same}>(x, f);
#endif
