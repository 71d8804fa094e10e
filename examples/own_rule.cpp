// SPDX-License-Identifier: MIT
// A user's update rule in twenty lines: cautious momentum (Liang et al. 2024, arXiv 2411.16085).
// It moves only those elements where the momentum agrees with the gradient of this step.
// It has all features of the library's rules: one loop of SIMD batches, rows of tables, schedules, chains, checkpoints.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

// [rule]
struct cautious_momentum {
    static constexpr std::string_view name = "cautious_momentum";
    static constexpr std::array<std::string_view, 1> slots{"momentum"};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    xg::hyper learning_rate{0.01}, momentum{0.9};

    template<class T>
    struct scalars {
        T rate, momentum;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {T(learning_rate(step)), T(momentum(step))};
    }
    template<class T, class V>   // V is T or a SIMD batch of it
    static void update(scalars<T> const& s, V& parameter, V gradient, V* slot) {
        slot[0] = V(s.momentum) * slot[0] + gradient;
        parameter = parameter - xg::math::where(xg::math::greater(slot[0] * gradient, V(T(0))), V(s.rate) * slot[0], V(T(0)));
    }
};
// [/rule]

inline constexpr xg::dim batch{"batch"};
constexpr auto words = xg::input<"words", std::int32_t, batch, 3>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto table = xg::variable<"table", float, 50>;
constexpr auto bias = xg::variable<"bias", float>;
constexpr auto loss = xg::mean(xg::squared_error(xg::embedding_bag(table, words) + bias, y));

int main() {
    // A valley that is a hundred times as steep across as along, compared with a hand-written loop.
    constexpr auto v = xg::variable<"v", double, 2>;
    constexpr auto steep = xg::input<"steep", double, 2>;
    auto valley = xg::minimize(xg::sum(steep * xg::square(v)), cautious_momentum{.learning_rate = 0.004});
    std::vector<double> const slopes{100, 1};
    double at[2]{1, 1}, slot[2]{};
    bool right = true;
    valley.assign(v, std::vector<double>{1, 1});
    for (int k = 0; k < 400; ++k) {
        valley(steep = slopes);
        for (int i = 0; i < 2; ++i) {
            double const g = 2 * slopes[static_cast<std::size_t>(i)] * at[i];
            slot[i] = 0.9 * slot[i] + g;
            if (slot[i] * g > 0) at[i] -= 0.004 * slot[i];
            right = right && std::abs(valley.value(v)(i) - at[i]) < 1e-9;
        }
    }
    std::printf("after 400 steps (%.2g, %.2g), by hand (%.2g, %.2g)\n", valley.value(v)(0), valley.value(v)(1), at[0], at[1]);

    // In a chain, with a schedule, on a table of which a step reads some rows.
    // [use]
    auto train =
        xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1), cautious_momentum{.learning_rate = xg::exponential_decay{0.1, 100, 0.9}}));
    // [/use]
    std::vector<std::int32_t> ids(16 * 3);
    std::vector<float> wanted(16);
    double first = 0, last = 0;
    for (int k = 0; k < 600; ++k) {
        for (std::size_t i = 0; i < 48; ++i) ids[i] = static_cast<std::int32_t>((i * i + 7 * static_cast<std::size_t>(k)) % 40);
        for (std::size_t r = 0; r < 16; ++r)
            wanted[r] = std::sin(static_cast<float>(ids[3 * r])) + std::sin(static_cast<float>(ids[3 * r + 1])) +
                        std::sin(static_cast<float>(ids[3 * r + 2]));
        last = double{train(words = xg::array(ids.data(), 16, 3), y = wanted)};
        if (k == 0) first = last;
    }
    bool unseen = true;
    for (int r = 40; r < 50; ++r) unseen = unseen && train.value(table)(r) == 0 && train.slot(table, "momentum")(r) == 0;
    std::printf("loss of a table %.3g, after 600 steps %.3g; rows that never occur are %s\n", first, last, unseen ? "left alone" : "moved");
    return right && unseen && std::abs(at[1]) < 0.01 && last < 0.01 * first ? 0 : 1;
}
