// SPDX-License-Identifier: MIT
// The program of docs/how_to/variable_lengths.md.
// prints: positive (0[.]9[0-9]|1[.]00), negative 0[.]0[0-9]
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps>;   // shorter rows are padded with anything
constexpr auto length = xg::input<"length", std::int32_t, batch>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto valid = xg::sequence_mask<steps>(length);   // bool [batch, steps]
constexpr auto count = xg::maximum(xg::cast<float>(length), 1_c);
constexpr auto mean = xg::sum<1>(xg::select(valid, x, 0_c)) / count;
constexpr auto logit = xg::nn::dense<"out", 1>(xg::expand_dims<1>(mean));
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, y));

int main() {
    std::vector<std::vector<float>> const sequences{{1, 2}, {-1, -3, -2}, {3}, {-2, 1, -1, -1}};
    std::vector<float> const labels{1, 0, 1, 0};

    std::size_t const rows = sequences.size();
    std::size_t longest = 0;
    for (auto const& s : sequences) longest = std::max(longest, s.size());
    std::vector<float> padded(rows * longest);
    std::vector<std::int32_t> lengths;
    for (std::size_t r = 0; r < rows; ++r) {
        std::copy(sequences[r].begin(), sequences[r].end(), &padded[r * longest]);
        lengths.push_back(static_cast<std::int32_t>(sequences[r].size()));
    }

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.1});
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (int step = 0; step < 300; ++step) train(x = xg::array(padded, rows, longest), length = lengths, y = xg::array(labels, rows, 1));

    xg::function predict{xg::sigmoid(logit), train};
    auto const p = predict(x = xg::array(padded, rows, longest), length = lengths);
    std::printf("positive %.2f, negative %.2f\n", p[0], p[1]);
}
