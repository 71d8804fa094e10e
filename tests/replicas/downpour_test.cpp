// SPDX-License-Identifier: MIT
// Asynchronous replicas: what is pushed and pulled when, what is too old, and what delay and compression make of a gradient.
#include <support/message_of.hpp>
#include <support/near.hpp>

#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto v = xg::variable<"v", double>;
auto start(double value = 0) {
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.});
    train.assign(v, value);
    return train;
}
template<class Replay>
bool call(Replay& replay, int k, double gradient) {
    replay.compute(k, g = gradient);
    return replay.step(k);
}
using test::near;
}   // namespace

TEST_CASE("G6: gradients of two workers, both computed at step 0, and how old one may be") {
    struct expected {
        std::int64_t staleness, dropped, step;
    };
    for (auto const& [staleness, dropped, step] : {expected{0, 1, 1}, {1, 0, 2}}) {
        auto train = start();
        xg::downpour replicas(train, {.workers = 2, .staleness = staleness});
        typename decltype(replicas)::replay replay(replicas);
        replay.compute(0, g = 1.0);
        replay.compute(1, g = 1.0);
        CHECK(replay.step(0));
        CHECK(replay.step(1) == (dropped == 0));
        CHECK(train.global_step() == step);
        CHECK(train.value(v)() == -static_cast<double>(step));
        CHECK(replay.report().workers[1].dropped == dropped);
        CHECK(call(replay, 1, 1));   // with the variables of now
    }
    auto train = start();
    xg::downpour replicas(train, {.workers = 1, .staleness = -1});
    typename decltype(replicas)::replay replay(replicas);
    CHECK_FALSE(call(replay, 0, 1));
    CHECK(train.global_step() == 0);
    CHECK(train.value(v)() == 0);
    CHECK(replay.report().workers[0].dropped == 1);
}
TEST_CASE("each gradient moves the centre at once; the worker that is late computes with what it took") {
    auto train = xg::minimize<xg::gating::graph>(xg::square(v) * 0.5_c, xg::adam{.learning_rate = .1});
    auto alone = xg::minimize<xg::gating::graph>(v * g, xg::adam{.learning_rate = .1});
    train.assign(v, 1.);
    alone.assign(v, 1.);
    xg::downpour replicas(train, {.workers = 2});
    typename decltype(replicas)::replay replay(replicas);
    for (int step = 0; step < 4; ++step) {
        double const now[] = {replay.own(0).value(v)(), replay.own(1).value(v)()};
        replay.compute(0);
        replay.compute(1);
        for (int k : {0, 1}) {
            CHECK(replay.step(k));
            alone(g = now[k]);
            CHECK(train.value(v)() == alone.value(v)());
            CHECK(replay.own(k).value(v)() == alone.value(v)());
        }
    }
}
TEST_CASE("Downpour: sums are pushed, variables pulled, each with a period of its own, and steps taken between") {
    auto train = start();
    xg::downpour replicas(train, {.workers = 2, .push_period = 2, .pull_period = 3});
    typename decltype(replicas)::replay replay(replicas);
    auto const own = [&](int k) { return replay.own(k).value(v)(); };
    CHECK_FALSE(call(replay, 0, 1));
    CHECK(own(0) == -1);
    CHECK(call(replay, 0, 2));   // 3 in all
    CHECK(train.value(v)() == -3);
    CHECK(own(0) == -3);
    CHECK_FALSE(call(replay, 1, 10));
    CHECK(call(replay, 1, 10));
    CHECK(train.value(v)() == -23);
    CHECK_FALSE(call(replay, 0, 4));   // the third: it takes the centre, and has 4 to give yet
    CHECK(own(0) == -23);
    CHECK(call(replay, 0, 1));
    CHECK(own(0) == -24);
    CHECK(train.value(v)() == -28);
    CHECK(train.global_step() == 3);
    auto const report = replay.report();
    CHECK(report.workers[0].communications == 2);
    CHECK(report.workers[0].steps == 4);
    CHECK(report.workers[0].left == 0);
}
TEST_CASE("DC-ASGD: a late gradient is corrected for the way that the centre has gone") {
    auto train = start();
    xg::downpour replicas(train, {.workers = 2, .compensation = {.lambda = .5}});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(1, g = 2.0);
    call(replay, 0, 3);   // with nothing between
    CHECK(train.value(v)() == -3);
    replay.step(1);   // 2 + .5 · 4 · (−3 − 0)
    CHECK(train.value(v)() == 1);

    auto adaptive = start();
    xg::downpour others(adaptive, {.workers = 2, .compensation = {.lambda = 2, .decay = .5}});
    typename decltype(others)::replay again(others);
    again.compute(1, g = 2.0);
    call(again, 0, 3);   // s = .5 · 9
    again.step(1);       // s = .5 · 4.5 + .5 · 4
    CHECK(adaptive.value(v)() == near(-3 - (2 + 2 / std::sqrt(4.25 + 1e-7) * 4 * -3)));
}
namespace {
constexpr auto row = xg::input<"row", std::int32_t, 3>;
constexpr auto x = xg::input<"x", float, 3, 2>;
constexpr auto table = xg::variable<"table", float, 4, 2>;
constexpr auto h = xg::variable<"h", xg::bfloat16, 11>;
constexpr auto seen = xg::non_trainable<"seen", float>;
constexpr auto loss = xg::sum(xg::gather(table, row) * x) + xg::sum(xg::cast<float>(h) * xg::sum(x));
float const slices[3][2] = {{1, 2}, {3, 4}, {5, 6}};
}   // namespace
TEST_CASE("slices, 16 bits and state: one worker that pushes each gradient is a trainer; sums of slices are by rows") {
    auto const make = [] {
        return xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::adagrad{.learning_rate = .5f}, table),
            xg::param_group(xg::adam{.learning_rate = .125f}, h), xg::assign(seen, seen + 1_c));
    };
    std::int32_t const rows[] = {2, 0, 2}, others[] = {1, 1, 2};
    auto train = make(), alone = make();
    xg::downpour replicas(train);
    typename decltype(replicas)::replay replay(replicas);
    for (int step = 0; step < 3; ++step) {
        replay.compute(0, row = step == 1 ? others : rows, x = slices);
        CHECK(replay.step(0));
        alone(row = step == 1 ? others : rows, x = slices);
        for (std::int64_t i = 0; i < 8; ++i) CHECK(train.value(table)(i / 2, i % 2) == alone.value(table)(i / 2, i % 2));
        for (std::int64_t i = 0; i < 11; ++i) CHECK(static_cast<float>(train.value(h)(i)) == static_cast<float>(alone.value(h)(i)));
        CHECK(train.value(seen)() == alone.value(seen)());
    }
    auto sums = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1.f}, xg::assign(seen, seen + 1_c));
    xg::downpour two(sums, {.push_period = 2, .pull_period = 2});
    typename decltype(two)::replay pair(two);
    for (auto const* r : {&rows, &others}) {
        pair.compute(0, row = *r, x = slices);
        pair.step(0);
    }
    CHECK(sums.value(table)(0, 0) == -3);
    CHECK(sums.value(table)(1, 1) == -6);
    CHECK(sums.value(table)(2, 0) == -11);
    CHECK(sums.value(table)(3, 0) == 0);
    CHECK(sums.value(seen)() == 2);   // what the worker has made of it, not a sum
}
TEST_CASE("slices are compensated by row") {
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::gather(table, row) * x), xg::gradient_descent{.learning_rate = 1.f});
    xg::downpour replicas(train, {.workers = 2, .compensation = {.lambda = .5}});
    typename decltype(replicas)::replay replay(replicas);
    std::int32_t const rows[] = {2, 0, 2}, others[] = {1, 1, 2};
    replay.compute(1, row = others, x = slices);
    replay.compute(0, row = rows, x = slices);
    replay.step(0);   // row 2: −6, −8
    replay.step(1);   // row 2: 5 + .5 · 25 · −6, 6 + .5 · 36 · −8; row 1: 4, 6
    CHECK(train.value(table)(2, 0) == -6 - (5 + .5f * 25 * -6));
    CHECK(train.value(table)(2, 1) == -8 - (6 + .5f * 36 * -8));
    CHECK(train.value(table)(1, 0) == -4);
}
TEST_CASE("options that make no sense are refused") {
    auto train = start();
    CHECK(test::message_of<xg::value_error>([&] { xg::downpour(train, {.push_period = 0}); }) ==
          "xgrad: downpour: periods must be positive, but are 0 (push) and 1 (pull)");
    CHECK(test::message_of<xg::value_error>([&] { xg::downpour(train, {}, xg::top_k_compression{.fraction = 2}); }) ==
          "xgrad: top_k_compression: fraction is outside of (0, 1]; write a number such as 0.01");
    auto const refused = [&](xg::delay_compensation const& by) {
        return test::message_of<xg::value_error>([&] { xg::downpour(train, {.compensation = by}); });
    };
    for (double lambda : {std::nan(""), -.5, HUGE_VAL})
        CHECK(refused({.lambda = lambda}) ==
              "xgrad: delay_compensation: lambda is negative, NaN or infinite; write a finite number of at least 0");
    for (double decay : {std::nan(""), -.5, 1., 2.})
        CHECK(
            refused({.lambda = 1, .decay = decay}) == "xgrad: delay_compensation: decay is outside of [0, 1); write a number such as 0.9");
    CHECK(refused({.decay = .9}) == "xgrad: delay_compensation: decay has no effect, because lambda is 0; write a lambda above 0");
}
