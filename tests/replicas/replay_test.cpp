// SPDX-License-Identifier: MIT
// Replays: when they are over, what they call, and with which step they begin.
#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "one_number.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace xg = xgrad;
using test::g;
using test::one_number;
using test::v;

TEST_CASE("a replay is over when somebody else has moved the trainer") {
    std::string const begun = "xgrad: replicas: this replay is over, because another run has begun since",
                      moved = "xgrad: replicas: this replay is over, because the trainer has been stepped, restored or reset since; begin "
                              "another replay";
    auto const says = [](std::string const& sentence, auto const& call) { CHECK(test::message_of<xg::value_error>(call) == sentence); };
    auto const check = [&](auto& train, auto& replicas, auto& others) {
        using replay = typename std::remove_reference_t<decltype(replicas)>::replay;
        {
            replay first(replicas);
            first.compute(0, g = 1.f);
            train(g = 1.f);
            says(moved, [&] { first.compute(0, g = 1.f); });
        }
        {
            replay first(replicas);
            first.compute(0, g = 1.f);
            others.run([](auto&) {});
            says(begun, [&] { first.compute(0, g = 1.f); });
            says(begun, [&] { first.join(); });
            says(begun, [&] { first.end(0); });
        }
        replay first(replicas);
        train.assign(v, 3.f);   // between its calls anybody may
        CHECK(first.compute(0, g = 2.f) == 6);
    };
    auto train = one_number();
    xg::agn agn(train, {.period = 1});
    xg::sync_replicas fused(train, {.initial_tokens = 0, .share_variables = true});
    xg::sync_replicas chief(train, xg::faithful{}, {.initial_tokens = 0});
    check(train, fused, agn);
    check(train, chief, fused);
    xg::hogwild wild(train);
    xg::downpour down(train);
    auto own = [&](auto& replicas) {
        using replay = typename std::remove_reference_t<decltype(replicas)>::replay;
        replay first(replicas);
        first.compute(0, g = 1.f);
        wild.run([](auto&) {});
        says(begun, [&] { first.step(0); });
        replay second(replicas);
        train.set_global_step(train.global_step() + 50);
        says(moved, [&] { second.compute(0, g = 1.f); });
    };
    own(agn);
    own(down);
}

TEST_CASE("replays call on_update, behind each update and its tokens") {
    auto train = one_number();
    std::vector<std::int64_t> steps;
    auto const note = [&](std::int64_t step) {
        CHECK(step == train.global_step());
        steps.push_back(step);
    };
    {
        xg::sync_replicas replicas(train, {.initial_tokens = 0, .on_update = note});
        decltype(replicas)::replay replay(replicas);
        for (int k = 0; k < 2; ++k) {
            replay.compute(0, g = 1.f);
            replay.push(0);
            replay.update();
            REQUIRE(replay.begin(0));
        }
        CHECK(steps == std::vector<std::int64_t>{1, 2});
    }
    {
        std::size_t tokens = 0;
        xg::sync_replicas replicas(train, xg::faithful{}, {.initial_tokens = 0, .on_update = note});
        decltype(replicas)::replay replay(replicas);
        replay.compute(0, g = 1.f);
        replay.push(0);
        replay.apply();
        CHECK(steps.size() == 2);
        replay.enqueue_tokens();
        CHECK(steps.size() == 3);
        tokens = static_cast<std::size_t>(replay.tokens().count);
        CHECK(tokens == 1);
        replay.begin(0);
        replay.compute(0, g = 1.f);
        replay.push(0);
        replay.update();
        CHECK(steps == std::vector<std::int64_t>{1, 2, 3, 4});
    }
    steps.clear();
    train.reset_optimizer();
    auto const local = [&](auto& replicas) {
        std::size_t const before = steps.size();
        typename std::remove_reference_t<decltype(replicas)>::replay replay(replicas);
        replay.compute(0, g = 1.f);
        CHECK(replay.step(0));
        CHECK(steps.size() == before + 1);
    };
    xg::agn agn(train, {.period = 1, .on_update = note});
    xg::elastic_average elastic(train, {.period = 1, .on_update = note});
    xg::model_average mean(train, {.interval_steps = 1, .on_update = note});
    xg::diloco diloco(train, {.period = 1, .on_update = note});
    xg::downpour downpour(train, {.on_update = note});
    local(agn), local(elastic), local(mean), local(diloco), local(downpour);
    CHECK(steps == std::vector<std::int64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("what on_update throws in a replay comes out of the update, whose variables have moved") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.initial_tokens = 0, .on_update = [](std::int64_t) { throw std::runtime_error("no"); }});
    decltype(replicas)::replay replay(replicas);
    replay.compute(0, g = 1.f);
    replay.push(0);
    CHECK_THROWS_AS(replay.update(), std::runtime_error);
    CHECK(train.value(v)() == -1);
}

TEST_CASE("a global step that is set is where replicas, schedules and checkpoints begin") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto rate = [](std::int64_t step) { return step >= 1000 ? 0.5 : 100.0; };
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = rate});
    train.set_global_step(1000);
    xg::sync_replicas replicas(train, {.initial_tokens = 0});
    decltype(replicas)::replay replay(replicas);
    CHECK(replay.state().global_step() == 1000);
    replay.compute(0, g = 1.f);
    CHECK(replay.push(0));
    replay.update();
    CHECK(train.global_step() == 1001);
    CHECK(train.value(v)() == -0.5f);
    xg::save(train, path);
    auto other = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = rate});
    xg::restore(other, path);
    CHECK(other.global_step() == 1001);
    CHECK(test::message_of<xg::value_error>([&] { other.set_global_step(-1); }) ==
          "xgrad: train.set_global_step(step): the step is -1; steps are counted from 0 on");
    CHECK(other.global_step() == 1001);
}
