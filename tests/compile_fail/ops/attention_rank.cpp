// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v\): q, k or v does not have four axes
// A sequence whose heads are not an axis.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto one = xg::input<"one", float, batch, 5, 32>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(one, one, one);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, q, q);
#endif
