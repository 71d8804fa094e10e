// SPDX-License-Identifier: MIT
// expect-error: xgrad::split<parts, axis>\(x\): parts is not an integer of 1 to 32 that divides
// Pieces that are not equal.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::split<2>(x);
#else
constexpr auto z = xg::split<3>(x);
#endif
