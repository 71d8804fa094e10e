// SPDX-License-Identifier: MIT
// From the constexpr plan of a program to the kernels that run it. A program is a tag type P with P::plan.
#pragma once

#include <xgrad/compile/steps.hpp>
#include <xgrad/kernels/handing_on.hpp>
#include <xgrad/kernels/streamed.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct nothing_to_run {
    static void run(step_arguments const&) {}
};

/// What stands at step S: its kernel, or of steps that run together one for all, at the first of them.
template<class P, int S>
constexpr auto kernel_at() {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.back_at > 0) {
        using T = cpp_type_t<s.type>;
        constexpr int loop = S + s.loop_at, back = S + s.back_at;
        return kernels::streamed<T, s.static_k, s.read_count, P::plan.steps[back].read_count + 1, s.loop_at, s.back_at,
            epilogue_of<P, S, T>, decltype(nest_type<P, loop, T>(std::make_index_sequence<P::plan.steps[loop].ins_count>{})),
            epilogue_of<P, back, T>>{};
    } else if constexpr (s.hands_on()) {
        constexpr planner::plan_step loop = P::plan.steps[S + s.loop_at];
        constexpr int output = planner::handed_operand(P::plan, S);
        constexpr planner::step_operand made = P::plan.operands[s.first_operand + output];
        return kernels::handing_on<cpp_type_t<made.type>, step_kernel<P, P::kernel_of.at[S]>, s.operand_count, output,
            step_kernel<P, P::kernel_of.at[S + s.loop_at]>, loop.outer_rank, loop.operand_count,
            planner::taking_operand(P::plan, loop, made)>{};
    } else if constexpr (s.joined_to > 0) return nothing_to_run{};
    else return step_kernel<P, P::kernel_of.at[S]>{};
}
// Named by the kernel, not by program and step: the name of a program is that of its whole graph.
template<class Kernel, bool ReadsIndices>
XGRAD_INLINE bool run_step(step_arguments const& a) {
    Kernel::run(a);
    if constexpr (ReadsIndices) return !*a.bad_index;
    else return true;
}
template<class P, int First, std::size_t... S>
XGRAD_INLINE bool run_each(step_arguments const* a, std::index_sequence<S...>) {
    return (run_step<decltype(kernel_at<P, First + static_cast<int>(S)>()), reads_indices(P::plan.steps[First + static_cast<int>(S)])>(
                a[First + static_cast<int>(S)]) &&
            ...);
}
/// Up to 64 steps: one function, whose name does not grow with them.
template<class P, int First, int Last>
XGRAD_NOINLINE bool run_from(step_arguments const* a) {
    constexpr int left = Last - First, n = left < 64 ? left : 64;
    return run_each<P, First>(a, std::make_index_sequence<static_cast<std::size_t>(n)>{});
}
/// Runs steps First to before Last in order; false where an index was out of range (nothing has been updated then: updates come after all that look
/// at indices).
template<class P, int First, int Last>
XGRAD_INLINE bool run_range(step_arguments const* a) {
    if constexpr (First >= Last) return true;
    else return run_from<P, First, Last>(a) && run_range<P, First + 64, Last>(a);
}
template<class P>
XGRAD_INLINE bool run_steps(step_arguments const* a) {
    return run_range<P, 0, P::plan.step_count>(a);
}

}   // namespace detail
XGRAD_NAMESPACE_END
