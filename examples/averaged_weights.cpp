// SPDX-License-Identifier: MIT
// A moving average of the weights after each step. It predicts better than the weights themselves, which follow the last few examples.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 1>;
constexpr auto average = xg::non_trainable<"w/average", float, 4, 1>;
constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, w)), y));

// Like TensorFlow's ExponentialMovingAverage after the optimizer. w in place of updated(w) would be the weights before the step.
constexpr auto followed = average - 0.01_c * (average - xg::updated(w));

int main() {
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.05}, xg::assign(average, followed));
    std::vector<float> const truth{1.0f, -2.0f, 0.5f, 3.0f};
    std::mt19937 random(1);
    auto const uniform = [&] { return 2.0f * static_cast<float>(random() >> 8) / 0x1p24f - 1.0f; };
    std::vector<float> in(8 * 4), out(8);
    auto const distance = [&](auto const& view) {   // root mean square
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += std::pow(view[static_cast<std::int64_t>(i)] - truth[i], 2);
        return std::sqrt(sum / 4);
    };
    double of_weights = 0, of_average = 0;
    for (int step = 1; step <= 3000; ++step) {
        for (float& e : in) e = uniform();
        for (std::size_t i = 0; i < 8; ++i) {
            out[i] = 2.0f * uniform();   // noise
            for (std::size_t k = 0; k < 4; ++k) out[i] += in[4 * i + k] * truth[k];
        }
        float const value = train(x = xg::array(in.data(), 8, 4), y = out);
        if (step % 500 == 0)
            std::printf("step %4d   loss %.3f   distance of the weights %.3f, of their average %.3f\n", step, static_cast<double>(value),
                distance(train.value(w)), distance(train.value(average)));
        if (step <= 1000) continue;
        of_weights += distance(train.value(w)) / 2000;
        of_average += distance(train.value(average)) / 2000;
    }
    std::printf("mean distance from the truth: weights %.4f, their average %.4f\n", of_weights, of_average);
    return of_average < 0.75 * of_weights ? 0 : 1;
}
