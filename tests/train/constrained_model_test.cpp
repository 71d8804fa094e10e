// SPDX-License-Identifier: MIT
// A model with constraints: in every gating the bits equal those of a step and of constraints that the test applies after it.
#include <xgrad/inspect/describe.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "io/temporary_folder.hpp"
#include "train/nine_rows.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
inline constexpr xg::dim batch{"batch"};
// A table by index, an update in the tiles of a product, weights used twice, values of all stages.
constexpr auto in = xg::input<"in", float, batch, 11>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 30, 11>;
constexpr auto w1 = xg::variable<"w1", float, 11, 11>;
constexpr auto b1 = xg::variable<"b1", float, 11>;
constexpr auto w2 = xg::variable<"w2", float, 11, 5>;
constexpr auto hidden = xg::tanh(xg::matmul(in + xg::gather(table, ids), w1) + b1);
constexpr auto deep = xg::mean(xg::square(xg::matmul(hidden, w2) - 1_c));
constexpr auto mean_w2 = xg::non_trainable<"mean_w2", float, 11, 5>;
constexpr auto kept_table = xg::nn::max_norm<1>(xg::updated(table), 0.5_c);
constexpr auto kept_w1 = xg::nn::unit_norm<0>(xg::updated(w1));
constexpr auto kept_w2 = xg::maximum(xg::updated(w2), -0.125_c);
template<xg::gating Gate, class Rule, class... Where>
auto make(Rule const& rule, Where&... where) {
    return xg::minimize<Gate>(deep, rule, xg::assign(table, kept_table), xg::assign(w1, kept_w1), xg::assign(w2, kept_w2),
        xg::assign(mean_w2, mean_w2 - 0.01_c * (mean_w2 - xg::updated(xg::updated(w2)))), where...);
}
// The same by functions of the values that a step has left.
constexpr auto by_hand = xg::outputs(xg::nn::max_norm<1>(table, 0.5_c), xg::nn::unit_norm<0>(w1), xg::maximum(w2, -0.125_c));

struct data : nine_rows {
    using nine_rows::nine_rows;
    template<class F>
    auto call(F&& f) const {
        return f(in = xg::array(x.data(), 9, 11), ids = rows);
    }
};
std::vector<float> state(auto const& train) {
    std::vector<float> all;
    auto const add = [&](std::int64_t size, void* p) { all.insert(all.end(), static_cast<float*>(p), static_cast<float*>(p) + size); };
    for (auto const& variable : train.store().variables()) add(variable.size, variable.data);
    for (auto const& s : train.optimizer().all())
        for (int k = 0; k < s.slot_count; ++k) add(train.store().variables().at[s.variable].size, s.slots[k]);
    return all;
}
bool same(std::vector<float> const& a, std::vector<float> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
template<class Rule>
void compare(Rule const& rule) {
    auto none = make<xg::gating::none>(rule);
    auto op = make<xg::gating::op>(rule);
    auto graph = make<xg::gating::graph>(rule), parts = make<xg::gating::graph>(rule);
    auto plain = xg::minimize(deep, rule);
    none.initialize(xg::glorot_uniform{.seed = 3});
    op.initialize(xg::glorot_uniform{.seed = 3});
    graph.initialize(xg::glorot_uniform{.seed = 3});
    parts.initialize(xg::glorot_uniform{.seed = 3});
    for (auto const& variable : plain.store().variables())
        std::memcpy(variable.data, none.store().variables().at[none.store().index_of(variable.hash)].data,
            static_cast<std::size_t>(variable.size) * sizeof(float));
    xg::function constrain{by_hand, plain};
    for (int k = 0; k < 6; ++k) {
        data const d(k);
        float const expected = d.call(none);
        CHECK(d.call(op) == expected);
        CHECK(d.call(graph) == expected);
        CHECK(d.call(plain) == expected);
        CHECK(d.call([&](auto const&... a) { return parts.compute_gradients(a...); }) == expected);
        CHECK(parts.gradient(w2).size() == 55);
        parts.apply_gradients();
        REQUIRE(same(state(none), state(op)));
        REQUIRE(same(state(none), state(graph)));
        REQUIRE(same(state(none), state(parts)));
        auto const [rows, columns, clamped] = constrain();
        plain.assign(table, rows);
        plain.assign(w1, columns);
        plain.assign(w2, clamped);
        for (auto const& variable : plain.store().variables()) {
            auto const& found = none.store().variables().at[none.store().index_of(variable.hash)];
            CAPTURE(std::string(variable.name));
            REQUIRE(std::memcmp(variable.data, found.data, static_cast<std::size_t>(variable.size) * sizeof(float)) == 0);
        }
    }
    // an index out of range changes nothing, neither of the updates
    data bad(1);
    bad.rows[3] = 30;
    auto const before = state(none);
    CHECK_THROWS_AS(bad.call(none), xg::value_error);
    CHECK(same(state(none), before));
}
}

TEST_CASE("all gatings and the step in parts give the bits of a step and of the constraints by hand behind it: all rows move") {
    compare(xg::adam{.learning_rate = .05});
}
TEST_CASE("the same where rows that do not occur rest") { compare(xg::lazy_adam{.learning_rate = .05}); }
TEST_CASE("the same where the rule needs all of a variable") { compare(xg::lamb{.learning_rate = .05}); }

TEST_CASE("the first update stays in the tiles of its product") {
    auto train = make<xg::gating::none>(xg::adam{});
    std::string const text = xg::describe(train);
    CHECK(text.find("then adam on w2") != std::string::npos);
    CHECK(text.find("update  w2 by set_value") != std::string::npos);
    CHECK(text.find("updated(updated(w2))") != std::string::npos);
}

TEST_CASE("two trainers on one store, of which one constrains; checkpoints hold what is left") {
    auto first = make<xg::gating::none>(xg::adam{.learning_rate = .05});
    first.initialize(xg::glorot_uniform{.seed = 3});
    auto free = xg::minimize(deep, xg::gradient_descent{.learning_rate = .5}, first);
    for (int k = 0; k < 4; ++k) {
        data(k).call(free);
        data(k + 1).call(first);
        for (float e : first.value(w2)) CHECK(e >= -0.125f);
        for (std::int64_t j = 0; j < 11; ++j) {
            double norm = 0;
            for (std::int64_t i = 0; i < 11; ++i) norm += std::pow(static_cast<double>(first.value(w1)(i, j)), 2);
            CHECK(norm == doctest::Approx(1).epsilon(1e-5));
        }
    }
    temporary_folder const folder;
    std::string const path = (folder.path / "constrained.safetensors").string();
    xg::save(first, path);
    auto again = make<xg::gating::graph>(xg::adam{.learning_rate = .05});
    auto free_again = xg::minimize(deep, xg::gradient_descent{.learning_rate = .5}, again);
    xg::restore(again, path);
    CHECK(same(state(again), state(first)));
    CHECK(data(7).call(again) == data(7).call(first));
    CHECK(same(state(again), state(first)));
}
