// SPDX-License-Identifier: MIT
// Workers in threads that wait for each other: they end, fail, stop, are lost; none waits for what cannot come.
#include "random_schedule.hpp"

#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
using test::g, test::v, test::one_number;
using test::error_of;
/// The centre moves as far as the workers have moved on average.
auto mean_of(auto& train, xg::diloco_options const& options) {
    return xg::diloco(train, options, xg::gradient_descent{.learning_rate = 1.f});
}
}   // namespace

TEST_CASE("random schedules, also with backup workers: workers are slow, end, fail and join; all end, and each meeting is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        test::random_schedule const schedule(seed);
        int const workers = schedule.workers, period = 1 + schedule.draw(1, 4);
        int const needed = schedule.draw(5, workers + 1);   // 0 and as many as there are: all
        bool const joins = schedule.fails < 0 && schedule.draw(4, 3) == 0, all = needed == 0 || (needed == workers && !joins);
        auto train = one_number();
        auto replicas = mean_of(train, {.workers = workers, .period = period, .replicas_to_aggregate = needed});
        auto const work = [&](auto& worker) {
            schedule.work(worker, [&] {
                if (joins) replicas.add_worker();
            });
        };
        CAPTURE(seed);
        if (schedule.throws()) {
            CHECK(error_of(replicas, work).ends_with("as planned"));
            CHECK(train.value(v)() == -static_cast<float>(train.global_step() * period));
            continue;
        }
        auto const report = replicas.run(work);
        std::int64_t most = 0, used = 0;
        for (std::size_t k = 0; k < report.workers.size(); ++k) {
            auto const& w = report.workers[k];
            CHECK(w.steps == schedule.steps_of(static_cast<int>(k)));
            CHECK(w.communications == w.steps / period);
            CHECK(w.left == w.steps % period);
            if (all && !joins) CHECK(w.dropped == 0);
            most = std::max(most, w.communications);
            used += w.communications - w.dropped;
        }
        CHECK(train.global_step() == report.updates);
        CHECK(report.updates <= used);
        CHECK(train.value(v)() == -static_cast<float>(report.updates * period));   // nothing of before the last outer step was used
        if (all && !joins) CHECK(report.updates == most);                          // one that joins has missed meetings
    }
}
TEST_CASE("with a backup worker nobody waits for the slowest one; what it brings late is dropped, and it goes on from the centre") {
    auto train = one_number();
    std::atomic<bool> rest{false};
    auto replicas = mean_of(train, {.workers = 3, .period = 2, .replicas_to_aggregate = 2});
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < 8; ++k) {
            if (worker.index() == 2 && k == 1)
                while (!rest) std::this_thread::sleep_for(1ms);
            worker(g = 1.f);
            if (worker.index() == 2 && k == 1) CHECK(worker.own().value(v)() == -8);
        }
        if (worker.index() == 0) rest = true;
    });
    CHECK(report.workers[2].dropped == 1);
    CHECK(report.workers[2].communications == 4);
    CHECK(report.updates == 7);   // four without it, and three of it alone
    CHECK(train.value(v)() == -14);
}
TEST_CASE("an exception ends those who wait, and so does a stop") {
    auto train = one_number();
    std::stop_source stop;
    xg::elastic_average replicas(train, {.workers = 3, .period = 1, .synchronous = true, .stop = stop.get_token()});
    CHECK(error_of(replicas, [&](auto& worker) {
        for (int k = 0;; ++k) {
            if (k == 4 && worker.index() == 1) throw std::runtime_error("no more paper");
            worker(g = 1.f);
        }
    }) == "1 xgrad: worker 1: no more paper");
    CHECK(train.global_step() == 4);
    std::atomic<int> cancelled{0};
    auto const report = replicas.run([&](auto& worker) {
        if (worker.index() == 1) {
            worker(g = 1.f);
            while (replicas.progress().workers[0].steps < 2) std::this_thread::sleep_for(1ms);
            stop.request_stop();
            return;
        }
        try {
            for (;;) worker(g = 1.f);
        } catch (xg::cancelled_error const&) {
            ++cancelled;
            throw;
        }
    });
    CHECK(cancelled == 2);
    CHECK(report.updates == 1);
}
TEST_CASE("what is thrown behind a mean ends the run for all") {
    auto train = one_number();
    auto replicas = mean_of(train, {.workers = 3, .period = 2, .on_update = [](std::int64_t step) {
                                        if (step == 3) throw std::runtime_error("the disk is full");
                                    }});
    CHECK(error_of(replicas, [&](auto& worker) {
        for (;;) worker(g = 1.f);
    }).ends_with("the disk is full"));
    CHECK(train.global_step() == 3);
}
TEST_CASE("a worker that is stuck is not waited for") {
    auto train = one_number();
    std::atomic<bool> free{false}, back{false};
    auto replicas = mean_of(train, {.workers = 3, .period = 1, .deadline = 300ms});
    auto const report = replicas.run([&](auto& worker) {
        worker(g = 1.f);
        if (worker.index() == 1) {
            while (!free) std::this_thread::sleep_for(1ms);
            try {
                worker(g = 100.f);
            } catch (xg::cancelled_error const&) {
                back = true;
                throw;
            }
        }
        worker(g = 1.f);   // and here the others wait, until it is lost
    });
    CHECK(report.workers[1].lost);
    CHECK(report.updates == 2);
    CHECK(train.value(v)() == -2);
    free = true;
    for (int k = 0; k < 30000 && !back; ++k) std::this_thread::sleep_for(1ms);
    CHECK(back);
    std::this_thread::sleep_for(20ms);   // the thread that is left behind ends
}
