// SPDX-License-Identifier: MIT
// The common part of replays of synchronous replicas: workers that compute when a schedule tells them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/replicas/replay_turn.hpp>

#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class Session>
class sync_replay {
    std::vector<bool> computed_;
    replay_turns turns_;

protected:
    using turn = replay_turns::turn;
    std::shared_ptr<Session> all_;

    template<class Train>
    sync_replay(std::shared_ptr<Session> all, Train& train)
        : turns_(train.store(), train.optimizer(), Session::driver), all_(std::move(all)) {
        computed_.assign(static_cast<std::size_t>(all_->worker_count()), false);
    }
    sync_replay(sync_replay const&) = delete;
    ~sync_replay() { all_->finish(); }
    replay_turns& turns() { return turns_; }
    void expect_computed(int k) const {
        all_->must_compute(k);
        if (!computed_[static_cast<std::size_t>(k)])
            raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " has computed no gradient to push"});
    }
    void forget_computed(int k) { computed_[static_cast<std::size_t>(k)] = false; }

public:
    /// Worker k computes gradients with its variables. Throws like a call of the trainer, and value_error if it waits for a token or has
    /// ended.
    template<class... B>
    auto compute(int k, B const&... bindings) {
        turn const mine(turns_);
        all_->must_compute(k);
        auto const at = static_cast<std::size_t>(k);
        computed_[at] = false;
        auto const outputs = all_->model_of(k)->compute(bindings...);
        computed_[at] = true;
        return outputs;
    }
    void end(int k) {
        turn const mine(turns_);
        all_->end(k);
    }
    /// Adds a worker that waits for a token; returns its number.
    int join() {
        turn const mine(turns_);
        all_->join();
        computed_.push_back(false);
        return static_cast<int>(computed_.size()) - 1;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
