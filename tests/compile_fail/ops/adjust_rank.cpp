// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of images such as adjust_contrast or rgb_to_hsv gets an x without
// One image.
#include <xgrad/ops/images/adjust.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::rgb_to_hsv(x);
#else
constexpr auto w = xg::rgb_to_hsv(xg::expand_dims<0>(x));
#endif
