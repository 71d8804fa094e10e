// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::transformer_encoder_block, transformer_decoder_block: heads do not divide the features
// Three heads for eight features.
#include <xgrad/nn/transformer.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::transformer_decoder_block<"b", 3, 16>(x);
#else
constexpr auto y = xg::nn::transformer_decoder_block<"b", 4, 16>(x);
#endif
