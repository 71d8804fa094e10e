// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: groups is not a divisor of the last extent of w
// Three groups of four filters.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
constexpr auto v = xg::input<"v", float, 3, 3, 1, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d<xg::window{.groups = 3}>(x, v);
#else
constexpr auto z = xg::conv2d<xg::window{.groups = 2}>(x, v);
#endif
