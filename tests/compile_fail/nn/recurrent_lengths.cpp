// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm<name, units>\(x, lengths\(n\)\), gru, rnn: n is not one integer for each row
// One length for each time step.
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 4>;
constexpr auto n = xg::input<"n", std::int32_t, steps>;
constexpr auto of_rows = xg::input<"of_rows", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::rnn<"r", 8>(x, xg::nn::lengths(n));
#else
constexpr auto y = xg::nn::rnn<"r", 8>(x, xg::nn::lengths(of_rows));
#endif
