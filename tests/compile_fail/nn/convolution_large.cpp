// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: the window is larger
// A filter that is larger than the image.
#include <xgrad/nn/convolution.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::conv2d<"c", 3, 5>(x);
#else
constexpr auto y = xg::nn::conv2d<"c", 3, 4>(x);
#endif
