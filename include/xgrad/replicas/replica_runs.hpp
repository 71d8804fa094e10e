// SPDX-License-Identifier: MIT
// What replicas in threads can be asked for, whatever the method: runs, one after the other.
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

/// `Session` is one run, made of the trainer, its `settings`, among them `workers`, the mutex of the variables, and the run before it or null.
template<class P, class Session>
class replica_runs {
    mutable fair_shared_mutex variables_;   // of the trainer
    mutable std::mutex mutex_;              // of what follows
    std::shared_ptr<Session> session_;      // the present or the last run
    bool running_ = false;

    std::shared_ptr<Session> current() const {
        std::lock_guard const lock(mutex_);
        return session_;
    }
    void set_running(bool running) {
        std::lock_guard const lock(mutex_);
        if (running && running_) raise<value_error>("xgrad: replicas.run(work): a run of these replicas goes on; wait for its end");
        running_ = running;
    }
    struct only_run {   // of these replicas
        replica_runs& all;
        explicit only_run(replica_runs& r) : all(r) { all.set_running(true); }
        only_run(only_run const&) = delete;
        ~only_run() { all.set_running(false); }
    };
    struct running {
        only_run of_these;
        store_run of_all;   // that move the variables
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

    /// For a replay. Throws value_error while threads run.
    std::shared_ptr<Session> begin() {
        running const alone(*this);
        return next();
    }
    /// f of the last run, or, where there was none or the trainer has been moved since, of one that begins.
    template<class F>
    auto between_runs(F const& f) {
        running const alone(*this);
        auto last = current();
        return f(last != nullptr && last->goes_on_from(train_) ? *last : *next());
    }
    /// Calls `f(train)` while no update runs, to save or to evaluate; from any thread. No gradient that has come without an update is in the variables, so
    /// what is saved goes on as if these had not been computed.
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

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended. A worker that ends leaves the rest to the others. What one of them
    /// throws ends all others at their next call or wait, and comes out as worker_error when they have. One that is lost, which is for longer than
    /// `deadline` without a call, is left behind in its thread: what it computes is discarded, the others go on if at least `min_workers` are left, else
    /// worker_error names it. What a `work` that is a temporary holds lives on with it; what it refers to must live on by itself. Throws value_error while
    /// another run goes on, of these or of other replicas of the variables, std::system_error where a thread cannot be started. Until it
    /// returns, nobody else steps, changes, restores or saves the trainer: such calls throw binding_error, but for those within on_update
    /// and with_variables(f).
    template<class Work>
    report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker, "xgrad: replicas.run(work): work is a function of a worker, [&](auto& worker) { worker(x = images); }");
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
    /// One worker more in the run that goes on, from any thread: of synchronous replicas it begins with the next token, of the others with the variables of the
    /// centre. Its number. Throws value_error where nothing runs, or where synchronous workers share the variables and would be more than
    /// replicas_to_aggregate; std::bad_alloc, std::system_error.
    int add_worker() {
        auto const all = current();
        if (all == nullptr) raise<value_error>("xgrad: replicas.add_worker(): a worker can join only while others work");
        return all->crew.add(*all);
    }
    /// What workers have done up to now, or in the last run; from any thread.
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
