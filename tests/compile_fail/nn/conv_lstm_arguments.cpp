// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::conv_lstm2d: name, filters and size are not alone in angle brackets
// A number as second argument.
#include <xgrad/nn/conv_lstm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 3, 6, 6, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::conv_lstm2d<"l", 8>(x, 3);
#else
constexpr auto y = xg::nn::conv_lstm2d<"l", 8, 3>(x);
#endif
