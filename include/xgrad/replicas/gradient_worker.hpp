// SPDX-License-Identifier: MIT
// A worker's half of a training step: computes gradients, with copied or shared variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/owned.hpp>
#include <xgrad/exec/call.hpp>
#include <xgrad/exec/variable_owner.hpp>
#include <xgrad/replicas/local/copied_variables.hpp>
#include <xgrad/run/gradient_ref.hpp>
#include <xgrad/train/step_parts.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The number of the update in the second part of a step that moves variable V, or -1.
template<class P, class V>
consteval int update_number() {
    if constexpr (is_variable<V>) {
        int const step = step_parts<P>::update_of(info_of<V>->attrs.name_hash);
        return step < 0 ? -1 : step - step_parts<P>::second();
    } else return -1;
}

/// The variables of a program, copied or shared with another owner, and the program's steps before the first update.
template<class P>
class gradient_worker : public variable_owner {
    struct parts {
        runner run;
        kept_gradients<runner> gradients;
        parts(runtime_plan const& plan, bool flush) : run(plan) { run.flush = flush; }
    };
    owned<parts> parts_;
    step_watch watch_;
    float loss_scale_ = 1;   // if the rules have one

    template<class... B>
    arguments<P> arguments_of(B const&... bindings) const {
        if constexpr (!starts_with_scale<P>) return arguments<P>(bindings...);
        else return arguments<P>(bindings..., loss_scale = array(&loss_scale_));
    }
    using of_step = step_parts<P>;

public:
    /// Makes its own variables with the sizes of those in `from`. pull() fills in the values.
    gradient_worker(variable_store const& from, bool flush_denormals) : parts_(new parts(XGRAD_RUNTIME_OF(P), flush_denormals)) {
        sequence<dim_size> const sizes = sizes_of(from);
        make_variables(parts_->run.plan(), sizes.at, sizes.count);
        parts_->run.borrow(*store_);
    }
    /// Uses the variables of an owner. They must not change while gradients are computed.
    gradient_worker(variable_owner& shared, bool flush_denormals)
        : variable_owner(&shared), parts_(new parts(XGRAD_RUNTIME_OF(P), flush_denormals)) {
        store_visit const mine(*store_);
        parts_->run.borrow(*store_);
    }
    /// Copies the values of the variables in `from`.
    void pull(variable_store const& from) { copy_variables(*store_, from); }
    /// Computes all gradients and returns the outputs. `step` and `worker` select the random numbers. Throws like a call of a trainer,
    /// before anything has run.
    template<class... B>
    auto compute_gradients(std::int64_t step, int worker, B const&... bindings) {
        arguments<P> const a = arguments_of(bindings...);
        store_visit const mine(*store_);   // the trainer's store, which a run moves
        parts_->gradients.begin(parts_->run);
        parts_->gradients.forget();
        status const bound = parts_->run.bind(a.refs, a.given, true);
        parts_->run.random.seed = store_->seed;
        parts_->run.random.step = static_cast<std::uint64_t>(step);
        parts_->run.random.worker = static_cast<std::uint32_t>(worker);
        parts_->gradients.compute(bound, a.refs, watch_);
        return results<P>(parts_->run);
    }
    /// The factor for the gradient of the loss. The rules divide by it.
    void scale_loss(float scale) { loss_scale_ = scale; }
    /// Sets the function that compute_gradients() informs of its progress.
    void watch(step_watch const& w) { watch_ = w; }
    /// The gradient for update k of the second part of the program.
    gradient_ref gradient(int k) const { return gradient_of(parts_->run.plan(), parts_->gradients, of_step::second() + k); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
