// SPDX-License-Identifier: MIT
// expect-error: xgrad::min<axes\.\.\.>\(x\): two operands are given, and min is over axes of one
// The reduction where the smaller of two is meant.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::min(x, 0_c);
#else
constexpr auto z = xg::minimum(x, 0_c);
#endif
