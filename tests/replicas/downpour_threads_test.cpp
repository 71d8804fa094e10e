// SPDX-License-Identifier: MIT
// Asynchronous replicas in threads: every gradient has moved the centre, is dropped, or left.
#include "random_schedule.hpp"

#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

using test::v;

TEST_CASE("random schedules: workers that are slow, end and fail; each gradient is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        test::random_schedule const schedule(seed);
        int const workers = schedule.workers, push = 1 + schedule.draw(4, 3);
        auto train = test::one_number();
        xg::downpour_options options{.workers = workers, .push_period = push, .pull_period = 1 + schedule.draw(5, 3)};
        if (schedule.draw(6, 2) == 0) options.staleness = schedule.draw(7, 3);
        xg::downpour replicas(train, options);
        auto const work = [&](auto& worker) { schedule.work(worker); };
        CAPTURE(seed);
        if (schedule.throws()) CHECK_THROWS_AS(replicas.run(work), xg::worker_error);
        else {
            auto const report = replicas.run(work);
            for (int k = 0; k < workers; ++k) {
                auto const& w = report.workers[static_cast<std::size_t>(k)];
                CHECK(w.steps == schedule.steps_of(k));
                CHECK(w.communications == w.steps / push);
                CHECK(w.left == w.steps % push);
                if (!options.staleness) CHECK(w.dropped == 0);
            }
        }
        auto const report = replicas.progress();
        std::int64_t moved = 0;
        for (auto const& w : report.workers) moved += w.communications - w.dropped;
        CHECK(report.updates == moved);
        CHECK(train.global_step() == moved);
        CHECK(train.value(v)() == -static_cast<float>(moved * push));
    }
}
TEST_CASE("four workers find the least squares, each with a quarter of the rows; compressed and compensated, too") {
    constexpr auto x = xg::input<"x", float, 4>;
    constexpr auto y = xg::input<"y", float>;
    constexpr auto w = xg::variable<"w", float, 4>;
    auto const solve = [&](auto const&... compression) {
        auto train = xg::minimize<xg::gating::graph>(xg::square(xg::sum(w * x) - y), xg::gradient_descent{.learning_rate = .02f});
        xg::downpour replicas(train, {.workers = 4, .compensation = {.lambda = .04}}, compression...);
        replicas.run([&](auto& worker) {
            xg::random_key key;
            key.seed = static_cast<std::uint64_t>(worker.index());
            for (std::uint64_t step = 0; step < 3000; ++step) {
                std::vector<float> row(4);
                float value = 0;
                for (std::uint64_t i = 0; i < 4; ++i) {
                    row[i] = static_cast<float>(xg::uniform01(xg::random_bits(key, step * 4 + i))) - .5f;
                    value += row[i] * static_cast<float>(i);
                }
                worker(x = row, y = value);
            }
        });
        for (std::int64_t i = 0; i < 4; ++i) CHECK(std::abs(train.value(w)(i) - static_cast<float>(i)) < .05f);
    };
    solve();
    solve(xg::top_k_compression{.fraction = .25});
    solve(xg::sign_compression{});
}
