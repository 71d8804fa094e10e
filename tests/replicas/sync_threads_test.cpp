// SPDX-License-Identifier: MIT
// Replicas in threads: the bits of accumulators and one trainer, whatever the timing; workers that end, throw or are stopped.
#include "random_schedule.hpp"

#include <support/trainer_state.hpp>

#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>
#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/table_model.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using namespace std::chrono_literals;

namespace {
using namespace test;

/// As specified: accumulators for each variable, and an update with what is taken from them.
template<class Train>
void by_accumulators(Train& train, int workers, int rounds) {
    using dense = xg::conditional_accumulator<float>;
    dense s1({.workers = workers}), s2({.workers = workers}), s3({.workers = workers});
    xg::sparse_conditional_accumulator<float> rows({.workers = workers, .sort_and_sum = true});
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < workers; ++k) {
            data(round * workers + k).call([&](auto const&... b) { train.compute_gradients(b...); });
            s1.apply_grad(train.gradient(w1), round, k);
            s2.apply_grad(train.gradient(b1), round, k);
            s3.apply_grad(train.gradient(w2), round, k);
            rows.apply_grad(train.gradient(table), round, k);
        }
        auto const put = [&](dense& sums, auto view) {
            auto const mean = sums.take_grad(workers);
            std::copy(mean.begin(), mean.end(), view.begin());
        };
        put(s1, train.gradient(w1));
        put(s2, train.gradient(b1));
        put(s3, train.gradient(w2));
        auto const mean = rows.take_grad(workers);
        auto to = train.gradient(table);   // of the last worker: as many slices, of which those that are not needed add nothing
        std::fill(to.values.begin(), to.values.end(), 0.f);
        std::fill(to.indices.begin(), to.indices.end(), static_cast<std::int32_t>(mean.indices()[0]));
        REQUIRE(mean.indices().size() <= static_cast<std::size_t>(to.indices.size()));
        std::copy(mean.values().begin(), mean.values().end(), to.values.begin());
        for (std::size_t r = 0; r < mean.indices().size(); ++r)
            to.indices[static_cast<std::int64_t>(r)] = static_cast<std::int32_t>(mean.indices()[r]);
        train.apply_gradients();
    }
}
}   // namespace

TEST_CASE("replicas leave the bits of accumulators and a trainer, whatever the timing") {
    auto expected = start(xg::adam{.learning_rate = .01});
    by_accumulators(expected, 2, 12);
    for (int turn = 0; turn < 6; ++turn) {
        auto train = start(xg::adam{.learning_rate = .01});
        xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
        std::atomic<int> calls{0};
        auto const report = replicas.run([&](auto& worker) {
            for (int round = 0; round < 12; ++round) {
                if ((round + worker.index() + turn) % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50 * turn));
                data(round * 2 + worker.index()).call(worker);
                ++calls;
            }
        });
        CHECK(report.updates == 12);
        CHECK(report.left == 0);
        CHECK(calls == 24);
        auto const a = state(expected), b = state(train);
        REQUIRE(a.size() == b.size());
        CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
        CHECK(train.global_step() == expected.global_step());
    }
}

namespace {
using test::g, test::v, test::one_number;
using test::error_of;
}   // namespace

TEST_CASE("workers whose data end before that of the others: the rest go on, and what they have given counts") {
    for (int needed : {1, 2, 3, 5}) {
        auto train = one_number();
        xg::sync_replicas replicas(train, {.workers = 3, .replicas_to_aggregate = needed});
        auto const report = replicas.run([&](auto& worker) {
            for (int k = 0; k < 5 + 10 * worker.index(); ++k) worker(g = 1.f);
        });
        std::int64_t accepted = 0;
        for (int k = 0; k < 3; ++k) {
            auto const& w = report.workers[static_cast<std::size_t>(k)];
            CHECK(w.steps == 5 + 10 * k);
            CHECK(w.accepted + w.dropped == w.steps);
            accepted += w.accepted;
        }
        CHECK(report.left < needed);
        CHECK(accepted >= report.updates * needed + report.left);
        CHECK(train.global_step() == report.updates);
        CHECK(train.value(v)() == -static_cast<float>(report.updates));
    }
}
TEST_CASE("an exception in one worker ends all, and comes out with its number; then the replicas can be used again") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 3});
    CHECK(error_of(replicas, [&](auto& worker) {
        for (int k = 0;; ++k) {
            if (k == 4 && worker.index() == 1) throw std::runtime_error("no more paper");
            worker(g = 1.f);
        }
    }) == "1 xgrad: worker 1: no more paper");
    CHECK(error_of(replicas, [&](auto& worker) {
        if (worker.index() == 2) throw 7;
        for (;;) worker(g = 1.f);
    }) == "2 xgrad: worker 2: an exception of a type that xgrad does not know");
    auto const before = train.global_step();
    CHECK(replicas.run([&](auto& worker) { worker(g = 1.f); }).updates == 1);
    CHECK(train.global_step() == before + 1);
}
TEST_CASE("a call that is refused gives nothing, and the worker may go on") {
    auto train = start(xg::adam{.learning_rate = .01});
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    std::atomic<int> refused{0};
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < 3; ++k) {
            data wrong(k);
            wrong.labels[2] = 9;
            try {
                wrong.call(worker);
            } catch (xg::value_error const&) { ++refused; }
            data(k).call(worker);
        }
    });
    CHECK(refused == 6);
    CHECK(report.updates == 3);
}
TEST_CASE("a stop ends every wait") {
    auto train = one_number();
    std::stop_source stop;
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .stop = stop.get_token()});
    std::atomic<int> cancelled{0};
    xg::sync_report report;
    {
        std::jthread const other([&] {
            report = replicas.run([&](auto& worker) {
                if (worker.index() == 1) {
                    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);   // gives nothing
                    return;
                }
                try {
                    for (;;) worker(g = 1.f);
                } catch (xg::cancelled_error const&) {
                    ++cancelled;
                    throw;
                }
            });
        });
        std::this_thread::sleep_for(20ms);
        stop.request_stop();
    }
    CHECK(cancelled == 1);
    CHECK(report.updates == 0);
    CHECK(report.left == 1);
}
TEST_CASE("random schedules: workers that are slow, end and fail; all end, and each gradient is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 30u : 300u); ++seed) {
        test::random_schedule const schedule(seed);
        int const workers = schedule.workers, needed = 1 + schedule.draw(1, 4);
        auto train = one_number();
        xg::sync_replicas replicas(train, {.workers = workers,
                                              .replicas_to_aggregate = needed,
                                              .initial_tokens = schedule.draw(4, 2) == 0 ? -1 : std::max(0, needed - workers)});
        auto const work = [&](auto& worker) { schedule.work(worker); };
        CAPTURE(seed);
        if (schedule.throws()) {
            CHECK(error_of(replicas, work).ends_with("as planned"));
        } else {
            auto const report = replicas.run(work);
            std::int64_t accepted = 0;
            for (auto const& w : report.workers) accepted += w.accepted;
            CHECK(report.left < needed);
            CHECK(accepted >= report.updates * needed + report.left);
            CHECK(train.global_step() == report.updates);
        }
        CHECK(train.value(v)() == -static_cast<float>(train.global_step()));
    }
}

namespace {
template<class F>
auto with_rate(F rate) {
    return xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = rate});
}
}   // namespace
TEST_CASE("a hyper-parameter that throws in an update ends the run for all, also where its worker catches it; nothing has moved") {
    for (int workers : {1, 2, 3})
        for (bool caught : {false, true}) {
            std::atomic<bool> bad{true};
            auto train = with_rate([&](std::int64_t) -> double {
                if (bad.exchange(false)) throw std::runtime_error("the rate is broken");
                return 1;
            });
            xg::sync_replicas replicas(train, {.workers = workers, .initial_tokens = 0});
            CHECK(error_of(replicas, [&](auto& worker) {
                for (;;) {
                    try {
                        worker(g = 1.f);
                    } catch (xg::cancelled_error const&) { throw; } catch (std::runtime_error const&) {
                        if (!caught) throw;
                    }
                }
            }).ends_with("the rate is broken"));
            CHECK(train.value(v)() == 0);
            CHECK(train.global_step() == 0);
            CHECK(replicas.run([&](auto& worker) { worker(g = 1.f); }).updates == 1);
        }
}
TEST_CASE("a function among the hyper-parameters may ask for a stop") {
    std::stop_source stop;
    auto train = with_rate([&](std::int64_t step) -> double {
        if (step == 3) stop.request_stop();
        return 1;
    });
    xg::sync_replicas replicas(train, {.workers = 3, .initial_tokens = 0, .stop = stop.get_token()});
    auto const report = replicas.run([&](auto& worker) {
        for (;;) worker(g = 1.f);
    });
    CHECK(report.updates == 4);
}
TEST_CASE("what a worker throws behind a stop comes out all the same") {
    auto train = one_number();
    std::stop_source stop;
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .stop = stop.get_token()});
    CHECK(error_of(replicas, [&](auto& worker) {
        if (worker.index() == 1) {
            stop.request_stop();
            throw std::runtime_error("the disk is full");
        }
        worker(g = 1.f);
    }) == "1 xgrad: worker 1: the disk is full");
}
TEST_CASE("random numbers go on from run to run, and differ from worker to worker") {
    constexpr auto many = xg::input<"many", float, 64>;
    constexpr auto kept = xg::dropout<"kept">(many, 0.5_c);
    auto train = xg::minimize<xg::gating::graph>(v * xg::sum(kept), xg::gradient_descent{.learning_rate = 0.0});
    std::vector<float> ones(64);
    for (std::size_t i = 0; i < 64; ++i) ones[i] = static_cast<float>(std::uint64_t{1} << (i % 16));
    train.assign(v, 1.f);
    std::vector<float> drawn;
    std::mutex mutex;
    xg::sync_replicas replicas(train, {.workers = 2, .replicas_to_aggregate = 3});
    for (int run = 0; run < 2; ++run)
        replicas.run([&](auto& worker) {
            for (int k = 0; k < 4; ++k) {
                float const sum = worker(many = ones);
                std::lock_guard const lock(mutex);
                drawn.push_back(sum);
            }
        });
    drawn.push_back(train(many = ones));
    std::sort(drawn.begin(), drawn.end());
    CHECK(std::adjacent_find(drawn.begin(), drawn.end()) == drawn.end());
}
