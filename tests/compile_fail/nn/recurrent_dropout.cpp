// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units, options>\(x\), gru, rnn: dropout or recurrent_dropout is outside
// A rate of 1.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::gru<"g", 2, xg::nn::gru_options{.recurrent_dropout = 1}>(x);
#else
constexpr auto y = xg::nn::gru<"g", 2, xg::nn::gru_options{.recurrent_dropout = 0.5}>(x);
#endif
