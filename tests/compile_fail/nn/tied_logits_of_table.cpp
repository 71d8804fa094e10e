// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::tied_logits\(h, words\): words is not an nn::embedding
// The table in place of the embedding.
#include <xgrad/nn/tied_logits.hpp>
#include <xgrad/ops/exponential.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
constexpr auto words = xg::nn::embedding<"words", 10, 4>(ids);
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::tied_logits(xg::tanh(words), words.table);
#else
constexpr auto y = xg::nn::tied_logits(xg::tanh(words), words);
#endif
