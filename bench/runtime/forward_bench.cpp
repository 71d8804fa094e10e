// SPDX-License-Identifier: MIT
// The logits of 784-128-10, relu, for batches of 1 to 16, and 32: one function whose batch is a named dimension, compared with hand-written
// code for each size.
#include "frame.hpp"
#include "hand/forward.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;
constexpr auto logits = xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2;

template<int B, class F>
void rows(bench::suite& suite, hand::forward& hand, F& f) {
    std::string const name = "784-128-10 forward, batch " + std::to_string(B);
    if (!suite.wanted(name)) return;
    auto const ours = [&] { return f(x = xg::array(hand.x.data(), B, 784)); };
    auto const theirs = [&] {
        hand.template step<B>();
        return hand.logits.data();
    };
    auto const a = ours();
    float const* const b = theirs();
    for (int i = 0; i < B * 10; ++i)
        suite.agree(name, "logit " + std::to_string(i), a.data()[i], b[i / 10 * hand::forward::P + i % 10], 1e-5);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "784-128-10 forward");
    auto hand = std::make_unique<hand::forward>();
    auto owner = xg::minimize(xg::sum(logits), xg::gradient_descent{.learning_rate = 0.1});
    owner.assign(w1, xg::array(hand->w1.data(), 784, 128));
    owner.assign(b1, xg::array(hand->b1.data(), 128));
    owner.assign(w2, xg::array(hand->w2.data(), 128, 10));
    owner.assign(b2, xg::array(hand->b2.data(), 10));
    xg::function f{logits, owner};
    [&]<int... B>(std::integer_sequence<int, B...>) { (rows<B + 1>(suite, *hand, f), ...); }(std::make_integer_sequence<int, 16>{});
    rows<32>(suite, *hand, f);
    return suite.finish();
}
