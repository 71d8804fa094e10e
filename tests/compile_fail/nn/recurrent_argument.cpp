// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::lstm, gru, rnn: name and units are not alone in angle brackets, or an argument is unknown
// Lengths without lengths(n).
#include <xgrad/nn/recurrent.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::lstm<"l", 8>(x, n);
#else
constexpr auto y = xg::nn::lstm<"l", 8>(x, xg::nn::lengths(n));
#endif
