// SPDX-License-Identifier: MIT
// The program of docs/how_to/custom_gradient.md.
// prints: weights -1 1 1 -1.loss at first [1-9][.][0-9]+, at last 0[.]00
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

// The sign of a weight. Its derivative is 0, so the weight would never move.
struct binary : xg::region {
    static constexpr auto value(auto w) { return xg::sign(w); }
};
// The gradient by w, from w, the result, and the gradient g by the result: g where w is in [-1, 1], else 0.
struct straight_through : xg::region {
    static constexpr auto value(auto w, auto, auto g) { return xg::select(xg::less_equal(xg::abs(w), 1_c), g, 0_c); }
};

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto signs = xg::custom_gradient<binary, straight_through>(w);
constexpr auto loss = xg::mean(xg::squared_error(xg::sum<1>(x * signs), y));

int main() {
    std::vector<float> inputs, targets;
    float const right[]{-1, 1, 1, -1};
    for (int i = 0; i < 32; ++i) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) {
            inputs.push_back(std::sin(static_cast<float>(7 * i + 3 * k * k)));
            sum += inputs.back() * right[k];
        }
        targets.push_back(sum);
    }

    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.05});
    train.initialize(xg::random_normal{.seed = 1, .stddev = 0.1});
    float first = 0, last = 0;
    for (int step = 0; step < 100; ++step) {
        last = train(x = xg::array(inputs, 32, 4), y = targets);
        if (step == 0) first = last;
    }
    std::printf("weights");
    for (float const v : train.value(w)) std::printf(" %d", v > 0 ? 1 : -1);
    std::printf("\nloss at first %.2f, at last %.2f\n", first, last);
}
