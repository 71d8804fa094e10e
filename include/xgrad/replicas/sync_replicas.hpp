// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between threads: workers with variables of their own, and one update of the mean of their gradients.
#pragma once

#include <xgrad/replicas/replicable.hpp>
#include <xgrad/replicas/sync_policy.hpp>
#include <xgrad/replicas/sync_session.hpp>

XGRAD_NAMESPACE_BEGIN

/// Workers in threads of one process, on the trainer of minimize<gating::graph>. Each computes gradients, and goes on when it has a token. The one whose
/// gradient is the last that is needed sums all of them, in the order of the workers, and updates the variables of the trainer with the mean, while the
/// gradients pass through the first cache. So what comes out depends on which gradients have been accepted, not on when they came.
///
/// Variables, slots and global step are those of the trainer, which stays where it is as long as the replicas live, and to which nothing else may be done
/// during run(). State of float or double that the trainer assigns becomes the mean of what the workers make of it.
template<class P>
class sync_replicas<trainer<P>, fused> {
    using session = detail::sync_session<P>;
    trainer<P>& train_;
    sync_options options_;
    mutable detail::fair_shared_mutex variables_;   // of the trainer
    mutable std::mutex mutex_;
    std::shared_ptr<session> session_;   // the present or the last run

    std::shared_ptr<session> current() const {
        std::lock_guard const lock(mutex_);
        return session_;
    }
    std::shared_ptr<session> begin() {
        auto fresh = std::make_shared<session>(train_, options_, variables_);
        std::lock_guard const lock(mutex_);
        return session_ = std::move(fresh);
    }

public:
    using worker = typename session::worker;

    /// The same replicas event by event, in one thread: what a schedule says, and nothing else, happens. So a trace of another system, or a schedule that
    /// was found to go wrong, is a test.
    class replay {
        trainer<P>& train_;
        std::shared_ptr<session> all_;
        std::vector<bool> computed_;

    public:
        /// All workers begin to compute with the variables as they are.
        explicit replay(sync_replicas& all) : train_(all.train_), all_(all.begin()) {
            computed_.assign(static_cast<std::size_t>(all_->worker_count()), false);
        }
        replay(replay const&) = delete;
        ~replay() { all_->finish(); }
        /// Worker k computes gradients with the variables that it has. Throws as a call of the trainer, value_error where it waits for a token or has ended.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            all_->protocol().expect_computing(k);
            auto const at = static_cast<std::size_t>(k);
            computed_[at] = false;
            auto const outputs = all_->model_of(k).compute(bindings...);
            computed_[at] = true;
            return outputs;
        }
        /// Worker k gives what it has computed; whether it counts. Throws value_error where it has computed nothing since the last token.
        bool push(int k) {
            all_->protocol().expect_computing(k);
            if (!computed_[static_cast<std::size_t>(k)])
                raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " has computed no gradient to push"});
            computed_[static_cast<std::size_t>(k)] = false;
            return all_->push(all_->model_of(k));
        }
        /// Worker k takes a token and the variables as they are now; false where there is none. Throws value_error where it has not pushed.
        bool begin(int k) { return all_->begin(k); }
        bool can_update() const { return all_->protocol().can_update(); }
        /// Of all gradients that have come. Throws value_error where these are too few, and what a function among the hyper-parameters throws.
        void update() {
            all_->protocol().expect_update();
            detail::trainer_access::begin(train_);
            all_->update();
        }
        void end(int k) { all_->end(k); }
        /// One worker more, which waits for a token; its number.
        int join() {
            all_->join();
            computed_.push_back(false);
            return static_cast<int>(computed_.size()) - 1;
        }
        /// Tokens, local steps, fresh gradients.
        sync_protocol const& state() const { return all_->protocol(); }
    };

    /// Throws value_error where the first update could never be reached.
    explicit sync_replicas(trainer<P>& train, sync_options const& options = {}) : train_(train), options_(options) {
        [[maybe_unused]] constexpr bool fits = detail::is_replicable<P>();
        sync_protocol const checked({options.workers, options.replicas_to_aggregate, options.initial_tokens});
        detail::worker_crew const also({options.deadline, options.min_workers, {}});
    }
    sync_replicas(trainer<P>& train, fused, sync_options const& options = {}) : sync_replicas(train, options) {}
    sync_replicas(sync_replicas const&) = delete;

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended. A worker that ends leaves the rest to the others. What one of them
    /// throws ends all others at their next call or wait, and comes out as worker_error when they have. One that is lost, which is for longer than
    /// `deadline` without a call, is left behind in its thread: what it computes is discarded, the others go on if at least `min_workers` are left, else
    /// worker_error names it. What a `work` that is a temporary holds lives on with it; what it refers to must live on by itself. Throws std::system_error
    /// where a thread cannot be started.
    template<class Work>
    sync_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker, "xgrad: replicas.run(work): work is a function of a worker, [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            auto const all = begin();
            try {
                all->crew.run(all, std::forward<Work>(work), options_.workers);
            } catch (...) {
                all->finish();
                throw;
            }
            all->finish();
            return all->snapshot();
        } else return {};
    }
    /// One worker more in the run that goes on, from any thread: it begins with the next token. Its number. Throws value_error where nothing runs, or where the
    /// workers share the variables and would be more than replicas_to_aggregate; std::bad_alloc, std::system_error.
    int add_worker() {
        auto const all = current();
        if (all == nullptr) raise<value_error>("xgrad: replicas.add_worker(): a worker can join only while others work");
        return all->crew.add(*all);
    }
    /// What has become of the gradients up to now, or in the last run; from any thread.
    sync_report progress() const {
        auto const all = current();
        return all == nullptr ? sync_report{} : all->snapshot();
    }
    /// When the workers that a run began with computed, waited and updated in their last steps, as many as `timeline_steps`; from any thread.
    xgrad::timeline timeline() const {
        auto const all = current();
        return all == nullptr ? xgrad::timeline{} : all->timeline();
    }
    /// Calls `f(train)` while no update runs, to save or to evaluate; from any thread. No gradient that has come without an update is in the variables, so
    /// what is saved goes on as if these had not been computed.
    template<class F>
    auto with_variables(F const& f) const {
        std::shared_lock const reading(variables_);
        return f(static_cast<trainer<P> const&>(train_));
    }
};
template<class P>
sync_replicas(trainer<P>&, sync_options const& = {}) -> sync_replicas<trainer<P>, fused>;
template<class P, class How>
sync_replicas(trainer<P>&, How const&, sync_options const& = {}) -> sync_replicas<trainer<P>, How>;

XGRAD_NAMESPACE_END
