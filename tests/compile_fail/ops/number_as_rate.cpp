// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// The rate of dropout as a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dropout<"drop">(x, 0.5);
#else
constexpr auto z = xg::dropout<"drop">(x, 0.5_c);
#endif
