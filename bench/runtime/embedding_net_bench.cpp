// SPDX-License-Identifier: MIT
// One training step of eight tables of 1000 x 8, concatenated, 64-100-50-1, sigmoid cross-entropy, Adagrad, batch 256, compared with the
// hand-written step.
#include "frame.hpp"
#include "hand/embedding_net.hpp"

#include <xgrad/xgrad.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 8>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto t0 = xg::variable<"t0", float, 1000, 8>;
constexpr auto t1 = xg::variable<"t1", float, 1000, 8>;
constexpr auto t2 = xg::variable<"t2", float, 1000, 8>;
constexpr auto t3 = xg::variable<"t3", float, 1000, 8>;
constexpr auto t4 = xg::variable<"t4", float, 1000, 8>;
constexpr auto t5 = xg::variable<"t5", float, 1000, 8>;
constexpr auto t6 = xg::variable<"t6", float, 1000, 8>;
constexpr auto t7 = xg::variable<"t7", float, 1000, 8>;
constexpr auto w1 = xg::variable<"w1", float, 64, 100>;
constexpr auto b1 = xg::variable<"b1", float, 100>;
constexpr auto w2 = xg::variable<"w2", float, 100, 50>;
constexpr auto b2 = xg::variable<"b2", float, 50>;
constexpr auto w3 = xg::variable<"w3", float, 50, 1>;
constexpr auto b3 = xg::variable<"b3", float, 1>;
template<int I>
constexpr auto rows(auto table) {
    return xg::gather(table, xg::squeeze<1>(xg::slice<1, I, I + 1>(ids)));
}
constexpr auto features =
    xg::concat<1>(rows<0>(t0), rows<1>(t1), rows<2>(t2), rows<3>(t3), rows<4>(t4), rows<5>(t5), rows<6>(t6), rows<7>(t7));
constexpr auto first = xg::relu(xg::matmul(features, w1) + b1);
constexpr auto second = xg::relu(xg::matmul(first, w2) + b2);
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(xg::squeeze<1>(xg::matmul(second, w3) + b3), y));
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "8 tables");
    std::string const name = "8 tables x 1000 x 8, 100-50-1, Adagrad, batch 256";
    if (suite.wanted(name)) {
        using net = hand::embedding_net;
        auto hand = std::make_unique<net>();
        auto train = xg::minimize(loss, xg::adagrad{.learning_rate = 0.01f});
        auto const start = [&](auto... table) {
            std::size_t t = 0;
            (train.assign(table, xg::array(hand->table[t++].data(), 1000, 8)), ...);
        };
        start(t0, t1, t2, t3, t4, t5, t6, t7);
        train.assign(w1, xg::array(hand->w1.data(), 64, 100));
        train.assign(w2, xg::array(hand->w2.data(), 100, 50));
        train.assign(w3, xg::array(hand->w3.data(), 50, 1));
        int i = 0, j = 0;
        auto const ours = [&] {
            ++i;
            return train(ids = xg::array(hand->ids(i), net::batch, 8), y = xg::array(hand->labels(i), net::batch));
        };
        auto const theirs = [&] {
            ++j;
            return hand->step(hand->ids(j), hand->labels(j));
        };
        for (int step = 0; step < 10; ++step) {
            float const a = ours(), b = theirs();
            suite.agree(name, "the loss of step " + std::to_string(step), a, b, 1e-5);
        }
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); }, 435);
    }
    return suite.finish();
}
