// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: sampled_softmax_loss<"name", draws> or nce_loss draws more classes than there are
// More draws than classes, without replacement.
#include <xgrad/nn/sampled_losses.hpp>

namespace xg = xgrad;

constexpr auto w = xg::input<"w", float, 50, 8>;
constexpr auto b = xg::input<"b", float, 50>;
constexpr auto h = xg::input<"h", float, 4, 8>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::sampled_softmax_loss<"draws", 51>(w, b, h, labels);
#else
constexpr auto y = xg::nn::sampled_softmax_loss<"draws", 51>(w, b, h, labels, xg::nn::with_replacement);
#endif
