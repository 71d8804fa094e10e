// SPDX-License-Identifier: MIT
// A rule whose reductions are made of reductions, through the whole stack: variables of every rank, sparse gradients, gatings, two parts,
// checkpoints. The bits equal those of the kernel on plain arrays, whose numbers are optax' (tests/optim/rule_test.cpp).
#include <xgrad/xgrad.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "io/temporary_folder.hpp"
#include "optim/table.hpp"

namespace xg = xgrad;
using xgrad_test::table;

namespace {

inline constexpr xg::dim count{"count"};
constexpr auto number = xg::variable<"number", float>;
constexpr auto vector = xg::variable<"vector", float, 19>;
constexpr auto matrix = xg::variable<"matrix", float, 9, 17>;
constexpr auto cube = xg::variable<"cube", float, 3, 5, 7>;
constexpr auto words = xg::variable<"words", float, 11, 6>;
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto slices = xg::input<"slices", float, count, 6>;
// The gradient of sum(v * g) is g: the rule sees the numbers that are fed.
constexpr auto loss = number * xg::input<"g0", float> + xg::sum(vector * xg::input<"g1", float, 19>) +
                      xg::sum(matrix * xg::input<"g2", float, 9, 17>) + xg::sum(cube * xg::input<"g3", float, 3, 5, 7>) +
                      xg::sum(xg::gather(words, ids) * slices);

std::vector<float> numbers(int key, std::size_t n) {
    std::vector<float> r;
    for (std::size_t i = 0; i < n; ++i) r.push_back(static_cast<float>((i * 37 + static_cast<std::size_t>(key) * 11) % 23) / 8 - 1.25f);
    return r;
}
struct step_data {
    std::vector<float> g0, g1, g2, g3, rows;
    std::vector<std::int32_t> at{3, 1, 3, 10};
    explicit step_data(int k)
        : g0(numbers(k, 1)), g1(numbers(k + 1, 19)), g2(numbers(k + 2, 9 * 17)), g3(numbers(k + 3, 105)), rows(numbers(k + 4, 24)) {
        at[0] = k % 11;
    }
    template<class F>
    auto call(F&& f) const {
        return f(xg::input<"g0", float> = g0[0], xg::input<"g1", float, 19> = g1,
            xg::input<"g2", float, 9, 17> = xg::array(g2.data(), 9, 17), xg::input<"g3", float, 3, 5, 7> = xg::array(g3.data(), 3, 5, 7),
            ids = at, slices = xg::array(rows.data(), 4, 6));
    }
};
template<class View>
std::vector<float> copy(View view) {
    return {view.begin(), view.end()};
}
template<class Train>
void start(Train& train) {
    auto const fill = [](auto view, int key) {
        auto const values = numbers(key, static_cast<std::size_t>(view.size()));
        std::copy(values.begin(), values.end(), view.begin());
    };
    fill(train.value(number), 1);
    fill(train.value(vector), 2);
    fill(train.value(matrix), 3);
    fill(train.value(cube), 4);
    fill(train.value(words), 5);
}
constexpr xg::adafactor rule() { return {}; }

}   // namespace

TEST_CASE("variables of every rank, and a table by rows, as the kernel moves them") {
    xg::adafactor const how{.learning_rate = 0.05, .clipping_threshold = 0.75, .weight_decay = 0.01};
    auto none = xg::minimize(loss, how);
    auto op = xg::minimize<xg::gating::op>(loss, how);
    auto graph = xg::minimize<xg::gating::graph>(loss, how), parts = xg::minimize<xg::gating::graph>(loss, how);
    start(none);
    start(op);
    start(graph);
    start(parts);
    table<xg::adafactor, float> zero(how, 1, copy(none.value(number))), one(how, 1, copy(none.value(vector))),
        two(how, 17, copy(none.value(matrix))), three(how, 35, copy(none.value(cube))), rows(how, 6, copy(none.value(words)));
    for (int k = 0; k < 4; ++k) {
        step_data const d(k);
        d.call(none);
        d.call(op);
        d.call(graph);
        d.call([&](auto const&... a) { return parts.compute_gradients(a...); });
        parts.apply_gradients();
        zero.dense(d.g0);
        one.dense(d.g1);
        two.dense(d.g2);
        three.dense(d.g3);
        rows.sparse(d.at, d.rows);
        auto const check = [&](auto& train) {
            CHECK(copy(train.value(number)) == zero.param);
            CHECK(copy(train.value(vector)) == one.param);
            CHECK(copy(train.value(matrix)) == two.param);
            CHECK(copy(train.value(cube)) == three.param);
            CHECK(copy(train.value(words)) == rows.param);
            CHECK(copy(train.template slot<"vr">(matrix)) == two.slots[0]);
            CHECK(copy(train.template slot<"vc">(matrix)) == two.slots[1]);
            CHECK(copy(train.template slot<"vr">(vector)) == one.slots[0]);
            CHECK(copy(train.template slot<"vr">(words)) == rows.slots[0]);
        };
        check(none);
        check(op);
        check(graph);
        check(parts);
    }
    for (float e : none.value(matrix)) CHECK(std::isfinite(e));
    CHECK(none.slot<"vr">(matrix).size() + none.slot<"vc">(matrix).size() == 9 + 17);   // and nothing per element
    CHECK(none.slot<"vr">(cube).size() + none.slot<"vc">(cube).size() == 3 + 35);
}

TEST_CASE("averages of steps, of factored moments and of those of each element") {
    constexpr auto smaller = xg::sum(matrix * xg::input<"g2", float, 9, 17>) + xg::sum(xg::gather(words, ids) * slices);
    xg::averaged_steps const factored{xg::adafactor{.learning_rate = 0.05}, 0.75};
    xg::averaged_steps const whole{xg::unfactored_adafactor{.learning_rate = 0.05, .weight_decay = 0.01}, 0.75};
    auto train = xg::minimize(smaller, xg::param_group(factored, matrix), xg::param_group(whole, words));
    std::vector<float> const from = numbers(3, 9 * 17), from_words = numbers(5, 66);
    train.assign(matrix, xg::array(from.data(), 9, 17));
    train.assign(words, xg::array(from_words.data(), 11, 6));
    table<std::remove_const_t<decltype(factored)>, float> two(factored, 17, from);
    table<std::remove_const_t<decltype(whole)>, float> rows(whole, 6, from_words);
    for (int k = 0; k < 4; ++k) {
        step_data const d(k);
        train(xg::input<"g2", float, 9, 17> = xg::array(d.g2.data(), 9, 17), ids = d.at, slices = xg::array(d.rows.data(), 4, 6));
        two.dense(d.g2);
        rows.sparse(d.at, d.rows);
    }
    CHECK(copy(train.value(matrix)) == two.param);
    CHECK(copy(train.value(words)) == rows.param);
    CHECK(copy(train.slot<"step_average">(matrix)) == two.slots[2]);
    CHECK(copy(train.slot<"v">(words)) == rows.slots[0]);
}

TEST_CASE("the same bits after a checkpoint") {
    temporary_folder folder;
    auto train = xg::minimize(loss, rule()), again = xg::minimize(loss, rule());
    start(train);
    step_data(0).call(train);
    step_data(1).call(train);
    xg::save(train, (folder.path / "adafactor.safetensors").string());
    xg::restore(again, (folder.path / "adafactor.safetensors").string());
    step_data(2).call(train);
    step_data(2).call(again);
    CHECK(copy(again.value(matrix)) == copy(train.value(matrix)));
    CHECK(copy(again.value(words)) == copy(train.value(words)));
    CHECK(copy(again.slot<"vc">(cube)) == copy(train.slot<"vc">(cube)));
}

TEST_CASE("no gradient and no parameter: nothing becomes NaN") {
    constexpr auto w = xg::variable<"w", double, 3, 4>;
    constexpr auto g = xg::input<"g", double, 3, 4>;
    auto train = xg::minimize(xg::sum(w * g), xg::adafactor{.learning_rate = 1});
    std::vector<double> const zeros(12), ones(12, 1);
    train(g = xg::array(zeros.data(), 3, 4));
    for (double e : train.value(w)) CHECK(e == 0);
    train(g = xg::array(ones.data(), 3, 4));   // a step of min_scale, however large the gradient is
    for (double e : train.value(w)) CHECK(e == doctest::Approx(-1e-3).epsilon(1e-12));
}
