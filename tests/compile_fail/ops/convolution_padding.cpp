// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: a padding is below 0, or larger than the result
// A padding below 0.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d<xg::window{.padding = {-1}}>(x, w);
#else
constexpr auto z = xg::conv2d<xg::window{.padding = {1}}>(x, w);
#endif
