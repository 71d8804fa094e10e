// SPDX-License-Identifier: MIT
// expect-error: xgrad: the peepholes of lstm_cell are not \[3, units\], or the bias of gru_cell is not \[3 \* units\]
// The bias of one gate.
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
constexpr auto y = xg::gru_cell(in, h, u, one);
#else
constexpr auto y = xg::gru_cell(in, h, u, b);
#endif
