// SPDX-License-Identifier: MIT
// Local steps with an outer rule.
#include <support/message_of.hpp>

#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", float, 21>;
constexpr auto v = xg::variable<"v", float, 21>;
std::vector<float> gradient(int worker, int step) {
    std::vector<float> x(21);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((static_cast<int>(i) * 7 + worker * 5 + step * 3) % 11 - 5) / 8;
    return x;
}
template<class Rule>
auto start(Rule const& rule) {
    auto train = xg::minimize<xg::gating::graph>(xg::sum(v * g), rule);
    train.assign(v, gradient(4, 4));
    return train;
}
/// Compared with separate trainers: one for each worker, and one with the outer rule, whose gradients are given.
template<class Outer, class... Rule>
void compare(Outer const& outer, Rule const&... rule) {
    xg::adam const inner{.learning_rate = [](std::int64_t step) { return .1 / static_cast<double>(step + 1); }};
    auto train = start(inner), a = start(inner), b = start(inner);
    auto centre = start(outer);
    xg::diloco replicas(train, {.workers = 2, .period = 3}, rule...);
    typename decltype(replicas)::replay replay(replicas);
    for (int step = 0; step < 12; ++step) {
        for (int k : {1, 0}) {
            replay.compute(k, g = gradient(k, step));
            CHECK(replay.step(k) == (k == 0 && step % 3 == 2));
        }
        a(g = gradient(0, step));
        b(g = gradient(1, step));
        if (step % 3 != 2) continue;
        std::vector<float> way(21);
        for (std::int64_t i = 0; i < 21; ++i)
            way[static_cast<std::size_t>(i)] = ((centre.value(v)(i) - a.value(v)(i)) + (centre.value(v)(i) - b.value(v)(i))) / 2;
        centre(g = way);
        for (std::int64_t i = 0; i < 21; ++i) {
            a.value(v)(i) = b.value(v)(i) = centre.value(v)(i);
            CHECK(train.value(v)(i) == centre.value(v)(i));
            CHECK(replay.own(1).value(v)(i) == centre.value(v)(i));
        }
        CHECK(train.global_step() == (step + 1) / 3);
        CHECK(replicas.outer().global_step == (step + 1) / 3);
    }
    auto const& slots = replicas.outer().all().at[0];
    for (int k = 0; k < slots.slot_count; ++k)
        for (std::int64_t i = 0; i < 21; ++i)
            CHECK(static_cast<float const*>(slots.slots[k])[i] == static_cast<float const*>(centre.optimizer().all().at[0].slots[k])[i]);
}
}   // namespace

TEST_CASE("the outer rule moves the centre as a trainer with the mean displacement for a gradient does") {
    compare(xg::momentum{.learning_rate = .7, .momentum = .9, .use_nesterov = true});
    compare(xg::adam{.learning_rate = .05}, xg::adam{.learning_rate = .05});
}
TEST_CASE("plain gradient descent with a rate of 1 makes the mean; variables of 16 bits, and state, which is averaged") {
    constexpr auto x = xg::input<"x", float>;
    constexpr auto h = xg::variable<"h", xg::bfloat16, 3>;
    constexpr auto seen = xg::non_trainable<"seen", float>;
    auto train = xg::minimize<xg::gating::graph>(
        xg::sum(xg::cast<float>(h)) * x, xg::gradient_descent{.learning_rate = 1.f}, xg::assign(seen, seen + x));
    xg::diloco replicas(train, {.workers = 2, .period = 1}, xg::gradient_descent{.learning_rate = 1.f});
    typename decltype(replicas)::replay replay(replicas);
    for (int k : {0, 1}) {
        replay.compute(k, x = 1.f + 2.f * static_cast<float>(k));
        replay.step(k);
    }
    CHECK(static_cast<float>(train.value(h)(1)) == -2);
    CHECK(train.value(seen)() == 2);
}
TEST_CASE("threads: the same bits whatever the timing; slots go on from run to run; a checkpoint has the outer ones") {
    std::vector<float> first;
    for (int turn = 0; turn < 4; ++turn) {
        auto train = start(xg::adam{.learning_rate = .1f});
        xg::diloco replicas(train, {.workers = 3, .period = 2});
        for (int run = 0; run < 2; ++run) {
            auto const report = replicas.run([&](auto& worker) {
                for (int k = 0; k < 8; ++k) worker(g = gradient(worker.index(), k));
            });
            CHECK(report.updates == 4);
        }
        CHECK(train.store().optimizers().count == 2);
        CHECK(replicas.outer().global_step == 8);
        auto const now = train.value(v);
        std::vector<float> const values(now.begin(), now.end());
        if (turn == 0) first = values;
        CHECK(values == first);
    }
    auto train = start(xg::adam{.learning_rate = .1f});
    { xg::diloco replicas(train); }
    CHECK(train.store().optimizers().count == 1);
}
TEST_CASE("ways that are sent in fewer bytes") {
    auto const run = [](auto const&... compression) {
        auto train = start(xg::adam{.learning_rate = .1f});
        xg::diloco replicas(train, {.workers = 2, .period = 2}, xg::diloco_rule(), compression...);
        replicas.run([&](auto& worker) {
            for (int k = 0; k < 8; ++k) worker(g = gradient(worker.index(), k));
        });
        auto const now = train.value(v);
        return std::vector<float>(now.begin(), now.end());
    };
    CHECK(run(xg::top_k_compression{.fraction = 1}) == run());   // all, with nothing left
    CHECK(run(xg::top_k_compression{.fraction = .5}) != run());

    auto train = start(xg::gradient_descent{.learning_rate = 1.f});
    auto const before = gradient(4, 4), zero = std::vector<float>(21);
    xg::diloco replicas(
        train, {.workers = 2, .period = 1}, xg::gradient_descent{.learning_rate = 1.f}, xg::top_k_compression{.fraction = .04});
    typename decltype(replicas)::replay replay(replicas);
    auto first = zero;
    first[3] = 4;
    first[7] = 2;
    for (int round = 0; round < 3; ++round)
        for (int k : {0, 1}) {
            replay.compute(k, g = round == 0 && k == 1 ? first : zero);
            replay.step(k);
            if (k == 0) continue;
            CHECK(train.value(v)(3) == before[3] - 2);                          // half of worker 1's way
            CHECK(train.value(v)(7) == before[7] - (round == 0 ? 0.f : 1.f));   // which comes one round later
        }
}
TEST_CASE("a backup worker, event by event: what is late is dropped and leaves nothing, what comes next counts") {
    auto train = start(xg::gradient_descent{.learning_rate = 1.f});
    auto const before = gradient(4, 4), zero = std::vector<float>(21);
    auto ones = zero;
    ones[3] = 8;
    ones[7] = 4;
    xg::diloco replicas(train, {.workers = 3, .period = 1, .replicas_to_aggregate = 2}, xg::gradient_descent{.learning_rate = 1.f},
        xg::top_k_compression{.fraction = .04});
    typename decltype(replicas)::replay replay(replicas);
    auto const step = [&](int k, std::vector<float> const& gradient) {
        replay.compute(k, g = gradient);
        return replay.step(k);
    };
    replay.compute(2, g = ones);
    CHECK_FALSE(step(0, zero));
    CHECK(step(1, zero));
    CHECK(train.global_step() == 1);
    CHECK_FALSE(replay.step(2));
    CHECK(train.global_step() == 1);
    CHECK(replay.report().workers[2].dropped == 1);
    CHECK(replay.own(2).value(v)(3) == before[3]);
    CHECK_FALSE(step(2, zero));   // it does not wait: this is of now
    CHECK(step(0, zero));
    CHECK(train.value(v)(3) == before[3]);
    CHECK(train.value(v)(7) == before[7]);
    CHECK_FALSE(step(2, ones));
    replay.end(0);
    CHECK_FALSE(train.global_step() == 3);   // worker 1 is there
    replay.end(1);
    CHECK(train.global_step() == 3);
    CHECK(train.value(v)(3) == before[3] - 8);
    CHECK(step(2, zero));   // and alone it is all that are left
    CHECK(train.value(v)(7) == before[7] - 4);
    CHECK(replay.join() == 3);
    CHECK_FALSE(step(3, zero));
    CHECK(step(2, zero));
    CHECK(replay.report().workers[2].dropped == 1);
    replay.end(3);
    CHECK(test::message_of<xg::value_error>([&] { replay.own(3); }) == "xgrad: replicas: worker 3 had joined, and has ended");
    CHECK(replay.report().workers[3].steps == 1);
}
TEST_CASE("options that make no sense are refused") {
    auto train = start(xg::adam{});
    CHECK(
        test::message_of<xg::value_error>([&] { xg::diloco(train, {.period = 0}); }) == "xgrad: diloco: period must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::diloco(train, {.workers = 2, .replicas_to_aggregate = 3}); }) ==
          "xgrad: diloco: replicas_to_aggregate must be in [0, workers], which is 2, but is 3");
    CHECK(test::message_of<xg::value_error>([&] { xg::diloco(train, {.workers = -1}); }) ==
          "xgrad: diloco: workers must be positive, but is -1");
    CHECK(test::message_of<xg::value_error>([&] {
        xg::diloco(train, {}, xg::adagrad{.initial_accumulator = -1});
    }).starts_with("xgrad: adagrad: initial_accumulator"));
}
