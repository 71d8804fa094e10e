// SPDX-License-Identifier: MIT
// What the function of a worker of synchronous replicas holds.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/reports/run_clock.hpp>
#include <xgrad/replicas/worker_crew.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One worker, in its thread.
template<class Session>
class sync_worker {
    friend Session;
    Session& all_;
    worker_crew::member& member_;
    std::shared_ptr<typename Session::model> const model_;   // also of one that is left behind

public:
    sync_worker(Session& all, worker_crew::member& member) : all_(all), member_(member), model_(all.model_of(member.number())) {
        worker_crew::inside const in(all.crew, member);
        all.begin_in_thread(*model_);
    }
    sync_worker(sync_worker const&) = delete;
    /// Computes gradients with the variables as they were when the last token was taken, gives them, and waits for a token: `worker(x = images)`. Returns
    /// the outputs, arrays as views that hold until the next call. Throws as a call of the trainer, and then nothing has been given; cancelled_error where another worker has failed, a
    /// stop was requested, or this worker was left behind.
    template<class... B>
    auto operator()(B const&... bindings) {
        {
            worker_crew::inside const in(all_.crew, member_);
            all_.must_compute(index());
        }
        auto const start = std::chrono::steady_clock::now();
        auto const outputs = model_->compute(bindings...);
        all_.times.record(index(), span_kind::compute, start);
        worker_crew::inside const in(all_.crew, member_);
        all_.give_and_wait(*model_);
        return outputs;
    }
    /// From 0 on.
    int index() const { return member_.number(); }
    /// Of all workers, also of those that have ended.
    int count() const { return all_.worker_count(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
