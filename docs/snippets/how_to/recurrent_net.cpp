// SPDX-License-Identifier: MIT
// The program of docs/how_to/recurrent_net.md.
// prints: accuracy of new rows (0[.]9[0-9]|1[.]00).one step at a time: the same
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t longest = 12, units = 8;
constexpr auto x = xg::input<"x", float, batch, longest, 1>;   // time is the second axis
constexpr auto length = xg::input<"length", std::int32_t, batch>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto layer = xg::nn::lstm<"lstm", units>(x, xg::nn::lengths(length));   // the output of each row's last step
constexpr auto logit = xg::nn::dense<"out", 1>(layer);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, y));

// One step of the same layer, for a program that gets one number at a time.
constexpr auto now = xg::input<"now", float, 1, 1>;
constexpr auto h = xg::input<"h", float, 1, units>;
constexpr auto c = xg::input<"c", float, 1, units>;
constexpr auto in = xg::matmul(now, layer.w) + layer.b;
constexpr auto next = xg::lstm_cell(in, h, c, layer.u);
constexpr auto answer = xg::nn::dense<"out", 1>(std::get<0>(next), xg::nn::shared);

int main() {
    constexpr std::size_t rows = 64, steps = 12;
    std::mt19937 random(1);
    std::vector<float> series(rows * steps), rises(rows);
    std::vector<std::int32_t> lengths(rows);
    auto const draw = [&] {   // is the last number of a row larger than its first?
        for (float& s : series) s = std::uniform_real_distribution<float>(-1, 1)(random);
        for (std::size_t r = 0; r < rows; ++r) {
            lengths[r] = static_cast<std::int32_t>(2 + random() % 5);
            rises[r] = series[r * steps + static_cast<std::size_t>(lengths[r]) - 1] > series[r * steps] ? 1.0f : 0.0f;
        }
    };

    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = 0.02}));
    train.initialize(
        xg::glorot_uniform{.seed = 1}, xg::initial(xg::orthogonal{}, layer.u), xg::initial(layer.forget_bias, layer.b));
    for (int step = 0; step < 400; ++step) {
        draw();
        train(x = xg::array(series, rows, steps, 1), length = lengths, y = xg::array(rises, rows, 1));
    }

    xg::function predict{logit, train};
    draw();
    auto const logits = predict(x = xg::array(series, rows, steps, 1), length = lengths);
    int right = 0;
    for (std::size_t r = 0; r < rows; ++r) right += (logits[r] > 0) == (rises[r] > 0);
    std::printf("accuracy of new rows %.2f\n", right / 64.0);

    xg::function step{xg::outputs(std::get<0>(next), std::get<1>(next), answer), train};
    std::vector<float> last_h(units), last_c(units);
    float said = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(lengths[0]); ++t) {
        auto const [new_h, new_c, a] = step(now = xg::array(&series[t], 1, 1), h = xg::array(last_h, 1, 8), c = xg::array(last_c, 1, 8));
        for (std::size_t k = 0; k < 8; ++k) last_h[k] = new_h[k], last_c[k] = new_c[k];
        said = a[0];
    }
    std::printf("one step at a time: %s\n", std::abs(said - logits[0]) < 1e-4f ? "the same" : "another answer");
}
