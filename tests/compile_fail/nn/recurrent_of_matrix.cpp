// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units>\(x\), gru, rnn: x is not \[batch, time, features\]
// The axis of features is missing.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::gru<"g", 8>(x);
#else
constexpr auto y = xg::nn::gru<"g", 8>(xg::expand_dims<2>(x));
#endif
