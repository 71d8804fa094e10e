// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units>\(x, initial_state\(h, c\)\), gru, rnn: a state is not an expression \[batch, units\]
// A state of other units.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 4>;
constexpr auto h = xg::input<"h", float, batch, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::gru<"g", 16>(x, xg::nn::initial_state(h));
#else
constexpr auto y = xg::nn::gru<"g", 8>(x, xg::nn::initial_state(h));
#endif
