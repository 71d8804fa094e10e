// SPDX-License-Identifier: MIT
// expect-error: xgrad::bitwise_and\(x, y\) and the like: an operand is no integer
// Bits of numbers that are not integers.
#include <xgrad/ops/bitwise.hpp>

namespace xg = xgrad;

constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto x = xg::input<"x", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bitwise_and(x, x);
#else
constexpr auto z = xg::bitwise_and(i, i);
#endif
