// SPDX-License-Identifier: MIT
// Which rows of the data are whose.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/shuffle.hpp>
#include <xgrad/replicas/worker_number.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Whose share of the data, and in which order.
struct shard_options {
    int worker = 0, workers = 1;
    std::uint64_t seed = 0;
    std::int64_t epoch = 0;
    bool shuffle = true;
};

/// The rows, of 0 to before `rows`, that a worker takes in an epoch, in the order in which it takes them: of one shuffle, the same for all workers and on all
/// machines, which changes with seed and epoch, every workers-th from `worker` on. Each row is in the share of one
/// worker, and shares differ by one row at most. Throws value_error for a worker that there is not, and for a negative number of rows.
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
