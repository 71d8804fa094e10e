// SPDX-License-Identifier: MIT
// What users hold of workers that take steps of their own, whatever the method.
#pragma once

#include <xgrad/replicas/local_session.hpp>
#include <xgrad/replicas/replicable.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Workers in threads of one process, each with variables, slots and scalars of its own; the trainer is the *centre*. Its variables, slots and global
/// step are what is saved and what counts; it stays where it is as long as the replicas live, and nothing else may be done to it during run().
/// Functions among the hyper-parameters are called by all workers, at the same time.
///
/// A run begins with the variables of the centre in all workers, and nothing to be exchanged. Their slots go on from run to run.
template<class P, class Method>
class local_replicas {
    using session = local_session<P, Method>;
    trainer<P>& train_;
    mutable std::mutex mutex_;
    std::shared_ptr<session> session_;   // of the present or the last run

    std::shared_ptr<session> current() const {
        std::lock_guard const lock(mutex_);
        return session_;
    }
    std::shared_ptr<session> begin() {
        std::shared_ptr<session> const last = current();
        auto fresh = std::make_shared<session>(train_, settings_, last.get());
        std::lock_guard const lock(mutex_);
        return session_ = std::move(fresh);
    }

protected:
    typename Method::settings settings_;

    local_replicas(trainer<P>& train, typename Method::settings const& settings) : train_(train), settings_(settings) {
        if (settings.workers < 1)
            raise_parts<value_error>({"xgrad: ", Method::name, ": workers must be positive, but is ", settings.workers});
        worker_crew const also({settings.deadline, settings.min_workers, {}});
    }
    ~local_replicas() = default;

public:
    local_replicas(local_replicas const&) = delete;
    using worker = typename session::worker;

    /// The same replicas event by event, in one thread: what a schedule says, and nothing else, happens.
    class replay {
        std::shared_ptr<session> all_;
        std::vector<bool> computed_;

    public:
        /// All workers begin with the variables as they are.
        explicit replay(local_replicas& all) : all_(all.begin()) {
            computed_.assign(static_cast<std::size_t>(all_->worker_count()), false);
        }
        replay(replay const&) = delete;
        ~replay() { all_->finish(); }
        /// Worker k computes gradients with the variables that it has. Throws as a call of the trainer, value_error where it waits for the others or
        /// has ended.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            all_->expect_computing(k);
            auto const at = static_cast<std::size_t>(k);
            computed_[at] = false;
            auto const outputs = all_->model_of(k)->compute(bindings...);
            computed_[at] = true;
            return outputs;
        }
        /// Its own step with what it has computed, and the exchange, if it is time for that. Whether the centre has moved: where workers meet this is
        /// so when the last one comes, and then all have the new variables. Throws value_error where it has computed nothing since its last step.
        bool step(int k) {
            all_->expect_computing(k);
            if (!computed_[static_cast<std::size_t>(k)])
                raise_parts<value_error>({"xgrad: replicas: worker ", k, " has computed no gradient for a step"});
            computed_[static_cast<std::size_t>(k)] = false;
            return all_->step_in_replay(*all_->model_of(k));
        }
        void end(int k) { all_->end_in_replay(k); }
        /// One worker more, which begins with the variables of the centre; its number.
        int join() {
            all_->join();
            computed_.push_back(false);
            return static_cast<int>(computed_.size()) - 1;
        }
        /// The trainer of worker k: its variables and slots.
        trainer<P>& own(int k) { return all_->model_of(k)->train; }
        local_report report() const { return all_->snapshot(); }
    };

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended. A worker that ends leaves the rest to the others; its steps
    /// since it last exchanged anything are left out. What one of them throws ends all others at their next call or wait, and comes out as
    /// worker_error when they have. One that is lost, which is for longer than `deadline` without a call, is left behind in its thread: what it
    /// computes is discarded, the others go on if at least `min_workers` are left, else worker_error names it. What a `work` that is a temporary holds
    /// lives on with it; what it refers to must live on by itself. Throws std::system_error where a thread cannot be started.
    template<class Work>
    local_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker, "xgrad: replicas.run(work): work is a function of a worker, [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            auto const all = begin();
            struct finished {
                session& all;
                ~finished() { all.finish(); }
            } const last{*all};
            all->crew.run(all, std::forward<Work>(work), settings_.workers);
            return all->snapshot();
        } else return {};
    }
    /// One worker more in the run that goes on, from any thread: it begins with the variables of the centre. Its number. Throws value_error where
    /// nothing runs; std::bad_alloc, std::system_error.
    int add_worker() {
        auto const all = current();
        if (all == nullptr) raise<value_error>("xgrad: replicas.add_worker(): a worker can join only while others work");
        return all->crew.add(*all);
    }
    /// What workers have done up to now, or in the last run; from any thread.
    local_report progress() const {
        auto const all = current();
        return all == nullptr ? local_report{} : all->snapshot();
    }
    /// Calls `f(train)` while the centre does not move, to save or to evaluate; from any thread.
    template<class F>
    auto with_variables(F const& f) const {
        auto const all = current();
        if (all == nullptr) return f(static_cast<trainer<P> const&>(train_));
        return all->with_variables(f);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
