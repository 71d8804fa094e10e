// SPDX-License-Identifier: MIT
// A linear regression by the umbrella header.
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", float, rows>;
constexpr auto y = xg::input<"y", float, rows>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::square(slope * x + offset - y));

int main() {
    std::vector<float> inputs, targets;
    for (int i = 0; i < 16; ++i) {
        inputs.push_back(static_cast<float>(i) / 8.0f - 1.0f);
        targets.push_back(3.0f * inputs.back() - 1.0f);
    }
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.3f});
    float value = 1.0f;
    for (int step = 0; step < 200; ++step) value = train(x = inputs, y = targets);
    std::printf("loss %g\n", static_cast<double>(value));
    return value < 1e-6f ? 0 : 1;
}
