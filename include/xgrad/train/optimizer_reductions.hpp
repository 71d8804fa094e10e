// SPDX-License-Identifier: MIT
// The pass of a training step between gradients and updates. It computes the reductions of a rule over all variables that the
// rule moves.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/kernels.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Whether all gradients of a group are complete when the first update of the step begins.
template<class P>
consteval bool has_gradients_first(int group) {
    bool early = true, all = true;
    for (int i = planner::first_update(P::plan); i < P::plan.step_count; ++i) {
        planner::plan_step const& s = P::plan.steps[i];
        early = early && planner::facts_of(s.kind).updates_variable && !planner::reads_new(P::plan, s);
        if (planner::facts_of(s.kind).updates_variable && s.group == group) all = all && early;
    }
    return all;
}
/// Whether has_gradients_first holds for each group whose rule has reductions over all variables.
template<class P, class... R>
consteval bool reductions_fit(std::tuple<R...> const*) {
    int group = 0;
    bool fit = true;
    ((fit = fit && (optimizer_reductions<R> == 0 || has_gradients_first<P>(group)), ++group), ...);
    return fit;
}
template<class P, int Group, int Step, class Sums>
XGRAD_INLINE void add_step([[maybe_unused]] step_arguments const* arguments, [[maybe_unused]] Sums& sums) {
    constexpr planner::plan_step s = P::plan.steps[Step];
    if constexpr (planner::facts_of(s.kind).updates_variable && s.group == Group)
        decltype(kernel_at<P, Step>())::add(arguments[Step], sums);
}
/// Sums over the variables in the order of their updates, beginning with step First.
template<class P, int Group, int First, int... Step>
auto reductions_of(step_arguments const* arguments, std::integer_sequence<int, Step...>) {
    kernels::optimizer_sums<std::tuple_element_t<static_cast<std::size_t>(Group), typename P::rules>> sums;
    (add_step<P, Group, First + Step>(arguments, sums), ...);
    sums.finish();
    return sums;
}
/// One reduction of one group.
struct group_sum {
    std::uint64_t shared;   // see reduction_info
    double* value;
};
/// Replaces all sums with the same `shared` name by their total.
inline void add_shared(group_sum const* sums, int count) {
    for (int i = 0; i < count; ++i) {
        if (sums[i].shared == 0) continue;
        double total = 0;
        bool first = true;
        for (int k = 0; k < count; ++k) {
            if (sums[k].shared != sums[i].shared) continue;
            first = first && k >= i;
            total += *sums[k].value;
        }
        for (int k = i; first && k < count; ++k)
            if (sums[k].shared == sums[i].shared) *sums[k].value = total;
    }
}
/// In place of the sums of a group whose rule has no reductions.
struct no_sums {
    double* value = nullptr;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
