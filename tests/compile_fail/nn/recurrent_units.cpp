// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm, gru, rnn: name and units are not alone in angle brackets
// The units as an argument.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::lstm<"l">(x, 8);
#else
constexpr auto y = xg::nn::lstm<"l", 8>(x);
#endif
