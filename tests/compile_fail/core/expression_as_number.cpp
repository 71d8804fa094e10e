// SPDX-License-Identifier: MIT
// expect-error: an expression is used as a number; write select
// an expression is a condition.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
int f() { return x > 0_c ? 1 : 2; }
#else
constexpr auto f = xg::select(x > 0_c, x, 0_c);
#endif
