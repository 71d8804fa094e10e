// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::transformer_encoder_block, transformer_decoder_block: the dropout is outside of
// A dropout of everything.
#include <xgrad/nn/transformer.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::transformer_encoder_block<"b", 2, 16, xg::nn::transformer_options{.dropout = 1}>(x);
#else
constexpr auto y = xg::nn::transformer_encoder_block<"b", 2, 16, xg::nn::transformer_options{.dropout = 0.5}>(x);
#endif
