// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::transformer_encoder_block, transformer_decoder_block: x is not \[batch, length, features\]
// Rows without a length.
#include <xgrad/nn/transformer.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;
constexpr auto rows = xg::input<"rows", float, batch, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::transformer_encoder_block<"b", 2, 16>(rows);
#else
constexpr auto y = xg::nn::transformer_encoder_block<"b", 2, 16>(x);
#endif
