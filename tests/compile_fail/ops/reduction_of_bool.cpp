// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operand of a reduction is bool
// Counting truths.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sum(xg::greater(x, 0_c));
#else
constexpr auto z = xg::sum(xg::cast<std::int32_t>(xg::greater(x, 0_c)));
#endif
