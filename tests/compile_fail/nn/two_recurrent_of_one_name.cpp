// SPDX-License-Identifier: MIT
// expect-error: xgrad: two layers have one name and different inputs, so they would share variables
// Two recurrent layers of one name with different inputs.
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 4>;
constexpr auto first = xg::nn::gru<"g", 4>(x, xg::nn::return_sequences);
#ifdef XGRAD_EXPECT_ERROR
constexpr auto second = xg::nn::gru<"g", 4>(first);
#else
constexpr auto second = xg::nn::gru<"g", 4>(first, xg::nn::shared);
#endif
void run(xg::variable_owner& owner) { xg::function f{second, owner}; }
