// SPDX-License-Identifier: MIT
// The program of docs/how_to/repeat_a_block.md.
// prints: same half 0[.](8|9)[0-9], other half 0[.][01][0-9]
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim pairs{"pairs"};
constexpr int depth = 4, width = 16;
constexpr auto w = xg::variable<"layers/w", float, depth, width, width>;   // row k: the weights of layer k
constexpr auto b = xg::variable<"layers/b", float, depth, width>;

struct layer : xg::region {
    static constexpr auto value(auto h, auto weight, auto bias) { return h + xg::tanh(xg::matmul(h, weight) + bias); }
};
struct encode : xg::region {
    static constexpr auto value(auto point) { return xg::layers<depth, layer>(xg::nn::dense<"in", width>(point), w, b); }
};

constexpr auto first = xg::input<"first", float, pairs, 2>;
constexpr auto second = xg::input<"second", float, pairs, 2>;
constexpr auto equal = xg::input<"equal", float, pairs>;
constexpr auto distance = xg::mean<1>(xg::squared_error(xg::call<encode>(first), xg::call<encode>(second)));
constexpr auto similarity = xg::exp(-distance);
constexpr auto loss = xg::mean(xg::squared_error(similarity, equal));

int main() {
    std::vector<float> p, q, same;   // two points are alike if both are in the left or both in the right half
    for (int i = 0; i < 64; ++i) {
        auto const s = 1.3f * static_cast<float>(i), t = 2.9f * static_cast<float>(i);
        p.insert(p.end(), {std::cos(s), std::sin(s)});
        q.insert(q.end(), {std::cos(t), std::sin(t)});
        same.push_back((std::cos(s) > 0) == (std::cos(t) > 0) ? 1.0f : 0.0f);
    }

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::variance_scaling{.scale = depth}, w));
    for (int step = 0; step < 500; ++step) train(first = xg::array(p, 64, 2), second = xg::array(q, 64, 2), equal = same);

    xg::function compare{similarity, train};
    std::vector<float> const left_left{-0.6f, 0.8f, -0.8f, -0.6f}, left_and_right{-0.6f, 0.8f, 0.6f, 0.8f};
    auto const alike = [&](std::vector<float> const& points) {
        return compare(first = xg::array(&points[0], 1, 2), second = xg::array(&points[2], 1, 2))[0];
    };
    std::printf("same half %.2f, ", alike(left_left));
    std::printf("other half %.2f\n", alike(left_and_right));
}
