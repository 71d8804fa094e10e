// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between the ranks of a transport, such as the processes of an MPI program.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/only_in_threads.hpp>
#include <xgrad/replicas/ranks/rank_session.hpp>
#include <xgrad/replicas/replicable.hpp>
#include <xgrad/replicas/ranks/sync_coordinator.hpp>
#include <xgrad/replicas/ranks/sync_owner.hpp>
#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/store/store_run.hpp>

#include <optional>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The worker of one rank.
template<class P, class T>
class rank_worker {
    rank_session<P, T>& session_;

public:
    explicit rank_worker(rank_session<P, T>& session) : session_(session) {}
    rank_worker(rank_worker const&) = delete;
    /// Computes gradients with the variables of the last token, gives them, and waits for a token: `worker(x = images)`. Returns the
    /// outputs; arrays are views that are valid until the next call.
    ///
    /// Throws like a call of the trainer; then nothing has been given. Throws cancelled_error if another worker has failed, a stop was
    /// requested, or this worker was left behind. Throws worker_error if rank 0 is lost.
    template<class... B>
    auto operator()(B const&... bindings) {
        session_.look();
        auto const outputs = session_.compute(bindings...);
        session_.give_and_wait();
        return outputs;
    }
    template<class... V>
    rank_worker& without(V const&...) {
        static_assert(sizeof...(V) == 0 && sizeof...(V) != 0,
            "xgrad: worker.without(v): these replicas have no separate accumulator for each variable; write sync_replicas(train, "
            "xgrad::faithful{}, options)");
        return *this;
    }
    /// The rank.
    int index() const { return session_.rank(); }
    /// The number of ranks, including those whose work has ended.
    int count() const { return session_.size(); }
};

}   // namespace detail

/// The same replicas as with threads, one worker in each rank of a transport: `xg::sync_replicas(train, xg::mpi{}, options)`. All ranks
/// must construct the same trainer and the same replicas, and call run() together.
///
/// - *State.* All ranks begin a run with the state of rank 0. After the run, even a failed one, all ranks have the variables, slots and
///   step of rank 0.
/// - *Updates.* A second thread in rank 0 makes them. With `owners` each of the first ranks has such a thread for its share of the
///   variables.
/// - `workers` is the number of ranks and may be omitted.
/// - `on_update` is called in rank 0 only.
/// - Only one of several replicas over the same transport may run at a time.
/// - A transport passed as an lvalue must outlive the replicas. Another one is moved into them.
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
class sync_replicas<trainer<P>, T> : public detail::only_in_threads {
    using transport = std::remove_reference_t<T>;
    trainer<P>& train_;
    T transport_;
    sync_options options_;

public:
    using worker = detail::rank_worker<P, transport>;

    /// Throws value_error if the first update could never happen, if `workers` differs from the number of ranks, or if there cannot be that
    /// many owners.
    explicit sync_replicas(trainer<P>& train, T&& over, sync_options const& options = {})
        : train_(train), transport_(std::forward<T>(over)), options_(options) {
        [[maybe_unused]] constexpr bool fits = detail::is_replicable<P>();
        detail::check_workers("sync replicas", options.workers, transport_.size());
        options_.workers = transport_.size();
        if (options.owners < 1 || options.owners > transport_.size())
            raise_parts<value_error>({"xgrad: sync replicas: ", options.owners, " owners among ", transport_.size(), " ranks"});
        sync_protocol const checked({options_.workers, options_.replicas_to_aggregate, options_.initial_tokens});
        detail::worker_crew const also({options_.deadline, options_.min_workers, {}});
        detail::worker_crew::check_least(options_.min_workers, options_.workers);
    }
    sync_replicas(sync_replicas const&) = delete;

    /// Calls `work(worker)` in this thread, and returns when the work of all ranks has ended.
    ///
    /// - If one worker throws, all others end at their next call or wait. run() throws worker_error in all ranks, with the number and text
    ///   of the failed worker.
    /// - A worker is lost if nothing arrives from it within `deadline` while it should compute. Partly sent gradients are discarded. The
    ///   others continue if at least `min_workers` are left; else worker_error names it in all ranks.
    /// - Throws value_error or shape_error before any computation if the ranks differ in variables, program or options.
    template<class Work>
    sync_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker,
            "xgrad: replicas.run(work): work cannot be called with a worker; write [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            detail::store_run const moves(train_.store(), "sync_replicas");
            auto link = detail::made_or_told(transport_, [&] { return detail::rank_link<transport>(transport_, options_.stop); });
            auto session = detail::made_or_told(transport_, [&] {
                step_driver::follow(train_);   // current addresses
                return detail::rank_session<P, transport>(train_, link, options_);
            });
            std::optional<detail::sync_coordinator<P, transport>> mine;
            std::optional<detail::sync_owner<P, transport>> owner;
            detail::serving_thread serving;   // ends when the other ranks know what was thrown here
            detail::made_or_told(transport_, [&] {
                if (link.rank() != 0) return;
                mine.emplace(train_, link, options_, session.shares());
                serving.start([&] { mine->serve(); });
            });
            return session.guarded([&] {
                if (int const k = link.rank(); session.begin() && k > 0 && k < options_.owners) {
                    auto const share = session.shares().begin() + k;
                    owner.emplace(train_, link, options_, share[0], share[1], session.run());
                    serving.start([&] { owner->serve(); });
                }
                return detail::work_in_rank<worker>(session, serving, mine, work);
            });
        } else return {};
    }
};
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
sync_replicas(trainer<P>&, T&&, sync_options const& = {}) -> sync_replicas<trainer<P>, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
