// SPDX-License-Identifier: MIT
// Logistic regression with the surroundings of training: a schedule, clipping, frozen scales, averages of the weights, checkpoints.
// A second start continues the training.
#include <xgrad/data/batches.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/metrics/metrics.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <filesystem>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 10>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto scale = xg::non_trainable<"scale", float, 10>;   // frozen: no rule moves it
constexpr auto w = xg::variable<"w", float, 10>;
constexpr auto logit = xg::sum<1>(x * scale * w) + xg::variable<"b", float>;
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, y));

int main() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> rows(5000 * 10), classes(5000), truth{2, -1, 0, 1, 3, -2, 0, 0, 1, -1};
    for (std::size_t k = 0; k < classes.size(); ++k) {
        float z = 0.5f * normal(random);
        for (std::size_t d = 0; d < 10; ++d) {
            rows[10 * k + d] = 100 * normal(random);
            z += truth[d] * rows[10 * k + d] / 100;
        }
        classes[k] = z > 0 ? 1.0f : 0.0f;
    }
    auto const rule = xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = xg::warmup{xg::cosine_decay{0.05, 1000}, 50}},
        xg::ema{.decay = 0.99, .zero_debias = true});
    std::filesystem::remove_all("logistic_run");
    for (int start = 1; start <= 2; ++start) {   // the program, started twice: the second run continues the first
        auto train = xg::minimize(loss, rule);
        train.initialize(xg::initial(xg::constant_initializer{.value = 0.01}, scale));
        xg::batches all{{.size = 50, .seed = 7}, xg::array(rows, 5000, 10), classes};
        if (auto const path = xg::latest_checkpoint("logistic_run"); !path.empty()) xg::restore(train, path, all);
        std::printf("start %d at step %d\n", start, static_cast<int>(train.global_step()));
        xg::saver saver("logistic_run", {.every_steps = 100});
        while (train.global_step() < (start == 1 ? 550 : 1000)) {
            auto const [a, b] = all.next();
            train(x = a, y = b);
            saver.save_if_due(train, {}, all);
        }
        if (start == 1) continue;
        train.assign(w, train.slot(w, "average"));   // predict with the averages
        xg::metrics::roc_auc area;
        area.update(xg::function{logit, train}(x = xg::array(rows, 5000, 10)), classes);
        std::printf("area under the curve %.4f\n", area.result());
        return area.result() > 0.97 && train.value(scale)[0] == 0.01f ? 0 : 1;
    }
}
