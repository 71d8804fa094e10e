// SPDX-License-Identifier: MIT
// expect-error: xgrad: rgb_to_grayscale\(x\), rgb_to_hsv\(x\) or hsv_to_rgb\(x\) gets
// Four channels.
#include <xgrad/ops/images/adjust.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::hsv_to_rgb(x);
#else
constexpr auto w = xg::hsv_to_rgb(xg::slice<3, 0, 3>(x));
#endif
