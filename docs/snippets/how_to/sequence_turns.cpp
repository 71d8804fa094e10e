// SPDX-License-Identifier: MIT
// The second program of docs/how_to/variable_lengths.md.
// prints: rising (0[.]9[0-9]|1[.]00), falling 0[.]0[0-9].longer than the memory: .*"cell" has 9 iterations.*outside of .0, 8.
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr int capacity = 8, units = 6;
constexpr auto x = xg::input<"x", float, capacity, batch>;   // time is the first axis; the rest may be anything
constexpr auto length = xg::input<"length", std::int32_t, batch>;
constexpr auto y = xg::input<"y", float, batch, 1>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const in = xg::concat<1>(xg::expand_dims<1>(row), h);
        return xg::carry(xg::tanh(xg::matmul(in, xg::variable<"cell/w", float, 1 + units, units>)));
    }
};
constexpr auto start = xg::broadcast_to<batch, units>(xg::constant<float, 0>);
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(start).lengths(length), x));   // of each sequence: its own last state
constexpr auto logit = xg::nn::dense<"out", 1>(last);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, y));

int main() {
    std::vector<std::vector<float>> const sequences{{1, 2}, {-1, -2, -3}, {-2, -1, 0, 1}, {3, 1}, {0, 1, 2}, {1, 0, -1, -2}};
    std::vector<float> const rising{1, 0, 1, 0, 1, 0};
    std::size_t const rows = sequences.size();
    std::vector<float> padded(capacity * rows);   // is made once, whatever the lengths
    std::vector<std::int32_t> lengths;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t t = 0; t < sequences[r].size(); ++t) padded[t * rows + r] = sequences[r][t];
        lengths.push_back(static_cast<std::int32_t>(sequences[r].size()));
    }

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.03});
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (int step = 0; step < 300; ++step) train(x = xg::array(padded, capacity, rows), length = lengths, y = xg::array(rising, rows, 1));

    xg::function predict{xg::sigmoid(logit), train};
    auto const p = predict(x = xg::array(padded, capacity, rows), length = lengths);   // four iterations
    std::printf("rising %.2f, falling %.2f\n", p[2], p[5]);

    lengths[0] = 9;
    try {
        train(x = xg::array(padded, capacity, rows), length = lengths, y = xg::array(rising, rows, 1));
    } catch (xg::value_error const& error) { std::printf("longer than the memory: %s\n", error.what()); }
}
