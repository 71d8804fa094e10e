// SPDX-License-Identifier: MIT
// Workers on the same variables without a lock. ThreadSanitizer sees one worker alone: in this method kernels read what others write.
#include <support/message_of.hpp>

#include <xgrad/replicas/local/hogwild.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

#if defined(__SANITIZE_THREAD__)
#    define XGRAD_RACES 0
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define XGRAD_RACES 0
#    endif
#endif
#if !defined(XGRAD_RACES)
#    define XGRAD_RACES 1
#endif

namespace {
constexpr int threads = XGRAD_RACES ? 4 : 1;
constexpr auto row = xg::input<"row", std::int32_t, 3>;
constexpr auto x = xg::input<"x", float, 3, 5>;
constexpr auto table = xg::variable<"table", float, 12, 5>;
constexpr auto w = xg::variable<"w", xg::bfloat16, 7>;
constexpr auto seen = xg::non_trainable<"seen", double>;
constexpr auto rows_alone = xg::sum(xg::gather(table, row) * x);
constexpr auto loss = rows_alone + xg::sum(xg::cast<float>(w)) * xg::sum(x);

struct data {
    std::int32_t rows[3];
    float values[3][5];
    data(int worker, int step) : rows{3 * worker, 3 * worker + step % 3, 3 * worker + 2} {
        for (int i = 0; i < 15; ++i) values[i / 5][i % 5] = static_cast<float>((i * 7 + worker * 3 + step * 5) % 16 - 8) / 16;
    }
};
}   // namespace

TEST_CASE("one worker is the trainer, to the bit: slices, 16 bits, slots, state, schedules") {
    auto const make = [] {
        return xg::minimize<xg::gating::graph>(loss, xg::param_group(xg::adagrad{.learning_rate = .5f}, table),
            xg::param_group(xg::momentum{.learning_rate = [](std::int64_t step) { return .1 / static_cast<double>(step + 1); }}, w),
            xg::assign(seen, seen + 1_c));
    };
    auto train = make(), alone = make();
    xg::hogwild replicas(train);
    auto const report = replicas.run([&](auto& worker) {
        for (int step = 0; step < 9; ++step) {
            data const d(step % 4, step);
            float const found = worker(row = d.rows, x = d.values);
            CHECK(found == alone(row = d.rows, x = d.values));
        }
    });
    CHECK(report.updates == 9);
    CHECK(train.global_step() == 9);
    CHECK(train.value(seen)() == 9);
    for (std::int64_t i = 0; i < 60; ++i) {
        CHECK(train.value(table)(i / 5, i % 5) == alone.value(table)(i / 5, i % 5));
        CHECK(train.slot(table, "accumulator")(i / 5, i % 5) == alone.slot(table, "accumulator")(i / 5, i % 5));
    }
    for (std::int64_t i = 0; i < 7; ++i) CHECK(static_cast<float>(train.value(w)(i)) == static_cast<float>(alone.value(w)(i)));
}
TEST_CASE("workers whose rows are apart leave what they would leave one after the other") {
    auto const make = [] { return xg::minimize<xg::gating::graph>(rows_alone, xg::adagrad{.learning_rate = .5f}); };
    auto expected = make();
    for (int k = 0; k < threads; ++k)
        for (int step = 0; step < 50; ++step) {
            data const d(k, step);
            expected(row = d.rows, x = d.values);
        }
    for (int turn = 0; turn < 10; ++turn) {
        auto train = make();
        xg::hogwild replicas(train, {.workers = threads});
        auto const report = replicas.run([&](auto& worker) {
            for (int step = 0; step < 50; ++step) {
                data const d(worker.index(), step);
                worker(row = d.rows, x = d.values);
            }
        });
        CHECK(report.updates == 50 * threads);
        CHECK(train.global_step() == 50 * threads);
        int different = 0;
        for (std::int64_t i = 0; i < 60; ++i) different += train.value(table)(i / 5, i % 5) != expected.value(table)(i / 5, i % 5);
        CHECK(different == 0);
    }
}
TEST_CASE("with a lock for each variable no update is lost: parameters, slots and rows are exact sums") {
    constexpr int steps = 400;
    constexpr auto ones = xg::input<"ones", float, 4096>;
    constexpr auto wide = xg::variable<"wide", float, 4096>;
    constexpr auto lines = xg::variable<"lines", float, 2, 512>;
    constexpr auto both = xg::input<"both", std::int32_t, 2>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(wide * ones) + xg::sum(xg::gather(lines, both)),
        xg::param_group(xg::momentum{.learning_rate = 1.f / 256, .momentum = 1.f}, wide),
        xg::param_group(xg::gradient_descent{.learning_rate = 1.f / 256}, lines));
    xg::hogwild replicas(train, {.workers = threads, .locking = xg::locking::variable});
    std::vector<float> const all(4096, 1.f);
    std::int32_t const rows[2]{1, 1};
    replicas.run([&](auto& worker) {
        for (int step = 0; step < steps; ++step) worker(ones = all, both = rows);
    });
    // Momentum 1 counts the updates, and the parameter is the sum of the counts.
    float const updates = steps * threads;
    int different = 0;
    for (std::int64_t i = 0; i < 4096; ++i)
        different += train.slot(wide, "momentum")(i) != updates || train.value(wide)(i) != -updates * (updates + 1) / 2 / 256;
    for (std::int64_t i = 0; i < 512; ++i) different += train.value(lines)(0, i) != 0 || train.value(lines)(1, i) != -2 * updates / 256;
    CHECK(different == 0);
}
TEST_CASE("workers that meet find the least squares all the same") {
    constexpr auto in = xg::input<"in", float, 4>;
    constexpr auto y = xg::input<"y", float>;
    constexpr auto v = xg::variable<"v", float, 4>;
    auto train = xg::minimize<xg::gating::graph>(xg::square(xg::sum(v * in) - y), xg::gradient_descent{.learning_rate = .02f});
    xg::hogwild replicas(train, {.workers = threads});
    replicas.run([&](auto& worker) {
        xg::random_key key;
        key.seed = static_cast<std::uint64_t>(worker.index());
        for (std::uint64_t step = 0; step < 12000 / threads; ++step) {
            std::vector<float> a(4);
            float value = 0;
            for (std::uint64_t i = 0; i < 4; ++i) {
                a[i] = static_cast<float>(xg::uniform01(xg::random_bits(key, step * 4 + i))) - .5f;
                value += a[i] * static_cast<float>(i);
            }
            worker(in = a, y = value);
        }
    });
    for (std::int64_t i = 0; i < 4; ++i) CHECK(std::abs(train.value(v)(i) - static_cast<float>(i)) < .05f);
}
TEST_CASE("exceptions, stops and refused calls") {
    auto train = xg::minimize<xg::gating::graph>(rows_alone, xg::gradient_descent{.learning_rate = .5f});
    std::stop_source stop;
    xg::hogwild replicas(train, {.workers = threads, .stop = stop.get_token()});
    data const d(0, 0);
    std::string said;
    try {
        replicas.run([&](auto& worker) {
            for (int k = 0;; ++k) {
                if (k == 4 && worker.index() == threads - 1) throw std::runtime_error("no more paper");
                worker(row = d.rows, x = d.values);
            }
        });
    } catch (xg::worker_error const& e) { said = e.what(); }
    CHECK(said == "xgrad: worker " + std::to_string(threads - 1) + ": no more paper");
    auto const before = train.global_step();
    auto const report = replicas.run([&](auto& worker) {
        data wrong(0, 0);
        wrong.rows[1] = 99;
        if (worker.index() == 0) CHECK_THROWS_AS(worker(row = wrong.rows, x = wrong.values), xg::value_error);
        for (int k = 0;; ++k) {
            if (k == 20 && worker.index() == 0) stop.request_stop();
            worker(row = d.rows, x = d.values);
        }
    });
    CHECK(report.updates >= 20);
    CHECK(train.global_step() == before + report.updates);
    CHECK(test::message_of<xg::value_error>([&] { xg::hogwild(train, {.workers = 0}); }) ==
          "xgrad: hogwild: workers must be positive, but is 0");
}
