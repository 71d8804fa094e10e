// SPDX-License-Identifier: MIT
// The rules of TensorFlow's SyncReplicasOptimizer without threads, gradients and time: who may do what, and what that leads to.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/sequence.hpp>
#include <xgrad/replicas/worker_number.hpp>

#include <algorithm>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// How many workers there are, and how many of their gradients make an update.
struct sync_counts {
    int total_num_replicas = 1;      // N
    int replicas_to_aggregate = 0;   // R; 0: as many as there are workers. Fewer: the others are backup workers. More: workers give several
    std::int64_t initial_tokens = -1;   // -1: R
};

/// Workers compute a gradient, push it, and wait for a token, which says what the global step was when it was made. A gradient is fresh if its worker's
/// local step, the last token, is not older than the global step; R fresh ones make an update, which moves the global step and makes max(N, R) tokens, N those that are left. A
/// worker that ends, or is lost, before it has pushed gives its token back: so, as long as one worker is left, R fresh gradients can still come.
/// (TensorFlow loses that token, and the others wait for ever.)
///
/// A push is one of all variables. TensorFlow's go variable by variable; those in which all of one worker come together are among its orders.
class sync_protocol {
public:
    enum class phase : unsigned char { computing, waiting, gone };

private:
    struct worker {
        std::int64_t local_step;
        phase now;
        bool operator==(worker const&) const = default;
    };
    static constexpr std::int64_t most_tokens = 1000000;   // each is a number in memory
    int needed_;
    std::int64_t global_step_;
    std::int64_t fresh_ = 0;   // gradients that have come since the last update
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
    void give_back(std::int64_t token) {   // behind older ones and its equals: tokens stay in their order
        tokens_.push(token);
        for (int k = tokens_.count - 1; k > 0 && tokens_.at[k - 1] > token; --k) std::swap(tokens_.at[k], tokens_.at[k - 1]);
    }

public:
    /// All workers begin to compute at once, as of `global_step`. Throws value_error where the first update could never be reached.
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
    /// These and is_fresh throw value_error where there never was a worker k.
    std::int64_t local_step(int k) const { return worker_at(k).local_step; }
    phase phase_of(int k) const { return worker_at(k).now; }
    int worker_count() const { return workers_.count; }
    sequence<std::int64_t> const& tokens() const { return tokens_; }

    /// Whether the gradient that worker k computes would count if it came now.
    bool is_fresh(int k) const { return worker_at(k).local_step >= global_step_; }
    /// Throws value_error where worker k waits for a token, has ended or never was.
    void expect_computing(int k) const { expect(k, phase::computing, "compute or push a gradient"); }
    /// Worker k has pushed its gradient and waits for a token. Whether it counts.
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
    /// Whether there are enough gradients for an update, which is of all that have come.
    bool can_update() const { return fresh_ >= needed_; }
    void expect_update() const {
        if (!can_update()) raise_parts<value_error>({"xgrad: sync replicas: an update of ", fresh_, " gradients; it takes ", needed_});
    }
    /// Memory for the tokens of the next update. Throws std::bad_alloc.
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
    /// One worker more, which waits for its first token; its number. Its local step is not newer than the tokens that it may get.
    int join() {
        workers_.push({tokens_.count > 0 ? tokens_.at[0] : global_step_, phase::waiting});
        return workers_.count - 1;
    }
    /// Whether no worker ever computes while there are enough gradients for an update: then nobody needs variables of its own.
    bool is_exact() const {
        std::int64_t steps = fresh_ + tokens_.count;   // that can be fresh until the next update
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
