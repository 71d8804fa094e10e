// SPDX-License-Identifier: MIT
// The model of docs/how_to/train_on_a_csv.md, which docs/how_to/predict.md uses in a second program.
#pragma once
#include <xgrad/xgrad.hpp>

namespace house {
namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;   // size, bedrooms, age
constexpr auto price = xg::input<"price", float, batch>;
constexpr auto mean = xg::non_trainable<"mean", float, 3>;     // of each column of x
constexpr auto scale = xg::non_trainable<"scale", float, 3>;   // 1 / its standard deviation
constexpr auto hidden = xg::relu(xg::nn::dense<"hidden", 16>((x - mean) * scale));
constexpr auto estimate = xg::squeeze<1>(xg::nn::dense<"out", 1>(hidden));
constexpr auto loss = xg::mean(xg::squared_error(estimate, price));
}   // namespace house
