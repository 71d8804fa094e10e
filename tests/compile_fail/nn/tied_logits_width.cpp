// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::tied_logits\(h, words\): h is not
// Logits of an embedding from features of another width.
#include <xgrad/nn/tied_logits.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
constexpr auto words = xg::nn::embedding<"words", 10, 4>(ids);
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::tied_logits(xg::input<"h", float, 3, 5>, words);
#else
constexpr auto y = xg::nn::tied_logits(xg::input<"h", float, 3, 4>, words);
#endif
