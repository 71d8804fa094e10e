// SPDX-License-Identifier: MIT
// How replicas train together, and what they say of it.
#pragma once

#include <xgrad/core/error.hpp>

#include <exception>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// A worker has thrown: what it said, and which one it was.
struct worker_error : error {
    int worker;
    std::exception_ptr cause;
    worker_error(int number, std::exception_ptr what, std::string const& text)
        : error(message({"xgrad: worker ", number, ": ", text})), worker(number), cause(std::move(what)) {}
};

/// How replicas train together. `{.workers = 4, .replicas_to_aggregate = 3}` has one backup worker.
struct sync_options {
    int workers = 1;                 // total_num_replicas
    int replicas_to_aggregate = 0;   // 0: as many as there are workers
    /// Tokens that are there at first. As many as replicas_to_aggregate, -1, is TensorFlow's default: each worker's second gradient is then too old and is
    /// dropped. The least number, replicas_to_aggregate - workers or 0, wastes none.
    std::int64_t initial_tokens = -1;
    /// Whether slices are sorted, and those of one row summed, before they are averaged. Without it they are merged as TensorFlow merges them.
    bool sort_and_sum = true;
    std::stop_token stop{};   // ends every wait
};

/// What has become of the gradients of one worker.
struct worker_report {
    std::int64_t steps = 0, accepted = 0, dropped = 0;
    double waited = 0;   // seconds, for tokens
};
/// Of a run.
struct sync_report {
    std::vector<worker_report> workers;
    std::int64_t updates = 0;
    std::int64_t left = 0;   // gradients that have come since the last update
    double seconds = 0;      // since it began
};

XGRAD_NAMESPACE_END
