// SPDX-License-Identifier: MIT
// Three workers train one model that separates the points of two spirals.
// Prints the progress and what became of the gradients, and draws what each worker did when.
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w1 = xg::variable<"w1", float, 2, 256>;
constexpr auto b1 = xg::variable<"b1", float, 256>;
constexpr auto w2 = xg::variable<"w2", float, 256, 128>;
constexpr auto b2 = xg::variable<"b2", float, 128>;
constexpr auto w3 = xg::variable<"w3", float, 128, 1>;
constexpr auto b3 = xg::variable<"b3", float, 1>;
constexpr auto hidden = xg::tanh(xg::matmul(xg::tanh(xg::matmul(x, w1) + b1), w2) + b2);
constexpr auto logits = xg::squeeze<1>(xg::matmul(hidden, w3) + b3);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits, y));

struct points {
    std::vector<float> at, label;
    explicit points(int n) {
        for (int i = 0; i < n; ++i) {
            double const turn = 9.4 * std::sqrt((i + 1.) / n), side = i % 2 == 0 ? 0 : 3.14159265358979;
            at.push_back(static_cast<float>(turn / 5 * std::cos(turn + side)));
            at.push_back(static_cast<float>(turn / 5 * std::sin(turn + side)));
            label.push_back(static_cast<float>(i % 2));
        }
    }
};

int main() {
    constexpr int rows = 6000, of_worker = 100, epochs = 120;
    points const data(rows);
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 5e-3});   // all gradients before all updates
    train.initialize(xg::glorot_uniform{.seed = 1});

    xg::sync_replicas replicas(train, {.workers = 3, .initial_tokens = 0, .timeline_steps = 8});
    auto const report = replicas.run([&](auto& worker) {
        std::vector<float> at(of_worker * 2), label(of_worker);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            auto const mine = xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 1, .epoch = epoch});
            for (std::size_t first = 0; first + of_worker <= mine.size(); first += of_worker) {
                for (std::size_t i = 0; i < of_worker; ++i) {
                    auto const row = static_cast<std::size_t>(mine[first + i]);
                    at[2 * i] = data.at[2 * row];
                    at[2 * i + 1] = data.at[2 * row + 1];
                    label[i] = data.label[row];
                }
                worker(x = xg::array(at.data(), of_worker, 2), y = label);   // gives its gradients and waits for the others
            }
            if (worker.index() == 0 && (epoch + 1) % 40 == 0) std::puts(xg::to_line(replicas.progress()).c_str());
        }
    });

    std::printf("\n%s", xg::to_table(report).c_str());
    std::ofstream("replicas.svg") << xg::to_svg(replicas.timeline(), {.title = "Three workers, the last steps of each"});

    xg::function predict{logits, train};
    auto const scores = predict(x = xg::array(data.at.data(), rows, 2));
    int right = 0;
    for (int i = 0; i < rows; ++i) right += (scores[i] > 0) == (data.label[static_cast<std::size_t>(i)] > 0);
    std::printf("%.1f %% of the points are on the right side\n", 100. * right / rows);
    return right > 0.95 * rows ? 0 : 1;
}
