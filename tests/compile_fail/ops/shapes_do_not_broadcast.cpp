// SPDX-License-Identifier: MIT
// expect-error: xgrad: the shapes of the operands do not broadcast: from the right
// Extents 4 and 3.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tanh(x + b);
#else
constexpr auto z = xg::tanh(xg::matmul(x, w) + b);
#endif
