// SPDX-License-Identifier: MIT
// What users hold of workers that take steps of their own, whatever the method.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/local_session.hpp>
#include <xgrad/replicas/replay_turn.hpp>
#include <xgrad/replicas/replica_runs.hpp>
#include <xgrad/replicas/replicable.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Workers in threads of one process, each with variables, slots and scalars of its own; the trainer is the *centre*. Its variables, slots and global
/// step are what is saved and what counts; it stays where it is as long as the replicas live, and nothing else may be done to it during run().
/// Functions among the hyper-parameters are called by all workers, at the same time.
///
/// A run begins with the variables of the centre in all workers, and nothing to be exchanged. Their slots and scalars go on from run to run; they are made
/// anew, as those of the centre, where global step or scalars of the centre are others than the last run has left: it has been restored, reset, or trained
/// by itself. Hyper-parameters that on_update changes hold in a worker from its next exchange on.
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

    /// What the workers keep from run to run, to be saved beside the trainer: slots, scalars, their own steps, and what compression has
    /// left. Throws value_error while a run goes on.
    xgrad::worker_state worker_state() {
        return this->between_runs([](session& all) { return all.state(); });
    }
    /// They go on with it in the next run, if the trainer is as it is now; so restore the trainer before. Throws value_error while a run
    /// goes on, and where the state is not of as many workers of this method, rule and variables; nothing has been changed then.
    void set_worker_state(xgrad::worker_state const& state) { this->begin()->set_state(state); }

    /// The same replicas event by event, in one thread: what a schedule says, and nothing else, happens. It is over, and its calls throw value_error, when
    /// another run of these replicas has begun, or when something has been thrown at the centre, which would have ended a run.
    class replay {
        std::shared_ptr<session> all_;
        replay_turns turns_;
        std::vector<bool> computed_;
        using turn = replay_turns::turn;

    public:
        /// All workers begin with the variables as they are.
        explicit replay(local_replicas& all) : all_(all.begin()), turns_(all.train_.store(), all.train_.optimizer(), session::driver) {
            computed_.assign(static_cast<std::size_t>(all_->worker_count()), false);
        }
        replay(replay const&) = delete;
        ~replay() { all_->finish(); }
        /// Worker k computes gradients with the variables that it has. Throws as a call of the trainer, value_error where it waits for the others or
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
        /// Its own step with what it has computed, and the exchange, if it is time for that. Whether the centre has moved: where workers meet this is
        /// so when the last one comes, and then all have the new variables. Throws value_error where it has computed nothing since its last step.
        bool step(int k) {
            all_->expect_going();
            turn const mine(turns_);
            all_->expect_computing(k);
            if (!computed_[static_cast<std::size_t>(k)])
                raise_parts<value_error>({"xgrad: replicas: worker ", k, " has computed no gradient for a step"});
            computed_[static_cast<std::size_t>(k)] = false;
            return all_->step_in_replay(*all_->model_of(k));
        }
        /// Throws value_error where there is no worker k, or it has ended.
        void end(int k) {
            all_->expect_going();
            turn const mine(turns_);
            all_->end_in_replay(k);
        }
        /// One worker more, which begins with the variables of the centre; its number.
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
