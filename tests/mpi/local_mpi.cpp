// SPDX-License-Identifier: MIT
// Workers with local steps in processes: bitwise equal to those in threads; ends, exceptions, disagreement.
#include <support/message_of.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/transport/mpi.hpp>
#include <xgrad/xgrad.hpp>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include "on_mpi_ranks.hpp"

#include <cstring>
#include <utility>

namespace xg = xgrad;
using test::data;

namespace {
/// `make(train, ranks, transport...)`; where workers do not wait for each other one rank steps after the other, by a word from it.
template<class Make>
void same_bits(xg::mpi& ranks, bool in_turn, Make const& make) {
    constexpr int rounds = 7;
    int const n = ranks.size(), k = ranks.rank();
    auto const fresh = [](std::uint64_t seed) { return test::start(xg::adam{.learning_rate = .01}, seed); };
    auto expected = fresh(3), train = fresh(k == 0 ? 3 : 4);
    auto threads = make(expected, n);
    std::int64_t updates = 0;
    {
        typename decltype(threads)::replay replay(threads);
        for (int round = 0; round < rounds; ++round)
            for (int w = 0; w < n; ++w) {
                data(round * n + w).call([&](auto const&... b) { replay.compute(w, b...); });
                replay.step(w);
            }
        updates = replay.report().updates;
    }
    auto replicas = make(train, n, ranks);
    auto const report = replicas.run([&](auto& worker) {
        for (int round = 0; round < rounds; ++round) {
            if (in_turn && n > 1 && round + k > 0) test::receive_number(ranks, (k + n - 1) % n, 12);
            data(round * n + k).call(worker);
            if (in_turn && n > 1 && (round + 1 < rounds || k + 1 < n)) test::send_number(ranks, (k + 1) % n, 12, round);
        }
    });
    auto const a = test::state(expected), b = test::state(train);
    REQUIRE_HERE(updates > 0 && report.updates == updates && train.global_step() == updates);
    REQUIRE_HERE(a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}
void all_methods(xg::mpi& ranks) {
    for (auto form : {xg::agn_form::mean_gradient, xg::agn_form::mean_displacement})
        same_bits(ranks, true,
            [&](auto& train, int n, auto&... over) { return xg::agn(train, over..., {.workers = n, .period = 2, .form = form}); });
    same_bits(ranks, false,
        [](auto& train, int n, auto&... over) { return xg::model_average(train, over..., {.workers = n, .interval_steps = 3}); });
    same_bits(ranks, true, [](auto& train, int n, auto&... over) {
        return xg::downpour(
            train, over..., {.workers = n, .push_period = 2, .pull_period = 3, .staleness = 4}, xg::top_k_compression{.fraction = .2});
    });
}
constexpr auto g = xg::input<"g", float>;
constexpr auto v = xg::variable<"v", float>;
void ends(xg::mpi& ranks) {
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
    xg::agn replicas(train, ranks, {.period = 2});
    auto const report = replicas.run([&](auto& worker) {
        for (int k = 0; k < 3 + 4 * worker.index(); ++k) worker(g = 1.f);
    });
    std::int64_t given = 0;
    for (int k = 0; k < ranks.size(); ++k) given += (3 + 4 * k) / 2;
    REQUIRE_HERE(report.updates == given && train.value(v)() == -static_cast<float>(given));
    int const bad = ranks.size() - 1;
    REQUIRE_HERE(test::message_of<xg::worker_error>([&] {
        replicas.run([&](auto& worker) {
            for (int k = 0;; ++k) {
                if (worker.index() == bad && k == 3) throw std::runtime_error("no more paper");
                worker(g = 1.f);
            }
        });
    }) == "xgrad: worker " + std::to_string(bad) + ": no more paper");
    REQUIRE_HERE(train.value(v)() == -static_cast<float>(train.global_step()));
    if (ranks.size() == 1) return;
    xg::agn differ(train, ranks, {.period = ranks.rank() == 1 ? 3 : 2});
    REQUIRE_HERE(test::message_of<xg::value_error>([&] { differ.run([](auto&) {}); }) ==
                 "xgrad: replicas: the ranks differ: rank 0 has period: 2, rank 1 has period: 3");
}
}   // namespace

int main() {
    test::on_mpi_ranks([](xg::mpi& ranks) {
        all_methods(ranks);
        ends(ranks);
    });
}
