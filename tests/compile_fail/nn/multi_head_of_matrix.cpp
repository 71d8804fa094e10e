// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::multi_head_attention<name, heads, width>\(query\): query is not \[batch, length, features\]
// Rows without a length.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;
constexpr auto rows = xg::input<"rows", float, batch, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4>(rows);
#else
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4>(x);
#endif
