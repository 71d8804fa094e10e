// SPDX-License-Identifier: MIT
// Replicas with accumulators, a queue of tokens and a chief: what they alone have.
#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <replicas/run_error.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using namespace std::chrono_literals;
using phase = xg::sync_protocol::phase;

namespace {
constexpr auto g0 = xg::input<"g0", float>;
constexpr auto g1 = xg::input<"g1", float>;
constexpr auto v0 = xg::variable<"v0", float>;
constexpr auto v1 = xg::variable<"v1", float>;
constexpr auto loss = v0 * g0 + v1 * g1;
template<class Rate = double>
auto two_numbers(Rate rate = 1.0) {
    return xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = rate});
}
template<class Train>
std::vector<float> values(Train const& train) {
    return {train.value(v0)(), train.value(v1)()};
}
}   // namespace

TEST_CASE("variables are taken one after the other: a gradient may count for some; all move at once") {
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .replicas_to_aggregate = 1, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    CHECK(replay.updates() == 2);
    replay.compute(0, g0 = 1.f, g1 = 1.f);
    replay.compute(1, g0 = 3.f, g1 = 3.f);
    CHECK(replay.push(0, v0));
    CHECK(replay.push(0, v1));
    CHECK(replay.take(v0));
    CHECK_FALSE(replay.push(1, v0));   // the chief has taken it
    CHECK(replay.push(1, v1));         // but not this one
    CHECK(replay.num_accumulated(v0) == 0);
    CHECK(replay.num_accumulated(v1) == 2);
    CHECK(values(train) == std::vector<float>{0, 0});   // TensorFlow's v0 is -1 by now
    CHECK(train.global_step() == 0);
    replay.apply();
    CHECK(values(train) == std::vector<float>{-1, -2});
    CHECK(train.global_step() == 1);
    CHECK(replay.tokens().count == 0);
    CHECK_FALSE(replay.can_update());
    replay.enqueue_tokens();
    CHECK(replay.tokens().count == 2);
    CHECK(replay.begin(0));
    CHECK(replay.local_step(0) == 1);
    CHECK(replay.accumulator_step(0) == 1);
}
TEST_CASE(
    "a worker that ends gives back the token of the present step behind the others, also where it has pushed a part, and no older one") {
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 4, .replicas_to_aggregate = 1, .initial_tokens = 1});
    typename decltype(replicas)::replay replay(replicas);
    replay.end(0);
    CHECK(replay.tokens().count == 2);
    replay.compute(1, g0 = 1.f, g1 = 1.f);
    replay.push(1, v0);
    replay.end(1);
    CHECK(replay.tokens().count == 3);
    replay.compute(2, g0 = 1.f, g1 = 1.f);
    CHECK(replay.push(2));
    replay.update();
    CHECK(replay.tokens().count == 5);   // two of the new step for two workers
    replay.end(3);                       // its token is old
    CHECK(replay.tokens().count == 5);
    replay.end(2);   // it has pushed
    CHECK(replay.tokens().count == 5);
    CHECK(replay.phase_of(2) == phase::gone);
    CHECK(test::message_of<xg::value_error>([&] { replay.end(2); }) == "xgrad: sync replicas: worker 2 cannot end now");
}
TEST_CASE("a replay refuses what cannot happen, and changes nothing") {
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    auto const says = [](auto const& f) { return test::message_of<xg::value_error>(f); };
    CHECK(says([&] { replay.push(0); }) == "xgrad: sync replicas: worker 0 has computed no gradient to push");
    for (int k : {2, -1}) {
        std::string const none = "xgrad: sync replicas: there is no worker " + std::to_string(k) + " among 2";
        CHECK(says([&] { replay.compute(k, g0 = 1.f, g1 = 1.f); }) == none);
        CHECK(says([&] { replay.push(k); }) == none);
        CHECK(says([&] { replay.push(k, v0); }) == none);
        CHECK(says([&] { replay.skip(k, v0); }) == none);
        CHECK(says([&] { replay.begin(k); }) == none);
        CHECK(says([&] { replay.end(k); }) == none);
        CHECK(says([&] { replay.phase_of(k); }) == none);
        CHECK(says([&] { replay.local_step(k); }) == none);
    }
    CHECK(says([&] { replay.num_accumulated(2); }) == "xgrad: sync replicas: there is no update 2 among 2");
    CHECK(says([&] { replay.accumulator_step(-1); }) == "xgrad: sync replicas: there is no update -1 among 2");
    CHECK(says([&] { replay.begin(0); }) == "xgrad: sync replicas: worker 0 cannot take a token now");
    CHECK(says([&] { replay.update(); }) == "xgrad: sync replicas: an update of 0 gradients; it takes 2");
    CHECK(says([&] { replay.enqueue_tokens(); }) == "xgrad: sync replicas: each update has its tokens already; call apply() first");
    replay.compute(0, g0 = 1.f, g1 = 1.f);
    CHECK(says([&] { replay.push(0, 2); }) == "xgrad: sync replicas: there is no update 2 among 2");
    CHECK(replay.push(0, 0));
    CHECK(says([&] { replay.push(0, v0); }) == "xgrad: sync replicas: worker 0 has pushed the gradient of update 0 already");
    CHECK(says([&] { replay.compute(0, g0 = 1.f, g1 = 1.f); }) ==
          "xgrad: sync replicas: worker 0 has pushed a part of its gradients; the rest comes first");
    CHECK(says([&] { replay.begin(0); }) == "xgrad: sync replicas: worker 0 cannot take a token now");
    CHECK(replay.push(0));
    CHECK_FALSE(replay.take(v0));
    CHECK_FALSE(replay.begin(0));
    replay.compute(1, g0 = 3.f, g1 = 5.f);
    CHECK(replay.push(1));
    CHECK(replay.take(0));
    CHECK(says([&] { replay.take(v0); }) == "xgrad: sync replicas: the mean of update 0 has been taken already");
    replay.apply();
    CHECK(says([&] { replay.apply(); }) == "xgrad: sync replicas: the last update has no tokens yet; call enqueue_tokens() first");
    CHECK(says([&] { replay.take(v0); }) == "xgrad: sync replicas: the last update has no tokens yet; call enqueue_tokens() first");
    CHECK(values(train) == std::vector<float>{-2, -3});
}
TEST_CASE(
    "what is saved while the chief waits, having taken nothing or some, is the last update; what goes on from it applies nothing twice") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto const make = [] { return xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .1}); };
    for (int taken : {0, 1, 2}) {   // of two variables
        auto train = make(), expected = make();
        xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .initial_tokens = 0});
        typename decltype(replicas)::replay replay(replicas);
        auto const give = [](auto& to, int k, float a, float b) {
            to.compute(k, g0 = a, g1 = b);
            return to.push(k);
        };
        give(replay, 0, 1, 2);
        give(replay, 1, 3, 2);
        replay.update();
        expected(g0 = 2.f, g1 = 2.f);
        for (int k : {0, 1}) CHECK(replay.begin(k));
        give(replay, 0, 5, 7);
        give(replay, 1, 6, 8);
        for (int u = 0; u < taken; ++u) CHECK(replay.take(u));
        replicas.with_variables([&](auto const& t) { xg::save(t, path); });

        auto other = make();
        xg::restore(other, path);
        CHECK(test::state(other) == test::state(expected));
        CHECK(other.global_step() == 1);
        xg::sync_replicas again(other, xg::faithful{}, {.workers = 2, .initial_tokens = 0});
        typename decltype(again)::replay goes_on(again);
        for (int u = 0; u < 2; ++u) {
            CHECK(goes_on.num_accumulated(u) == 0);
            CHECK(goes_on.accumulator_step(u) == 1);   // I1
        }
        give(goes_on, 0, 5, 7);
        give(goes_on, 1, 7, 9);
        goes_on.update();
        expected(g0 = 6.f, g1 = 8.f);
        CHECK(test::state(other) == test::state(expected));
        CHECK(other.optimizer().powers.at[0] == expected.optimizer().powers.at[0]);
        CHECK(other.global_step() == 2);
    }
}
TEST_CASE("what is saved while workers train holds whole updates") {
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 3, .replicas_to_aggregate = 2});
    std::atomic<bool> done{false};
    int looks = 0, wrong = 0;
    {
        std::jthread const watcher([&] {
            do {
                replicas.with_variables([&](auto const& t) {
                    auto const step = static_cast<float>(t.global_step());
                    wrong += values(t) != std::vector<float>{-step, -step};
                });
                ++looks;
            } while (!done);
        });
        replicas.run([](auto& worker) {
            for (int k = 0; k < 200; ++k) worker(g0 = 1.f, g1 = 1.f);
        });
        done = true;
    }
    CHECK(looks > 0);
    CHECK(wrong == 0);
}
TEST_CASE("what the chief throws ends the run as worker 0's, also behind the last worker; nothing has moved") {
    for (bool alone : {false, true}) {
        std::atomic<bool> bad{true};
        auto train = two_numbers([&](std::int64_t) -> double {
            if (!bad) return 1;
            if (alone) std::this_thread::sleep_for(20ms);   // then the worker has ended, with its initial token
            throw std::runtime_error("the rate is broken");
        });
        xg::sync_replicas replicas(train, xg::faithful{}, {.workers = alone ? 1 : 3});
        CHECK(test::run_error(replicas, [&](auto& worker) {
            do worker(g0 = 1.f, g1 = 1.f);
            while (!alone);
        }) == "xgrad: worker 0: the rate is broken");
        CHECK(values(train) == std::vector<float>{0, 0});
        CHECK(train.global_step() == 0);
        bad = false;
        CHECK(replicas.run([](auto& worker) { worker(g0 = 1.f, g1 = 1.f); }).updates == 1);
        CHECK(values(train) == std::vector<float>{-1, -1});
    }
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .initial_tokens = 0, .on_update = [](std::int64_t step) {
                                                           if (step == 3) throw std::runtime_error("no average");
                                                       }});
    CHECK(test::run_error(replicas, [](auto& worker) {
        for (;;) worker(g0 = 1.f, g1 = 1.f);
    }) == "xgrad: worker 0: no average");
    CHECK(train.global_step() == 3);
}
TEST_CASE("on_update is called behind each update in turn, when its tokens are there") {
    auto train = two_numbers();
    std::vector<std::int64_t> steps;
    std::vector<float> values;   // after each update: the next one has not begun
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .initial_tokens = 0, .on_update = [&](std::int64_t step) {
                                                           steps.push_back(step);
                                                           values.push_back(train.value(v0)());
                                                       }});
    replicas.run([](auto& worker) {
        for (int k = 0; k < 3; ++k) worker(g0 = 1.f, g1 = 1.f);
    });
    CHECK(steps == std::vector<std::int64_t>{1, 2, 3});
    CHECK(values == std::vector<float>{-1, -2, -3});
}
TEST_CASE("the queue is closed when worker 0 ends: who waits for a token ends, without failing") {
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{.close_at_end = true}, {.workers = 3, .replicas_to_aggregate = 1, .initial_tokens = 0});
    std::atomic<int> cancelled{0};
    std::string said[2];
    auto const report = replicas.run([&](auto& worker) {
        if (worker.index() == 0) {
            for (int k = 0; k < 5; ++k) worker(g0 = 1.f, g1 = 1.f);
            return;
        }
        try {
            for (;;) worker(g0 = 1.f, g1 = 1.f);
        } catch (xg::cancelled_error const& e) {
            said[worker.index() - 1] = e.what();
            ++cancelled;
            CHECK_THROWS_AS(worker(g0 = 1.f, g1 = 1.f), xg::cancelled_error);   // and so is each later call
            throw;
        }
    });
    CHECK(cancelled == 2);
    for (auto const& s : said) CHECK(s == "xgrad: the wait for a token was cancelled: the token queue is closed");
    CHECK(report.workers[0].steps == 5);
    CHECK(report.left == 0);
    CHECK(values(train) == std::vector<float>{-static_cast<float>(report.updates), -static_cast<float>(report.updates)});
    // As TensorFlow's queue: tokens that are there may still be taken.
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(1, g0 = 1.f, g1 = 1.f);
    replay.push(1);
    replay.update();
    CHECK(replay.tokens().count == 3);
    replay.end(0);
    CHECK(replay.begin(1));
    replay.compute(1, g0 = 1.f, g1 = 1.f);
    replay.push(1);
    replay.update();   // and no more come
    CHECK(replay.tokens().count == 2);
}
TEST_CASE("workers join, with a sum of their own in each accumulator") {
    for (bool close : {false, true}) {
        auto train = two_numbers();
        xg::sync_replicas replicas(
            train, xg::faithful{.close_at_end = close}, {.workers = 2, .initial_tokens = 0, .share_variables = false});
        std::atomic<int> begun{0};
        auto const report = replicas.run([&](auto& worker) {
            ++begun;
            for (int k = 0; k < 20; ++k) {
                if (worker.index() == 0 && k == 3) CHECK(replicas.add_worker() == 2);
                worker(g0 = 1.f, g1 = 1.f);
            }
        });
        CHECK(begun == 3);
        CHECK(report.workers.size() == 3);
        if (close) continue;
        for (auto const& w : report.workers) CHECK(w.steps == 20);
        CHECK(report.left < 2);
        CHECK(values(train) == std::vector<float>{-static_cast<float>(report.updates), -static_cast<float>(report.updates)});
    }
}
TEST_CASE("a worker that hangs is left behind, and the others go on with its token") {
    struct state {
        std::atomic<bool> wake{false}, back{false};
    };
    auto const one = std::make_shared<state>();
    auto train = two_numbers();
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 3, .initial_tokens = 0, .deadline = 100ms});
    auto const report = replicas.run([one](auto& worker) {
        for (int k = 0; k < 6; ++k) {
            if (worker.index() == 1 && k == 2) {
                while (!one->wake) std::this_thread::sleep_for(1ms);
                try {
                    worker(g0 = 100.f, g1 = 100.f);
                } catch (xg::cancelled_error const&) { one->back = true; }
                return;
            }
            worker(g0 = 1.f, g1 = 1.f);
        }
    });
    CHECK(report.workers[1].lost);
    CHECK(report.workers[1].steps == 2);
    CHECK(report.updates == 4);   // 14 gradients
    CHECK(report.left == 2);
    CHECK(values(train) == std::vector<float>{-4, -4});
    one->wake = true;
    while (!one->back) std::this_thread::sleep_for(1ms);
}
