// SPDX-License-Identifier: MIT
// An LSTM (Hochreiter and Schmidhuber 1997) as a loop over time: it adds two marked numbers of a sequence of 20.
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <random>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim turns{"turns"};
constexpr int units = 32;
constexpr auto sequence = xg::input<"sequence", float, turns, batch, 2>;   // a number and its mark; time is the first axis
constexpr auto wanted = xg::input<"wanted", float, batch>;

constexpr auto w = xg::variable<"lstm/w", float, 2 + units, 4 * units>;   // of [row, h], for all gates side by side
constexpr auto b = xg::variable<"lstm/b", float, 4 * units>;

struct lstm : xg::region {
    static constexpr auto value(auto h, auto c, auto row) {
        constexpr auto gates = xg::matmul(xg::concat<1>(row, h), w) + b;
        constexpr auto input = xg::sigmoid(xg::slice<1, 0, units>(gates));
        constexpr auto forget = xg::sigmoid(xg::slice<1, units, 2 * units>(gates) + 1_c);
        constexpr auto output = xg::sigmoid(xg::slice<1, 2 * units, 3 * units>(gates));
        constexpr auto candidate = xg::tanh(xg::slice<1, 3 * units, 4 * units>(gates));
        constexpr auto state = forget * c + input * candidate;
        return xg::carry(output * xg::tanh(state), state);
    }
};
constexpr auto zeros = xg::broadcast_to<batch, units>(xg::constant<float, 0>);
constexpr auto last = std::get<0>(xg::scan<lstm>(xg::carry(zeros, zeros), sequence));   // [batch, units]
constexpr auto sum = xg::squeeze<1>(xg::nn::dense<"out", 1>(last));
constexpr auto loss = xg::mean(xg::squared_error(sum, wanted));

int main() {
    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = 0.005}));
    train.initialize(xg::glorot_uniform{.seed = 1});
    std::mt19937 random(2);
    constexpr std::size_t length = 20, rows = 64;
    std::vector<float> numbers(length * rows * 2), sums(rows);
    float mean = 0;
    for (int step = 1; step <= 3000; ++step) {
        for (std::size_t r = 0; r < rows; ++r) {
            std::size_t const first = random() % (length / 2), second = length / 2 + random() % (length / 2);
            sums[r] = 0;
            for (std::size_t t = 0; t < length; ++t) {
                float* const at = &numbers[(t * rows + r) * 2];
                at[0] = static_cast<float>(random() >> 8) / 0x1p24f;
                at[1] = t == first || t == second ? 1.0f : 0.0f;
                sums[r] += at[0] * at[1];
            }
        }
        mean += train(sequence = xg::array(numbers, length, rows, 2), wanted = sums) / 500;
        if (step % 500 != 0) continue;
        std::printf("step %4d   squared error %.5f (0.167 for who says 1 always)\n", step, static_cast<double>(mean));
        if (step == 3000) return mean < 0.01f ? 0 : 1;
        mean = 0;
    }
}
