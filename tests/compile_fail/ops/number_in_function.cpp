// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// A number as an operand of a named operation.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::maximum(x, 0.0f);
#else
constexpr auto z = xg::maximum(x, 0_c);
#endif
