// SPDX-License-Identifier: MIT
// One training step of 784-128-10, relu, mean sparse softmax cross-entropy, Adam, batch 64, compared with the hand-written step.
#include "frame.hpp"
#include "hand/mlp.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;
constexpr auto hidden = xg::relu(xg::matmul(x, w1) + b1);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, w2) + b2, y));
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "784-128-10");
    std::string const name = "784-128-10 relu, cross entropy, Adam, batch 64";
    if (suite.wanted(name)) {
        auto hand = std::make_unique<hand::mlp>();
        auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f});
        train.assign(w1, xg::array(hand->w1.data(), 784, 128));
        train.assign(w2, xg::array(hand->w2.data(), 128, 10));
        int i = 0, j = 0;
        auto const ours = [&] {
            ++i;
            return train(x = xg::array(hand->images(i), hand::mlp::batch, 784), y = xg::array(hand->labels(i), hand::mlp::batch));
        };
        auto const theirs = [&] {
            ++j;
            return hand->step(hand->images(j), hand->labels(j));
        };
        for (int step = 0; step < 10; ++step) {
            float const a = ours(), b = theirs();
            suite.agree(name, "the loss of step " + std::to_string(step), a, b, 1e-4);
        }
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); }, 463);
    }
    return suite.finish();
}
