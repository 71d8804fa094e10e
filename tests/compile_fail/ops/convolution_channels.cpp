// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: w has other channels than x has
// A filter for three channels.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
constexpr auto v = xg::input<"v", float, 3, 3, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d(x, v);
#else
constexpr auto z = xg::conv2d(x, w);
#endif
