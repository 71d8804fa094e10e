// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: the labels of sampled_softmax_loss or nce_loss are not
// Labels of another batch.
#include <xgrad/nn/sampled_losses.hpp>

namespace xg = xgrad;

constexpr auto w = xg::input<"w", float, 50, 8>;
constexpr auto b = xg::input<"b", float, 50>;
constexpr auto h = xg::input<"h", float, 4, 8>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::sampled_softmax_loss<"draws", 5>(w, b, h, xg::input<"l", std::int32_t, 5>);
#else
constexpr auto y = xg::nn::sampled_softmax_loss<"draws", 5>(w, b, h, labels);
#endif
