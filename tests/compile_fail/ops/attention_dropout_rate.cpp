// SPDX-License-Identifier: MIT
// expect-error: xgrad::scaled_dot_product_attention<options, name>\(q, k, v\): the dropout is outside
// A rate of 1.
#include <xgrad/ops/attention/attention.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 3, 5, 4>;
constexpr xg::attention_options how{.dropout = 0.1};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scaled_dot_product_attention<xg::attention_options{.dropout = 1}, "drop">(x, x, x);
#else
constexpr auto y = xg::scaled_dot_product_attention<how, "drop">(x, x, x);
#endif
