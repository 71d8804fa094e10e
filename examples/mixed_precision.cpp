// SPDX-License-Identifier: MIT
// Mixed precision with a loss scale. Weights are read as bfloat16, and the rule moves floats. An operation rounds the gradients to
// float16, as on a device. The targets are about 1e-6, and the gradients are smaller than the smallest float16.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

/// Its operand; the gradient is rounded to float16 on its way back.
struct half_gradient_op : xg::elementwise_op {
    static constexpr std::string_view name = "half_gradient";
    static auto value(auto x) { return x; }
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return xg::cast<float>(xg::cast<xg::float16>(g)); }
};
inline constexpr xg::elementwise<half_gradient_op> half_gradient{};

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 1>;                                      // what the rule moves
constexpr auto prediction = xg::squeeze<1>(xg::matmul(x, xg::cast<xg::bfloat16>(w)));   // what the model reads
constexpr auto loss = xg::mean(xg::square(half_gradient(prediction) - y));

int main() {
    xg::momentum const rule{.learning_rate = 0.05, .momentum = 0.9};
    auto plain = xg::minimize(loss, rule);
    auto scaled = xg::minimize(loss, xg::chain(xg::dynamic_loss_scale{.period = 10}, rule));

    constexpr int rows = 64;
    std::vector<float> in, out;
    for (int r = 0; r < rows; ++r) {
        auto const t = static_cast<float>(r);
        float const features[]{std::sin(t), std::cos(2 * t), std::sin(3 * t), 1};
        in.insert(in.end(), features, features + 4);
        out.push_back(1e-6f * (features[0] - 2 * features[1] + 0.5f * features[2] + 0.25f));
    }
    auto const step = [&](auto& train) { return std::sqrt(double{train(x = xg::array(in.data(), rows, 4), y = out)}); };
    double first = 0, error = 0, plain_error = 0;
    double const *const scale = &scaled.optimizer().powers.at[0], *const applied = &scaled.optimizer().powers.at[2];
    std::printf("error (root mean square)\n%6s %12s %12s %14s %10s\n", "step", "not scaled", "scaled", "scale", "left out");
    for (int k = 0; k <= 600; ++k) {
        plain_error = step(plain);
        error = step(scaled);
        if (k == 0) first = error;
        if (k % 100 == 0)
            std::printf(
                "%6d %12.3g %12.3g %14.0f %10.0f\n", k, plain_error, error, *scale, static_cast<double>(scaled.global_step()) - *applied);
    }
    return error < 0.01 * first && plain_error > 0.1 * first && *applied < 601 && std::isfinite(error) ? 0 : 1;
}
