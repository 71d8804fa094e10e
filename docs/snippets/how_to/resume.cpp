// SPDX-License-Identifier: MIT
// The program of docs/how_to/resume.md.
// prints: [0-9]+ steps before, 600 now, loss 0[.]0
#include <xgrad/data/batches.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto estimate = xg::nn::dense<"out", 1>(xg::tanh(xg::nn::dense<"hidden", 8>(x)));
constexpr auto loss = xg::mean(xg::squared_error(estimate, y));

int main() {
    std::vector<float> in, out;
    for (int i = 0; i < 100; ++i) {
        float const a = static_cast<float>(i % 10) / 5 - 1, b = static_cast<float>(i / 10) / 5 - 1;
        in.insert(in.end(), {a, b});
        out.push_back(a * b);
    }
    xg::batches batches{{.size = 20, .seed = 1}, xg::array(in, 100, 2), xg::array(out, 100, 1)};
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.02});
    train.initialize(xg::glorot_uniform{.seed = 1});

    if (std::string const last = xg::latest_checkpoint("run"); !last.empty()) xg::restore(train, last, batches);
    xg::saver saver("run", {.max_to_keep = 3, .every_steps = 100, .every_seconds = 600});
    auto const before = static_cast<int>(train.global_step());
    while (train.global_step() < 600) {   // stop the program at any time and start it again
        auto const [inputs, targets] = batches.next();
        train(x = inputs, y = targets);
        saver.save_if_due(train, {}, batches);   // run/model-<steps>.safetensors
    }
    saver.save(train, {}, batches);

    xg::function evaluate{loss, train};
    std::printf("%d steps before, %d now, loss %.4f\n", before, static_cast<int>(train.global_step()),
        evaluate(x = xg::array(in, 100, 2), y = xg::array(out, 100, 1)));
}
