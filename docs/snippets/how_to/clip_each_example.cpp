// SPDX-License-Identifier: MIT
// The program of docs/how_to/clip_each_example.md.
// prints: norms 0[.]8 0[.]8 0[.]8, of the mistake 86[.]6.accuracy with the mistake 0[.][0-8][0-9], with each example clipped 0[.]9[0-9]
#include <xgrad/all.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", float, batch>;   // 0 or 1
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float>;
constexpr auto size = xg::input<"size", float>;   // of a batch

// The loss of one example: row is [3], label is one number.
struct loss_of_one : xg::region {
    static constexpr auto value(auto row, auto label) { return xg::sigmoid_cross_entropy(xg::sum(row * w) + b, label); }
};
constexpr auto loss = xg::mean(xg::map<loss_of_one>(x, y));
constexpr auto norms = xg::per_example_gradient_norms<loss_of_one>(std::tuple(w, b), x, y);   // [batch]
auto const [sum_w, sum_b] = xg::per_example_clipped_sum<loss_of_one>(std::tuple(w, b), 1_c, x, y);
// Each example changes a sum by at most 1, so the deviation of the noise is a multiple of 1.
constexpr auto scale = 0.5_c;
auto const dw = (sum_w + scale * xg::normal_like<"noise of w">(w)) / size;
auto const db = (sum_b + scale * xg::normal_like<"noise of b">(b)) / size;

float accuracy(auto const& train, std::vector<float> const& rows, std::vector<float> const& labels) {
    auto const v = train.value(w);
    int right = 0, count = static_cast<int>(labels.size()) - 1;   // without the mistake
    for (int i = 0; i < count; ++i) {
        float const z = rows[3 * i] * v[0] + rows[3 * i + 1] * v[1] + rows[3 * i + 2] * v[2] + train.value(b)();
        right += (z > 0) == (labels[i] > 0);
    }
    return static_cast<float>(right) / static_cast<float>(count);
}

int main() {
    std::vector<float> rows, labels;
    for (int i = 0; i < 63; ++i) {
        for (int k = 1; k <= 3; ++k) rows.push_back(std::sin(static_cast<float>(i * (2 * k + 1) + k)));
        labels.push_back(rows[3 * i] + rows[3 * i + 1] > 0 ? 1.0f : 0.0f);
    }
    rows.insert(rows.end(), {100, 100, 100});   // a mistake
    labels.push_back(0);

    auto plain = xg::minimize(loss, xg::gradient_descent{.learning_rate = 1});
    auto bounded = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, loss, xg::with_variable(dw, w), xg::with_variable(db, b));
    xg::function lengths{norms, bounded};
    auto const first = lengths(x = xg::array(rows, 64, 3), y = labels);
    std::printf("norms %.1f %.1f %.1f, of the mistake %.1f\n", first[0], first[1], first[2], first[63]);
    for (int step = 0; step < 200; ++step) {
        plain(x = xg::array(rows, 64, 3), y = labels);
        bounded(x = xg::array(rows, 64, 3), y = labels, size = 64);
    }
    std::printf("accuracy with the mistake %.2f, with each example clipped %.2f\n", accuracy(plain, rows, labels),
        accuracy(bounded, rows, labels));
}
