// SPDX-License-Identifier: MIT
// expect-error: xgrad: a state of lstm_cell, gru_cell or rnn_cell is not \[batch, state\]
// A state without rows.
#include <xgrad/ops/sequences/cells.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto in = xg::input<"in", float, batch, 12>;
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto u = xg::variable<"u", float, 4, 12>;
constexpr auto b = xg::variable<"b", float, 12>;
constexpr auto one = xg::variable<"one", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gru_cell(in, one, u);
#else
constexpr auto y = xg::gru_cell(in, xg::broadcast_to<batch, 4>(one), u);
#endif
