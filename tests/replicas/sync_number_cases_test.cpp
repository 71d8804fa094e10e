// SPDX-License-Identifier: MIT
// Synchronous replicas, fused and faithful: the numbered cases of SyncReplicasOptimizer, of one number.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto v = xg::variable<"v", double>;
auto one_number() { return xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0}); }
using near = doctest::Approx;
}   // namespace

TEST_CASE_TEMPLATE("E5: three gradients of two workers", How, xg::fused, xg::faithful) {
    auto train = one_number();
    xg::sync_replicas replicas(train, How{}, {.workers = 2, .replicas_to_aggregate = 3, .initial_tokens = 1});
    typename decltype(replicas)::replay replay(replicas);
    auto const give = [&](int k) {
        replay.compute(k, g = 1.0 + k);
        CHECK(replay.push(k));
    };
    for (int round = 1; round <= 2; ++round) {
        give(0);
        CHECK(replay.begin(0));
        give(1);
        if (round == 1) CHECK_FALSE(replay.begin(1));
        CHECK_FALSE(replay.can_update());
        give(0);
        replay.update();
        CHECK(train.value(v)() == near(-4.0 / 3 * round));
        CHECK(replay.state().tokens().count == 3);
        CHECK(replay.begin(0));
        CHECK(replay.begin(1));
        CHECK(replay.state().local_step(1) == round);
    }
}
TEST_CASE_TEMPLATE(
    "E6: one worker whose chief is faster, with the initial token that is the default and with none", How, xg::fused, xg::faithful) {
    for (auto [initial, expected] : {std::pair{-1, std::vector<std::int64_t>{1, 1, 2, 3}}, {0, std::vector<std::int64_t>{1, 2, 3, 4}}}) {
        auto train = one_number();
        xg::sync_replicas replicas(train, How{}, {.initial_tokens = initial});
        typename decltype(replicas)::replay replay(replicas);
        std::vector<std::int64_t> steps;
        for (int k = 0; k < 4; ++k) {
            replay.compute(0, g = 1.0);
            replay.push(0);
            if (replay.can_update()) replay.update();
            CHECK(replay.begin(0));
            steps.push_back(train.global_step());
        }
        CHECK(steps == expected);
        CHECK(train.value(v)() == -static_cast<double>(expected.back()));
    }
}
TEST_CASE_TEMPLATE(
    "E8: an update makes as many tokens as there are workers; too few initial ones are refused", How, xg::fused, xg::faithful) {
    auto train = one_number();
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    CHECK(replay.state().tokens().count == 0);
    for (int k : {0, 1}) {
        replay.compute(k, g = 1.0);
        CHECK(replay.push(k));
    }
    replay.update();
    CHECK(replay.state().tokens().count == 3);
    CHECK_THROWS_WITH_AS(xg::sync_replicas(train, How{}, {.workers = 1, .replicas_to_aggregate = 3, .initial_tokens = 1}),
        "xgrad: sync replicas: too few tokens to finish the first step: 1 (given) vs 2 (needed, replicas_to_aggregate - total_num_replicas)",
        xg::value_error);
}
TEST_CASE_TEMPLATE(
    "E10, E12: all gradients that are there are averaged; Adam's powers move once for each update", How, xg::fused, xg::faithful) {
    auto train = one_number();
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 2});
    typename decltype(replicas)::replay replay(replicas);
    for (int k = 0; k < 3; ++k) {
        replay.compute(k, g = k == 2 ? 6.0 : 1.0 + k);
        CHECK(replay.push(k));
    }
    replay.update();
    CHECK(train.value(v)() == -3);
    CHECK_THROWS_AS(replay.update(), xg::value_error);
    CHECK(train.value(v)() == -3);

    auto adam = xg::minimize<xg::gating::graph>(v * g, xg::adam{});
    xg::sync_replicas four(adam, How{}, {.workers = 4, .initial_tokens = 0});
    four.run([&](auto& worker) {
        for (int k = 0; k < 5; ++k) worker(g = 1.0);
    });
    CHECK(adam.global_step() == 5);
    CHECK(adam.optimizer().powers.at[0] == near(std::pow(.9, 6)));
}
