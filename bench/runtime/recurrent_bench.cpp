// SPDX-License-Identifier: MIT
// A recurrent network by scan, compared with a hand-written training step.
#include "frame.hpp"
#include "hand/gru.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int units = 64, gates = 3 * units, turns = 16, batch = 32;
constexpr auto x = xg::input<"x", float, turns, batch, units>;
constexpr auto y = xg::input<"y", float, batch, units>;
constexpr auto start = xg::input<"start", float, batch, units>;
constexpr auto w = xg::variable<"w", float, units, gates>;
constexpr auto b = xg::variable<"b", float, gates>;
constexpr auto u = xg::variable<"u", float, units, gates>;

template<int Gate, class A>
constexpr auto gate(A const& all) {
    return xg::slice<1, Gate * units, (Gate + 1) * units>(all);
}
// The products of all inputs are one product, outside of the loop.
struct cell : xg::region {
    static constexpr auto value(auto h, auto in) {
        auto const of_state = xg::matmul(h, u);
        auto const z = xg::sigmoid(gate<0>(in) + gate<0>(of_state));
        auto const r = xg::sigmoid(gate<1>(in) + gate<1>(of_state));
        auto const c = xg::tanh(gate<2>(in) + r * gate<2>(of_state));
        return xg::carry(c + z * (h - c));
    }
};
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "recurrent");
    std::string const name = "GRU of 64 over 16 turns, squared error, SGD, batch 32";
    if (suite.wanted(name)) {
        auto hand = std::make_unique<hand::gru>();
        auto const in = xg::reshape<turns, batch, gates>(xg::matmul(xg::reshape<turns * batch, units>(x), w) + b);
        auto const [last] = xg::scan<cell>(xg::carry(start), in);
        auto train = xg::minimize(xg::mean(xg::squared_error(last, y)), xg::gradient_descent{.learning_rate = 0.1f});
        train.assign(w, xg::array(hand->w.data(), units, gates));
        train.assign(u, xg::array(hand->u.data(), units, gates));
        std::vector<float> const none(batch * units);
        int i = 0, j = 0;
        auto const ours = [&] {
            ++i;
            return train(x = xg::array(hand->inputs(i), turns, batch, units), y = xg::array(hand->targets(i), batch, units),
                start = xg::array(none.data(), batch, units));
        };
        auto const theirs = [&] {
            ++j;
            return hand->step(hand->inputs(j), hand->targets(j));
        };
        for (int step = 0; step < 10; ++step) {
            float const one = ours(), two = theirs();
            suite.agree(name, "the loss of step " + std::to_string(step), one, two, 1e-5);
        }
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
    }
    return suite.finish();
}
