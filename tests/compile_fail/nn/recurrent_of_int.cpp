// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units>\(x\), gru, rnn: x is neither float nor double
// Integers as the input.
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/core/cast.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch, steps, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::lstm<"l", 8>(ids);
#else
constexpr auto y = xg::nn::lstm<"l", 8>(xg::cast<float>(ids));
#endif
