// SPDX-License-Identifier: MIT
// Checkpoints that are written while replicas train.
#include <io/temporary_folder.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/agn.hpp>
#include <xgrad/replicas/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto w = xg::variable<"w", float, 5, 3>;
constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x, w)) - 0.3_c));
}   // namespace

TEST_CASE("a checkpoint that is written while workers train holds whole updates, and replicas go on from it") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto const make = [] {
        auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
        train.initialize(xg::glorot_uniform{.seed = 3});
        return train;
    };
    auto const work = [](auto& worker, std::int64_t step) {
        std::vector<float> in(20);
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = static_cast<float>((static_cast<std::int64_t>(i) * 7 + step * 3 + worker.index()) % 13) / 13;
        worker(x = xg::array(in.data(), 4, 5));
    };
    auto train = make();
    std::mutex mutex;
    std::vector<std::vector<float>> after;
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .on_update = [&](std::int64_t) {
                                           std::lock_guard const lock(mutex);
                                           after.push_back(test::state(train));
                                       }});
    std::atomic<int> saved{0};
    std::atomic<bool> done{false};
    int wrong = 0;
    std::jthread watcher([&] {
        do {
            replicas.with_variables([&](auto const& t) { xg::save(t, path); });   // one gradient of the next update may have come
            auto other = make();
            xg::restore(other, path);
            auto const step = static_cast<std::size_t>(other.global_step());
            std::unique_lock lock(mutex);
            while (after.size() < step && !done) {   // variables can be read before on_update is called
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
            }
            wrong += step > after.size() || (step > 0 && test::state(other) != after[step - 1]);
            ++saved;
        } while (!done);
    });
    replicas.run([&](auto& worker) {
        for (int k = 0; k < 40; ++k) {
            while (saved <= k / 8) std::this_thread::yield();
            work(worker, k);
        }
    });
    done = true;
    watcher.join();
    CHECK(wrong == 0);
    auto other = make();
    xg::restore(other, path);
    std::int64_t const from = other.global_step();
    CHECK(from > 0);
    xg::sync_replicas rest(other, {.workers = 2, .initial_tokens = 0});
    rest.run([&](auto& worker) {
        for (std::int64_t k = from; k < 40; ++k) work(worker, k);
    });
    CHECK(test::state(other) == test::state(train));
}
TEST_CASE("workers with steps of their own begin anew behind a restored checkpoint") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    std::vector<float> const good(20, .5f), bad(20, std::numeric_limits<float>::quiet_NaN());
    auto const run = [](auto& replicas, std::vector<float> const& in) {
        replicas.run([&](auto& worker) {
            for (int k = 0; k < 4; ++k) worker(x = xg::array(in.data(), 4, 5));
        });
    };
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
    auto other = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
    train.initialize(xg::glorot_uniform{.seed = 3});
    xg::agn replicas(train, {.period = 2});
    run(replicas, good);
    xg::save(train, path);
    run(replicas, bad);
    CHECK(std::isnan(train.value(w)(0, 0)));
    xg::restore(train, path);
    xg::restore(other, path);
    xg::agn others(other, {.period = 2});
    run(replicas, good);
    run(others, good);
    CHECK(test::state(train) == test::state(other));
    CHECK_FALSE(std::isnan(train.value(w)(0, 0)));
}
