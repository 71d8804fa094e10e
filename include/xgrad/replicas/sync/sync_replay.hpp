// SPDX-License-Identifier: MIT
// What replays of synchronous replicas have in common: workers that compute when a schedule says so.
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
    /// Worker k computes gradients with the variables that it has. Throws as a call of the trainer, value_error where it waits for a token or has ended.
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
    /// One worker more, which waits for a token; its number.
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
