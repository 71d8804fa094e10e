// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between threads: workers with variables of their own, and one update of the mean of their gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/replicas/sync/sync_replay.hpp>
#include <xgrad/replicas/sync/sync_runs.hpp>
#include <xgrad/replicas/sync/sync_session.hpp>

XGRAD_NAMESPACE_BEGIN

/// Workers in threads of one process, on the trainer of minimize<gating::graph>. Each computes gradients, and goes on when it has a token. The one whose
/// gradient is the last that is needed sums all of them, in the order of the workers, and updates the variables of the trainer with the mean, while the
/// gradients pass through the first cache. So what comes out depends on which gradients have been accepted, not on when they came.
///
/// Variables, slots and global step are those of the trainer, which stays where it is as long as the replicas live, and to which nothing else may be done
/// during run(). State of float or double that the trainer assigns becomes the mean of what the workers make of it.
template<class P>
class sync_replicas<trainer<P>, fused> : public detail::sync_runs<P, detail::sync_session<P>> {
    using session = detail::sync_session<P>;
    using runs = detail::sync_runs<P, session>;

public:
    /// The same replicas event by event, in one thread: what a schedule says, and nothing else, happens. So a trace of another system, or a schedule that
    /// was found to go wrong, is a test.
    class replay : public detail::sync_replay<session> {
        using base = detail::sync_replay<session>;
        using base::all_;
        using typename base::turn;
        trainer<P>& train_;

    public:
        /// All workers begin to compute with the variables as they are.
        explicit replay(sync_replicas& all) : base(all.begin(), all.train_), train_(all.train_) {}
        /// Worker k gives what it has computed; whether it counts. Throws value_error where it has computed nothing since the last token.
        bool push(int k) {
            turn const mine(this->turns());
            this->expect_computed(k);
            this->forget_computed(k);
            return all_->push(*all_->model_of(k));
        }
        /// Worker k takes a token and the variables as they are now; false where there is none. Throws value_error where it has not pushed.
        bool begin(int k) {
            turn const mine(this->turns());
            return all_->begin(k);
        }
        bool can_update() const { return all_->protocol().can_update(); }
        /// Of all gradients that have come, then on_update. Throws value_error where these are too few, and what on_update or a function
        /// among the hyper-parameters throws.
        void update() {
            turn const mine(this->turns());
            all_->protocol().expect_update();
            detail::trainer_access::begin(train_, all_->loss_scale());
            all_->update();
        }
        /// Tokens, local steps, fresh gradients.
        sync_protocol const& state() const { return all_->protocol(); }
    };

    /// Throws value_error where the first update could never be reached.
    explicit sync_replicas(trainer<P>& train, sync_options const& options = {}) : runs(train, {options, {}}) {}
    sync_replicas(trainer<P>& train, fused, sync_options const& options = {}) : runs(train, {options, {}}) {}
};
template<class P>
sync_replicas(trainer<P>&, sync_options const& = {}) -> sync_replicas<trainer<P>, fused>;
template<class P, class How>
sync_replicas(trainer<P>&, How const&, sync_options const& = {}) -> sync_replicas<trainer<P>, How>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
