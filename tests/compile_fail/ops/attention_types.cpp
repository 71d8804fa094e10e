// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v\): q, k and v are not all float
// Values in double.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto v = xg::input<"v", double, batch, 4, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(q, q, v);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, q, q);
#endif
