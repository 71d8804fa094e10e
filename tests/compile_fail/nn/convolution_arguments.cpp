// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::conv1d, conv2d, conv3d and the like: name, filters and size are not alone in angle brackets, or x is not the only argument
// An activation as an argument.
#include <xgrad/nn/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto n = xg::input<"n", std::int32_t, 1, 5, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::conv2d<"c", 6, 3>(x, xg::relu);
#else
constexpr auto z = xg::relu(xg::nn::conv2d<"c", 6, 3>(x));
#endif
