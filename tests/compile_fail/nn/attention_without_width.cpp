// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::multi_head_attention<name, heads, width>\(query\): there is no width
// Heads without a width.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 6, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::multi_head_attention<"a", 2>(x);
#else
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4>(x);
#endif
