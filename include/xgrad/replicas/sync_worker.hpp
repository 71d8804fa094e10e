// SPDX-License-Identifier: MIT
// What the function of a worker of synchronous replicas holds.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/run_clock.hpp>
#include <xgrad/replicas/worker_crew.hpp>

#include <algorithm>

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
    /// The next call gives no gradients of these variables, as None of TensorFlow: `worker.without(table)(x = images)`. Their means are
    /// over the workers that give one. Of faithful{} alone. An update waits until enough have come for each variable; where none can
    /// come any more, the call throws value_error.
    template<class... V>
    sync_worker& without(V const&...) {
        using P = typename Session::model::program_type;
        constexpr bool known = ((update_number<P, V>() >= 0) && ...) && sizeof...(V) > 0;
        static_assert(Session::by_variable,
            "xgrad: worker.without(v): gradients of some variables alone need their own accumulators; write sync_replicas(train, "
            "xgrad::faithful{}, options)");
        static_assert(!Session::by_variable || known, "xgrad: worker.without(v...): v is a variable that this trainer updates");
        if constexpr (Session::by_variable && known) ((model_->left_out[static_cast<std::size_t>(update_number<P, V>())] = true), ...);
        return *this;
    }
    /// Computes gradients with the variables as they were when the last token was taken, gives them, and waits for a token: `worker(x = images)`. Returns
    /// the outputs, arrays as views that hold until the next call. Throws as a call of the trainer, and then nothing has been given; cancelled_error where another worker has failed, a
    /// stop was requested, or this worker was left behind.
    template<class... B>
    auto operator()(B const&... bindings) {
        struct all_again {   // whatever becomes of this call
            typename Session::model& m;
            ~all_again() {
                if constexpr (Session::by_variable) std::fill(m.left_out.begin(), m.left_out.end(), false);
            }
        } const later{*model_};
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
