// SPDX-License-Identifier: MIT
// Workers that are lost, join, share the variables; what is called between updates.
#include "one_number.hpp"
#include "run_error.hpp"

#include <support/message_of.hpp>
#include <support/same_bits.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using namespace std::chrono_literals;

namespace {
using test::g, test::v, test::one_number;

/// What a stuck worker waits for, and whether it has come back; both outlive the test's stack.
struct sleeper {
    std::atomic<bool> wake{false}, back{false};
    std::string said;
    template<class Worker>
    void sleep(Worker& worker) {
        while (!wake) std::this_thread::sleep_for(1ms);
        try {
            worker(g = 100.f);
        } catch (xg::cancelled_error const& e) { said = e.what(); }
        back = true;
    }
    void rouse() {
        wake = true;
        while (!back) std::this_thread::sleep_for(1ms);
    }
};
}   // namespace

TEST_CASE("a worker that hangs is left behind; what it would have given is discarded, and the others go on with its token") {
    auto const one = std::make_shared<sleeper>();
    {
        auto train = one_number();
        xg::sync_replicas replicas(train, {.workers = 3, .initial_tokens = 0, .deadline = 60ms});
        auto const report = replicas.run([one](auto& worker) {
            for (int k = 0; k < 6; ++k) {
                if (worker.index() == 1 && k == 2) return one->sleep(worker);
                worker(g = 1.f);
            }
        });
        CHECK(report.workers[1].lost);
        CHECK_FALSE(report.workers[0].lost);
        CHECK(report.workers[1].steps == 2);
        CHECK(report.workers[0].steps == 6);
        CHECK(report.updates == 4);   // 14 gradients
        CHECK(report.left == 2);
        CHECK(train.value(v)() == -4.f);
    }   // the trainer is gone when it comes back
    one->rouse();
    CHECK(one->said == "xgrad: worker 1 was left behind: it had given no sign for 60 ms");
}
TEST_CASE("with too few workers left the run fails on all of them, with the name of the lost one") {
    auto const one = std::make_shared<sleeper>();
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 3, .initial_tokens = 0, .deadline = 60ms, .min_workers = 3});
    std::atomic<int> cancelled{0};
    CHECK(test::run_error(replicas, [&cancelled, one](auto& worker) {
        if (worker.index() == 2) return one->sleep(worker);
        try {
            for (;;) worker(g = 1.f);
        } catch (xg::cancelled_error const&) {
            ++cancelled;
            throw;
        }
    }) == "xgrad: worker 2: it has given no sign for 60 ms, and 2 of at least 3 workers are left");
    CHECK(cancelled == 2);
    CHECK(replicas.progress().workers[2].lost);
    CHECK(train.value(v)() == 0.f);
    one->rouse();
    auto const again = std::make_shared<sleeper>();
    xg::sync_replicas alone(train, {.deadline = 60ms});
    CHECK(test::run_error(alone, [again](auto& worker) { again->sleep(worker); }).ends_with("and 0 of at least 1 workers are left"));
    again->rouse();
}
TEST_CASE("a worker that waits, or updates, is not lost, however long") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .deadline = 400ms, .on_update = [](std::int64_t step) {
                                           if (step == 1) std::this_thread::sleep_for(900ms);
                                       }});
    auto const report = replicas.run([](auto& worker) {
        for (int k = 0; k < 3; ++k) {
            if (worker.index() == 0)
                for (int part = 0; part < 3; ++part) std::this_thread::sleep_for(50ms);
            worker(g = 1.f);
        }
    });
    CHECK_FALSE(report.workers[0].lost);
    CHECK_FALSE(report.workers[1].lost);
    CHECK(report.updates == 3);
}
TEST_CASE("workers join while others work, and begin with the next token") {
    for (bool shared : {true, false}) {
        auto train = one_number();
        xg::sync_replicas replicas(train, {.workers = 1, .replicas_to_aggregate = 3, .initial_tokens = 2, .share_variables = shared});
        CHECK(test::message_of<xg::value_error>([&] { replicas.add_worker(); }) ==
              "xgrad: replicas.add_worker(): a worker can join only while others work");
        std::atomic<int> indices{0}, refused{0};
        auto const report = replicas.run([&](auto& worker) {
            indices += 1 << (4 * worker.index());
            for (int k = 0; k < 30; ++k) {
                if (worker.index() == 0 && (k == 3 || k == 5)) CHECK(replicas.add_worker() == (k == 3 ? 1 : 2));
                if (worker.index() == 0 && k == 6) {
                    try {
                        replicas.add_worker();
                    } catch (xg::value_error const&) { ++refused; }
                }
                worker(g = 1.f);
            }
        });
        CHECK(refused == (shared ? 1 : 0));
        CHECK(indices == (shared ? 0x111 : 0x1111));
        CHECK(report.workers.size() == (shared ? 3 : 4));
        for (auto const& w : report.workers) CHECK(w.steps == 30);
        CHECK(train.value(v)() == -static_cast<float>(report.updates));
        if (!shared) continue;
        CHECK(report.updates == 30);
        CHECK(report.left == 0);
    }
}
TEST_CASE("replay: a worker that joins takes a token of the next update") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 1, .initial_tokens = 0, .share_variables = false});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(0, g = 1.f);
    CHECK(replay.join() == 1);
    CHECK_FALSE(replay.begin(1));
    CHECK(test::message_of<xg::value_error>([&] { replay.push(1); }) ==
          "xgrad: sync replicas: worker 1 cannot compute or push a gradient now");
    replay.push(0);
    replay.update();
    CHECK(replay.begin(1));
    CHECK(replay.begin(0));
    replay.compute(1, g = 3.f);
    CHECK(replay.push(1));
    replay.update();
    CHECK(train.value(v)() == -4.f);
}

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto w = xg::variable<"w", float, 5, 3>;
constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x, w)) - 0.3_c));
template<class Options>
std::vector<float> trained(Options options) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
    train.initialize(xg::glorot_uniform{.seed = 3});
    options.workers = 2;
    options.initial_tokens = 0;
    xg::sync_replicas replicas(train, options);
    replicas.run([&](auto& worker) {
        std::vector<float> in(20);
        for (int k = 0; k < 25; ++k) {
            for (std::size_t i = 0; i < in.size(); ++i)
                in[i] = static_cast<float>((static_cast<int>(i) * 7 + k * 3 + worker.index()) % 13) / 13;
            worker(x = xg::array(in.data(), 4, 5));
        }
    });
    return test::state(train);
}
}   // namespace
TEST_CASE("workers that share the variables and workers with copies leave the same bits") {
    auto const shared = trained(xg::sync_options{}), copied = trained(xg::sync_options{.share_variables = false}),
               careful = trained(xg::sync_options{.deadline = 100s});
    REQUIRE(shared.size() == copied.size());
    CHECK(test::same_bits(shared, copied));
    CHECK(test::same_bits(shared, careful));
}
TEST_CASE("on_update is called once behind each update, and sees its variables; what it throws ends the run") {
    auto train = one_number();
    std::vector<std::int64_t> steps;
    std::vector<float> values;
    xg::sync_replicas replicas(train, {.workers = 3, .replicas_to_aggregate = 2, .on_update = [&](std::int64_t step) {
                                           steps.push_back(step);
                                           values.push_back(train.value(v)());
                                       }});
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < 40; ++k) worker(g = 1.f);
    });
    REQUIRE(steps.size() == static_cast<std::size_t>(report.updates));
    for (std::size_t k = 0; k < steps.size(); ++k) {
        CHECK(steps[k] == static_cast<std::int64_t>(k) + 1);
        CHECK(values[k] == -static_cast<float>(k + 1));
    }
    xg::sync_replicas failing(
        train, {.workers = 2, .initial_tokens = 0, .on_update = [](std::int64_t) { throw std::runtime_error("no room"); }});
    CHECK(test::run_error(failing, [&](auto& worker) {
        for (;;) worker(g = 1.f);
    }).ends_with("no room"));
}
TEST_CASE("what is seen between updates is whole, from any thread") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = .01});
    train.initialize(xg::glorot_uniform{.seed = 3});
    xg::sync_replicas replicas(train, {.workers = 2});
    CHECK(replicas.progress().workers.empty());
    std::atomic<bool> done{false};
    std::atomic<std::int64_t> looks = 0;
    std::int64_t last = 0, wrong = 0;
    std::jthread watcher([&] {
        while (!done) {
            std::int64_t const seen = replicas.with_variables([](auto const& t) { return t.global_step(); });
            wrong += seen < last;
            last = seen;
            ++looks;
            auto const now = replicas.progress();
            for (auto const& one : now.workers) wrong += one.accepted + one.dropped != one.steps;
        }
    });
    replicas.run([&](auto& worker) {
        std::vector<float> in(20, .5f);
        for (int k = 0; k < 200; ++k) worker(x = xg::array(in.data(), 4, 5));
    });
    while (looks == 0) std::this_thread::yield();
    done = true;
    watcher.join();
    CHECK(wrong == 0);
}
TEST_CASE("1.9: the sum over replicas of a loss divided by their number is the mean, of rows over all replicas") {
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto table = xg::variable<"table", float, 4, 2>;
    constexpr auto score = xg::sum(xg::embedding_lookup(table, ids)) * g + v * g;
    auto train = xg::minimize<xg::gating::graph>(score * 0.5_c, xg::gradient_descent{.learning_rate = 1.0});
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .reduction = xg::reduction::sum});
    replicas.run([&](auto& worker) {
        std::vector<std::int32_t> const rows{worker.index(), 3};
        worker(ids = rows, g = worker.index() == 0 ? 2.f : 6.f);
    });
    CHECK(train.value(v)() == -4.f);
    auto const t = train.value(table);
    for (int c = 0; c < 2; ++c) {
        CHECK(t(0, c) == -1.f);   // half of 2: the other replica has a gradient of zero
        CHECK(t(1, c) == -3.f);
        CHECK(t(2, c) == 0.f);
        CHECK(t(3, c) == -4.f);
    }
}
TEST_CASE("deadlines and numbers of workers that make no sense are refused") {
    auto train = one_number();
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas r(train, {.deadline = 0ms}); }) ==
          "xgrad: replicas: the deadline is not positive; write a time above 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas r(train, {.min_workers = 0}); }) ==
          "xgrad: replicas: min_workers must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas r(train, {.workers = 3, .min_workers = 5}); }) ==
          "xgrad: replicas: min_workers, 5, is more than there are workers, 3");
}
TEST_CASE("readers who follow each other do not keep updates out") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    std::atomic<bool> done{false};
    std::vector<std::jthread> readers;
    for (int k = 0; k < 3; ++k)
        readers.emplace_back([&] {
            while (!done) replicas.with_variables([](auto const&) { std::this_thread::sleep_for(200us); });
        });
    CHECK(replicas
              .run([&](auto& worker) {
                  for (int k = 0; k < 20; ++k) worker(g = 1.f);
              })
              .updates == 20);
    done = true;
}
TEST_CASE("a time line has what each worker did in its last steps, one thing after the other; a report says how long it was") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .timeline_steps = 4});
    CHECK(replicas.timeline().workers.empty());
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < 9; ++k) worker(g = 1.f);
    });
    CHECK(report.seconds > 0);
    CHECK(report.seconds == replicas.progress().seconds);
    auto const line = replicas.timeline();
    REQUIRE(line.workers.size() == 2);
    std::size_t updates = 0;
    for (auto const& one : line.workers) {
        CHECK(one.spans.size() == 12);
        CHECK(one.lost + 12 >= 18);
        for (std::size_t k = 0; k < one.spans.size(); ++k) {
            updates += one.spans[k].kind == xg::span_kind::update;
            CHECK(one.spans[k].end >= one.spans[k].begin);
            if (k > 0) CHECK(one.spans[k].begin >= one.spans[k - 1].end);
        }
    }
    CHECK(updates >= 4);
}

TEST_CASE("a worker is lost when the others have ended: what they have done stands") {
    auto const one = std::make_shared<sleeper>();
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 3, .replicas_to_aggregate = 2, .initial_tokens = 0, .deadline = 60ms});
    auto const report = replicas.run([one](auto& worker) {
        if (worker.index() == 2) return one->sleep(worker);
        for (int k = 0; k < 5; ++k) worker(g = 1.f);
    });
    CHECK(report.updates >= 4);   // a worker may take two tokens, and its second gradient is too old
    CHECK(report.workers[1].steps == 5);
    CHECK(report.workers[2].lost);
    one->rouse();
}
