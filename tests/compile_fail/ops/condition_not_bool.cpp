// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operand of this operation is not bool
// A number as a condition.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::select(x, x, 0_c);
#else
constexpr auto z = xg::select(xg::greater(x, 0_c), x, 0_c);
#endif
