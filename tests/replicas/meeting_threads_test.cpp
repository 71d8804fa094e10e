// SPDX-License-Identifier: MIT
// Workers in threads that wait for each other: who ends, fails, stops, is lost; nobody waits for what cannot come.
#include "one_number.hpp"

#include <xgrad/replicas/elastic_average.hpp>
#include <xgrad/replicas/model_average.hpp>
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
}   // namespace

TEST_CASE("random schedules: workers that are slow, end, fail and join; all end, and each meeting is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        xg::random_key key;
        key.seed = seed;
        auto const draw = [&](std::uint64_t what, int below) {
            return static_cast<int>(xg::random_bits(key, what) % static_cast<unsigned>(below));
        };
        int const workers = 1 + draw(0, 4), period = 1 + draw(1, 4), fails = draw(2, 3) == 0 ? draw(3, workers) : -1;
        bool const joins = fails < 0 && draw(4, 3) == 0;
        auto const steps_of = [&](int k) { return draw(static_cast<std::uint64_t>(100 + k * 100), 25); };
        auto train = one_number();
        xg::model_average replicas(train, {.workers = workers, .interval_steps = period});
        auto const work = [&](auto& worker) {
            auto const mine = static_cast<std::uint64_t>(100 + worker.index() * 100);
            int const steps = steps_of(worker.index());
            for (int k = 0; k < steps; ++k) {
                if (worker.index() == fails && k == steps / 2) throw std::runtime_error("as planned");
                if (joins && worker.index() == 0 && k == steps / 2) replicas.add_worker();
                if (draw(mine + 1 + static_cast<std::uint64_t>(k), 4) == 0)
                    std::this_thread::sleep_for(std::chrono::microseconds(draw(mine + 50 + static_cast<std::uint64_t>(k), 60)));
                worker(g = 1.f);
            }
        };
        CAPTURE(seed);
        if (fails >= 0 && steps_of(fails) > 0) {
            CHECK(error_of(replicas, work).ends_with("as planned"));
            CHECK(train.value(v)() == -static_cast<float>(train.global_step() * period));
            continue;
        }
        auto const report = replicas.run(work);
        std::int64_t most = 0;
        for (std::size_t k = 0; k < report.workers.size(); ++k) {
            auto const& w = report.workers[k];
            CHECK(w.steps == steps_of(static_cast<int>(k)));
            CHECK(w.communications == w.steps / period);
            CHECK(w.left == w.steps % period);
            most = std::max(most, w.communications);
        }
        CHECK(train.global_step() == report.updates);
        if (joins) continue;   // one that joins has missed meetings
        CHECK(report.updates == most);
        CHECK(train.value(v)() == -static_cast<float>(most * period));
    }
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
    xg::model_average replicas(train, {.workers = 3, .interval_steps = 2, .on_update = [](std::int64_t step) {
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
    xg::model_average replicas(train, {.workers = 3, .interval_steps = 1, .deadline = 300ms});
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
