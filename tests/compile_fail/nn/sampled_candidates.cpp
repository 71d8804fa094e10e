// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: the candidates of sampled_softmax_loss or nce_loss are not
// Counts of the candidates where those of the labels belong.
#include <xgrad/nn/sampled_losses.hpp>

namespace xg = xgrad;

constexpr auto w = xg::input<"w", float, 50, 8>;
constexpr auto b = xg::input<"b", float, 50>;
constexpr auto h = xg::input<"h", float, 4, 8>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;

constexpr auto drawn = xg::input<"drawn", std::int32_t, 6>;
constexpr auto counts = xg::input<"counts", float, 6>;
constexpr auto of_labels = xg::input<"of_labels", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::nce_loss(w, b, h, labels, drawn, counts, of_labels);
#else
constexpr auto y = xg::nn::nce_loss(w, b, h, labels, drawn, of_labels, counts);
#endif
