// SPDX-License-Identifier: MIT
// EASGD: the numbers of contrib's optimizer, and what it does otherwise.
#include <support/message_of.hpp>
#include <support/near.hpp>

#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto v = xg::variable<"v", double>;
auto start(double rate, double value = 0) {
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = rate});
    train.assign(v, value);
    return train;
}
using test::near;
template<class Replay>
void call(Replay& replay, int k, double gradient) {
    replay.compute(k, g = gradient);
    replay.step(k);
}
}   // namespace

// The cases of contrib give gradients to apply_gradients, which has no spring: ρ = 0.
TEST_CASE("G1: one worker that meets the centre every second step") {
    auto train = start(1);
    xg::elastic_average replicas(train, {.period = 2, .moving_rate = 1., .rho = 0.});
    typename decltype(replicas)::replay replay(replicas);
    double const expected[][3] = {{1, 0, 0}, {0, 2, 1}, {1, 2, 1}, {2, 2, 2}};
    for (auto const& [local, centre, step] : expected) {
        call(replay, 0, -1);
        CHECK(replay.own(0).value(v)() == local);
        CHECK(train.value(v)() == centre);
        CHECK(train.global_step() == static_cast<std::int64_t>(step));
    }
}
TEST_CASE("G2: two workers one after the other") {
    auto train = start(1);
    xg::elastic_average replicas(train, {.workers = 2, .period = 1, .moving_rate = .5, .rho = 0.});
    typename decltype(replicas)::replay replay(replicas);
    call(replay, 0, -1);
    call(replay, 1, -1);
    CHECK(replay.own(0).value(v)() == .5);
    CHECK(replay.own(1).value(v)() == .75);
    CHECK(train.value(v)() == .75);
}
TEST_CASE("G3: the rates that are the default, and what the spring adds") {
    auto train = start(.1, .5);
    xg::elastic_average replicas(train, {.workers = 2, .period = 10});
    CHECK(replicas.moving_rate() == near(.045));
    CHECK(replicas.rho() == near(.45));
    typename decltype(replicas)::replay replay(replicas);
    replay.own(0).assign(v, 2.0);
    call(replay, 0, 0);
    CHECK(replay.own(0).value(v)() == near(2 - .1 * .675));
}
TEST_CASE("each variable is held by its own centre, slices become dense gradients, and state is left to itself in a step") {
    constexpr auto row = xg::input<"row", std::int32_t, 2>;
    constexpr auto t = xg::variable<"t", float, 3, 2>;
    constexpr auto w = xg::variable<"w", float, 5>;
    constexpr auto seen = xg::non_trainable<"seen", float>;
    constexpr auto loss = xg::sum(xg::gather(t, row)) + xg::sum(w);
    auto train = xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::gradient_descent{.learning_rate = .5f}, w),
        xg::param_group(xg::gradient_descent{.learning_rate = .25f}, t), xg::assign(seen, seen + 1_c));
    std::vector<float> const start(5, 10.f);
    train.assign(w, start);
    xg::elastic_average replicas(train, {.period = 2, .moving_rate = .5});   // ρ = 1 for w, 2 for t
    typename decltype(replicas)::replay replay(replicas);
    std::int32_t const rows[] = {1, 1};
    replay.compute(0, row = rows);
    replay.step(0);
    auto& own = replay.own(0);
    CHECK(own.value(w)(4) == 9.5f);
    CHECK(own.value(t)(1, 1) == -.5f);
    CHECK(own.value(t)(0, 0) == 0);
    CHECK(own.value(seen)() == 1);
    own.value(t)(0, 0) = 4;
    std::int32_t const others[] = {2, 2};
    replay.compute(0, row = others);
    CHECK(replay.step(0));
    // w: 9.5 − .5 (1 − .5) = 9.25; t₀₀: 4 − .25 · 2 · 4 = 2; t₁: −.5 − .25 · 2 · −.5 = −.25; then halfway to 10 and 0
    CHECK(own.value(w)(0) == 9.625f);
    CHECK(train.value(w)(0) == 9.625f);
    CHECK(own.value(t)(0, 0) == 1);
    CHECK(train.value(t)(0, 0) == 1);
    CHECK(train.value(t)(1, 0) == -.125f);
    CHECK(train.value(t)(2, 0) == -.25f);
    CHECK(train.value(seen)() == 1);
}
TEST_CASE("state that begins with infinity is kept in a step, and comes to the centre") {
    constexpr auto best = xg::non_trainable<"best", double>;
    for (bool const together : {false, true}) {
        auto train =
            xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = .1}, xg::assign(best, xg::minimum(best, g)));
        double const inf = std::numeric_limits<double>::infinity();
        train.value(best)() = inf;
        xg::elastic_average replicas(train, {.period = 2, .moving_rate = .5, .rho = .5, .synchronous = together});
        typename decltype(replicas)::replay replay(replicas);
        call(replay, 0, inf);
        CHECK(replay.own(0).value(best)() == inf);
        call(replay, 0, inf);   // and so at the exchange
        CHECK(replay.own(0).value(best)() == inf);
        CHECK(train.value(best)() == inf);
        replay.own(0).assign(v, 0.);
        call(replay, 0, 2);
        CHECK(replay.own(0).value(best)() == 2);
        call(replay, 0, 3);
        CHECK(replay.own(0).value(best)() == 2);
        CHECK(train.value(best)() == 2);
    }
}
TEST_CASE("together: all distances are those to the centre as it was before; who has ended is not waited for") {
    auto train = start(1);
    xg::elastic_average replicas(train, {.workers = 3, .period = 1, .moving_rate = .25, .rho = 0., .synchronous = true});
    typename decltype(replicas)::replay replay(replicas);
    call(replay, 0, -4);
    call(replay, 2, -8);
    CHECK(test::message_of<xg::value_error>([&] { call(replay, 2, 1); }) == "xgrad: replicas: worker 2 waits for the others");
    CHECK(train.value(v)() == 0);
    replay.compute(1, g = -2.0);
    CHECK(replay.step(1));
    CHECK(train.value(v)() == 3.5);
    CHECK(replay.own(0).value(v)() == 3);
    CHECK(replay.own(2).value(v)() == 6);
    CHECK(train.global_step() == 1);
    call(replay, 0, 0);
    call(replay, 1, 0);
    replay.end(2);   // and the others have met
    CHECK(train.global_step() == 2);
    CHECK(train.value(v)() == 3.5 - .125 - .5);
    CHECK(test::message_of<xg::value_error>([&] { call(replay, 2, 1); }) == "xgrad: replicas: worker 2 has ended");
    CHECK(replay.join() == 3);
    CHECK(replay.own(3).value(v)() == train.value(v)());
    auto const report = replay.report();
    CHECK(report.updates == 2);
    CHECK(report.workers[0].communications == 2);
    CHECK(report.workers[2].communications == 1);
}
TEST_CASE("threads: together, the same bits whatever the timing") {
    double first = 0;
    for (int turn = 0; turn < 5; ++turn) {
        auto train = start(.3, 1);
        xg::elastic_average replicas(train, {.workers = 3, .period = 2, .synchronous = true});
        replicas.run([&](auto& worker) {
            for (int k = 0; k < 20; ++k) worker(g = .1 * (worker.index() + 1) + k % 3);
        });
        CHECK(train.global_step() == 10);
        if (turn == 0) first = train.value(v)();
        CHECK(train.value(v)() == first);
    }
}
namespace {
/// A rule whose rate has another name.
struct descent {
    static constexpr std::string_view name = "descent";
    xg::hyper rate{.5};
    static constexpr std::array<xg::slot_info, 0> slots{};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(rate(step))};
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V*) {
        param = param - grad * V(s.rate);
    }
};
}   // namespace
TEST_CASE("without a learning rate rho must be said") {
    auto train = xg::minimize<xg::gating::graph>(v * g, descent{});
    CHECK(test::message_of<xg::value_error>([&] { xg::elastic_average(train, {.workers = 2}); }) ==
          "xgrad: elastic_average: rho must be given, because the rule descent has no learning_rate");
    CHECK(test::message_of<xg::value_error>([&] { xg::elastic_average(train, {.period = -1, .rho = .1}); }) ==
          "xgrad: elastic_average: period must be positive, but is -1");
    for (double x : {std::nan(""), -1., HUGE_VAL}) {
        CHECK(test::message_of<xg::value_error>([&] { xg::elastic_average(train, {.moving_rate = x, .rho = .1}); }) ==
              "xgrad: elastic_average: moving_rate is negative, NaN or infinite; write a finite number of at least 0");
        CHECK(test::message_of<xg::value_error>([&] { xg::elastic_average(train, {.rho = x}); }) ==
              "xgrad: elastic_average: rho is negative, NaN or infinite; write a finite number of at least 0");
    }
    xg::elastic_average replicas(train, {.rho = .25});
    CHECK(replicas.rho() == .25);
}
