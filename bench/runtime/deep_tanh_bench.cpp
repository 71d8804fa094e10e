// SPDX-License-Identifier: MIT
// One training step of twelve layers of 64, tanh, mean squared error, gradient descent, batch 32, compared with the hand-written step.
#include "frame.hpp"
#include "hand/deep_tanh.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
constexpr auto x = xg::input<"x", float, 32, 64>;
constexpr auto y = xg::input<"y", float, 32, 64>;

template<int L>
constexpr auto w = xg::variable<"w", float, 64, 64>;
template<int L>
constexpr auto b = xg::variable<"b", float, 64>;
#define BENCH_LAYER(n) \
    template<> \
    constexpr auto w<n> = xg::variable<"w" #n, float, 64, 64>; \
    template<> \
    constexpr auto b<n> = xg::variable<"b" #n, float, 64>;
BENCH_LAYER(0)
BENCH_LAYER(1)
BENCH_LAYER(2)
BENCH_LAYER(3)
BENCH_LAYER(4)
BENCH_LAYER(5)
BENCH_LAYER(6)
BENCH_LAYER(7)
BENCH_LAYER(8)
BENCH_LAYER(9)
BENCH_LAYER(10)
BENCH_LAYER(11)

template<int L>
constexpr auto layer(auto h) {
    if constexpr (L == 12) return h;
    else return layer<L + 1>(xg::tanh(xg::matmul(h, w<L>) + b<L>));
}
constexpr auto loss = xg::mean(xg::squared_error(layer<0>(x), y));
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "12 x 64");
    std::string const name = "12 x 64 tanh, squared error, SGD, batch 32";
    if (suite.wanted(name)) {
        auto hand = std::make_unique<hand::deep_tanh>();
        auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.01f});
        [&]<std::size_t... L>(std::index_sequence<L...>) {
            (train.assign(w<static_cast<int>(L)>, xg::array(hand->w[L].data(), 64, 64)), ...);
        }(std::make_index_sequence<12>{});
        int i = 0, j = 0;
        auto const ours = [&] {
            ++i;
            return train(x = xg::array(hand->inputs(i), 32, 64), y = xg::array(hand->targets(i), 32, 64));
        };
        auto const theirs = [&] {
            ++j;
            return hand->step(hand->inputs(j), hand->targets(j));
        };
        for (int step = 0; step < 10; ++step) {
            float const a = ours(), b = theirs();
            suite.agree(name, "the loss of step " + std::to_string(step), a, b, 1e-5);
        }
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); }, 228);
    }
    return suite.finish();
}
