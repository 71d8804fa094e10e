// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::position_embedding<name, rows>\(x\): x is not
// Ids in place of their embeddings.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;
constexpr auto ids = xg::input<"ids", int, batch, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::position_embedding<"p", 16>(ids);
#else
constexpr auto y = xg::nn::position_embedding<"p", 16>(x);
#endif
