// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: a list in window\{\} has another number of entries than spatial axes
// Two strides for one axis.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
constexpr auto line = xg::input<"line", float, 1, 9, 2>;
constexpr auto v = xg::input<"v", float, 3, 2, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv1d<xg::window{.strides = {2, 1}}>(line, v);
#else
constexpr auto z = xg::conv1d<xg::window{.strides = 2}>(line, v);
#endif
