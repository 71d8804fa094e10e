// SPDX-License-Identifier: MIT
// Chains in trainers: norms over all variables compared with optax, the same step written out, slots in checkpoints, links that change
// between steps.
#include <xgrad/xgrad.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "io/temporary_folder.hpp"
#include "optim/chain_reference.hpp"
#include "optim/table.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;
using xgrad_test::chain_case;
using xgrad_test::near;

namespace {

inline constexpr xg::dim count{"count"};
constexpr auto matrix = xg::variable<"matrix", double, 5, 3>;
constexpr auto vector = xg::variable<"vector", double, 4>;
constexpr auto words = xg::variable<"words", double, 6, 2>;
constexpr auto gm = xg::input<"gm", double, 5, 3>;
constexpr auto gv = xg::input<"gv", double, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto gw = xg::input<"gw", double, count, 2>;
// The gradient of sum(v * g) is g: the rule sees the numbers that are fed.
constexpr auto dense_loss = xg::sum(matrix * gm) + xg::sum(vector * gv);
constexpr auto loss = dense_loss + xg::sum(xg::gather(words, ids) * gw);

template<class View>
std::vector<double> copy(View view) {
    return std::vector<double>(view.data(), view.data() + view.size());
}
template<class Train>
void start(Train& train) {
    train.assign(matrix, xg::array(chain_case::start("matrix").data(), 5, 3));
    train.assign(vector, chain_case::start("vector"));
}
template<class F>
auto with_step(int step, F&& f) {
    auto const m = chain_case::gradient("matrix", step), v = chain_case::gradient("vector", step);
    std::vector<std::int32_t> const rows{step % 6, 2, step % 6};
    std::vector<double> const w{0.5, -1, 0.25, 2, 0.125 * step, 1};
    return f(gm = xg::array(m.data(), 5, 3), gv = v, ids = rows, gw = xg::array(w.data(), 3, 2));
}
template<class Train>
std::vector<double> everything(Train& train) {
    std::vector<double> all(train.optimizer().powers.begin(), train.optimizer().powers.end());
    auto const add = [&](auto v) {
        auto const values = copy(train.value(v));
        all.insert(all.end(), values.begin(), values.end());
        for (char const* slot : {"m", "v", "average"})
            for (double x : copy(train.slot(v, slot))) all.push_back(std::isnan(x) ? 99 : x);
    };
    add(matrix), add(vector), add(words);
    return all;
}
auto composed() {
    return xg::chain(
        xg::clip_by_global_norm(1), xg::decoupled_decay{.weight_decay = 0.01}, xg::adam{.learning_rate = 0.05}, xg::ema{.decay = 0.9});
}

}   // namespace

TEST_CASE("clip_by_global_norm in front of lamb, as by optax") {
    chain_case const expected("global_norm_lamb");
    auto train = xg::minimize(xg::outputs(dense_loss, xg::sum(vector)),   // the loss is the first of several outputs
        xg::chain(xg::clip_by_global_norm(0.75), xg::lamb{.learning_rate = 0.05, .epsilon = 1e-3, .weight_decay = 0.125}));
    start(train);
    for (int step = 1; step <= chain_case::steps; ++step) {
        auto const m = chain_case::gradient("matrix", step), v = chain_case::gradient("vector", step);
        auto const [loss_now, total] = train(gm = xg::array(m.data(), 5, 3), gv = v);
        if (step == 1) {
            CHECK(total == -0.5);   // before the update
            CHECK(loss_now != total);
        }
        if (!expected.has(step, "matrix")) continue;
        CHECK(near(copy(train.value(matrix)), expected.at(step, "matrix"), 1e-11));
        CHECK(near(copy(train.value(vector)), expected.at(step, "vector"), 1e-11));
    }
}

TEST_CASE("a chain with a table: the same as clipped by hand, in one part and in two, saved and restored") {
    auto train = xg::minimize<xg::gating::graph>(loss, composed());
    auto by_hand = xg::minimize<xg::gating::graph>(
        loss, xg::chain(xg::decoupled_decay{.weight_decay = 0.01}, xg::adam{.learning_rate = 0.05}, xg::ema{.decay = 0.9}));
    start(train), start(by_hand);
    temporary_folder const folder;
    std::vector<double> half;
    for (int step = 1; step <= 6; ++step) {
        with_step(step, train);
        with_step(step, [&](auto const&... bindings) { by_hand.compute_gradients(bindings...); });
        auto m = by_hand.gradient(matrix);
        auto v = by_hand.gradient(vector);
        auto w = by_hand.gradient(words);
        double squares = 0;   // rows that occur twice count twice
        for (double x : copy(m)) squares += x * x;
        for (double x : copy(v)) squares += x * x;
        for (std::int64_t k = 0; k < 6; ++k) squares += w.values.data()[k] * w.values.data()[k];
        double const scale = squares > 1 ? 1 / std::sqrt(squares) : 1;
        for (std::int64_t i = 0; i < m.size(); ++i) m.data()[i] *= scale;
        for (std::int64_t i = 0; i < v.size(); ++i) v.data()[i] *= scale;
        for (std::int64_t i = 0; i < 6; ++i) w.values.data()[i] *= scale;
        by_hand.apply_gradients();
        CHECK(near(everything(train), everything(by_hand), 1e-13));
        if (step == 3) {
            xg::save(train, folder.path / "chain.safetensors");
            half = everything(train);
        }
    }
    auto resumed = xg::minimize(loss, composed());
    xg::restore(resumed, folder.path / "chain.safetensors");
    CHECK(everything(resumed) == half);
    for (int step = 4; step <= 6; ++step) with_step(step, resumed);
    CHECK(everything(resumed) == everything(train));

    auto other = xg::minimize(loss, xg::chain(xg::adam{}, xg::ema{}));
    CHECK_THROWS_AS(xg::restore(other, folder.path / "chain.safetensors"), xg::checkpoint_error);
    resumed.rule().template get<xg::adam>().learning_rate = 0.0;
    resumed.rule().template get<xg::decoupled_decay>().weight_decay = 0.0;
    auto const before = copy(resumed.value(matrix));
    with_step(7, resumed);
    CHECK(copy(resumed.value(matrix)) == before);
}

TEST_CASE("a step with a gradient that is not finite changes nothing but the global step") {
    auto train = xg::minimize(dense_loss,
        xg::chain(xg::skip_nonfinite{}, xg::clip_by_global_norm(1), xg::adam{.learning_rate = xg::exponential_decay{0.5, 1, 0.5}}));
    auto without =
        xg::minimize(dense_loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = xg::exponential_decay{0.5, 1, 0.5}}));
    start(train), start(without);
    std::vector<double> bad = chain_case::gradient("vector", 1);
    for (int step = 1; step <= 4; ++step) {
        auto const m = chain_case::gradient("matrix", step), v = chain_case::gradient("vector", step);
        without(gm = xg::array(m.data(), 5, 3), gv = v);
        bad[2] = step == 3 ? HUGE_VAL : 1e200;   // finite, but no norm is
        if (step >= 3) train(gm = xg::array(m.data(), 5, 3), gv = bad);
        train(gm = xg::array(m.data(), 5, 3), gv = v);
        CHECK(copy(train.value(matrix)) == copy(without.value(matrix)));
        CHECK(copy(train.slot(vector, "v")) == copy(without.slot(vector, "v")));
        CHECK(train.optimizer().powers.at[0] == step);
        CHECK(train.optimizer().powers.at[1] == without.optimizer().powers.at[0]);
    }
    CHECK(train.optimizer().global_step == 6);
}

TEST_CASE("groups by patterns of names, frozen until the rule says otherwise") {
    constexpr auto scale = xg::variable<"deep/scale", double>;
    xg::gradient_descent const rule{.learning_rate = 1};
    auto train = xg::minimize(dense_loss * scale, xg::param_group<"*c*r">(xg::chain(xg::freeze{}, rule)),
        xg::param_group<"*">(xg::chain(xg::multiply_gradient{0.5}, rule)),
        xg::param_group(xg::chain(xg::multiply_gradient{0.0}, rule), scale));
    start(train);
    train.assign(scale, 1.0);
    auto const m = chain_case::gradient("matrix", 1), v = chain_case::gradient("vector", 1);
    auto const first = copy(train.value(matrix)), begin = copy(train.value(vector));
    train(gm = xg::array(m.data(), 5, 3), gv = v);
    for (std::size_t i = 0; i < 15; ++i) CHECK(train.value(matrix).data()[i] == first[i] - m[i] / 2);
    CHECK(copy(train.value(vector)) == begin);
    CHECK(*train.value(scale).data() == 1);
    train.rule<0>().template get<xg::freeze>().frozen = 0;
    train(gm = xg::array(m.data(), 5, 3), gv = v);
    for (std::size_t i = 0; i < 4; ++i) CHECK(train.value(vector).data()[i] == begin[i] - v[i]);
    CHECK(train.optimizer().powers.at[0] == 1);
    using xg::detail::matches;
    CHECK((matches("deep/*", "deep/") && matches("*", "") && matches("a*b*c", "a/b/b/c") && matches("*bias", "l/bias")));
    CHECK_FALSE((matches("deep/*", "deep") || matches("", "a") || matches("a*b", "ab/") || matches("ab", "a")));
}

TEST_CASE("one norm over groups: a mask for decay") {
    auto const clip = xg::clip_by_global_norm(0.5);
    xg::momentum const rule{.learning_rate = 0.5, .momentum = 0.75};
    auto whole = xg::minimize(dense_loss, xg::chain(clip, rule));
    auto groups = xg::minimize(
        dense_loss, xg::param_group(xg::chain(clip, xg::decoupled_decay{.weight_decay = 0.0}, rule), matrix), xg::chain(clip, rule));
    constexpr auto steps = xg::non_trainable<"steps", double>;
    auto applied = xg::apply_gradients(   // the same groups, and state with them
        xg::param_groups(xg::param_group(xg::chain(clip, xg::decoupled_decay{.weight_decay = 0.0}, rule), matrix), xg::chain(clip, rule)),
        dense_loss, xg::with_variable(xg::gradient_of(dense_loss, vector), vector), xg::assign(steps, steps + 1.0_c),
        xg::with_variable(xg::gradient_of(dense_loss, matrix), matrix));
    auto const as_applied = [&] {
        return copy(applied.value(matrix)) == copy(groups.value(matrix)) && copy(applied.value(vector)) == copy(groups.value(vector));
    };
    start(whole), start(groups), start(applied);
    for (int step = 1; step <= 3; ++step) {
        auto const m = chain_case::gradient("matrix", step), v = chain_case::gradient("vector", step);
        whole(gm = xg::array(m.data(), 5, 3), gv = v);
        groups(gm = xg::array(m.data(), 5, 3), gv = v);
        applied(gm = xg::array(m.data(), 5, 3), gv = v);
        CHECK(as_applied());
        CHECK(near(copy(whole.value(matrix)), copy(groups.value(matrix)), 1e-14));
        CHECK(near(copy(whole.value(vector)), copy(groups.value(vector)), 1e-14));
    }
    groups.rule<0>().get<xg::decoupled_decay>().weight_decay = 0.5;
    applied.rule<0>().get<xg::decoupled_decay>().weight_decay = 0.5;
    auto const m = chain_case::gradient("matrix", 4), v = chain_case::gradient("vector", 4);
    auto const before = copy(whole.value(matrix));
    whole(gm = xg::array(m.data(), 5, 3), gv = v);
    groups(gm = xg::array(m.data(), 5, 3), gv = v);
    applied(gm = xg::array(m.data(), 5, 3), gv = v);
    CHECK(as_applied());
    CHECK(*applied.value(steps).data() == 4);
    CHECK(near(copy(whole.value(vector)), copy(groups.value(vector)), 1e-14));
    for (std::size_t i = 0; i < 15; ++i)
        CHECK(near(groups.value(matrix).data()[i], whole.value(matrix).data()[i] - before[i] / 2, 1e-13, 1));
}
