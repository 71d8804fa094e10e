// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: a spatial extent is a named dimension where the stride is not 1
// A named height with stride 2.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
inline constexpr xg::dim height{"height"};
constexpr auto v = xg::input<"v", float, 1, height, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d<xg::window{.strides = 2}>(v, w);
#else
constexpr auto z = xg::conv2d<xg::window{.strides = {1, 2}}>(v, w);
#endif
