// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention\(q, k, v\): the last extent is a named dimension
// A width that comes with the call.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim width{"width"};
constexpr auto x = xg::input<"x", float, batch, 4, 5, width>;
constexpr auto q = xg::input<"q", float, batch, 4, width, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention(x, x, x);
#else
constexpr auto y = xg::scaled_dot_product_attention(q, q, q);
#endif
