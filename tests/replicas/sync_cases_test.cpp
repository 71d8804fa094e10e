// SPDX-License-Identifier: MIT
// Synchronous replicas, fused and faithful: the numbered cases of SyncReplicasOptimizer, of several variables.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g0 = xg::input<"g0", double>;
constexpr auto g1 = xg::input<"g1", double>;
constexpr auto gs = xg::input<"gs", double, 1, 1>;
constexpr auto row = xg::input<"row", std::int64_t, 1>;
constexpr auto v0 = xg::variable<"v0", double>;
constexpr auto v1 = xg::variable<"v1", double>;
constexpr auto vs = xg::variable<"vs", double, 2, 1>;
constexpr auto loss = v0 * g0 + v1 * g1 + xg::sum(xg::gather(vs, row) * gs);   // gradients: what is fed

auto start(double rate = 2.0) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = rate});
    train.assign(v0, 0.0);
    train.assign(v1, 1.0);
    train.assign(vs, xg::array(std::vector<double>{3, 4}.data(), 2, 1));
    return train;
}

/// One run of a worker's training operation, as TensorFlow's sessions run it; the chief updates as soon as it can.
/// False where the worker waits.
template<class Replay>
bool run(Replay& replay, int k) {
    double const slices[1][1] = {{.1 + .2 * k}};
    std::int64_t const rows[] = {1};
    replay.compute(k, g0 = .1 + .2 * k, g1 = .9 + .2 * k, gs = slices, row = rows);
    replay.push(k);
    if (replay.can_update()) replay.update();
    return replay.begin(k);
}
using near = doctest::Approx;
}   // namespace

TEST_CASE_TEMPLATE("E1, E2: two workers, one update, then a round whose gradients are too old", How, xg::fused, xg::faithful) {
    auto train = start();
    xg::sync_replicas replicas(train, How{}, {.workers = 2});
    typename decltype(replicas)::replay replay(replicas);
    for (int round = 0; round < 2; ++round) {
        CHECK(run(replay, 0));
        CHECK(run(replay, 1));
        CHECK(train.global_step() == 1);
        CHECK(train.value(v0)() == near(-.4));
        CHECK(train.value(v1)() == near(-1.0));
        CHECK(train.value(vs)(0, 0) == 3);
        CHECK(train.value(vs)(1, 0) == near(3.6));
        CHECK(replay.state().local_step(0) == round);
        CHECK(replay.state().local_step(1) == round);
    }
}
TEST_CASE_TEMPLATE("E4: a backup worker whose gradient comes too late", How, xg::fused, xg::faithful) {
    auto train = start();
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 2, .initial_tokens = 3});
    typename decltype(replicas)::replay replay(replicas);
    CHECK(run(replay, 0));
    CHECK(run(replay, 2));
    for (int k : {-1, 1, 0, 1, 2}) {
        if (k >= 0) CHECK(run(replay, k));
        CHECK(train.global_step() == 1);
        CHECK(train.value(v0)() == near(-.6));
        CHECK(train.value(v1)() == near(-1.2));
    }
    CHECK_FALSE(run(replay, 0));
    CHECK(run(replay, 1));
    CHECK(replay.begin(0));
    CHECK(train.global_step() == 2);
    CHECK(train.value(v0)() == near(-1.0));
    CHECK(train.value(v1)() == near(-3.2));
}
TEST_CASE_TEMPLATE("E9: each row is averaged over the workers that had it", How, xg::fused, xg::faithful) {
    auto train = start(1.0);
    train.assign(vs, xg::array(std::vector<double>{0, 0}.data(), 2, 1));
    xg::sync_replicas replicas(train, How{}, {.workers = 2, .initial_tokens = 0});
    replicas.run([&](auto& worker) {
        double const slices[1][1] = {{worker.index() == 0 ? 2.0 : 4.0}};
        std::int64_t const rows[] = {worker.index()};
        worker(g0 = 0.0, g1 = 0.0, gs = slices, row = rows);
    });
    CHECK(train.value(vs)(0, 0) == -2);
    CHECK(train.value(vs)(1, 0) == -4);
}
TEST_CASE_TEMPLATE("a call that is refused gives nothing, and the worker goes on; a stop ends every wait", How, xg::fused, xg::faithful) {
    auto train = start(1.0);
    std::stop_source stop = xg::detail::new_stop_source();
    xg::sync_replicas replicas(train, How{}, {.workers = 2, .initial_tokens = 0, .stop = stop.get_token()});
    std::atomic<int> refused{0}, cancelled{0};
    auto const report = replicas.run([&](auto& worker) {
        double const slices[1][1] = {{1.0}};
        std::int64_t const rows[] = {1}, none[] = {2};
        try {
            worker(g0 = 100.0, g1 = 100.0, gs = slices, row = none);
        } catch (xg::value_error const&) { ++refused; }
        worker(g0 = 1.0, g1 = 1.0, gs = slices, row = rows);
        if (worker.index() == 0) return void(stop.request_stop());
        try {
            for (;;) worker(g0 = 1.0, g1 = 1.0, gs = slices, row = rows);
        } catch (xg::cancelled_error const&) {
            ++cancelled;
            throw;
        }
    });
    CHECK(refused == 2);
    CHECK(cancelled == 1);
    CHECK(report.workers[0].steps == 1);
    CHECK(report.updates >= 1);
    CHECK(train.value(v0)() == -static_cast<double>(report.updates));
    CHECK(train.value(vs)(1, 0) == 4 - static_cast<double>(report.updates));
}
