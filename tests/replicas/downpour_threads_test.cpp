// SPDX-License-Identifier: MIT
// Asynchronous replicas in threads: every gradient has moved the centre, is dropped, or left.
#include <xgrad/replicas/downpour.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", float>;
constexpr auto v = xg::variable<"v", float>;
}   // namespace

TEST_CASE("random schedules: workers that are slow, end and fail; each gradient is accounted for") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        xg::random_key key;
        key.seed = seed;
        auto const draw = [&](std::uint64_t what, int below) {
            return static_cast<int>(xg::random_bits(key, what) % static_cast<unsigned>(below));
        };
        int const workers = 1 + draw(0, 4), fails = draw(2, 3) == 0 ? draw(3, workers) : -1, push = 1 + draw(4, 3);
        auto const steps_of = [&](int k) { return draw(static_cast<std::uint64_t>(100 + k * 100), 25); };
        auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
        xg::downpour_options options{.workers = workers, .push_period = push, .pull_period = 1 + draw(5, 3)};
        if (draw(6, 2) == 0) options.staleness = draw(7, 3);
        xg::downpour replicas(train, options);
        auto const work = [&](auto& worker) {
            auto const mine = static_cast<std::uint64_t>(100 + worker.index() * 100);
            int const steps = steps_of(worker.index());
            for (int k = 0; k < steps; ++k) {
                if (worker.index() == fails && k == steps / 2) throw std::runtime_error("as planned");
                if (draw(mine + 1 + static_cast<std::uint64_t>(k), 4) == 0)
                    std::this_thread::sleep_for(std::chrono::microseconds(draw(mine + 50 + static_cast<std::uint64_t>(k), 60)));
                worker(g = 1.f);
            }
        };
        CAPTURE(seed);
        if (fails >= 0 && steps_of(fails) > 0) CHECK_THROWS_AS(replicas.run(work), xg::worker_error);
        else {
            auto const report = replicas.run(work);
            for (int k = 0; k < workers; ++k) {
                auto const& w = report.workers[static_cast<std::size_t>(k)];
                CHECK(w.steps == steps_of(k));
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
