// SPDX-License-Identifier: MIT
// Compressed gradients, slices and outer rules over ranks: the bits of threads, for the same order of exchanges.
#include <replicas/local_ranks_bits.hpp>

#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/downpour.hpp>

#include <doctest/doctest.h>

using namespace test;

TEST_CASE("diloco over ranks leaves the bits of threads, compressed and with another rule; with backup workers, who come too late, too") {
    for (int needed : {0, 1})
        same_bits(3, 7, needed == 1, [needed](auto& train, int n, auto&&... over) {
            return xg::diloco(train, std::forward<decltype(over)>(over)..., {.workers = n, .period = 3, .replicas_to_aggregate = needed},
                xg::adam{.learning_rate = .1}, xg::sign_compression{});
        });
}
TEST_CASE("downpour over ranks leaves the bits of threads: compressed, late, compensated, refused, with rows of a table") {
    for (auto const& o : {xg::downpour_options{}, xg::downpour_options{.push_period = 2, .pull_period = 3},
             xg::downpour_options{.push_period = 3, .pull_period = 2, .staleness = 1},
             xg::downpour_options{.push_period = 2, .pull_period = 2, .compensation = {.lambda = 2, .decay = .9}}}) {
        auto const with = [&](int n) {
            auto all = o;
            all.workers = n;
            return all;
        };
        same_bits(3, 12, true,
            [&](auto& train, int n, auto&&... over) { return xg::downpour(train, std::forward<decltype(over)>(over)..., with(n)); });
        same_bits(3, 12, true, [&](auto& train, int n, auto&&... over) {
            return xg::downpour(train, std::forward<decltype(over)>(over)..., with(n), xg::top_k_compression{.fraction = .2});
        });
    }
}
