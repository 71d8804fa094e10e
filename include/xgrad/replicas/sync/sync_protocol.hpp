// SPDX-License-Identifier: MIT
// The rules of TensorFlow's SyncReplicasOptimizer without threads, gradients and time: which events are possible, and their effects.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/sequence.hpp>
#include <xgrad/replicas/worker_number.hpp>

#include <algorithm>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// The number of workers, and the number of gradients in an update.
struct sync_counts {
    int total_num_replicas = 1;   // N
    /// R; 0: as many as there are workers. If R is smaller, the others are backup workers. If R is larger, workers give several gradients
    /// for an update.
    int replicas_to_aggregate = 0;
    std::int64_t initial_tokens = -1;   // -1: R
};

/// The state of N workers, a global step, and a queue of tokens. A token is the global step at which it was made. A worker's local step is
/// its last token.
///
///     computing --push--> waiting --begin: takes a token--> computing
///     computing, waiting --end or loss--> gone
///
/// - A gradient is fresh if its worker's local step is not older than the global step.
/// - R fresh gradients make an update. It increments the global step and makes max(N, R) tokens, where N counts the workers that are left.
/// - A worker that ends or is lost before its push gives its token back. So R fresh gradients can still come as long as one worker is left.
///   (TensorFlow loses that token, and the others wait forever.)
///
/// A push carries the gradients of all variables. In TensorFlow gradients are pushed variable by variable. An order in which all
/// gradients of a worker arrive together is one of its possible orders.
class sync_protocol {
public:
    enum class phase : unsigned char { computing, waiting, gone };

private:
    struct worker {
        std::int64_t local_step;
        phase now;
        bool operator==(worker const&) const = default;
    };
    static constexpr std::int64_t most_tokens = 1000000;   // each takes memory
    int needed_;
    std::int64_t global_step_;
    std::int64_t fresh_ = 0;   // fresh gradients since the last update
    sequence<worker> workers_;
    sequence<std::int64_t> tokens_;   // first in, first out

    worker const& worker_at(int k) const {
        detail::expect_worker_number("sync replicas", k, workers_.count);
        return workers_.at[k];
    }
    void expect(int k, phase p, char const* event) const {
        if (worker_at(k).now != p) raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " cannot ", event, " now"});
    }
    void leave(int k) {
        worker& w = workers_.at[k];
        if (w.now == phase::computing && w.local_step >= global_step_) give_back(w.local_step);
        w.now = phase::gone;
    }
    // Keeps tokens in ascending order, after equal ones.
    void give_back(std::int64_t token) {
        tokens_.push(token);
        for (int k = tokens_.count - 1; k > 0 && tokens_.at[k - 1] > token; --k) std::swap(tokens_.at[k], tokens_.at[k - 1]);
    }

public:
    /// All workers begin to compute at `global_step`. Throws value_error if the first update could never happen.
    explicit sync_protocol(sync_counts const& counts, std::int64_t global_step = 0) : global_step_(global_step) {
        int const n = counts.total_num_replicas, r = counts.replicas_to_aggregate == 0 ? n : counts.replicas_to_aggregate;
        if (n < 1) raise_parts<value_error>({"xgrad: sync replicas: total_num_replicas must be positive, but is ", n});
        if (r < 1) raise_parts<value_error>({"xgrad: sync replicas: replicas_to_aggregate must be positive, but is ", r});
        std::int64_t const initial = counts.initial_tokens == -1 ? r : counts.initial_tokens;
        if (initial < r - n)
            raise_parts<value_error>({"xgrad: sync replicas: too few tokens to finish the first step: ", initial, " (given) vs ", r - n,
                " (needed, replicas_to_aggregate - total_num_replicas)"});
        if (initial > most_tokens)
            raise_parts<value_error>({"xgrad: sync replicas: initial_tokens must be at most ", most_tokens, ", but is ", initial});
        needed_ = r;
        for (int k = 0; k < n; ++k) workers_.push({global_step, phase::computing});
        for (std::int64_t k = 0; k < initial; ++k) tokens_.push(global_step);
    }
    sync_protocol(sync_protocol const&) = default;

    int needed() const { return needed_; }
    int tokens_per_update() const { return std::max(active(), needed_); }
    std::int64_t global_step() const { return global_step_; }
    std::int64_t fresh() const { return fresh_; }
    /// These and is_fresh throw value_error if there was never a worker k.
    std::int64_t local_step(int k) const { return worker_at(k).local_step; }
    phase phase_of(int k) const { return worker_at(k).now; }
    int worker_count() const { return workers_.count; }
    sequence<std::int64_t> const& tokens() const { return tokens_; }

    /// Whether the gradient that worker k is computing would count if it were pushed now.
    bool is_fresh(int k) const { return worker_at(k).local_step >= global_step_; }
    /// Throws value_error if worker k waits for a token, has ended or never existed.
    void expect_computing(int k) const { expect(k, phase::computing, "compute or push a gradient"); }
    /// Worker k has pushed its gradient and now waits for a token. Returns whether the gradient counts.
    bool push(int k) {
        expect_computing(k);
        workers_.at[k].now = phase::waiting;
        bool const counts = is_fresh(k);
        fresh_ += counts;
        return counts;
    }
    /// Worker k begins its next step if there is a token.
    bool begin(int k) {
        expect(k, phase::waiting, "take a token");
        if (tokens_.count == 0) return false;
        workers_.at[k] = {tokens_.at[0], phase::computing};
        for (int i = 1; i < tokens_.count; ++i) tokens_.at[i - 1] = tokens_.at[i];
        --tokens_.count;
        return true;
    }
    /// Whether there are enough gradients for an update. An update uses all fresh gradients.
    bool can_update() const { return fresh_ >= needed_; }
    void expect_update() const {
        if (!can_update()) raise_parts<value_error>({"xgrad: sync replicas: an update of ", fresh_, " gradients; it takes ", needed_});
    }
    /// Allocates memory for the tokens of the next update. Throws std::bad_alloc.
    void make_room() {
        int const now = tokens_.count;
        for (int k = tokens_per_update(); k > 0; --k) tokens_.push(global_step_);
        tokens_.count = now;
    }
    void update() {
        expect_update();
        fresh_ = 0;
        ++global_step_;
        for (int k = tokens_per_update(); k > 0; --k) tokens_.push(global_step_);
    }
    /// Worker k ends, or is lost. What it has pushed counts.
    void end(int k) {
        if (worker_at(k).now == phase::gone) raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " cannot end now"});
        leave(k);
    }
    int active() const {
        int n = 0;
        for (worker const& w : workers_) n += w.now != phase::gone;
        return n;
    }
    /// Adds a worker that waits for its first token; returns its number. Its local step is at most as new as the tokens that it may get.
    int join() {
        workers_.push({tokens_.count > 0 ? tokens_.at[0] : global_step_, phase::waiting});
        return workers_.count - 1;
    }
    /// True if workers never compute during an update. Then workers need no copies of the variables.
    bool is_exact() const {
        std::int64_t steps = fresh_ + tokens_.count;   // steps that can be fresh until the next update
        for (worker const& w : workers_) steps += w.now == phase::computing;
        return steps <= needed_ && active() <= needed_;
    }
    bool operator==(sync_protocol const& o) const {
        return global_step_ == o.global_step_ && fresh_ == o.fresh_ &&
               std::equal(workers_.begin(), workers_.end(), o.workers_.begin(), o.workers_.end()) &&
               std::equal(tokens_.begin(), tokens_.end(), o.tokens_.begin(), o.tokens_.end());
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
