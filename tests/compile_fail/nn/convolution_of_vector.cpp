// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>\(x\): x is not \[batch, spatial..., channels\] with an integer of channels
// An image for a layer along one axis.
#include <xgrad/nn/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto n = xg::input<"n", std::int32_t, 1, 5, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::conv1d<"c", 4, 3>(x);
#else
constexpr auto z = xg::nn::conv2d<"c", 4, 3>(x);
#endif
