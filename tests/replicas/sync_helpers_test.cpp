// SPDX-License-Identifier: MIT
// Updates that are so large that those who wait help with them.
#include <support/trainer_state.hpp>

#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto scale = xg::input<"scale", float>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
constexpr auto w = xg::variable<"w", float, 500, 601>;
constexpr auto small = xg::variable<"small", float, 7>;
constexpr auto table = xg::variable<"table", float, 40000, 9>;
constexpr auto loss = scale * (xg::sum(xg::square(w - 0.5_c)) + xg::sum(xg::embedding_lookup(table, ids)) + xg::sum(small));

template<class Rule>
auto start(Rule const& rule) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::adam{.learning_rate = .1}, table), xg::param_group(rule));
    train.initialize(xg::random_uniform{.seed = 3});
    return train;
}
template<class F>
void step(F&& f, int worker, int round) {
    std::vector<std::int32_t> rows(5);
    for (int i = 0; i < 5; ++i) rows[static_cast<std::size_t>(i)] = (worker * 7919 + round * 104729 + i * 13007) % 40000;
    f(scale = static_cast<float>(1 + worker + round) / 4, ids = rows);
}
template<class Rule>
void compare(Rule const& rule) {
    constexpr int rounds = XGRAD_SANITIZED ? 2 : 8;
    for (int workers : {1, 2, 3}) {
        auto expected = start(rule);
        if (workers == 1)
            for (int round = 0; round < rounds; ++round) step(expected, 0, round);
        else {
            xg::sync_replicas replicas(expected, {.workers = workers, .initial_tokens = 0});
            typename decltype(replicas)::replay replay(replicas);
            for (int round = 0; round < rounds; ++round) {
                for (int k = 0; k < workers; ++k) {
                    step([&](auto const&... b) { replay.compute(k, b...); }, k, round);
                    replay.push(k);
                }
                replay.update();
                for (int k = 0; k < workers; ++k) replay.begin(k);
            }
        }
        auto train = start(rule);
        xg::sync_replicas replicas(train, {.workers = workers, .initial_tokens = 0});
        std::atomic<bool> done{false};
        std::jthread const watcher([&] {
            while (!done) {
                if (replicas.with_variables([&](auto const& t) { return t.value(w)(0, 0) != t.value(w)(0, 0); })) return;
                replicas.progress();
            }
        });
        auto const report = replicas.run([&](auto& worker) {
            for (int round = 0; round < rounds; ++round) step([&](auto const&... b) { worker(b...); }, worker.index(), round);
        });
        done = true;
        CHECK(report.updates == rounds);
        auto const a = test::state(expected), b = test::state(train);
        REQUIRE(a.size() == b.size());
        CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
    }
}
}   // namespace
TEST_CASE("helped updates leave the bits of those made alone, and of a trainer: dense and sparse, in pieces and whole") {
    compare(xg::momentum{.learning_rate = .01});
    compare(xg::lamb{.learning_rate = .01});
}
TEST_CASE("progress may be asked for between updates") {
    auto train = start(xg::gradient_descent{.learning_rate = .01});
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    std::atomic<bool> done{false};
    std::jthread const watcher([&] {
        while (!done) replicas.with_variables([&](auto const& t) { return replicas.progress().updates + t.global_step(); });
    });
    CHECK(replicas
              .run([&](auto& worker) {
                  for (int round = 0; round < 6; ++round) step([&](auto const&... b) { worker(b...); }, worker.index(), round);
              })
              .updates == 6);
    done = true;
}
