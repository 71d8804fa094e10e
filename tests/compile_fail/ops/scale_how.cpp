// SPDX-License-Identifier: MIT
// expect-error: xgrad::scale_and_translate<height, width, how>\(x, scale, translation\): how is neither interpolation::bilinear nor bicubic
// The nearest element.
#include <xgrad/ops/images/scale_and_translate.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto s = xg::input<"s", float, 2>;
constexpr auto t = xg::input<"t", float, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scale_and_translate<4, 4, xg::interpolation::nearest>(x, s, t);
#else
constexpr auto y = xg::scale_and_translate<4, 4, xg::interpolation::bicubic>(x, s, t);
#endif
