// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v\): the heads of q are no multiple
// Four heads of queries and three of keys.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto k = xg::input<"k", float, batch, 3, 5, 8>;
constexpr auto two = xg::input<"two", float, batch, 2, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(q, k, k);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, two, two);
#endif
