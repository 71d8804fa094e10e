// SPDX-License-Identifier: MIT
// A worker that takes its own steps in a thread.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/worker_crew.hpp>

#include <memory>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A worker, as its thread sees it.
template<class Session>
class local_worker {
    Session& all_;
    worker_crew::member& member_;
    std::shared_ptr<typename Session::model> const model_;

public:
    local_worker(Session& all, worker_crew::member& member) : all_(all), member_(member), model_(all.model_of(member.number())) {}
    local_worker(local_worker const&) = delete;
    /// Takes one step with the worker's own variables, and at the end of a period exchanges with the centre: `worker(x = images)`. Returns
    /// the outputs from before the step; arrays are views that are valid until the next call.
    ///
    /// Throws like a call of the trainer; then nothing has changed. Throws cancelled_error if another worker has failed, a stop was
    /// requested, or this worker was left behind.
    template<class... B>
    auto operator()(B const&... bindings) {
        { worker_crew::inside const in(all_.crew, member_); }
        auto const outputs = model_->compute(bindings...);
        worker_crew::inside const in(all_.crew, member_);
        all_.step_and_exchange(*model_);
        return outputs;
    }
    /// Numbered from 0.
    int index() const { return member_.number(); }
    /// The number of all workers, including those that have ended.
    int count() const { return all_.worker_count(); }
    /// The worker's variables, slots and rules, for reading between calls.
    auto const& own() const { return model_->train; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
