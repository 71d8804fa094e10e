// SPDX-License-Identifier: MIT
// expect-error: xgrad::max<axes\.\.\.>\(x\): two operands are given, and max is over axes of one
// The reduction where the larger of two is meant.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::max(x, 0_c);
#else
constexpr auto z = xg::maximum(x, 0_c);
#endif
