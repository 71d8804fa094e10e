// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::multi_head_attention<name, heads, width>\(query\): the last extent of query is a named dimension
// Features that come with the call.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;
constexpr auto z = xg::input<"z", float, 5, 8, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4>(z);
#else
constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4>(x);
#endif
