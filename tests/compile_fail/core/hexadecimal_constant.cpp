// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant with the suffix _c is a hexadecimal, binary or octal number
// The digits of a user-defined literal are ours to read.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x * 0x10_c;
#else
constexpr auto z = x * 16_c;
#endif
