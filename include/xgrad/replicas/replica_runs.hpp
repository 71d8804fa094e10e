// SPDX-License-Identifier: MIT
// The user's view of replicas in threads, for all methods: runs, one after the other.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/fair_shared_mutex.hpp>
#include <xgrad/replicas/reports/timeline.hpp>
#include <xgrad/replicas/worker_crew.hpp>
#include <xgrad/store/store_run.hpp>
#include <xgrad/train/trainer.hpp>

#include <memory>
#include <mutex>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// `Session` is one run. It is constructed from the trainer, its `settings` (which contain `workers`), the mutex of the variables, and the
/// previous run or null.
template<class P, class Session>
class replica_runs {
    mutable fair_shared_mutex variables_;   // of the trainer
    mutable std::mutex mutex_;              // guards everything below
    std::shared_ptr<Session> session_;      // the current or last run
    bool running_ = false;

    std::shared_ptr<Session> current() const {
        std::lock_guard const lock(mutex_);
        return session_;
    }
    void set_running(bool running) {
        std::lock_guard const lock(mutex_);
        if (running && running_) raise<value_error>("xgrad: replicas.run(work): a run of these replicas has not ended; wait for its end");
        running_ = running;
    }
    // Allows one run of these replicas at a time.
    struct only_run {
        replica_runs& all;
        explicit only_run(replica_runs& r) : all(r) { all.set_running(true); }
        only_run(only_run const&) = delete;
        ~only_run() { all.set_running(false); }
    };
    struct running {
        only_run of_these;
        store_run of_all;   // allows one run that moves these variables
        explicit running(replica_runs& r) : of_these(r), of_all(r.train_.store(), Session::driver) {}
    };
    std::shared_ptr<Session> next() {
        std::shared_ptr<Session> const last = current();
        auto fresh = std::make_shared<Session>(train_, settings_, variables_, last.get());
        std::lock_guard const lock(mutex_);
        return session_ = std::move(fresh);
    }

protected:
    trainer<P>& train_;
    typename Session::settings settings_;

    replica_runs(trainer<P>& train, typename Session::settings const& settings) : train_(train), settings_(settings) {
        worker_crew const checked({settings.deadline, settings.min_workers, {}});
        if (settings.workers > 0) worker_crew::check_least(settings.min_workers, settings.workers);
    }
    ~replica_runs() = default;

    /// Begins a replay. Throws value_error during a run.
    std::shared_ptr<Session> begin() {
        running const alone(*this);
        return next();
    }
    /// Calls f with the last run. If there was none, or the trainer has been moved since, calls it with a new run.
    template<class F>
    auto between_runs(F const& f) {
        running const alone(*this);
        auto last = current();
        return f(last != nullptr && last->goes_on_from(train_) ? *last : *next());
    }
    /// Calls `f(train)` while no update runs, to save or to evaluate; from any thread. The variables contain whole updates only. A program
    /// that restores them continues as if later gradients had not been computed.
    template<class F>
    auto with_variables(F const& f) const {
        std::shared_lock const reading(variables_);
        store_visit const mine(train_.store());
        return f(static_cast<trainer<P> const&>(train_));
    }

public:
    replica_runs(replica_runs const&) = delete;
    using worker = typename Session::worker;
    using report = typename Session::report_type;

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended.
    ///
    /// - *End.* A worker that ends leaves the rest of the work to the others.
    /// - *Failure.* If one worker throws, all others end at their next call or wait. Then run throws worker_error.
    /// - *Lost workers.* A worker that makes no call for longer than `deadline` is lost. Its thread is not waited for, and what it computes
    ///   is discarded. The others continue if at least `min_workers` are left; else worker_error names it.
    /// - *Lifetime.* If `work` is a temporary, a thread that was left behind keeps it alive. Everything that `work` refers to must stay
    ///   alive by itself.
    /// - *The trainer.* Until run returns, no other code may step, change, restore or save it: such calls throw binding_error, except those
    ///   within on_update and with_variables(f).
    ///
    /// Throws value_error during another run, of these or of other replicas of the variables, and std::system_error if a thread cannot be
    /// started.
    template<class Work>
    report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker,
            "xgrad: replicas.run(work): work cannot be called with a worker; write [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            running const alone(*this);
            auto const all = next();
            try {
                Session::run(all, std::forward<Work>(work), settings_.workers);
            } catch (...) {
                all->finish();
                throw;
            }
            all->finish();
            return all->snapshot();
        } else return {};
    }
    /// Adds a worker to the current run, from any thread; returns its number. In synchronous replicas it begins with the next token, in
    /// others with the variables of the centre.
    /// Throws value_error if nothing runs, or if synchronous workers share the variables and would be more than replicas_to_aggregate;
    /// std::bad_alloc, std::system_error.
    int add_worker() {
        auto const all = current();
        if (all == nullptr) raise<value_error>("xgrad: replicas.add_worker(): a worker can join only while others work");
        return all->crew.add(*all);
    }
    /// A report of the current run so far, or of the last run; from any thread.
    report progress() const {
        auto const all = current();
        return all == nullptr ? report{} : all->snapshot();
    }

protected:
    xgrad::timeline timeline_of_run() const {
        auto const all = current();
        return all == nullptr ? xgrad::timeline{} : all->times.timeline();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
