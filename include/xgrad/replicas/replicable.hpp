// SPDX-License-Identifier: MIT
// Checks which trainers can have several workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The first variable that a step assigns to and that is not float or double; empty if all are right.
template<class P>
constexpr std::string_view first_without_mean() {
    for (int i = step_parts<P>::second(); i < P::plan.step_count; ++i)
        if (planner::plan_step const& s = P::plan.steps[i]; s.type != dtype::float32 && s.type != dtype::float64)
            return planner::facts_of(s.kind).updates_variable ? P::runtime.view().variables[s.variable].name : "result";
    return {};
}
template<fixed_string Name>
constexpr void variable_without_mean() {
    static_assert(sizeof(Name) == 0,
        "xgrad: replicas of a trainer: this trainer assigns to a variable that is not float or double, so workers have no mean "
        "of it: variable_without_mean<...> names it; remove the assignment");
}
/// Checks at compile time whether replicas of any kind work with this program, and explains why not.
template<class P>
consteval bool is_replicable() {
    using parts = step_parts<P>;
    constexpr bool gated = requires { P::refused; } || P::gate == gating::graph;
    static_assert(gated,
        "xgrad: replicas of a trainer: this trainer makes some updates before all gradients, which workers cannot; make it "
        "with minimize<xgrad::gating::graph>(...)");
    constexpr bool alone = [] {
        for (int i = parts::second(); i < P::plan.step_count; ++i)
            if (!planner::facts_of(P::plan.steps[i].kind).updates_variable || planner::reads_new(P::plan, P::plan.steps[i])) return false;
        return !parts::has_late_result();
    }();
    static_assert(alone || !gated,
        "xgrad: replicas of a trainer: a step of this trainer reads updated(v), which a worker does not have; remove it, and "
        "call xgrad::function f{expression, train} in on_update");
    constexpr bool over_all = reduces_over_all<typename P::rules>, scaled = over_all && scales_loss<typename P::rules>;
    static_assert(!scaled,
        "xgrad: replicas of a trainer: dynamic_loss_scale needs all gradients together, but replicas sum them one after the "
        "other; write chain(fixed_loss_scale{1024}, adam{})");
    static_assert(!over_all || scaled,
        "xgrad: replicas of a trainer: a rule or link has sums over all variables, like prodigy; remove it, or write "
        "clip_by_global_norm(compute_gradients(loss, w), 1_c) with apply_gradients<xgrad::gating::graph>(...)");
    constexpr bool averaged = first_without_mean<P>().empty();
    if constexpr (!averaged && gated && alone) variable_without_mean<make_text([] { return first_without_mean<P>(); })>();
    return gated && alone && !over_all && averaged;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
