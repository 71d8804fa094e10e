// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: the weights of sampled_softmax_loss or nce_loss are not
// Weights with the classes as columns.
#include <xgrad/nn/sampled_losses.hpp>

namespace xg = xgrad;

constexpr auto w = xg::input<"w", float, 50, 8>;
constexpr auto b = xg::input<"b", float, 50>;
constexpr auto h = xg::input<"h", float, 4, 8>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::nce_loss<"draws", 5>(xg::input<"v", float, 8, 50>, b, h, labels);
#else
constexpr auto y = xg::nn::nce_loss<"draws", 5>(w, b, h, labels);
#endif
