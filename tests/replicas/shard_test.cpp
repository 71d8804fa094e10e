// SPDX-License-Identifier: MIT
// Shares of the data: each row once, shares of one size, an order that seed and epoch decide.
#include <support/message_of.hpp>

#include <xgrad/replicas/shard.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace xg = xgrad;

TEST_CASE("each row is one worker's, and shares differ by one row at most") {
    for (std::int64_t rows : {0, 1, 5, 64, 1001})
        for (int workers : {1, 2, 3, 7}) {
            std::set<std::int64_t> seen;
            for (int k = 0; k < workers; ++k) {
                auto const mine = xg::shard(rows, {.worker = k, .workers = workers, .seed = 9, .epoch = 4});
                CHECK(static_cast<std::int64_t>(mine.size()) == rows / workers + (k < rows % workers));
                for (std::int64_t r : mine) {
                    CHECK(seen.insert(r).second);
                    CHECK((0 <= r && r < rows));
                }
            }
            CHECK(static_cast<std::int64_t>(seen.size()) == rows);
        }
}
TEST_CASE("the order depends on seed and epoch, and on nothing else") {
    auto const first = xg::shard(1000, {.seed = 1});
    CHECK(first == xg::shard(1000, {.seed = 1}));
    CHECK(first != xg::shard(1000, {.seed = 2}));
    CHECK(first != xg::shard(1000, {.seed = 1, .epoch = 1}));
    auto const plain = xg::shard(1000, {.shuffle = false});
    CHECK(std::is_sorted(plain.begin(), plain.end()));
    CHECK_FALSE(std::is_sorted(first.begin(), first.end()));
    // every place is as likely as any other: of 3,000 shuffles of 6 rows each place of row 0 some 500 times
    int at[6]{};
    for (int epoch = 0; epoch < 3000; ++epoch) {
        auto const order = xg::shard(6, {.epoch = epoch});
        ++at[std::find(order.begin(), order.end(), 0) - order.begin()];
    }
    for (int n : at) CHECK(std::abs(n - 500) < 100);   // five standard deviations
}
TEST_CASE("a worker that there is not") {
    auto const message = [](xg::shard_options const& options, std::int64_t rows) {
        return test::message_of<xg::value_error>([&] { xg::shard(rows, options); });
    };
    CHECK(message({.worker = 2, .workers = 2}, 10) == "xgrad: shard: there is no worker 2 among 2");
    CHECK(message({.worker = -1}, 10) == "xgrad: shard: there is no worker -1 among 1");
    CHECK(message({}, -3) == "xgrad: shard: the number of rows is -3");
}
