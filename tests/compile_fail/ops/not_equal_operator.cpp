// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no != of expressions
// != of an expression and a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::select(x != 0.0f, x, 1_c);
#else
constexpr auto z = xg::select(xg::not_equal(x, 0_c), x, 1_c);
#endif
