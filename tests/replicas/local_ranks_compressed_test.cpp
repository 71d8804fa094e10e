// SPDX-License-Identifier: MIT
// Compressed gradients, slices and outer rules over ranks: the bits of threads, for the same order of exchanges. Different
// compressions are refused.
#include <replicas/local_ranks_bits.hpp>
#include <replicas/one_number.hpp>

#include <support/message_of.hpp>

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
TEST_CASE("ranks with different compressions are refused, even if both produce equally many bytes") {
    xg::thread_network network(2);
    auto const text = [](auto&& replicas) { return message_of<xg::value_error>([&] { replicas.run([](auto&) { throw 1; }); }); };
    auto const refused = [&](auto const& first, auto const& second, std::string const& first_line, std::string const& second_line) {
        std::string const sentence = "xgrad: replicas: the ranks differ: rank 0 has " + first_line + ", rank 1 has " + second_line;
        on_ranks(2, [&](int k) {
            auto train = one_number();
            REQUIRE_HERE((k == 0 ? text(xg::downpour(train, network.rank(k), {}, first))
                                 : text(xg::downpour(train, network.rank(k), {}, second))) == sentence);
            REQUIRE_HERE((k == 0 ? text(xg::diloco(train, network.rank(k), {}, xg::diloco_rule(), first))
                                 : text(xg::diloco(train, network.rank(k), {}, xg::diloco_rule(), second))) == sentence);
        });
    };
    xg::top_k_compression const quarter{.fraction = .25}, half{.fraction = .5};
    REQUIRE(quarter.bytes(1000000, 4) == xg::bfloat16_compression::bytes(1000000, 4));
    REQUIRE(half.bytes(1000000, 4) == xg::no_compression::bytes(1000000, 4));
    refused(quarter, xg::bfloat16_compression{}, "the compression: top_k_compression", "the compression: bfloat16_compression");
    refused(xg::no_compression{}, half, "the compression: no_compression", "the compression: top_k_compression");
    refused(quarter, half, "bytes of a million compressed elements: 2000000", "bytes of a million compressed elements: 4000000");
}
