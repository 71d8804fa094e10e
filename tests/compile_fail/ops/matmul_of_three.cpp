// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): more or fewer than two operands are given
// the bias as a third operand.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(x, w, xg::variable<"b", float, 3>);
#else
constexpr auto z = xg::matmul(x, w) + xg::variable<"b", float, 3>;
#endif
