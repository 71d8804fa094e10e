// SPDX-License-Identifier: MIT
// The user's view of workers in threads that take their own steps, for all methods.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/local_session.hpp>
#include <xgrad/replicas/replay_turn.hpp>
#include <xgrad/replicas/replica_runs.hpp>
#include <xgrad/replicas/replicable.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Workers in threads of one process, each with its own variables, slots and scalars. The trainer is the *centre*: its variables, slots and
/// global step are the result, and what checkpoints save. Keep it in place while the replicas exist, and do nothing else with it during
/// run(). All workers call functions among the hyper-parameters, concurrently.
///
/// A run begins with the centre's variables in all workers, and nothing to exchange.
/// The workers' slots and scalars continue from run to run. They are copied anew from the centre if its global step or scalars differ from
/// what the last run has left. That happens when the trainer was restored, reset, or trained alone.
/// Hyper-parameters that on_update changes apply to a worker from its next exchange.
template<class P, class Method, class Over = in_threads>
class local_replicas : public replica_runs<P, local_session<P, Method>> {
    using session = local_session<P, Method>;
    using runs = replica_runs<P, session>;

protected:
    local_replicas(trainer<P>& train, typename Method::settings const& settings) : runs(train, settings) {
        [[maybe_unused]] constexpr bool fits = is_replicable<P>();
        if (settings.workers < 1)
            raise_parts<value_error>({"xgrad: ", Method::name, ": workers must be positive, but is ", settings.workers});
        Method::check(settings);
    }
    ~local_replicas() = default;

public:
    using runs::with_variables;

    /// What the workers keep from run to run, to save next to the trainer: slots, scalars, their own steps, and residuals of compression.
    /// Throws value_error during a run.
    xgrad::worker_state worker_state() {
        return this->between_runs([](session& all) { return all.state(); });
    }
    /// The workers continue with this state in the next run, if the trainer is unchanged until then; so restore the trainer first. Throws
    /// value_error during a run, or if the state is not of as many workers of this method, rule and variables. Then nothing has been
    /// changed.
    void set_worker_state(xgrad::worker_state const& state) { this->begin()->set_state(state); }

    /// Runs the same replicas event by event in one thread, in the order of a schedule. The replay ends when another run of these replicas
    /// begins, or when something throws at the centre, as that would end a run. Its calls throw value_error from then on.
    class replay {
        std::shared_ptr<session> all_;
        replay_turns turns_;
        std::vector<bool> computed_;
        using turn = replay_turns::turn;

    public:
        /// All workers begin with the current variables.
        explicit replay(local_replicas& all) : all_(all.begin()), turns_(all.train_.store(), all.train_.optimizer(), session::driver) {
            computed_.assign(static_cast<std::size_t>(all_->worker_count()), false);
        }
        replay(replay const&) = delete;
        ~replay() { all_->finish(); }
        /// Worker k computes gradients with its variables. Throws like a call of the trainer, and value_error if it waits for the others or
        /// has ended.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            all_->expect_going();
            turn const mine(turns_);
            all_->expect_computing(k);
            auto const at = static_cast<std::size_t>(k);
            computed_[at] = false;
            auto const outputs = all_->model_of(k)->compute(bindings...);
            computed_[at] = true;
            return outputs;
        }
        /// Worker k takes its own step with the gradients that it has computed, and exchanges at the end of a period. Returns whether the
        /// centre has moved. Where workers meet, this happens when the last one arrives; then all have the new variables. Throws
        /// value_error if the worker has computed nothing since its last step.
        bool step(int k) {
            all_->expect_going();
            turn const mine(turns_);
            all_->expect_computing(k);
            if (!computed_[static_cast<std::size_t>(k)])
                raise_parts<value_error>({"xgrad: replicas: worker ", k, " has computed no gradient for a step"});
            computed_[static_cast<std::size_t>(k)] = false;
            return all_->step_in_replay(*all_->model_of(k));
        }
        /// Throws value_error if there is no worker k, or it has ended.
        void end(int k) {
            all_->expect_going();
            turn const mine(turns_);
            all_->end_in_replay(k);
        }
        /// Adds a worker that begins with the centre's variables; returns its number.
        int join() {
            all_->expect_going();
            turn const mine(turns_);
            all_->join();
            computed_.push_back(false);
            return static_cast<int>(computed_.size()) - 1;
        }
        /// The trainer of worker k: its variables and slots.
        trainer<P>& own(int k) { return all_->model_of(k)->train; }
        local_report report() const { return all_->snapshot(); }
    };
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
