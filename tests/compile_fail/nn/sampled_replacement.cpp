// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: sampled_softmax_loss or nce_loss gets candidates and nn::with_replacement
// The candidates are given, and nothing is drawn.
#include <xgrad/nn/sampled_losses.hpp>

namespace xg = xgrad;

constexpr auto w = xg::input<"w", float, 50, 8>;
constexpr auto b = xg::input<"b", float, 50>;
constexpr auto h = xg::input<"h", float, 4, 8>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;
constexpr auto candidates = xg::input<"candidates", std::int32_t, 5>;
constexpr auto label_counts = xg::log_uniform_probability<50>(labels);
constexpr auto counts = xg::log_uniform_probability<50>(candidates);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::nce_loss(w, b, h, labels, candidates, label_counts, counts, xg::nn::with_replacement);
#else
constexpr auto y = xg::nn::nce_loss(w, b, h, labels, candidates, label_counts, counts);
#endif
