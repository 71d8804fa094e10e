// SPDX-License-Identifier: MIT
// Synchronous replicas over ranks: the bits of those in threads.
#include <support/message_of.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <cstring>
#include <mutex>
#include <utility>

namespace xg = xgrad;
using namespace std::chrono_literals;
using test::data;
using test::start;

namespace {
constexpr auto work = [](auto& worker) {
    for (int round = 0; round < 8; ++round) data(round * worker.count() + worker.index()).call(worker);
};
}   // namespace

TEST_CASE("ranks leave the bits of replicas in threads; in the end all ranks have the same") {
    for (auto [ranks, owners] : {std::pair{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 4}}) {
        CAPTURE(ranks);
        CAPTURE(owners);
        auto expected = start(xg::adam{.learning_rate = .01});
        xg::sync_replicas threads(expected, {.workers = ranks, .initial_tokens = 0});
        for (int run = 0; run < 2; ++run) threads.run(work);
        xg::thread_network network(ranks);
        test::on_ranks(ranks, [&, owners = owners](int k) {
            auto train = start(xg::adam{.learning_rate = .01}, k == 0 ? 3 : 4);   // rank 0's count
            xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0, .owners = owners});
            for (int run = 0; run < 2; ++run) {
                auto const report = replicas.run(work);
                REQUIRE_HERE(report.updates == 8 && report.left == 0);
                for (auto const& w : report.workers) REQUIRE_HERE(w.steps == 8 && w.accepted == 8 && !w.lost);
            }
            auto const a = test::state(expected), b = test::state(train);
            REQUIRE_HERE(a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
            REQUIRE_HERE(train.global_step() == 16 && train.store().steps == expected.store().steps && train.store().seed == 3);
            REQUIRE_HERE(train.optimizer().powers.at[0] == expected.optimizer().powers.at[0]);
        });
    }
}
TEST_CASE("what on_update changes holds, whichever ranks move the variables, and also where it throws then") {
    std::vector<float> expected;
    for (int owners = 1; owners <= 3; ++owners) {
        CAPTURE(owners);
        xg::thread_network network(3);
        std::mutex mutex;
        test::on_ranks(3, [&](int k) {
            auto train = start(xg::adam{.learning_rate = .01});
            auto const half = [&](std::int64_t step) {
                for (auto& v : train.store().variables())
                    for (int i = 0; i < v.size; ++i) static_cast<float*>(v.data)[i] *= .5f;
                train.slot(test::b1, "m")(0) = static_cast<float>(step);
                if (step == 11) throw std::runtime_error("the disk is full");
            };
            xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0, .owners = owners, .on_update = half});
            REQUIRE_HERE(replicas.run(work).updates == 8);
            REQUIRE_HERE(test::message_of<xg::worker_error>([&] { replicas.run(work); }).ends_with(": the disk is full"));
            auto const all = test::state(train);
            std::lock_guard const lock(mutex);
            if (expected.empty()) expected = all;
            REQUIRE_HERE(train.global_step() == 11 && all.size() == expected.size());
            REQUIRE_HERE(std::memcmp(all.data(), expected.data(), all.size() * sizeof(float)) == 0);
        });
    }
}
TEST_CASE("a call that is refused gives nothing, and the worker may go on") {
    constexpr auto many = xg::input<"many", float, 3>;
    constexpr auto w = xg::variable<"w", float>;
    xg::thread_network network(2);
    test::on_ranks(2, [&](int k) {
        auto train = xg::minimize<xg::gating::graph>(w * xg::sum(many), xg::gradient_descent{.learning_rate = 1.0});
        xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0});
        int refused = 0;
        auto const report = replicas.run([&](auto& worker) {
            for (int s = 0; s < 3; ++s) {
                try {
                    worker(many = std::vector<float>{1, 2});
                } catch (xg::shape_error const&) { ++refused; }
                worker(many = std::vector<float>{1, 2, 3});
            }
        });
        REQUIRE_HERE(refused == 3 && report.updates == 3 && train.value(w)() == -18);
    });
}
