// SPDX-License-Identifier: MIT
// The user's view of workers that take their own steps in the ranks of a transport, for all methods.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/local_rank_session.hpp>
#include <xgrad/replicas/local/local_replicas.hpp>
#include <xgrad/replicas/ranks/only_in_threads.hpp>

#include <optional>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The same workers as in threads, one in each rank. All ranks must construct the same trainer and the same replicas, and call run()
/// together.
///
/// The trainer of rank 0 is the *centre*. All ranks begin a run with its state. In rank 0 a second thread makes the updates. After the run
/// all ranks have the centre's variables, slots and step. Each rank has its own rules.
///
/// - `workers` is the number of ranks and may be omitted.
/// - `on_update` is called in rank 0 only.
/// - Only one of several replicas over the same transport may run at a time.
/// - A transport passed as an lvalue must outlive the replicas. Another one is moved into them.
template<class P, class Method, class T>
    requires Transport<std::remove_reference_t<T>>
class local_replicas<P, Method, T> : public only_in_threads {
    using transport = std::remove_reference_t<T>;
    using host = local_rank_host<P, Method, transport>;
    trainer<P>& train_;
    T transport_;
    typename host::runs runs_;
    std::shared_ptr<typename Method::model> last_;   // in ranks other than 0

    static typename Method::settings of(typename Method::settings settings, int ranks) {
        check_workers(Method::name, settings.workers, ranks);
        settings.workers = ranks;
        worker_crew const checked({settings.deadline, settings.min_workers, {}});
        worker_crew::check_least(settings.min_workers, ranks);
        return settings;
    }

    // The model with which this rank's worker will begin the next run.
    std::shared_ptr<typename Method::model> own_model() {
        int const k = transport_.rank();
        if (k != 0) {
            if (last_ == nullptr || !last_->fits(train_)) {
                rules_of<P> const rules(train_);
                last_ = std::make_shared<typename Method::model>(new_worker<P>{train_, rules, k}, settings_);
            }
            return last_;
        }
        auto all = runs_.current();
        if (all == nullptr || !all->goes_on_from(train_)) {
            using session = local_session<P, Method>;
            all = std::make_shared<session>(train_, settings_, runs_.variables, all.get());
            std::lock_guard const lock(runs_.mutex);
            runs_.last = all;
        }
        return all->model_of(0);
    }

protected:
    typename Method::settings const settings_;

    local_replicas(trainer<P>& train, T&& over, typename Method::settings const& settings)
        : train_(train), transport_(std::forward<T>(over)), settings_(of(settings, transport_.size())) {
        [[maybe_unused]] constexpr bool fits = is_replicable<P>();
        Method::check(settings_);
    }
    ~local_replicas() = default;
    template<class F>
    auto with_variables(F const& f) const {
        return f(std::as_const(train_));
    }

public:
    using worker = local_rank_worker<P, Method, transport>;
    local_replicas(local_replicas const&) = delete;

    /// Calls `work(worker)` in this thread, and returns when the work of all ranks has ended.
    ///
    /// - If one worker throws, all others end at their next call or wait. run() throws worker_error in all ranks, with the number and text
    ///   of the failed worker.
    /// - A worker is lost if nothing arrives from it within `deadline` while no worker waits for another one. The others continue if at
    ///   least `min_workers` are left; else worker_error names it in all ranks.
    /// - Throws value_error or shape_error before any computation if the ranks differ in variables, program, method or options.
    template<class Work>
    local_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker,
            "xgrad: replicas.run(work): work cannot be called with a worker; write [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            store_run const moves(train_.store(), Method::name.data());
            auto link = made_or_told(transport_, [&] { return rank_link<transport>(transport_, settings_.stop); });
            auto session = made_or_told(transport_, [&] {
                step_driver::follow(train_);   // current addresses
                return local_rank_session<P, Method, transport>(train_, link, settings_);
            });
            std::optional<host> centre;
            serving_thread serving;   // ends when the other ranks know what was thrown here
            made_or_told(transport_, [&] {
                if (link.rank() != 0) return;
                centre.emplace(train_, link, settings_, runs_);
                serving.start([&] { centre->serve(); });
            });
            return session.guarded([&] {
                session.begin(last_, centre ? &*centre : nullptr);
                return work_in_rank<worker>(session, serving, centre, work);
            });
        } else return {};
    }
    /// What the worker of this rank keeps from run to run. Each rank saves and restores its own state. Throws value_error during a run.
    xgrad::worker_state worker_state() {
        store_run const alone(train_.store(), Method::name.data());
        return state_of<P, Method>(train_, 1, [&](int, bool&) { return own_model(); });
    }
    /// The worker continues with this state in the next run, if the trainer of rank 0 is unchanged until then. So rank 0 must restore its
    /// trainer first. Throws value_error during a run, or if the state is not of such a worker; nothing has been changed then.
    void set_worker_state(xgrad::worker_state const& state) {
        if (xgrad::worker_state mine = worker_state(); !mine.assign(state.numbers())) refuse_state(Method::name);
        store_run const alone(train_.store(), Method::name.data());
        read_state<P, Method>(state, 1, [&](int, bool) { return own_model(); });
    }
    /// A report of the current or last run so far, from any thread. In ranks other than 0 it is empty.
    local_report progress() const {
        auto const all = runs_.current();
        return all == nullptr ? local_report{} : all->snapshot();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
