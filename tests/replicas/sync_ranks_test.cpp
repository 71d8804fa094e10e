// SPDX-License-Identifier: MIT
// Synchronous replicas over ranks: the bits of those in threads.
#include <support/message_of.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/sync_ranks.hpp>
#include <xgrad/replicas/sync_replicas.hpp>
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

TEST_CASE("ranks leave the bits of replicas in threads; in the end all ranks have the same") {
    for (auto [ranks, owners] : {std::pair{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 4}}) {
        CAPTURE(ranks);
        CAPTURE(owners);
        auto expected = start(xg::adam{.learning_rate = .01});
        xg::sync_replicas threads(expected, {.workers = ranks, .initial_tokens = 0});
        auto const work = [](auto& worker) {
            for (int round = 0; round < 8; ++round) data(round * worker.count() + worker.index()).call(worker);
        };
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
