// SPDX-License-Identifier: MIT
// Options and reports of synchronous replicas.
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

/// When a run of several workers ends before its workers do.
struct crew_options {
    /// A worker that neither calls nor ends for this long is lost. The others continue, and its thread is left behind, because a thread
    /// cannot be ended from outside. Choose a time longer than any step, including the loading of data.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;      // if a loss leaves fewer workers, the run fails on all of them
    std::stop_token stop{};   // ends every wait
};

namespace detail {
/// Whether a worker can be lost. Longer times count as no deadline, because multiples of them overflow.
inline bool has_deadline(std::chrono::nanoseconds deadline) { return deadline < std::chrono::hours(24 * 365 * 50); }
inline std::int64_t milliseconds_of(std::chrono::nanoseconds t) { return std::chrono::duration_cast<std::chrono::milliseconds>(t).count(); }
}   // namespace detail

/// Options of synchronous replicas. `{.workers = 4, .replicas_to_aggregate = 3}` has one backup worker.
struct sync_options {
    int workers = 1;                 // total_num_replicas
    int replicas_to_aggregate = 0;   // 0: as many as there are workers
    /// Number of tokens at the start. -1 means replicas_to_aggregate, TensorFlow's default: the second gradient of each worker is then too
    /// old and is dropped. The minimum, replicas_to_aggregate - workers or 0, wastes no gradients.
    std::int64_t initial_tokens = -1;
    /// Whether the mean or the sum of the gradients moves the variables. TensorFlow's SyncReplicasOptimizer uses the mean. Its distribution
    /// strategies use the sum, of a loss divided by the number of replicas.
    xgrad::reduction reduction = xgrad::reduction::mean;
    /// Whether slices are sorted, and those of one row summed, before they are averaged. If false they are merged as in TensorFlow.
    bool sort_and_sum = true;
    std::stop_token stop{};   // ends every wait
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Whether workers read the trainer's variables instead of copies when no update can happen while they compute. That needs at least as
    /// many gradients as workers, the minimum of initial tokens, and no deadline. Otherwise each worker has copies, and receives new values
    /// with its token.
    bool share_variables = true;
    /// Over a transport: the number of ranks, from 0 on, that move variables. Each owns a share of about the same number of bytes.
    int owners = 1;
    /// Over a transport: a message is sent early once it has at least this many bytes of gradients, while others are still computed. At
    /// most four messages go to each owner.
    std::size_t message_bytes = std::size_t{1} << 20;
    /// How many of the last steps of each worker replicas.timeline() contains, at most a million.
    int timeline_steps = 0;
    /// Called after each update with the new global step, by the worker that has made the update. No other update happens before it
    /// returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
    /// Over a transport: whether on_update may change variables. If false, the tokens after an on_update are smaller. Of tables they carry
    /// only the rows that have moved. They omit variables that no update moves.
    bool on_update_changes = true;
};

/// What happened to the gradients of one worker.
struct worker_report {
    std::int64_t steps = 0, accepted = 0, dropped = 0;
    double waited = 0;    // seconds spent waiting for tokens
    double updated = 0;   // seconds of the updates that this worker has made
    bool lost = false;
};
/// The report of a run.
struct sync_report {
    std::vector<worker_report> workers;
    std::int64_t updates = 0;
    std::int64_t left = 0;   // accepted gradients since the last update
    double seconds = 0;      // since the begin of the run
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
