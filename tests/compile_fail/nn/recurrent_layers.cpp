// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units, options>\(x\), gru, rnn: units, layers or the projection are less than 1
// No layers.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::lstm<"l", 8, xg::nn::lstm_options{.layers = 0}>(x);
#else
constexpr auto y = xg::nn::lstm<"l", 8, xg::nn::lstm_options{.layers = 2}>(x);
#endif
