// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between threads: each update moves the variables by the mean of the workers' gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/replicas/sync/sync_replay.hpp>
#include <xgrad/replicas/sync/sync_runs.hpp>
#include <xgrad/replicas/sync/sync_session.hpp>

XGRAD_NAMESPACE_BEGIN

/// Workers in threads of one process, for a trainer of minimize<gating::graph>.
///
/// Each worker computes gradients and continues when it has a token. The worker that gives the last gradient needed makes the update. It
/// sums the gradients in the order of the workers, and updates the trainer's variables with the mean. It does both block by block, while a
/// block is in the first-level cache. So the result depends on which gradients were accepted, not on when they came.
///
/// Variables, slots and global step are those of the trainer. Keep it in place while the replicas exist, and do nothing else with it during
/// run(). Assigned state of float or double becomes the mean of what the workers compute for it.
template<class P>
class sync_replicas<trainer<P>, fused> : public detail::sync_runs<P, detail::sync_session<P>> {
    using session = detail::sync_session<P>;
    using runs = detail::sync_runs<P, session>;

public:
    /// Runs the same replicas event by event in one thread, in the order of a schedule. A trace of another system, or a schedule that has
    /// failed, can so become a test.
    class replay : public detail::sync_replay<session> {
        using base = detail::sync_replay<session>;
        using base::all_;
        using typename base::turn;
        trainer<P>& train_;

    public:
        /// All workers begin to compute with the current variables.
        explicit replay(sync_replicas& all) : base(all.begin(), all.train_), train_(all.train_) {}
        /// Worker k gives its computed gradient; returns whether it counts. Throws value_error if the worker has computed nothing since its
        /// last token.
        bool push(int k) {
            turn const mine(this->turns());
            this->expect_computed(k);
            this->forget_computed(k);
            return all_->push(*all_->model_of(k));
        }
        /// Worker k takes a token and the current variables; false if there is no token. Throws value_error if it has not pushed.
        bool begin(int k) {
            turn const mine(this->turns());
            return all_->begin(k);
        }
        bool can_update() const { return all_->protocol().can_update(); }
        /// Makes an update of all gradients that have come, then calls on_update. Throws value_error if there are too few gradients, and
        /// what on_update or a function among the hyper-parameters throws.
        void update() {
            turn const mine(this->turns());
            all_->protocol().expect_update();
            step_driver::begin(train_, all_->loss_scale());
            all_->update();
        }
        /// Tokens, local steps, fresh gradients.
        sync_protocol const& state() const { return all_->protocol(); }
    };

    /// Throws value_error if the first update could never happen.
    explicit sync_replicas(trainer<P>& train, sync_options const& options = {}) : runs(train, {options, {}}) {}
    sync_replicas(trainer<P>& train, fused, sync_options const& options = {}) : runs(train, {options, {}}) {}
};
template<class P>
sync_replicas(trainer<P>&, sync_options const& = {}) -> sync_replicas<trainer<P>, fused>;
template<class P, class How>
sync_replicas(trainer<P>&, How const&, sync_options const& = {}) -> sync_replicas<trainer<P>, How>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
