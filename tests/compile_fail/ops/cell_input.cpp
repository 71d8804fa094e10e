// SPDX-License-Identifier: MIT
// expect-error: xgrad: the input of lstm_cell, gru_cell or rnn_cell does not end with the columns of u
// The features in the place of their product.
#include <xgrad/ops/sequences/cells.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto in = xg::input<"in", float, batch, 12>;
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto u = xg::variable<"u", float, 4, 12>;
constexpr auto b = xg::variable<"b", float, 12>;
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gru_cell(x, h, u);
#else
constexpr auto y = xg::gru_cell(xg::matmul(x, u), h, u);
#endif
