// SPDX-License-Identifier: MIT
// Synchronous replicas: what is refused, and what stays as it is.
#include "one_number.hpp"

#include <support/message_of.hpp>

#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
using test::g, test::v, test::one_number;
}   // namespace

namespace {
constexpr auto seen = xg::non_trainable<"seen", float>;
}
TEST_CASE("the sum is of gradients: state that is assigned stays the mean, fused and faithful") {
    auto const run = [](auto how) {
        auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0}, xg::assign(seen, seen * 0.5_c + g));
        xg::sync_replicas replicas(train, how, {.workers = 2, .initial_tokens = 0, .reduction = xg::reduction::sum});
        replicas.run([&](auto& worker) {
            for (int k = 0; k < 3; ++k) worker(g = worker.index() == 0 ? 1.f : 3.f);
        });
        CHECK(train.value(v)() == -12.f);
        CHECK(train.value(seen)() == 3.5f);
    };
    run(xg::fused{});
    run(xg::faithful{});
}
TEST_CASE("a second run at the same time is refused, also within one; so is a replay") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 1, .initial_tokens = 0});
    std::string run, replay;
    replicas.run([&](auto& worker) {
        worker(g = 1.f);
        run = test::message_of<xg::value_error>([&] { replicas.run([](auto& w) { w(g = 1.f); }); });
        replay = test::message_of<xg::value_error>([&] { typename decltype(replicas)::replay r(replicas); });
    });
    CHECK(run == "xgrad: replicas.run(work): a run of these replicas has not ended; wait for its end");
    CHECK(replay == run);
    CHECK(replicas.run([](auto& worker) { worker(g = 1.f); }).updates == 1);
}
TEST_CASE("a call that is refused draws no random numbers") {
    constexpr auto many = xg::input<"many", float, 64>;
    constexpr auto kept = xg::dropout<"kept">(many, 0.5_c);
    std::vector<float> ones(64, 1.f), few(3, 1.f);
    auto const drawn = [&](bool refused) {
        auto train = xg::minimize<xg::gating::graph>(v * xg::sum(kept * many), xg::gradient_descent{.learning_rate = 1.0});
        xg::sync_replicas replicas(train, {.initial_tokens = 0});
        replicas.run([&](auto& worker) {
            worker(many = ones);
            if (refused) CHECK_THROWS_AS(worker(many = few), xg::shape_error);
            worker(many = ones);
        });
        return train.value(v)();
    };
    CHECK(drawn(true) == drawn(false));
}
TEST_CASE("a worker called from on_update says so") {
    auto train = one_number();
    std::string said;
    std::function<void()> again;
    xg::sync_replicas replicas(train, {.initial_tokens = 0, .on_update = [&](std::int64_t) { again(); }});
    replicas.run([&](auto& worker) {
        again = [&] { said = test::message_of<xg::value_error>([&] { worker(g = 1.f); }); };
        worker(g = 1.f);
    });
    CHECK(said == "xgrad: replicas: worker 0 is called during one of its calls, by on_update or by another thread");
}

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, 400>;
constexpr auto table = xg::variable<"table", float, 2000, 16>;
constexpr auto large = xg::variable<"large", float, 400000>;
}   // namespace
TEST_CASE("a worker that is served while an update begins does not touch what this one reads") {
    for (int round = 0; round < (XGRAD_SANITIZED ? 10 : 60); ++round) {
        auto train =
            xg::minimize<xg::gating::graph>(g * xg::sum(xg::embedding_lookup(table, ids)), xg::gradient_descent{.learning_rate = 1.0});
        xg::sync_replicas replicas(train, {.workers = 3, .replicas_to_aggregate = 2, .initial_tokens = 0});
        std::atomic<int> given{0};
        replicas.run([&](auto& worker) {
            std::vector<std::int32_t> rows(400);
            for (std::size_t i = 0; i < 400; ++i) rows[i] = static_cast<std::int32_t>(worker.index() * 500 + static_cast<int>(i));
            if (worker.index() == 0) {
                ++given;
                worker(g = 3.f, ids = rows);
                return;
            }
            while (given == 0) std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::microseconds(100 + round * 5));
            if (worker.index() == 1) worker(g = 5.f, ids = rows);   // the other one ends, and gives its token to worker 0
        });
        auto const t = train.value(table);
        std::int64_t wrong = 0;
        for (int r = 0; r < 400; ++r)
            for (int c = 0; c < 16; ++c) wrong += t(r, c) != -3.f || t(500 + r, c) != -5.f;
        CHECK(wrong == 0);
        CHECK(train.global_step() == 1);
    }
}
TEST_CASE("workers that join while a large update moves help only where they have memory for it") {
    auto train = xg::minimize<xg::gating::graph>(g * xg::sum(large), xg::gradient_descent{.learning_rate = 1.0});
    xg::sync_replicas replicas(train, {.workers = 2, .replicas_to_aggregate = 8, .initial_tokens = 6});
    std::atomic<bool> done{false};
    std::jthread const joining([&] {
        for (int k = 0; k < 5 && !done; ++k) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            try {
                replicas.add_worker();
            } catch (xg::value_error const&) {}   // it has ended
        }
    });
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < (XGRAD_SANITIZED ? 20 : 60); ++k) worker(g = 1.f);
    });
    done = true;
    auto const t = train.value(large);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < 400000; ++i) wrong += t(i) != -static_cast<float>(report.updates);
    CHECK(wrong == 0);
}
TEST_CASE("numbers of tokens") {
    auto train = one_number();
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas r(train, {.initial_tokens = 2000000}); }) ==
          "xgrad: sync replicas: initial_tokens must be at most 1000000, but is 2000000");
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas r(train, {.workers = 2, .initial_tokens = -5}); }) ==
          "xgrad: sync replicas: too few tokens to finish the first step: -5 (given) vs 0 (needed, replicas_to_aggregate - "
          "total_num_replicas)");
    xg::sync_protocol const none({.total_num_replicas = 8, .replicas_to_aggregate = 1, .initial_tokens = -5});
    CHECK(none.tokens().count == 0);
}
