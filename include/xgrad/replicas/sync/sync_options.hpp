// SPDX-License-Identifier: MIT
// How replicas train together, and what they say of it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/rule_state.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// When a run of several workers ends before they do.
struct crew_options {
    /// A worker that neither calls nor ends for so long is lost: the others go on, and its thread is left behind, because it cannot be ended from outside.
    /// Longer than any step takes, data and all.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;      // with fewer left when one is lost, the run fails on all
    std::stop_token stop{};   // ends every wait
};

namespace detail {
/// Whether anybody can be lost: some times a longer time overflows.
inline bool has_deadline(std::chrono::nanoseconds deadline) { return deadline < std::chrono::hours(24 * 365 * 50); }
inline std::int64_t milliseconds_of(std::chrono::nanoseconds t) { return std::chrono::duration_cast<std::chrono::milliseconds>(t).count(); }
}   // namespace detail

/// How replicas train together. `{.workers = 4, .replicas_to_aggregate = 3}` has one backup worker.
struct sync_options {
    int workers = 1;                 // total_num_replicas
    int replicas_to_aggregate = 0;   // 0: as many as there are workers
    /// Tokens that are there at first. As many as replicas_to_aggregate, -1, is TensorFlow's default: each worker's second gradient is then too old and is
    /// dropped. The least number, replicas_to_aggregate - workers or 0, wastes none.
    std::int64_t initial_tokens = -1;
    /// What the variables are moved by: TensorFlow's SyncReplicasOptimizer takes the mean. The sum is what its distribution strategies take, whose loss is
    /// divided by the number of replicas.
    xgrad::reduction reduction = xgrad::reduction::mean;
    /// Whether slices are sorted, and those of one row summed, before they are averaged. Without it they are merged as TensorFlow merges them.
    bool sort_and_sum = true;
    std::stop_token stop{};   // ends every wait
    /// A worker that neither calls nor ends for so long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // with fewer left when one is lost, the run fails on all
    /// Whether workers read the variables of the trainer itself where no update can come while they compute: with as many gradients as workers or more, the
    /// least number of initial tokens and no deadline. Else each has copies, and takes the new values with its token.
    bool share_variables = true;
    /// Over a transport: how many ranks, from 0 on, move the variables, each a share of about as many bytes.
    int owners = 1;
    /// Over a transport: gradients of at least so many bytes leave in a message of their own, while the others are computed; four messages at most to each owner.
    std::size_t message_bytes = std::size_t{1} << 20;
    int timeline_steps = 0;   // how many steps of each worker replicas.timeline() has, the last ones, at most a million
    /// Called behind each update with the new global step, by the worker that has updated; no other update comes before it returns. What it throws ends the run.
    std::function<void(std::int64_t)> on_update{};
    /// Over a transport: whether on_update may change variables. Without that a token behind it can do with the rows of tables that have moved, and has none of
    /// what no update moves.
    bool on_update_changes = true;
};

/// What has become of the gradients of one worker.
struct worker_report {
    std::int64_t steps = 0, accepted = 0, dropped = 0;
    double waited = 0;    // seconds, for tokens
    double updated = 0;   // seconds, of updates that this worker made
    bool lost = false;
};
/// Of a run.
struct sync_report {
    std::vector<worker_report> workers;
    std::int64_t updates = 0;
    std::int64_t left = 0;   // gradients that have come since the last update
    double seconds = 0;      // since it began
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
