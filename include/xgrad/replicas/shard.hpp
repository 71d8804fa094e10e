// SPDX-License-Identifier: MIT
// Divides the rows of the data among workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/data/shuffle.hpp>
#include <xgrad/replicas/worker_number.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Selects a worker's share of the data and its order.
struct shard_options {
    int worker = 0, workers = 1;
    std::uint64_t seed = 0;
    std::int64_t epoch = 0;
    bool shuffle = true;
};

/// The rows, out of 0 .. `rows` - 1, that a worker takes in an epoch, in this order.
///
/// All workers shuffle the rows alike, on all machines; the shuffle depends on seed and epoch. Worker k takes every workers-th row of it,
/// from k on. So each row is in exactly one share, and the sizes of shares differ by at most one row. Throws value_error if there is no
/// such worker, or the number of rows is negative.
inline std::vector<std::int64_t> shard(std::int64_t rows, shard_options const& options) {
    if (rows < 0) raise_parts<value_error>({"xgrad: shard: the number of rows is ", rows});
    detail::expect_worker_number("shard", options.worker, options.workers);
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows)), mine;
    random_key key;
    key.seed = options.seed;
    key.name_hash = hash_text("xgrad.shard");
    key.step = static_cast<std::uint64_t>(options.epoch);
    if (options.shuffle) detail::shuffled_numbers(all, key);
    else std::iota(all.begin(), all.end(), std::int64_t{0});
    for (std::size_t k = static_cast<std::size_t>(options.worker); k < all.size(); k += static_cast<std::size_t>(options.workers))
        mine.push_back(all[k]);
    return mine;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
