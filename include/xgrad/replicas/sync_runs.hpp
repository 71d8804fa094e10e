// SPDX-License-Identifier: MIT
// What synchronous replicas can be asked for, however they are made: runs, one after the other.
#pragma once

#include <xgrad/replicas/fair_shared_mutex.hpp>
#include <xgrad/replicas/replicable.hpp>
#include <xgrad/replicas/run_clock.hpp>
#include <xgrad/replicas/sync_protocol.hpp>
#include <xgrad/replicas/worker_crew.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// `Session` is one run, made of trainer, options, policy and the mutex of the variables.
template<class P, class How, class Session>
class sync_runs {
    How how_;
    sync_options options_;
    mutable fair_shared_mutex variables_;   // of the trainer
    mutable std::mutex mutex_;
    std::shared_ptr<Session> session_;   // the present or the last run

    std::shared_ptr<Session> current() const {
        std::lock_guard const lock(mutex_);
        return session_;
    }

protected:
    trainer<P>& train_;

    sync_runs(trainer<P>& train, How const& how, sync_options const& options) : how_(how), options_(options), train_(train) {
        [[maybe_unused]] constexpr bool fits = is_replicable<P>();
        sync_protocol const checked({options.workers, options.replicas_to_aggregate, options.initial_tokens});
        worker_crew const also({options.deadline, options.min_workers, {}});
    }
    sync_runs(sync_runs const&) = delete;

    std::shared_ptr<Session> begin() {
        auto fresh = std::make_shared<Session>(train_, options_, how_, variables_);
        std::lock_guard const lock(mutex_);
        return session_ = std::move(fresh);
    }

public:
    using worker = typename Session::worker;

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
                Session::run(all, std::forward<Work>(work), options_.workers);
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
        return all == nullptr ? xgrad::timeline{} : all->times.timeline();
    }
    /// Calls `f(train)` while no update runs, to save or to evaluate; from any thread. No gradient that has come without an update is in the variables, so
    /// what is saved goes on as if these had not been computed.
    template<class F>
    auto with_variables(F const& f) const {
        std::shared_lock const reading(variables_);
        return f(static_cast<trainer<P> const&>(train_));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
