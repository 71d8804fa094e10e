// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): the last extent of a differs from the first extent of b
// A block of a transformer with a memory that is refused already: the norms after the attention give no further sentence.
#include <xgrad/nn/transformer.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 3, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::variable<"w", float, 5, 6>;
#else
constexpr auto w = xg::variable<"w", float, 4, 6>;
#endif
constexpr auto memory = xg::matmul(x, w);
constexpr auto post = xg::nn::transformer_decoder_block<"post", 2, 8>(x, memory);
constexpr auto pre = xg::nn::transformer_decoder_block<"pre", 2, 8, xg::nn::transformer_options{.norm_first = true}>(post, memory);
constexpr auto loss = xg::sum(xg::square(pre));
