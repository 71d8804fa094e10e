// SPDX-License-Identifier: MIT
// Workers with local steps in ranks, compared with those in threads: bitwise equal.
#pragma once

#include <support/trainer_state.hpp>

#include <xgrad/replicas/local/local_options.hpp>
#include <xgrad/transport/thread_transport.hpp>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

namespace test {
inline bool same_numbers(std::vector<float> const& a, std::vector<float> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

template<class Train>
std::vector<float> variables(Train const& train) {
    std::size_t n = 0;
    for (auto const& v : train.store().variables()) n += static_cast<std::size_t>(v.size);
    auto all = state(train);
    all.resize(n);
    return all;
}

/// Two runs of `rounds` steps of each worker, one worker after the other in each round: `make(train, ranks)` in threads,
/// `make(train, ranks, transport)` over ranks. `in_turn`: workers do not wait for each other, so rank k steps after rank k - 1.
/// `images`: the trainer of a rank is the centre after the last exchange of that rank.
template<class Make>
void same_bits(int ranks, int rounds, bool in_turn, Make const& make, bool images = false) {
    auto expected = start(xg::adam{.learning_rate = .01});
    auto threads = make(expected, ranks);
    std::vector<std::vector<float>> own, seen;   // by workers; after each step
    xg::local_report counted;
    for (int run = 0; run < 2; ++run) {
        typename decltype(threads)::replay replay(threads);
        std::vector<std::vector<float>> last(static_cast<std::size_t>(ranks), variables(expected));
        for (int round = 0; round < rounds; ++round)
            for (int k = 0; k < ranks; ++k) {
                data(round * ranks + k).call([&](auto const&... b) { replay.compute(k, b...); });
                if (replay.step(k)) last[static_cast<std::size_t>(k)] = variables(expected);
                seen.push_back(last[static_cast<std::size_t>(k)]);
            }
        own.clear();
        for (int k = 0; k < ranks; ++k) own.push_back(state(replay.own(k)));
        counted = replay.report();
    }
    std::atomic<int> turn{0};
    auto const pass_on = [&](int to) {
        turn = to;
        turn.notify_all();
    };
    xg::thread_network network(ranks);
    on_ranks(ranks, [&](int k) {
        auto train = start(xg::adam{.learning_rate = .01}, k == 0 ? 3 : 4);   // rank 0's count
        auto replicas = make(train, ranks, network.rank(k));
        for (int run = 0; run < 2; ++run) {
            auto const work = [&](auto& worker) {
                REQUIRE_HERE(worker.index() == k && worker.count() == ranks);
                for (int round = 0; round < rounds; ++round) {
                    int const mine = (run * rounds + round) * ranks + k;
                    for (int t = turn; in_turn && t < mine; t = turn) turn.wait(t);
                    data(round * ranks + k).call(worker);
                    REQUIRE_HERE(!images || k == 0 || same_numbers(variables(train), seen[static_cast<std::size_t>(mine)]));
                    if (in_turn) pass_on(mine + 1);
                }
                REQUIRE_HERE(run == 0 || same_numbers(state(worker.own()), own[static_cast<std::size_t>(k)]));
            };
            auto const report = replicas.run([&](auto& worker) {
                try {
                    work(worker);
                } catch (...) {   // no other rank waits for it any more
                    pass_on(std::numeric_limits<int>::max());
                    throw;
                }
            });
            REQUIRE_HERE(report.updates == counted.updates && report.workers.size() == static_cast<std::size_t>(ranks));
            for (std::size_t w = 0; w < report.workers.size(); ++w) {
                auto const &a = report.workers[w], &b = counted.workers[w];
                REQUIRE_HERE(
                    a.steps == b.steps && a.communications == b.communications && a.dropped == b.dropped && a.left == b.left && !a.lost);
            }
        }
        REQUIRE_HERE(same_numbers(state(train), state(expected)));
        REQUIRE_HERE(train.global_step() == expected.global_step() && train.store().steps == expected.store().steps);
        REQUIRE_HERE(train.optimizer().powers.at[0] == expected.optimizer().powers.at[0]);
    });
}
}   // namespace test
