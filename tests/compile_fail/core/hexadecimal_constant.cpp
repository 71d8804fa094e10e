// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant such as 0.5_c is written in decimal
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
