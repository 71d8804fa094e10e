// SPDX-License-Identifier: MIT
// Checkpoints that are written while replicas train.
#include <io/temporary_folder.hpp>
#include <support/message_of.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
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

namespace {
// Two runs, and a checkpoint between them from which other replicas continue. With the state of the workers the bits are the same; without
// it they are not.
template<class Make>
void goes_on(Make const& make_replicas) {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto const make = [] {
        auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
        train.initialize(xg::glorot_uniform{.seed = 3});
        return train;
    };
    auto const run = [](auto& replicas, int from) {
        replicas.run([from](auto& worker) {
            std::vector<float> in(20);
            for (int k = from; k < from + 5; ++k) {
                for (std::size_t i = 0; i < in.size(); ++i)
                    in[i] = static_cast<float>((static_cast<int>(i) * 7 + k * 3 + worker.index()) % 13) / 13;
                worker(x = xg::array(in.data(), 4, 5));
            }
        });
    };
    auto train = make(), again = make(), anew = make();
    auto first = make_replicas(train), second = make_replicas(again), third = make_replicas(anew);
    run(*first, 0);
    xg::save(train, path, {}, first->worker_state());
    run(*first, 5);
    auto state = second->worker_state();
    xg::restore(again, path, state);
    second->set_worker_state(state);
    run(*second, 5);
    CHECK(test::state(again) == test::state(train));
    auto ignored = third->worker_state();
    xg::restore(anew, path, ignored);
    run(*third, 5);
    CHECK(test::state(anew) != test::state(train));
}
}   // namespace
TEST_CASE("what workers with steps of their own keep is saved beside the trainer, and a restored run has the same bits") {
    goes_on([](auto& train) { return std::make_unique<decltype(xg::agn(train))>(train, xg::agn_options{.workers = 1, .period = 2}); });
    goes_on([](auto& train) {
        return std::make_unique<decltype(xg::elastic_average(train))>(
            train, xg::elastic_options{.workers = 2, .period = 2, .rho = .5, .synchronous = true});
    });
    goes_on([](auto& train) {
        return std::make_unique<decltype(xg::model_average(train))>(train, xg::model_average_options{.workers = 2, .interval_steps = 2});
    });
    using sign = xg::sign_compression;
    goes_on([](auto& train) {
        return std::make_unique<decltype(xg::diloco(train, {}, xg::diloco_rule(), sign()))>(
            train, xg::diloco_options{.workers = 2, .period = 2}, xg::diloco_rule(), sign());
    });
    goes_on([](auto& train) {
        return std::make_unique<decltype(xg::downpour(train, {}, sign()))>(
            train, xg::downpour_options{.workers = 1, .push_period = 2, .pull_period = 2}, sign());
    });
}
TEST_CASE("over a transport each rank saves what its worker keeps, and a restored run has the same bits") {
    temporary_folder const folder;
    auto const path = [&](int rank) { return (folder.path / ("rank" + std::to_string(rank) + ".safetensors")).string(); };
    std::vector<float> ends[2];   // of rank 0
    for (bool restored : {false, true}) {
        xg::thread_network network(2);
        auto const work = [&](int rank) {
            auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
            train.initialize(xg::glorot_uniform{.seed = 3});
            xg::diloco replicas(train, network.rank(rank), {.period = 2}, xg::diloco_rule(), xg::sign_compression());
            auto const run = [&](int from) {
                replicas.run([from](auto& worker) {
                    std::vector<float> in(20);
                    for (int k = from; k < from + 5; ++k) {
                        for (std::size_t i = 0; i < in.size(); ++i)
                            in[i] = static_cast<float>((static_cast<int>(i) * 7 + k * 3 + worker.index()) % 13) / 13;
                        worker(x = xg::array(in.data(), 4, 5));
                    }
                });
            };
            if (!restored) {
                run(0);
                xg::save(train, path(rank), {}, replicas.worker_state());
            } else {
                auto state = replicas.worker_state();
                xg::restore(train, path(rank), state);
                replicas.set_worker_state(state);
            }
            run(5);
            if (rank == 0) ends[restored ? 1 : 0] = test::state(train);
        };
        std::jthread other([&] { work(1); });
        work(0);
    }
    CHECK(ends[0] == ends[1]);
    CHECK(ends[0].size() > 15);
}
TEST_CASE("a state of other workers is refused, and so is one that is asked for during a run") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01});
    xg::agn one(train, {.workers = 1}), two(train, {.workers = 2});
    xg::model_average mean(train);
    auto state = one.worker_state();
    xg::save(train, path, {}, state);
    auto other = mean.worker_state();
    CHECK(test::message_of<xg::checkpoint_error>([&] { xg::restore(train, path, other); }).find("\"model_average/workers\"") !=
          std::string::npos);
    auto more = two.worker_state();
    CHECK(test::message_of<xg::checkpoint_error>([&] {
        xg::restore(train, path, more);
    }).find("\"agn/workers\" in the file is not a state of this number of workers, method, rule and variables") != std::string::npos);
    CHECK(test::message_of<xg::value_error>([&] { two.set_worker_state(state); }) ==
          "xgrad: agn: set_worker_state(state): the state has another number of workers, method, rule or variables; make it by "
          "worker_state()");
    one.run([&](auto&) {
        CHECK(test::message_of<xg::value_error>([&] { one.worker_state(); }) ==
              "xgrad: replicas.run(work): a run of these replicas has not ended; wait for its end");
        CHECK_THROWS_AS(two.set_worker_state(more), xg::value_error);
    });
}
