// SPDX-License-Identifier: MIT
// Workers in threads that take local steps: they end, fail, stop, join; every step is accounted for.
#include "random_schedule.hpp"

#include <support/message_of.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;
using namespace xgrad::literals;

namespace {
using test::g, test::v, test::one_number;
using test::error_of;
constexpr auto w = xg::variable<"w", float, 4096>;
auto with_momentum() { return xg::minimize<xg::gating::graph>(xg::sum(w) * g, xg::momentum{.learning_rate = .5f, .momentum = .5f}); }
}   // namespace

TEST_CASE("random schedules: workers that are slow, end and fail; all end, and each step is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        test::random_schedule const schedule(seed);
        int const workers = schedule.workers, period = 1 + schedule.draw(1, 4);
        auto train = one_number();
        std::int64_t seen = 0;   // under the lock of updates
        xg::agn replicas(train, {.workers = workers, .period = period, .on_update = [&](std::int64_t step) { CHECK(step == ++seen); }});
        auto const work = [&](auto& worker) { schedule.work(worker); };
        CAPTURE(seed);
        if (schedule.throws()) CHECK(error_of(replicas, work).ends_with("as planned"));
        else {
            auto const report = replicas.run(work);
            for (int k = 0; k < workers; ++k) {
                auto const& w = report.workers[static_cast<std::size_t>(k)];
                CHECK(w.steps == schedule.steps_of(k));
                CHECK(w.communications == w.steps / period);
                CHECK(w.left == w.steps % period);
            }
        }
        std::int64_t given = 0;
        for (auto const& w : replicas.progress().workers) given += w.communications;
        CHECK(replicas.progress().updates == given);
        CHECK(train.global_step() == given);
        CHECK(seen == given);
        CHECK(train.value(v)() == -static_cast<float>(given));
    }
}
TEST_CASE("an exception in one worker ends all, and comes out with its number; then the replicas can be used again") {
    auto train = one_number();
    xg::agn replicas(train, {.workers = 3, .period = 2});
    CHECK(error_of(replicas, [&](auto& worker) {
        for (int k = 0;; ++k) {
            if (k == 4 && worker.index() == 1) throw std::runtime_error("no more paper");
            worker(g = 1.f);
        }
    }) == "1 xgrad: worker 1: no more paper");
    auto const before = train.global_step();
    auto const report = replicas.run([&](auto& worker) {
        worker(g = 1.f);
        CHECK(test::message_of<xg::shape_error>([&] {
            worker(g = std::vector<float>{1, 2});
        }) != "nothing was thrown");   // and nothing has happened
        worker(g = 1.f);
    });
    CHECK(report.updates == 3);
    CHECK(train.global_step() == before + 3);
}
TEST_CASE("a stop ends all at their next call") {
    auto train = one_number();
    std::stop_source stop;
    xg::agn replicas(train, {.workers = 2, .period = 3, .stop = stop.get_token(), .on_update = [&](std::int64_t step) {
                                 if (step == 50) stop.request_stop();
                             }});
    auto const report = replicas.run([&](auto& worker) {
        for (;;) worker(g = 1.f);
    });
    CHECK(report.updates >= 50);
    CHECK(train.global_step() == report.updates);
}
TEST_CASE("what a hyper-parameter throws for the centre ends the run, and the centre has not moved") {
    std::atomic<int> calls{0};
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = [&](std::int64_t) -> double {
        if (++calls == 3) throw std::runtime_error("the rate is broken");
        return 1;
    }});
    xg::agn replicas(train, {.workers = 1, .period = 2});
    CHECK(error_of(replicas, [&](auto& worker) {
        for (;;) {
            try {
                worker(g = 1.f);
            } catch (xg::cancelled_error const&) { throw; } catch (std::runtime_error const&) {
            }
        }
    }) == "0 xgrad: worker 0: the rate is broken");
    CHECK(train.value(v)() == 0);
    CHECK(train.global_step() == 0);
}
TEST_CASE("a worker that joins has slots and rules of the centre, which another one moves and on_update changes meanwhile") {
    auto train = with_momentum();
    xg::agn replicas(train, {.workers = 2, .period = 1, .on_update = [&](std::int64_t step) {
                                 double const next = 1. / static_cast<double>(1 + step % 7);
                                 train.rule().learning_rate = next;
                                 std::this_thread::sleep_for(100us);   // who joins now must not see one without the other
                                 train.rule().momentum = next;
                             }});
    std::atomic<int> joined{0};
    replicas.run([&](auto& worker) {
        if (worker.index() == 0)
            for (int k = 0; k < 20; ++k) joined = replicas.add_worker();
        else if (worker.index() == 1)
            while (joined < 21) worker(g = 1.f);
        else {   // of one update, wherever it was
            auto const* const slot = static_cast<float const*>(worker.own().optimizer().all().at[0].slots[0]);
            CHECK(slot[0] == slot[4095]);
            auto const& rule = const_cast<std::remove_cvref_t<decltype(train)>&>(worker.own()).rule();
            CHECK(rule.learning_rate(0) == rule.momentum(0));
        }
    });
}
TEST_CASE("a worker joins the run that goes on; what is saved meanwhile is the centre between two updates") {
    auto train = one_number();
    std::atomic<int> joined{-1}, calls{0};
    xg::agn replicas(train, {.workers = 1, .period = 2});
    CHECK_THROWS_AS(replicas.add_worker(), xg::value_error);
    auto const report = replicas.run([&](auto& worker) {
        if (worker.index() == 0) joined = replicas.add_worker();
        for (int k = 0; k < 10; ++k) {
            worker(g = 1.f);
            ++calls;
            replicas.with_variables([&](auto const& t) { CHECK(t.value(v)() == -static_cast<float>(t.global_step())); });
        }
        CHECK(worker.count() == 2);
    });
    CHECK(joined == 1);
    CHECK(calls == 20);
    CHECK(report.updates == 10);
}
TEST_CASE("a worker that is stuck is left behind, and the others go on; the next run has another in its place") {
    auto train = one_number();
    std::atomic<bool> stuck{false}, free{false}, back{false};
    xg::agn replicas(train, {.workers = 2, .period = 1, .deadline = 300ms});
    auto const report = replicas.run([&](auto& worker) {
        if (worker.index() == 1 && !stuck.exchange(true)) {
            while (!free) std::this_thread::sleep_for(1ms);
            try {
                worker(g = 100.f);
            } catch (xg::cancelled_error const&) {
                back = true;
                throw;
            }
        }
        while (!replicas.progress().workers[1].lost) worker(g = 0.f);
        worker(g = 1.f);
    });
    CHECK(report.workers[1].lost);
    CHECK_FALSE(report.workers[0].lost);
    CHECK(train.value(v)() == -1);
    CHECK(replicas.run([&](auto& worker) { worker(g = 1.f); }).updates == 2);
    free = true;
    for (int k = 0; k < 30000 && !back; ++k) std::this_thread::sleep_for(1ms);
    CHECK(back);
    CHECK(train.value(v)() == -3);
    std::this_thread::sleep_for(20ms);   // the thread that is left behind ends
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
    xg::agn replicas(train, {.workers = 2, .period = 3});
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
TEST_CASE("slots of workers go on from run to run, and begin as those of the centre are") {
    auto train = with_momentum();
    train(g = 1.f);
    xg::agn replicas(train, {.workers = 1, .period = 100});
    auto const slot = [](auto& worker) {
        worker(g = 0.f);
        auto& own = const_cast<std::remove_cvref_t<decltype(worker.own())>&>(worker.own());
        return own.slot(w, "momentum")(7);
    };
    replicas.run([&](auto& worker) { CHECK(slot(worker) == .5f); });
    train.rule().momentum = .25f;
    replicas.run([&](auto& worker) { CHECK(slot(worker) == .125f); });
}
