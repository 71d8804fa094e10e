// SPDX-License-Identifier: MIT
// One training step of 16-32-32-1, tanh, mean squared error, Adam, batch 1 and 32, compared with the hand-written step.
#include "frame.hpp"
#include "hand/tanh_net.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;

/// The batch is known to the compiler on both sides.
template<int Batch>
void row(bench::suite& suite, std::string const& name, double peer) {
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", float, Batch, 16>;
    constexpr auto y = xg::input<"y", float, Batch>;
    constexpr auto w1 = xg::variable<"w1", float, 16, 32>;
    constexpr auto b1 = xg::variable<"b1", float, 32>;
    constexpr auto w2 = xg::variable<"w2", float, 32, 32>;
    constexpr auto b2 = xg::variable<"b2", float, 32>;
    constexpr auto w3 = xg::variable<"w3", float, 32, 1>;
    constexpr auto b3 = xg::variable<"b3", float, 1>;
    constexpr auto first = xg::tanh(xg::matmul(x, w1) + b1);
    constexpr auto second = xg::tanh(xg::matmul(first, w2) + b2);
    constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(second, w3) + b3), y));

    auto hand = std::make_unique<hand::tanh_net<Batch>>();
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f});
    train.assign(w1, xg::array(hand->w1.data(), 16, 32));
    train.assign(w2, xg::array(hand->w2.data(), 32, 32));
    train.assign(w3, xg::array(hand->w3.data(), 32, 1));
    int i = 0, j = 0;
    auto const ours = [&] {
        ++i;
        return train(x = xg::array(hand->inputs(i), Batch, 16), y = xg::array(hand->targets(i), Batch));
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
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); }, peer);
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "16-32-32-1");
    row<1>(suite, "16-32-32-1 tanh, squared error, Adam, batch 1", 3.5);
    row<32>(suite, "16-32-32-1 tanh, squared error, Adam, batch 32", 17);
    return suite.finish();
}
