// SPDX-License-Identifier: MIT
// Checks which trainers can have several workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Checks at compile time whether replicas of any kind work with this program, and explains why not.
template<class P>
consteval bool is_replicable() {
    using parts = step_parts<P>;
    constexpr bool gated = requires { P::refused; } || P::gate == gating::graph;
    static_assert(gated, "xgrad: replicas of a trainer: replicas have all gradients before all updates; make the trainer with "
                         "minimize<xgrad::gating::graph>(...)");
    constexpr bool alone = [] {
        for (int i = parts::second(); i < P::plan.step_count; ++i)
            if (P::plan.steps[i].kind != planner::step_kind::update || planner::reads_new(P::plan, P::plan.steps[i])) return false;
        return !parts::has_late_result();
    }();
    static_assert(alone || !gated,
        "xgrad: replicas of a trainer: the step of this trainer reads updated(v), which a worker does not have; leave it out, and call in "
        "on_update a function of v: xgrad::function f{expression, train}");
    constexpr bool over_all = reduces_over_all<typename P::rules>, scaled = over_all && scales_loss<typename P::rules>;
    static_assert(!scaled,
        "xgrad: replicas of a trainer: dynamic_loss_scale looks at all gradients at once, which replicas sum one after the other; write "
        "chain(fixed_loss_scale{1024}, adam{}) in its place");
    static_assert(!over_all || scaled,
        "xgrad: replicas of a trainer: a rule with sums over all variables, as clip_by_global_norm in a chain or prodigy, needs all "
        "gradients at once; clip those of each worker: auto const [dw] = clip_by_global_norm(compute_gradients(loss, w), 1_c), "
        "apply_gradients<xgrad::gating::graph>(adam{}, loss, with_variable(dw, w))");
    constexpr bool averaged = [] {
        for (int i = parts::second(); i < P::plan.step_count; ++i)
            if (P::plan.steps[i].type != dtype::float32 && P::plan.steps[i].type != dtype::float64) return false;
        return true;
    }();
    static_assert(averaged || !gated || !alone,
        "xgrad: replicas of a trainer: this trainer assigns to a variable that is not float or double, and what its workers make of it has no "
        "mean; leave the assignment out");
    return gated && alone && !over_all && averaged;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
