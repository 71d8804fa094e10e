// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v, more...\): an argument is no mask
// Two masks.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto a = xg::input<"a", bool, 5, 5>;
constexpr auto b = xg::input<"b", bool, batch, 1, 1, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(q, q, q, a, b);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, q, q, b);
#endif
