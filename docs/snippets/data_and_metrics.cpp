// SPDX-License-Identifier: MIT
// The program of docs/data_and_metrics.md: batches of arrays in memory, metrics.
#include <xgrad/data/batches.hpp>
#include <xgrad/io/snapshot.hpp>
#include <xgrad/metrics/metrics.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto logits = xg::nn::dense<"out", 3>(x);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

void expect(bool held, char const* what) {
    if (held) return;
    std::printf("not as the text says: %s\n", what);
    std::exit(1);
}

struct rows {
    std::vector<float> images;   // count() rows of 4
    std::vector<std::int32_t> labels;
    rows(std::size_t n, std::uint64_t seed) : images(4 * n), labels(n) {
        for (std::size_t i = 0; i < 4 * n; ++i) images[i] = static_cast<float>(xg::mix_bits(seed + i) % 1000) / 500 - 1;
        for (std::size_t i = 0; i < n; ++i) labels[i] = images[4 * i] > 0.3f ? 2 : images[4 * i + 1] > 0;
    }
    std::size_t count() const { return labels.size(); }
};

}   // namespace

int main() {
    rows const data(1000, 0);
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05});
    // [batches]
    xg::batches all{{.size = 64, .seed = 1}, xg::array(data.images, data.count(), 4), data.labels};
    for (int epoch = 0; epoch < 10; ++epoch)
        for (auto const& [images, labels] : all) train(x = images, y = labels);
    // [/batches]
    expect(train.global_step() == 160, "the last batch of an epoch is shorter, and not left out");
    // [next]
    while (train.global_step() < 200) {
        auto const [images, labels] = all.next();
        train(x = images, y = labels);
    }
    // [/next]
    expect(all.epoch() == 12 && all.batch() == 8, "next() goes on from epoch to epoch");
    char const* const path = "batches_snippet.safetensors";
    // [saved batches]
    xg::save(train, path, {}, all);
    xg::restore(train, path, all);
    // [/saved batches]
    std::remove(path);

    rows const test(300, 1 << 20);
    xg::function predict{logits, train};
    // [metrics]
    xg::metrics::accuracy right;
    xg::metrics::confusion_matrix matrix(3);
    xg::batches tests{{.size = 64, .shuffle = false}, xg::array(test.images, test.count(), 4), test.labels};
    for (auto const& [images, labels] : tests) {
        auto const rows = predict(x = images);
        right.update(rows, labels);
        matrix.update(rows, labels);
    }
    std::printf("accuracy %.3f, of class 2 the precision %.3f and the recall %.3f\n", right.result(), matrix.of(2).precision, matrix.of(2).recall);
    // [/metrics]
    expect(right.result() > 0.75, "the model has learned");
    expect(right.result() == matrix.accuracy(), "accuracy and matrix agree");
    // [mean loss]
    xg::metrics::mean losses;
    for (auto const& [images, labels] : all.at(13)) losses.update(train(x = images, y = labels), labels.size());
    // [/mean loss]
    expect(losses.result() > 0 && losses.result() < 0.7, "the loss is small");
    xg::function evaluate{loss, train};
    auto const test_loss = [&] { return static_cast<double>(evaluate(x = xg::array(test.images, test.count(), 4), y = test.labels)); };
    // [early stopping]
    xg::metrics::early_stopping stop{{.patience = 3, .min_delta = 1e-4}};
    xg::snapshot best;
    for (int epoch = 20; epoch < 200 && !stop.should_stop(); ++epoch) {
        for (auto const& [images, labels] : all.at(epoch)) train(x = images, y = labels);
        if (stop.update(test_loss())) best.take(train);
    }
    best.restore(train, xg::variables_only);
    // [/early stopping]
    expect(stop.should_stop() && test_loss() == stop.best(), "the best weights are back");
}
