// SPDX-License-Identifier: MIT
// New values of variables in the step that makes them: averages, targets, statistics; in every gating the same bits.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include "train/nine_rows.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<double>;
inline constexpr xg::dim batch{"batch"};
constexpr auto w = xg::variable<"w", double, 2>;
constexpr auto v = xg::variable<"v", double, 2>;
constexpr auto average = xg::non_trainable<"average", double, 2>;
constexpr auto other = xg::non_trainable<"other", double, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto loss = xg::sum(w * x);   // the gradient of w is x

template<class View>
list values(View view) {
    return list(view.begin(), view.end());
}
// Calls f with a trainer of each gating, and without fusion.
template<class F>
void in_all_ways(F&& f) {
    f.template operator()<xg::gating::none, true>();
    f.template operator()<xg::gating::op, true>();
    f.template operator()<xg::gating::graph, true>();
    f.template operator()<xg::gating::none, false>();
    f.template operator()<xg::gating::graph, false>();
}

}   // namespace

TEST_CASE("H10 an exponential average of new values, beside one of the old ones") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        auto train = xg::minimize<Gate, Fuse>(loss, xg::gradient_descent{.learning_rate = 1},
            xg::assign(average, 0.25_c * average + 0.75_c * xg::updated(w)), xg::assign(other, 0.25_c * other + 0.75_c * w));
        for (auto variable : {train.value(w), train.value(average), train.value(other)})
            for (double& e : variable) e = 10;
        CHECK(train(x = list{-10, -10}) == -200);   // the result is that before the step
        CHECK(values(train.value(w)) == list{20, 20});
        CHECK(values(train.value(average)) == list{17.5, 17.5});
        CHECK(values(train.value(other)) == list{10, 10});
        train(x = list{0, 0});
        CHECK(values(train.value(average)) == list{19.375, 19.375});
        CHECK(values(train.value(other)) == list{17.5, 17.5});
    });
}

TEST_CASE("TensorFlow's moving averages behind the update, to the bit") {
    constexpr auto weight = xg::variable<"weight", float, 3>;
    constexpr auto mean = xg::non_trainable<"mean", float, 3>;
    constexpr auto warm = xg::non_trainable<"warm", float, 3>;
    constexpr auto steps = xg::non_trainable<"steps", float>;
    constexpr auto g = xg::input<"g", float, 3>;
    constexpr auto decay = xg::minimum(0.9_c, (steps + 1_c) / (steps + 10_c));
    in_all_ways([&]<xg::gating Gate, bool Fuse>() {
        auto train = xg::minimize<Gate, Fuse>(xg::sum(weight * g), xg::gradient_descent{.learning_rate = .1},
            xg::assign(mean, mean - (mean - xg::updated(weight)) * 0.1_c),
            xg::assign(warm, warm - (warm - xg::updated(weight)) * (1_c - decay)), xg::assign(steps, steps + 1_c));
        std::vector<float> const first{1, -2, .3f};
        train.assign(weight, first);
        train.assign(mean, first);
        train.assign(warm, first);
        std::ifstream file(XGRAD_TEST_DATA "/averages.txt");
        int lines = 0;
        for (std::vector<float> row(12); file >> row[0]; ++lines) {
            for (std::size_t k = 1; k < 12; ++k) file >> row[k];
            train(g = std::span(row).first(3));
            for (std::int64_t k = 0; k < 3; ++k) {
                CHECK(train.value(weight)[k] == row[static_cast<std::size_t>(3 + k)]);
                CHECK(train.value(mean)[k] == row[static_cast<std::size_t>(6 + k)]);
                CHECK(train.value(warm)[k] == row[static_cast<std::size_t>(9 + k)]);
            }
        }
        CHECK(lines == 10);
    });
}

TEST_CASE("old and new values beside each other, in chains of assignments") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        constexpr auto third = xg::non_trainable<"third", double, 2>;
        constexpr auto moved = xg::non_trainable<"moved", double>;
        auto train = xg::minimize<Gate, Fuse>(loss + xg::sum(v * xg::square(x)), xg::gradient_descent{.learning_rate = 1},
            xg::assign(average, xg::updated(w)),                                      // a target: the copy itself
            xg::assign(other, xg::updated(average) + average + w + xg::updated(v)),   // one stage more, with old values
            xg::assign(third, xg::updated(other) * xg::updated(w)), xg::assign(moved, xg::sum(xg::square(xg::updated(w) - w))));
        train.assign(w, list{1, 2});
        train.assign(v, list{5, 5});
        train.assign(average, list{100, 200});
        train.assign(other, list{-1, -1});
        train(x = list{3, 1});
        CHECK(values(train.value(w)) == list{-2, 1});
        CHECK(values(train.value(v)) == list{-4, 4});
        CHECK(values(train.value(average)) == list{-2, 1});
        CHECK(values(train.value(other)) == list{-2 + 100 + 1 - 4, 1 + 200 + 2 + 4});
        CHECK(values(train.value(third)) == list{-2 * 95, 207});
        CHECK(train.value(moved)[0] == 10);
        train(x = list{0, 0});
        CHECK(values(train.value(average)) == list{-2, 1});
        CHECK(values(train.value(other)) == list{-2 - 2 - 2 - 4, 1 + 1 + 1 + 4});
        CHECK(train.value(moved)[0] == 0);
    });
}

TEST_CASE("results may read new values") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        constexpr auto g = xg::gradient_of(loss, w);
        auto train = xg::apply_gradients<Gate>(
            xg::gradient_descent{.learning_rate = 1}, xg::sum(xg::updated(w)) + 100_c * loss, xg::with_variable(g, w));
        train.assign(w, list{1, 2});
        CHECK(train(x = list{3, 1}) == -2 + 1 + 500);
        auto alone = xg::apply_gradients<Gate>(xg::gradient_descent{.learning_rate = 1}, xg::updated(w), xg::with_variable(g, w));
        alone.assign(w, list{1, 2});
        auto const now = alone(x = list{3, 1});
        CHECK(values(now) == list{-2, 1});
    });
}

TEST_CASE("no gradient passes through a new value") {
    auto gradients = xg::gradients(xg::sum(xg::square(xg::updated(w))), w);
    static_assert(xg::NoGradient<decltype(std::get<0>(gradients))>);
    // but through the other factor: the gradient of v reads the new w, and is applied after it
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        auto train = xg::apply_gradients<Gate>(xg::gradient_descent{.learning_rate = 1}, loss,
            xg::with_variable(xg::gradient_of(loss, w), w), xg::with_variable(xg::gradient_of(xg::sum(v * xg::updated(w)), v), v));
        train.assign(w, list{1, 2});
        train(x = list{3, 1});
        CHECK(values(train.value(v)) == list{2, -1});
    });
}

namespace {
// Weights used twice, a table by index, an update in the tiles of a product.
constexpr auto in = xg::input<"in", float, batch, 11>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 30, 11>;
constexpr auto w1 = xg::variable<"w1", float, 11, 11>;
constexpr auto b1 = xg::variable<"b1", float, 11>;
constexpr auto w2 = xg::variable<"w2", float, 11, 5>;
constexpr auto hidden = xg::tanh(xg::matmul(in + xg::gather(table, ids), w1) + b1);
constexpr auto deep = xg::mean(xg::square(xg::matmul(xg::relu(xg::matmul(hidden, w1)), w2) - 1_c));
constexpr auto mean_w1 = xg::non_trainable<"mean_w1", float, 11, 11>;
constexpr auto mean_table = xg::non_trainable<"mean_table", float, 30, 11>;
constexpr auto mean_w2 = xg::non_trainable<"mean_w2", float, 11, 5>;
constexpr auto seen = xg::non_trainable<"seen", float, 11>;
template<class M, class V>
constexpr auto follow(M, V) {
    return xg::assign(M{}, M{} - 0.01_c * (M{} - xg::updated(V{})));
}
using data = nine_rows;
template<class Train>
std::vector<float> all_of(Train& train) {
    std::vector<float> all;
    for (auto const& variable : train.store().variables())
        all.insert(all.end(), static_cast<float*>(variable.data), static_cast<float*>(variable.data) + variable.size);
    return all;
}
bool same(std::vector<float> const& a, std::vector<float> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
template<xg::gating Gate>
auto make() {
    return xg::minimize<Gate>(deep, xg::adam{.learning_rate = .01}, follow(mean_w1, w1), follow(mean_table, table), follow(mean_w2, w2),
        xg::assign(seen, xg::sum<0>(xg::gather(xg::updated(mean_table), ids)) + xg::max<0>(xg::gather(table, ids))));
}
}

TEST_CASE("all gatings and the step in parts give the bits of a step and what is done by hand behind it") {
    auto none = make<xg::gating::none>();
    auto op = make<xg::gating::op>();
    auto graph = make<xg::gating::graph>(), parts = make<xg::gating::graph>();
    auto plain = xg::minimize(deep, xg::adam{.learning_rate = .01});
    for (auto* store : {&none.store(), &op.store(), &graph.store(), &parts.store(), &plain.store()}) store->seed = 1;
    none.initialize(xg::glorot_uniform{.seed = 3});
    op.initialize(xg::glorot_uniform{.seed = 3});
    graph.initialize(xg::glorot_uniform{.seed = 3});
    parts.initialize(xg::glorot_uniform{.seed = 3});
    plain.initialize(xg::glorot_uniform{.seed = 3});
    std::vector<float> mean(none.value(mean_w2).begin(), none.value(mean_w2).end());
    for (int k = 0; k < 5; ++k) {
        data const d(k);
        auto const x_of = xg::array(d.x.data(), 9, 11);
        float const expected = none(in = x_of, ids = d.rows);
        CHECK(op(in = x_of, ids = d.rows) == expected);
        CHECK(graph(in = x_of, ids = d.rows) == expected);
        CHECK(plain(in = x_of, ids = d.rows) == expected);
        CHECK(parts.compute_gradients(in = x_of, ids = d.rows) == expected);
        CHECK(parts.gradient(w2).size() == 55);
        parts.apply_gradients();
        REQUIRE(same(all_of(none), all_of(op)));
        REQUIRE(same(all_of(none), all_of(graph)));
        REQUIRE(same(all_of(none), all_of(parts)));
        for (std::int64_t i = 0; i < 121; ++i) REQUIRE(none.value(w1)[i] == plain.value(w1)[i]);
        for (std::int64_t i = 0; i < 55; ++i) {
            float& m = mean[static_cast<std::size_t>(i)];
            m = m - 0.01f * (m - plain.value(w2)[i]);
            REQUIRE(none.value(mean_w2)[i] == m);
        }
    }
    // an index out of range changes nothing, also after updates
    data bad(1);
    bad.rows[3] = 30;
    auto const before = all_of(none);
    CHECK_THROWS_AS(none(in = xg::array(bad.x.data(), 9, 11), ids = bad.rows), xg::value_error);
    CHECK(same(all_of(none), before));
}

TEST_CASE("a lookup behind updates by indices that nothing else looks at") {
    constexpr auto rows = xg::cast<std::int32_t>(xg::input<"numbers", float, batch>);   // computed: only the step can look at them
    constexpr auto sum = xg::non_trainable<"sum", float, 11>;
    auto const check = [&]<xg::gating Gate, bool Fuse>() {
        auto train = xg::minimize<Gate, Fuse>(xg::sum(xg::square(table)), xg::gradient_descent{.learning_rate = .25},
            xg::assign(sum, xg::sum<0>(xg::gather(xg::updated(table), rows))));
        train.initialize(xg::random_uniform{.seed = 1});
        std::vector<float> const old(train.value(table).begin(), train.value(table).end()), good{2, 29}, bad{2, 30};
        constexpr auto numbers = xg::input<"numbers", float, batch>;
        CHECK_THROWS_AS(train(numbers = bad), xg::value_error);
        CHECK(std::equal(old.begin(), old.end(), train.value(table).begin()));
        train(numbers = good);
        CHECK(train.value(sum)[3] == old[2 * 11 + 3] / 2 + old[29 * 11 + 3] / 2);
    };
    in_all_ways(check);
}
