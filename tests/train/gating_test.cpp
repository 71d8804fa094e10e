// SPDX-License-Identifier: MIT
// Gating says when updates run, never what they give; nor does fusion, up to rounding.
#include <support/same_bits.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 11>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto bags = xg::input<"bags", std::int32_t, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 30, 11>;
constexpr auto wide = xg::variable<"wide", float, 25, 5>;
constexpr auto w1 = xg::variable<"w1", float, 11, 11>;
constexpr auto b1 = xg::variable<"b1", float, 11>;
constexpr auto w2 = xg::variable<"w2", float, 11, 5>;
// w1 is used twice, table is read by index, b1 is broadcast and used twice
constexpr auto hidden = xg::tanh(xg::matmul(x + xg::gather(table, ids), w1) + b1);
constexpr auto deeper = xg::relu(xg::matmul(hidden, w1) - b1);
constexpr auto logits = xg::matmul(deeper, w2) + xg::embedding_bag(wide, bags);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

template<xg::gating Gate, bool Fuse, class... Rules>
std::vector<float> run(Rules const&... rules) {
    auto train = xg::minimize<Gate, Fuse>(loss, rules...);
    train.initialize(xg::glorot_uniform{.seed = 7});
    std::vector<float> all;
    for (int k = 0; k < 6; ++k) {
        int const n = 9 + k % 3;
        std::vector<float> in(static_cast<std::size_t>(n) * 11);
        std::vector<std::int32_t> rows, bag, labels;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>((i * 13 + static_cast<std::size_t>(k)) % 19) / 19 - .4f;
        for (int i = 0; i < n; ++i) {
            rows.push_back((i * 5 + k) % 12);
            labels.push_back((i + k) % 5);
            for (int j = 0; j < 4; ++j) bag.push_back((i * j + k) % 25);
        }
        all.push_back(train(x = xg::array(in.data(), n, 11), ids = rows, bags = xg::array(bag.data(), n, 4), y = labels));
    }
    for (auto const& slots : train.optimizer().all()) {
        auto const& v = train.store().variables().at[slots.variable];
        auto const add = [&](void* p) { all.insert(all.end(), static_cast<float*>(p), static_cast<float*>(p) + v.size); };
        add(v.data);
        for (int s = 0; s < slots.slot_count; ++s) add(slots.slots[s]);
    }
    return all;
}
template<class... Rules>
void compare(Rules const&... rules) {
    auto const none = run<xg::gating::none, true>(rules...), op = run<xg::gating::op, true>(rules...),
               graph = run<xg::gating::graph, true>(rules...);
    REQUIRE(none.size() == op.size());
    REQUIRE(none.size() == graph.size());
    CHECK(test::same_bits(none, op));
    CHECK(test::same_bits(none, graph));
    for (float const v : none) CHECK(std::isfinite(v));
}

}   // namespace

TEST_CASE("none, op and graph give the same bits: adam") { compare(xg::adam{.learning_rate = .01}); }
TEST_CASE("none, op and graph give the same bits: gradient descent, whose sparse form adds in place") {
    compare(xg::gradient_descent{.learning_rate = .1});
}
TEST_CASE("none, op and graph give the same bits: several rules in groups") {
    compare(xg::param_group(xg::lazy_adam{.learning_rate = .01}, table),
        xg::param_group(xg::ftrl{.learning_rate = .05, .l1 = .01}, wide, b1), xg::param_group(xg::momentum{.use_nesterov = true}));
}
TEST_CASE("one node at a time gives the same numbers but for rounding") {
    auto const fused = run<xg::gating::none, true>(xg::adagrad{}), plain = run<xg::gating::none, false>(xg::adagrad{});
    REQUIRE(fused.size() == plain.size());
    for (std::size_t i = 0; i < fused.size(); ++i) CHECK(fused[i] == doctest::Approx(plain[i]).epsilon(1e-4).scale(1));
}
