// SPDX-License-Identifier: MIT
// A straight line through points: the smallest training program.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::squared_error(slope * x + offset, y));

int main() {
    std::vector<float> hours{1, 2, 3, 4, 5, 6, 7, 8}, price{5.1f, 6.9f, 9.2f, 11.0f, 12.9f, 15.1f, 17.0f, 18.8f};
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.02});
    for (int step = 1; step <= 1500; ++step) {
        float const value = train(x = hours, y = price);
        if (step == 1 || step % 300 == 0) std::printf("step %4d   loss %.5f\n", step, static_cast<double>(value));
    }
    float const a = train.value(slope)[0], b = train.value(offset)[0];
    std::printf("price = %.3f * hours + %.3f\n", static_cast<double>(a), static_cast<double>(b));
    // least squares in closed form: slope 83 / 42, offset 12 - 4.5 * 83 / 42
    return std::abs(a - 1.97619f) < 1e-3f && std::abs(b - 3.10714f) < 1e-3f ? 0 : 1;
}
