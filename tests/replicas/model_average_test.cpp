// SPDX-License-Identifier: MIT
// Model averaging: workers whose variables become their mean.
#include <support/message_of.hpp>

#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace xg = xgrad;

namespace {
constexpr auto g = xg::input<"g", float, 21>;
constexpr auto v = xg::variable<"v", float, 21>;
std::vector<float> gradient(int worker, int step) {
    std::vector<float> x(21);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((static_cast<int>(i) * 7 + worker * 5 + step * 3) % 11 - 5) / 8;
    return x;
}
auto start() {
    auto train = xg::minimize<xg::gating::graph>(xg::sum(v * g), xg::momentum{.learning_rate = .5f});
    train.assign(v, gradient(4, 4));
    return train;
}
}   // namespace

TEST_CASE("all workers go on from their mean, with the slots that they have") {
    auto train = start();
    xg::model_average replicas(train, {.workers = 3, .interval_steps = 2});
    typename decltype(replicas)::replay replay(replicas);
    // separately, one trainer for each worker
    auto a = start(), b = start(), c = start();
    for (int step = 0; step < 6; ++step) {
        for (int k : {2, 0, 1}) {
            replay.compute(k, g = gradient(k, step));
            CHECK(replay.step(k) == (k == 1 && step % 2 == 1));
        }
        a(g = gradient(0, step));
        b(g = gradient(1, step));
        c(g = gradient(2, step));
        if (step % 2 == 0) continue;
        for (std::int64_t i = 0; i < 21; ++i) {
            float const mean = (a.value(v)(i) + b.value(v)(i) + c.value(v)(i)) / 3;
            a.value(v)(i) = b.value(v)(i) = c.value(v)(i) = mean;
            CHECK(train.value(v)(i) == mean);
            CHECK(replay.own(0).value(v)(i) == mean);
            CHECK(replay.own(2).slot(v, "momentum")(i) == c.slot(v, "momentum")(i));
        }
        CHECK(train.global_step() == (step + 1) / 2);
    }
}
TEST_CASE("threads: the same bits whatever the timing, and who has ended is not waited for") {
    std::vector<float> first;
    for (int turn = 0; turn < 5; ++turn) {
        auto train = start();
        xg::model_average replicas(train, {.workers = 4, .interval_steps = 3});
        auto const report = replicas.run([&](auto& worker) {
            for (int k = 0; k < 12 + 3 * worker.index(); ++k) worker(g = gradient(worker.index(), k));
        });
        CHECK(report.updates == 7);
        CHECK(train.global_step() == 7);
        CHECK(report.workers[0].communications == 4);
        CHECK(report.workers[3].communications == 7);
        auto const now = train.value(v);
        std::vector<float> const values(now.begin(), now.end());
        if (turn == 0) first = values;
        CHECK(values == first);
    }
}
TEST_CASE("an interval that makes no sense is refused") {
    auto train = start();
    CHECK(test::message_of<xg::value_error>([&] { xg::model_average(train, {.interval_steps = 0}); }) ==
          "xgrad: model_average: interval_steps must be positive, but is 0");
}
TEST_CASE("a replay is over when another one of the same replicas has begun, also for workers that have joined it") {
    auto train = start();
    xg::model_average replicas(train, {.workers = 2, .interval_steps = 1});
    typename decltype(replicas)::replay older(replicas);
    CHECK(older.join() == 2);
    for (int k = 0; k < 3; ++k) older.compute(k, g = gradient(k, 0));
    older.step(0);
    CHECK(test::message_of<xg::value_error>([&] { older.end(3); }) == "xgrad: replicas: there is no worker 3 among 3");
    typename decltype(replicas)::replay newer(replicas);
    auto const over = [](auto const& f) {
        CHECK(test::message_of<xg::value_error>(f) == "xgrad: replicas: this replay is over, because another run has begun since");
    };
    over([&] { older.step(1); });
    over([&] { older.step(2); });
    over([&] { older.compute(2, g = gradient(0, 0)); });
    over([&] { older.end(1); });
    over([&] { older.join(); });
    CHECK(train.global_step() == 0);
    for (int k = 0; k < 2; ++k) {
        newer.compute(k, g = gradient(k, 0));
        CHECK(newer.step(k) == (k == 1));
    }
    CHECK(train.global_step() == 1);
    CHECK(older.report().updates == 0);
}
