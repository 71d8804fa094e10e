// SPDX-License-Identifier: MIT
// The program of docs/how_to/normalize.md.
// prints: moving mean 5[.]0, variance 4[.]0.training (0[.]00|-0[.]00), eval 2[.]0
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 1>;
constexpr auto norm = xg::nn::batch_norm<"norm">(x, 0.9_c);   // the momentum of the moving averages
constexpr auto loss = xg::mean(xg::square(norm));

int main() {
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0}, xg::nn::updates(loss));
    train.initialize(xg::glorot_uniform{.seed = 1});   // factors and variances begin at 1, summands and means at 0

    std::mt19937 random(1);
    std::normal_distribution<float> normal(5, 2);
    std::vector<float> numbers(1000);
    for (int step = 0; step < 200; ++step) {
        for (float& v : numbers) v = normal(random);
        train(x = xg::array(numbers, 1000, 1));
    }
    std::printf("moving mean %.1f, variance %.1f\n", train.value(norm.moving_mean)[0], train.value(norm.moving_variance)[0]);

    xg::function training{norm, train};
    xg::function predict{xg::eval(norm), train};
    std::vector<float> const one{9};   // a batch of one number is its own mean
    std::printf("training %.2f, eval %.1f\n", training(x = xg::array(one, 1, 1))[0], predict(x = xg::array(one, 1, 1))[0]);
}
