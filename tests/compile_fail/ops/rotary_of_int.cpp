// SPDX-License-Identifier: MIT
// expect-error: xgrad::rotary_embedding\(x\): x is neither float nor double
// Integers.
#include <xgrad/ops/attention/rotary.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto n = xg::input<"n", int, batch, 4, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::rotary_embedding(n);
#else
constexpr auto y = xg::rotary_embedding(q);
#endif
