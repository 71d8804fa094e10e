// SPDX-License-Identifier: MIT
// Synchronous replicas between processes: the bits of those in threads, ends, exceptions, disagreement.
#include <support/message_of.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/transport/mpi.hpp>
#include <xgrad/xgrad.hpp>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include "on_mpi_ranks.hpp"

#include <cstring>

namespace xg = xgrad;
using test::data;

namespace {
void same_bits(xg::mpi& ranks) {
    for (auto [needed, owners] : {std::pair{ranks.size(), 1}, {ranks.size(), ranks.size()}, {2 * ranks.size(), ranks.size()}}) {
        auto expected = test::start(xg::adam{.learning_rate = .01}),
             train = test::start(xg::adam{.learning_rate = .01}, ranks.rank() == 0 ? 3u : 4u);
        auto const work = [](auto& worker) {
            for (int round = 0; round < 12; ++round) data(round * worker.count() + worker.index()).call(worker);
        };
        xg::sync_replicas threads(expected, {.workers = ranks.size(), .replicas_to_aggregate = ranks.size(), .initial_tokens = 0});
        xg::sync_replicas replicas(
            train, ranks, {.replicas_to_aggregate = needed, .initial_tokens = needed - ranks.size(), .owners = owners, .message_bytes = 1});
        auto const report = replicas.run(work);
        std::int64_t accepted = 0;
        for (auto const& w : report.workers) accepted += w.accepted;
        REQUIRE_HERE(accepted >= needed * report.updates && train.global_step() == report.updates && report.updates > 0);
        if (needed > ranks.size()) continue;   // a worker may give two
        threads.run(work);
        auto const a = test::state(expected), b = test::state(train);
        REQUIRE_HERE(report.updates == 12 && a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
    }
}
constexpr auto g = xg::input<"g", float>;
constexpr auto v = xg::variable<"v", float>;
void ends(xg::mpi& ranks) {
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
    xg::sync_replicas early(train, ranks, {.replicas_to_aggregate = 1});
    auto const report = early.run([&](auto& worker) {
        for (int k = 0; k < 3 + 4 * worker.index(); ++k) worker(g = 1.f);
    });
    REQUIRE_HERE(train.global_step() == report.updates && train.value(v)() == -static_cast<float>(report.updates));
    int const bad = ranks.size() - 1;
    std::string const text = "xgrad: worker " + std::to_string(bad) + ": no more paper";
    REQUIRE_HERE(test::message_of<xg::worker_error>([&] {
        early.run([&](auto& worker) {
            for (int k = 0;; ++k) {
                if (worker.index() == bad && k == 3) throw std::runtime_error("no more paper");
                worker(g = 1.f);
            }
        });
    }) == text);
    REQUIRE_HERE(train.value(v)() == -static_cast<float>(train.global_step()));
    if (ranks.size() == 1) return;
    xg::sync_replicas differ(train, ranks, {.initial_tokens = ranks.rank() == 1 ? 1 : 0});
    REQUIRE_HERE(test::message_of<xg::value_error>([&] { differ.run([](auto&) {}); }) ==
                 "xgrad: replicas: the ranks differ: rank 0 has initial_tokens: 0, rank 1 has initial_tokens: 1");
}
/// The last rank is stuck until rank 0 has ended without it.
void stuck(xg::mpi& ranks) {
    int const bad = ranks.size() - 1;
    if (bad == 0) return;
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
    xg::sync_replicas replicas(train, ranks, {.initial_tokens = 0, .deadline = std::chrono::seconds(1)});
    xg::sync_report report;
    auto const text = test::message_of<xg::worker_error>([&] {
        report = replicas.run([&](auto& worker) {
            worker(g = 1.f);
            if (worker.index() == bad) test::receive_number(ranks, 0, 11);
            worker(g = 1.f);
        });
    });
    if (ranks.rank() == 0) test::send_number(ranks, bad, 11, 1);
    std::string const me = std::to_string(bad);
    if (ranks.rank() == bad) REQUIRE_HERE(text == "xgrad: worker " + me + ": it was left behind: it had given no sign for 1000 ms");
    else REQUIRE_HERE(text == "nothing was thrown" && report.workers[static_cast<std::size_t>(bad)].lost && report.workers[0].steps == 2);
    xg::collectives(ranks).barrier(test::in_time());
    REQUIRE_HERE(replicas.run([&](auto& worker) { worker(g = 1.f); }).updates == 1);   // all are here again
}
}   // namespace

int main() {
    test::on_mpi_ranks([](xg::mpi& ranks) {
        same_bits(ranks);
        ends(ranks);
        stuck(ranks);
    });
}
