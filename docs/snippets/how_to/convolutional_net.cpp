// SPDX-License-Identifier: MIT
// The program of docs/how_to/convolutional_net.md.
// prints: accuracy of new pictures (0[.]9[0-9]|1[.]00)
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/convolution.hpp>
#include <xgrad/ops/images/adjust.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>
#include <xgrad/ops/shapes/axes.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto images = xg::input<"images", float, batch, 12, 12, 1>;   // height, width, channels
constexpr auto labels = xg::input<"labels", std::int32_t, batch>;
constexpr auto seen = xg::random_flip_left_right<"flip">(images);   // in training; eval takes the pictures as they are

constexpr xg::window same{.padding = xg::window_padding::same};
template<xg::fixed_string Name, std::int64_t Filters>
constexpr auto block(xg::Expr auto const& x) {
    auto const y = xg::nn::conv2d<xg::join_names<Name, "conv">(), Filters, 3, same, false>(x);   // without a bias
    return xg::max_pool2d<2>(xg::relu(xg::nn::batch_norm<xg::join_names<Name, "norm">()>(y, 0.9_c)));
}
constexpr auto features = xg::flatten<1>(block<"second", 8>(block<"first", 8>(seen)));   // [batch, 3 * 3 * 8]
constexpr auto logits = xg::nn::dense<"out", 2>(xg::dropout<"drop">(features, 0.25_c));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, labels));

int main() {
    constexpr std::size_t rows = 64;
    std::mt19937 random(1);
    std::normal_distribution<float> noise;
    std::vector<float> pictures(rows * 144);
    std::vector<std::int32_t> kinds(rows);
    auto const draw = [&] {   // a bar of five pixels from left to right, or from top to bottom, in noise
        for (float& p : pictures) p = 0.5f * noise(random);
        for (std::size_t k = 0; k < rows; ++k) {
            kinds[k] = static_cast<std::int32_t>(random() % 2);
            std::size_t const a = random() % 12, b = random() % 8;
            for (std::size_t i = 0; i < 5; ++i) pictures[k * 144 + (kinds[k] ? (b + i) * 12 + a : a * 12 + b + i)] += 1;
        }
    };

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01}, xg::nn::updates(loss));
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (int step = 0; step < 150; ++step) {
        draw();
        train(images = xg::array(pictures, rows, 12, 12, 1), labels = kinds);
    }

    xg::function predict{xg::eval(logits), train};
    draw();
    auto const scores = predict(images = xg::array(pictures, rows, 12, 12, 1));
    int right = 0;
    for (std::int64_t k = 0; k < 64; ++k) right += (scores(k, 1) > scores(k, 0)) == (kinds[static_cast<std::size_t>(k)] == 1);
    std::printf("accuracy of new pictures %.2f\n", right / 64.0);
}
