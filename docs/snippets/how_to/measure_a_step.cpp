// SPDX-License-Identifier: MIT
// The program of docs/how_to/measure_a_step.md.
// prints: [0-9.]+ us a step, [0-9.]+ Gflop/s
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/summarize.hpp>
#include <xgrad/xgrad.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 64>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto hidden = xg::relu(xg::nn::dense<"hidden", 128>(x));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::nn::dense<"out", 10>(hidden), y));

int main() {
    std::vector<float> const in(32 * 64, 0.5f);
    std::vector<std::int32_t> const labels(32, 3);
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.001});
    train.initialize(xg::he_normal{.seed = 1});
    train.reserve(batch = 32);   // no step allocates
    std::puts(xg::summarize(train, batch = 32).c_str());

    auto const step = [&] { train(x = xg::array(in, 32, 64), y = labels); };
    for (int k = 0; k < 100; ++k) step();   // warm caches and clock
    auto const start = std::chrono::steady_clock::now();
    for (int k = 0; k < 1000; ++k) step();
    std::chrono::duration<double, std::micro> const time = std::chrono::steady_clock::now() - start;
    double const flops = static_cast<double>(xg::cost_of<decltype(train)>.flops(batch = 32));
    std::printf("%.1f us a step, %.1f Gflop/s\n", time.count() / 1000, flops / time.count());
}
