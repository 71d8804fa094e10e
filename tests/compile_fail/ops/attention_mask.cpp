// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v, more...\): a mask or bias is not
// A mask of the keys that lacks an axis.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto a = xg::input<"a", bool, batch, 5>;
constexpr auto b = xg::input<"b", bool, batch, 1, 1, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(q, q, q, a);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, q, q, b);
#endif
