// SPDX-License-Identifier: MIT
// AGN: the numbers of contrib's optimizer.
#include <support/message_of.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto v = xg::variable<"v", double>;
constexpr auto given = v * g;                 // gradient: what is fed
constexpr auto own = xg::square(v) * 0.5_c;   // gradient: v

template<class Loss, class Rule>
auto start(Loss const& loss, Rule const& rule, double value) {
    auto train = xg::minimize<xg::gating::graph>(loss, rule);
    train.assign(v, value);
    return train;
}
auto near(double x) { return doctest::Approx(x).epsilon(1e-14); }

/// One worker whose gradient is its variable: what it has after each call.
template<class Rule>
void check_trace(Rule const& rule, xg::agn_options const& options, std::vector<double> const& expected) {
    auto train = start(own, rule, 1.0);
    xg::agn replicas(train, options);
    typename decltype(replicas)::replay replay(replicas);
    for (std::size_t call = 0; call < expected.size(); ++call) {
        CAPTURE(call);
        replay.compute(0);
        bool const moved = (call + 1) % static_cast<std::size_t>(options.period) == 0;
        CHECK(replay.step(0) == moved);
        CHECK(replay.own(0).value(v)() == near(expected[call]));
        if (moved) CHECK(train.value(v)() == replay.own(0).value(v)());
    }
}
}   // namespace

TEST_CASE("F1: the centre moves every fourth call, and the worker goes on from there") {
    auto train = start(given, xg::adam{.learning_rate = .1, .beta1 = 0, .beta2 = 0}, 0);
    xg::agn replicas(train, {.period = 4});
    typename decltype(replicas)::replay replay(replicas);
    auto const tol = [](double x) { return doctest::Approx(x).epsilon(1e-6); };   // Adam's epsilon
    double const local[] = {.1, .2, .3, .1, .2, .3, .4, .2}, centre[] = {0, 0, 0, .1, .1, .1, .1, .2};
    for (int call = 0; call < 8; ++call) {
        replay.compute(0, g = -1.0);
        replay.step(0);
        CHECK(replay.own(0).value(v)() == tol(local[call]));
        CHECK(train.value(v)() == tol(centre[call]));
        CHECK(train.global_step() == (call + 1) / 4);
    }
}
TEST_CASE("F2: two workers in turn") {
    auto train = start(given, xg::adam{.learning_rate = .1, .beta1 = 0, .beta2 = 0}, 0);
    xg::agn replicas(train, {.workers = 2, .period = 1});
    typename decltype(replicas)::replay replay(replicas);
    for (int call = 0; call < 6; ++call) {
        replay.compute(call % 2, g = -1.0);
        CHECK(replay.step(call % 2));
        CHECK(train.value(v)() == doctest::Approx(.1 * (call + 1)).epsilon(1e-6));
    }
}
TEST_CASE("F4: gradient descent; the paper's rule gives the same") {
    std::vector<double> const expected{.9, .81, .729, 0.914025, .8226225, .74036025, .666324225, 0.8354417006249999};
    check_trace(xg::gradient_descent{.learning_rate = .1}, {.period = 4}, expected);
    check_trace(xg::gradient_descent{.learning_rate = .1}, {.period = 4, .form = xg::agn_form::mean_displacement}, expected);
}
TEST_CASE("F5: the centre that a worker takes has what others have given") {
    auto train = start(own, xg::gradient_descent{.learning_rate = .1}, 1);
    xg::agn replicas(train, {.workers = 2, .period = 2});
    typename decltype(replicas)::replay replay(replicas);
    for (int k : {0, 0, 1, 1}) {
        replay.compute(k);
        replay.step(k);
    }
    CHECK(replay.own(0).value(v)() == near(.905));
    CHECK(replay.own(1).value(v)() == near(.81));
    CHECK(train.value(v)() == near(.81));
    CHECK(train.global_step() == 2);
}
TEST_CASE("F6: momentum of the worker's own, which is not reset, and of the centre") {
    check_trace(xg::momentum{.learning_rate = .1, .momentum = .9}, {.period = 4},
        {.9, .72, .486, 0.92235, .596835, .244188, -.0976131, 0.8108210025});
}
TEST_CASE("F7: with momentum the paper's rule gives something else") {
    // v: .9, .72, .486, .2268; c = 1 + (.2268 - 1) / 4; then with the momentum of the worker, 2.592
    check_trace(xg::momentum{.learning_rate = .1, .momentum = .9}, {.period = 4, .form = xg::agn_form::mean_displacement},
        {.9, .72, .486, 0.8067, 0.49275, 0.16092, -0.153819, 0.49959945});
}
TEST_CASE("F8: Adam's powers are shared by the steps of the worker and those of the centre") {
    auto train = start(own, xg::adam{.learning_rate = .1}, 1);
    xg::agn replicas(train, {.period = 4});
    typename decltype(replicas)::replay replay(replicas);
    double const expected[] = {0.9000000316227666, 0.8004122825258162, 0.7015863457355402, 0.9454510952849524, 0.8510588999889231,
        0.7552669788129769, 0.6591129330902978, 0.8804772163156599};
    for (double e : expected) {
        replay.compute(0);
        replay.step(0);
        CHECK(replay.own(0).value(v)() == near(e));
    }
    for (auto const* powers : {&train.optimizer().powers, &replay.own(0).optimizer().powers}) {
        CHECK(powers->at[0] == doctest::Approx(0.31381059609).epsilon(1e-12));
        CHECK(powers->at[1] == doctest::Approx(0.9890548353295385).epsilon(1e-14));
    }
}
TEST_CASE("F9: what a worker adds up begins with 0, whatever the variable begins with, also behind a run that has left something") {
    auto train = start(given, xg::gradient_descent{.learning_rate = 1.0}, 5);
    xg::agn replicas(train, {.period = 2});
    for (int run = 0; run < 2; ++run) {
        auto const report = replicas.run([&](auto& worker) {
            CHECK(worker.own().value(v)() == 5 - 2 * run);
            for (double x : {1., 3., 100.}) worker(g = x);
        });
        CHECK(report.workers[0].left == 1);
        CHECK(train.value(v)() == 3 - 2 * run);
    }
}
TEST_CASE("F10: two workers with seven calls each and a period of three") {
    auto train = start(given, xg::gradient_descent{.learning_rate = 1.0}, 0);
    xg::agn replicas(train, {.workers = 2, .period = 3});
    auto const report = replicas.run([&](auto& worker) {
        for (int call = 0; call < 7; ++call) worker(g = 1.0);
    });
    CHECK(train.global_step() == 4);
    CHECK(report.updates == 4);
    CHECK(train.value(v)() == -4);
    for (auto const& w : report.workers) {
        CHECK(w.steps == 7);
        CHECK(w.communications == 2);
        CHECK(w.left == 1);
    }
}
TEST_CASE("a worker's schedule sees the global step that it took; at the centre that of now") {
    auto train =
        start(given, xg::gradient_descent{.learning_rate = [](std::int64_t step) { return step == 0   ? 1.
                                                                                          : step == 1 ? 10.
                                                                                                      : 100.; }}, 0);
    xg::agn replicas(train, {.workers = 2, .period = 2});
    typename decltype(replicas)::replay replay(replicas);
    auto const call = [&](int k) {
        replay.compute(k, g = -1.0);
        replay.step(k);
    };
    call(0);
    call(0);
    CHECK(train.value(v)() == 1);
    call(1);
    CHECK(replay.own(1).value(v)() == 1);   // which took 0 at step 0
    call(0);
    CHECK(replay.own(0).value(v)() == 11);
    call(1);
    CHECK(train.value(v)() == 11);
    call(0);
    CHECK(train.value(v)() == 111);
}
TEST_CASE("the paper's form: state that begins with infinity comes to the centre") {
    constexpr auto best = xg::non_trainable<"best", double>;
    auto train = xg::minimize<xg::gating::graph>(given, xg::gradient_descent{}, xg::assign(best, xg::minimum(best, g)));
    double const inf = std::numeric_limits<double>::infinity();
    train.value(best)() = inf;
    xg::agn replicas(train, {.period = 1, .form = xg::agn_form::mean_displacement});
    typename decltype(replicas)::replay replay(replicas);
    for (double const x : {inf, 2., 3.}) {
        replay.compute(0, g = x);
        replay.step(0);
        CHECK(train.value(best)() == (x == inf ? inf : 2));
    }
}
TEST_CASE("what a worker's own step throws changes nothing, what is thrown at the centre ends a replay") {
    int calls = 0, bad = 0;
    auto train = start(given, xg::gradient_descent{.learning_rate = [&calls, &bad](std::int64_t) -> double {
        if (++calls == bad) throw std::runtime_error("no rate");
        return 1;
    }},
        0);
    xg::agn replicas(train, {.period = 2});
    auto const over = [](auto const& f) {
        CHECK(test::message_of<xg::value_error>(f) == "xgrad: replicas: this replay is over, because an update of the centre has thrown");
    };
    {
        typename decltype(replicas)::replay replay(replicas);
        auto const call = [&] {
            replay.compute(0, g = -1.0);
            return replay.step(0);
        };
        bad = 1;
        CHECK_THROWS_AS(call(), std::runtime_error);
        CHECK_FALSE(call());
        bad = calls + 1;
        CHECK_THROWS_AS(call(), std::runtime_error);
        CHECK(call());
        CHECK(train.value(v)() == 1);
        CHECK_FALSE(call());
        bad = calls + 2;   // the second one is that of the centre
        CHECK_THROWS_AS(call(), std::runtime_error);
        CHECK(train.value(v)() == 1);
        CHECK(train.global_step() == 1);
        over([&] { replay.compute(0, g = -1.0); });
        over([&] { replay.step(0); });
        over([&] { replay.end(0); });
        over([&] { replay.join(); });
        CHECK(replay.own(0).value(v)() == 3);
    }
    typename decltype(replicas)::replay another(replicas);
    for (int k = 0; k < 2; ++k) {
        another.compute(0, g = -1.0);
        CHECK(another.step(0) == (k == 1));
    }
    CHECK(train.value(v)() == 2);
}
TEST_CASE("rates that on_update changes hold at the centre from the next update on, in a worker from its next exchange on") {
    auto train = start(given, xg::gradient_descent{.learning_rate = 1.}, 0);
    xg::agn replicas(train, {.workers = 2, .period = 2, .on_update = [&](std::int64_t) { train.rule().learning_rate = .125; }});
    typename decltype(replicas)::replay replay(replicas);
    auto const call = [&](int k) {
        replay.compute(k, g = -1.0);
        replay.step(k);
    };
    call(1);
    call(0);
    call(0);
    CHECK(train.value(v)() == 1);
    call(0);
    CHECK(replay.own(0).value(v)() == 1.125);
    replay.compute(1, g = -1.0);
    CHECK(replay.own(1).value(v)() == 1);
    CHECK(replay.step(1));
    CHECK(train.value(v)() == 1.125);
    call(1);
    CHECK(replay.own(1).value(v)() == 1.25);
}
TEST_CASE("workers begin anew where the optimizer was reset, or the trainer has gone on by itself; else their slots go on") {
    auto const adam = xg::adam{.learning_rate = .1};
    auto const run = [](auto& replicas) {
        replicas.run([](auto& worker) {
            for (int k = 0; k < 5; ++k) worker(g = 1. + k);
        });
    };
    for (int how = 0; how < 3; ++how) {
        CAPTURE(how);
        auto train = start(given, adam, 1), other = start(given, adam, 1);
        xg::agn replicas(train, {.period = 2}), first(other, {.period = 2});
        run(replicas);
        run(first);
        for (auto* t : {&train, &other}) {
            if (how == 1) t->reset_optimizer();
            if (how == 2) (*t)(g = 1.0);
        }
        xg::agn fresh(other, {.period = 2});
        run(replicas);
        run(fresh);
        CHECK((train.value(v)() == other.value(v)()) == (how != 0));
        CHECK((train.optimizer().powers.at[0] == other.optimizer().powers.at[0]) == (how != 0));
    }
}
TEST_CASE("options that make no sense are refused") {
    auto train = start(given, xg::gradient_descent{}, 0);
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, {.workers = 0}); }) == "xgrad: agn: workers must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, {.period = 0}); }) == "xgrad: agn: period must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, {.workers = 3, .min_workers = 5}); }) ==
          "xgrad: replicas: min_workers, 5, is more than there are workers, 3");
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, {.workers = 0, .min_workers = 1}); }) ==
          "xgrad: agn: workers must be positive, but is 0");
    xg::agn replicas(train, {.workers = 1});
    typename decltype(replicas)::replay replay(replicas);
    CHECK(test::message_of<xg::value_error>([&] { replay.step(0); }) == "xgrad: replicas: worker 0 has computed no gradient for a step");
    for (int k : {1, -1}) {
        std::string const none = "xgrad: replicas: there is no worker " + std::to_string(k) + " among 1";
        CHECK(test::message_of<xg::value_error>([&] { replay.compute(k, g = 1.0); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { replay.step(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { replay.end(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { replay.own(k); }) == none);
    }
    replicas.run([](auto&) {});
    CHECK(test::message_of<xg::value_error>([&] { replay.compute(0, g = 1.0); }) ==
          "xgrad: replicas: this replay is over, because another run has begun since");
    CHECK(test::message_of<xg::value_error>([&] { replay.own(0); }) ==
          "xgrad: replicas: worker 0 belongs to another run, which has begun since");
}
