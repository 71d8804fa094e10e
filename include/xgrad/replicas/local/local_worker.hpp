// SPDX-License-Identifier: MIT
// A worker that takes steps of its own, in a thread.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/worker_crew.hpp>

#include <memory>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One worker, in its thread.
template<class Session>
class local_worker {
    Session& all_;
    worker_crew::member& member_;
    std::shared_ptr<typename Session::model> const model_;

public:
    local_worker(Session& all, worker_crew::member& member) : all_(all), member_(member), model_(all.model_of(member.number())) {}
    local_worker(local_worker const&) = delete;
    /// One step on the worker's own variables, and where it is time for that an exchange with the centre: `worker(x = images)`. Returns the
    /// outputs, as they were before the step, arrays as views that hold until the next call. Throws as a call of the trainer, and then nothing has
    /// changed; cancelled_error where another worker has failed, a stop was requested, or this worker was left behind.
    template<class... B>
    auto operator()(B const&... bindings) {
        { worker_crew::inside const in(all_.crew, member_); }
        auto const outputs = model_->compute(bindings...);
        worker_crew::inside const in(all_.crew, member_);
        all_.step_and_exchange(*model_);
        return outputs;
    }
    /// From 0 on.
    int index() const { return member_.number(); }
    /// Of all workers, also of those that have ended.
    int count() const { return all_.worker_count(); }
    /// What this worker steps with: its variables, slots and rules, for reading between calls.
    auto const& own() const { return model_->train; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
