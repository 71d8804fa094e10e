// SPDX-License-Identifier: MIT
// The program of docs/quick_start.md.
// prints: 0[.]0. (0[.]9.|1[.]00) (0[.]9.|1[.]00) 0[.]0.
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};   // its size comes with each call
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto hidden = xg::tanh(xg::nn::dense<"hidden", 8>(x));
constexpr auto logit = xg::nn::dense<"out", 1>(hidden);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, y));

int main() {
    std::vector<float> const points{0, 0, 0, 1, 1, 0, 1, 1}, labels{0, 1, 1, 0};   // exclusive or

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05});
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (int step = 0; step < 300; ++step) train(x = xg::array(points, 4, 2), y = xg::array(labels, 4, 1));

    xg::function predict{xg::sigmoid(logit), train};
    for (float const p : predict(x = xg::array(points, 4, 2))) std::printf("%.2f ", p);
    std::printf("\n");
}
