// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: an extent of w or the channels of x are a named dimension or 0
// Named channels.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
inline constexpr xg::dim channels{"channels"};
constexpr auto v = xg::input<"v", float, 1, 5, 5, channels>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d(v, w);
#else
constexpr auto z = xg::conv2d(x, w);
#endif
