// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::multi_head_attention<name, heads, width>\(query\): heads or width is below 1, or key_heads does not divide heads
// Two heads that share three of keys.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4, xg::nn::multi_head_options{.key_heads = 3}>(x);
#else
constexpr auto y = xg::nn::multi_head_attention<"a", 6, 4, xg::nn::multi_head_options{.key_heads = 3}>(x);
#endif
