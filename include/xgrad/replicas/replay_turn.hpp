// SPDX-License-Identifier: MIT
// Ensures that nothing else moves the trainer between the calls of a replay.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/optimizer_state.hpp>
#include <xgrad/store/variable_store.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Remembers the state of a trainer after each call of a replay.
class replay_turns {
    variable_store& store_;
    optimizer_state const& state_;
    char const* name_;
    std::int64_t runs_, step_;
    int depth_ = 0;

    void expect_as_left() const {
        if (store_.run_count() != runs_) raise<value_error>("xgrad: replicas: this replay is over, because another run has begun since");
        if (state_.global_step != step_)
            raise<value_error>(
                "xgrad: replicas: this replay is over, because the trainer has been stepped, restored or reset since; begin another "
                "replay");
    }
    void note() {
        runs_ = store_.run_count();
        step_ = state_.global_step;
    }

public:
    replay_turns(variable_store& store, optimizer_state const& state, char const* name) : store_(store), state_(state), name_(name) {
        note();
    }
    replay_turns(replay_turns const&) = delete;

    /// One call. During it the replay owns the variables, like a run.
    class turn {
        replay_turns& all_;

    public:
        /// Throws value_error during a run, or if something else has moved the trainer since the last call.
        explicit turn(replay_turns& all) : all_(all) {
            if (all.depth_ == 0) {
                all.expect_as_left();
                all.store_.begin_run(all.name_);
            }
            ++all.depth_;
        }
        turn(turn const&) = delete;
        ~turn() {
            if (--all_.depth_ > 0) return;
            all_.note();
            all_.store_.end_run();
        }
    };
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
