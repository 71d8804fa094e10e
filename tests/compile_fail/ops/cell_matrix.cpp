// SPDX-License-Identifier: MIT
// expect-error: xgrad: the matrix u of lstm_cell, gru_cell or rnn_cell has another shape
// A matrix without gates.
#include <xgrad/ops/sequences/cells.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto in = xg::input<"in", float, batch, 12>;
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto u = xg::variable<"u", float, 4, 12>;
constexpr auto b = xg::variable<"b", float, 12>;
constexpr auto one = xg::variable<"one", float, 4, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gru_cell(in, h, one);
#else
constexpr auto y = xg::gru_cell(in, h, u);
#endif
