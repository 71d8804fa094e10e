// SPDX-License-Identifier: MIT
// The argument of a worker's function in synchronous replicas.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/reports/run_clock.hpp>
#include <xgrad/replicas/worker_crew.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A worker, as its thread sees it.
template<class Session>
class sync_worker {
    friend Session;
    Session& all_;
    worker_crew::member& member_;
    std::shared_ptr<typename Session::model> const model_;   // keeps it alive for a thread that was left behind

public:
    sync_worker(Session& all, worker_crew::member& member) : all_(all), member_(member), model_(all.model_of(member.number())) {
        worker_crew::inside const in(all.crew, member);
        all.begin_in_thread(*model_);
    }
    sync_worker(sync_worker const&) = delete;
    /// The next call gives no gradients of these variables, like None of TensorFlow: `worker.without(table)(x = images)`. Their means are
    /// over the workers that give one. Only `faithful{}` can do it.
    ///
    /// An update waits until enough gradients have come for each variable. Where none can come any more, the call throws value_error.
    template<class... V>
    sync_worker& without(V const&...) {
        using P = typename Session::model::program_type;
        constexpr bool known = ((update_number<P, V>() >= 0) && ...) && sizeof...(V) > 0;
        static_assert(Session::by_variable,
            "xgrad: worker.without(v): these replicas have no separate accumulator for each variable; write sync_replicas(train, "
            "xgrad::faithful{}, options)");
        static_assert(!Session::by_variable || known,
            "xgrad: worker.without(v...): a v is not a variable that this trainer updates; give variables that it updates");
        if constexpr (Session::by_variable && known) ((model_->left_out[static_cast<std::size_t>(update_number<P, V>())] = true), ...);
        return *this;
    }
    /// Computes gradients with the variables of the last token, gives them, and waits for a token: `worker(x = images)`. Returns the
    /// outputs; arrays are views that are valid until the next call.
    ///
    /// Throws like a call of the trainer; then nothing has been given. Throws cancelled_error if another worker has failed, a stop was
    /// requested, or this worker was left behind.
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
    /// Numbered from 0.
    int index() const { return member_.number(); }
    /// The number of all workers, including those that have ended.
    int count() const { return all_.worker_count(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
