// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>\(x\): groups is not a divisor of the channels and of the filters
// Three groups of two channels.
#include <xgrad/nn/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto n = xg::input<"n", std::int32_t, 1, 5, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::conv2d<"c", 6, 3, xg::window{.groups = 3}>(x);
#else
constexpr auto z = xg::nn::conv2d<"c", 6, 3, xg::window{.groups = 2}>(x);
#endif
