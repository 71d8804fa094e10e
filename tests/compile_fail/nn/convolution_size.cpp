// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>\(x\): the size is below 1 or has another number of axes
// A size of 0.
#include <xgrad/nn/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto n = xg::input<"n", std::int32_t, 1, 5, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::conv2d<"c", 4, 0>(x);
#else
constexpr auto z = xg::nn::conv2d<"c", 4, xg::per_axis(3, 1)>(x);
#endif
