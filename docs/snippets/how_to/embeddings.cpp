// SPDX-License-Identifier: MIT
// The program of docs/how_to/embeddings.md.
// prints: 4 words, (0[.]99|1[.]00) and 0[.]0[01], loss 0[.]0
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim rows{"rows"};   // of the table
constexpr auto words = xg::input<"words", std::int32_t, batch, 2>;
constexpr auto label = xg::input<"label", float, batch, 1>;
constexpr auto table = xg::variable<"table", float, rows, 8>;
constexpr auto logit = xg::nn::dense<"out", 1>(xg::mean<1>(xg::gather(table, words)));   // the mean of two rows
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, label));

int main() {
    std::vector<std::int64_t> const pairs{xg::key_of("good"), xg::key_of("day"), xg::key_of("bad"), xg::key_of("day"), xg::key_of("good"),
        xg::key_of("trip"), xg::key_of("bad"), xg::key_of("trip")};
    std::vector<float> const labels{1, 0, 1, 0};

    xg::vocabulary known{"known_words"};
    auto train = xg::minimize(loss, xg::lazy_adam{.learning_rate = 0.05}, rows = 2);   // of two rows, it grows
    train.initialize(xg::random_uniform{.seed = 1, .range = 0.05});
    float value = 0;
    for (int step = 0; step < 200; ++step) {
        auto const ids = known.lookup_or_insert(pairs);   // a row for each word, in the order in which they are first seen
        if (auto const n = train.value(table).shape(0); known.size() > n)
            train.grow(rows = known.size(), xg::random_uniform{.seed = 1, .range = 0.05});
        value = train(words = xg::array(ids, 4, 2), label = xg::array(labels, 4, 1));
    }
    xg::save(train, "words.safetensors", {}, known);

    xg::function predict{xg::sigmoid(logit), train};
    std::vector<std::int32_t> ids(8);
    known.lookup(pairs, std::span(ids), 0);   // inserts nothing; row 0 for words that are not known
    auto const p = predict(words = xg::array(ids, 4, 2));
    std::printf("%d words, %.2f and %.2f, loss %.3f\n", static_cast<int>(known.size()), p[0], p[1], value);
}
