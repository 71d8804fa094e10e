// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv2d\(x, w\): there are more arguments
// The numbers of a layer.
#include <xgrad/nn/convolution.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::conv2d(x, 8, 3);
#else
constexpr auto y = xg::nn::conv2d<"first", 8, 3>(x);
#endif
