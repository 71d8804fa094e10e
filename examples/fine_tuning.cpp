// SPDX-License-Identifier: MIT
// A classifier on top of a frozen embedding. Uses clipping, warm-up, decay of weights but not of biases, an average of the weights, and
// accuracy from the same pass.
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto words = xg::input<"words", std::int32_t, batch, 5>;
constexpr auto label = xg::input<"label", std::int32_t, batch>;
constexpr auto table = xg::non_trainable<"table", float, 1000, 16>;   // frozen: no group names it
constexpr auto w = xg::variable<"w", float, 16, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto logits = xg::matmul(xg::embedding_bag(table, words), w) + b;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, label));
constexpr auto best = std::get<1>(xg::top_k<1>(logits));   // [batch, 1]
constexpr auto accuracy = xg::mean(xg::cast<float>(xg::equal(xg::squeeze<1>(best), label)));

int main() {
    auto const clip = xg::clip_by_global_norm(1);
    auto const adam = xg::adam{.learning_rate = xg::warmup{xg::cosine_decay{0.02, 1800}, 200}};
    auto train = xg::minimize(xg::outputs(loss, accuracy),
        xg::param_group(xg::chain(clip, xg::decoupled_decay{.weight_decay = 1e-4}, adam, xg::ema{0.99}), w),
        xg::param_group(xg::chain(clip, adam, xg::ema{0.99}), b));
    train.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::glorot_uniform{}, table));   // or an array of what is known
    float const* const known = train.value(table).data();
    std::mt19937 random(2);
    std::vector<std::int32_t> in(64 * 5), out(64);
    double last = 0;
    for (int step = 1; step <= 2000; ++step) {
        for (std::size_t i = 0; i < 64; ++i) {   // the class is that of the largest of three sums over what the words have in the table
            float sums[3] = {};
            for (std::size_t k = 0; k < 5; ++k) {
                in[5 * i + k] = static_cast<std::int32_t>(random() % 1000);
                for (std::size_t c = 0; c < 3; ++c) sums[c] += known[static_cast<std::size_t>(16 * in[5 * i + k]) + c];
            }
            out[i] = static_cast<std::int32_t>(std::max_element(sums, sums + 3) - sums);
        }
        auto const [value, right] = train(words = xg::array(in.data(), 64, 5), label = out);
        last += step > 1900 ? static_cast<double>(right) / 100 : 0;
        if (step % 400 == 0)
            std::printf("step %4d   loss %.3f   accuracy %.2f\n", step, static_cast<double>(value), static_cast<double>(right));
    }
    std::printf("accuracy of the last 100 steps: %.3f\n", last);
    return last > 0.9 ? 0 : 1;
}
