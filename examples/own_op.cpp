// SPDX-License-Identifier: MIT
// A user's operation: softsign, x / (1 + |x|), with its derivative. It fuses into the loops around it like any other.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

// [operation]
struct softsign_op : xg::elementwise_op {
    static constexpr std::string_view name = "softsign";
    static constexpr int flops = 3;
    /// One body for a number and for a SIMD batch of them.
    static auto value(auto x) {
        using V = decltype(x);
        return x / (V(1) + xg::math::abs(x));
    }
    /// The gradient of x: operand, result, gradient of the result. Written in operations, so it can be differentiated again.
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) {
        auto const d = 1_c + xg::abs(x);
        return g / (d * d);
    }
};
inline constexpr xg::elementwise<softsign_op> softsign{};
// [/operation]

// [derivatives]
inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", double, n>;
constexpr auto y = softsign(x);
constexpr auto dy = xg::gradient_of(y, x);
constexpr auto d2y = xg::gradient_of(dy, x);
// [/derivatives]

int main() {
    std::vector<double> const points{-3, -1, -0.25, 0.5, 2, 10};
    xg::function f{xg::outputs(y, dy, d2y)};
    auto const [value, first, second] = f(x = points);
    std::printf("%8s %12s %12s %12s\n", "x", "softsign", "derivative", "second");
    bool right = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto const k = static_cast<std::int64_t>(i);
        std::printf("%8.2f %12.6f %12.6f %12.6f\n", points[i], value[k], first[k], second[k]);
        double const d = 1 + std::abs(points[i]);
        right = right && std::abs(value[k] - points[i] / d) < 1e-12 && std::abs(first[k] - 1 / (d * d)) < 1e-12 &&
                std::abs(second[k] + 2 * std::copysign(1 / (d * d * d), points[i])) < 1e-12;
    }
    return right ? 0 : 1;
}
