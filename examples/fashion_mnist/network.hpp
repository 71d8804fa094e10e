// SPDX-License-Identifier: MIT
// The network for Fashion-MNIST as an expression, 784 - 128 relu - 10, its initial values, and how good it is.
#pragma once

#include <support/fashion_mnist.hpp>
#include <support/recipe_random.hpp>

#include <xgrad/metrics/accuracy.hpp>
#include <xgrad/xgrad.hpp>

namespace examples::fashion {

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;
constexpr auto logits = xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

/// Initial values of the recipe; biases are 0 already.
template<class Train>
void initialize(Train& train, std::uint64_t seed) {
    auto first = train.value(w1), second = train.value(w2);
    fill_glorot(seed, 0, 784, 128, {first.data(), 784 * 128});
    fill_glorot(seed, 1, 128, 10, {second.data(), 128 * 10});
}

/// Share of the pictures whose largest logit is that of their label.
template<class Predict>
double accuracy(Predict& predict, image_set const& pictures) {
    xg::metrics::accuracy right;
    right.update(predict(x = xg::array(pictures.images, pictures.size(), image_set::pixels)), pictures.labels);
    return right.result();
}

}   // namespace examples::fashion
