// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operand of a random number
// Integers in place of logits.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::categorical<"c">(x);
#else
constexpr auto z = xg::categorical<"c">(xg::cast<float>(x));
#endif
