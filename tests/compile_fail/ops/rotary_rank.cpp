// SPDX-License-Identifier: MIT
// expect-error: xgrad::rotary_embedding\(x\): x does not have four axes
// A sequence whose heads are not an axis.
#include <xgrad/ops/attention/rotary.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto one = xg::input<"one", float, batch, 5, 32>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::rotary_embedding(one);
#else
constexpr auto y = xg::rotary_embedding(q);
#endif
