// SPDX-License-Identifier: MIT
// The program of docs/how_to/stop_early.md.
// prints: best test loss 0[.][0-9]+ in epoch [0-9]+ of [0-9]+, with the restored weights 0 more
#include <xgrad/data/batches.hpp>
#include <xgrad/io/snapshot.hpp>
#include <xgrad/metrics/early_stopping.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 1>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto curve = xg::nn::dense<"out", 1>(xg::tanh(xg::nn::dense<"hidden", 64>(x)));
constexpr auto loss = xg::mean(xg::squared_error(curve, y));

int main() {
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.3f);
    std::vector<float> in(80), out(80);   // 40 rows to train on, 40 to test
    for (std::size_t i = 0; i < 80; ++i) in[i] = 2 * noise(random), out[i] = std::sin(3 * in[i]) + noise(random);

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.02});
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function evaluate{loss, train};
    auto const test_loss = [&] { return evaluate(x = xg::array(&in[40], 40, 1), y = xg::array(&out[40], 40, 1)); };

    xg::batches batches{{.size = 8, .seed = 1}, xg::array(in.data(), 40, 1), xg::array(out.data(), 40, 1)};
    xg::metrics::early_stopping stop{{.patience = 30}};
    xg::snapshot best;
    int epoch = 0, best_epoch = 0;
    for (; epoch < 5000 && !stop.should_stop(); ++epoch) {
        for (auto const& [inputs, targets] : batches) train(x = inputs, y = targets);
        if (stop.update(test_loss())) {
            best.take(train);
            best_epoch = epoch;
        }
    }
    best.restore(train, xg::variables_only);
    std::printf("best test loss %.4f in epoch %d of %d, with the restored weights %g more\n", stop.best(), best_epoch, epoch,
        test_loss() - stop.best());
}
