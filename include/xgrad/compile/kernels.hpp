// SPDX-License-Identifier: MIT
// From the constexpr plan of a program to the kernels that run it. A program is a tag type P with P::plan.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps.hpp>
#include <xgrad/kernels/nests/handing_on.hpp>
#include <xgrad/kernels/products/streamed.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The kernel of step S. Steps that run together have one kernel, at the first of them; the others have none.
template<class P, int S>
constexpr auto kernel_at() {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.back_at > 0) {
        using T = cpp_type_t<s.type>;
        constexpr int loop = S + s.loop_at, back = S + s.back_at;
        constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
        using Streamed =
            kernels::streamed<T, (s.static_k < 0 ? -1 : s.static_k % (2 * W)), s.read_count, P::plan.steps[back].read_count + 1, s.loop_at,
                s.back_at, epilogue_of<P, S, T>, decltype(nest_type<P, loop, T>(std::make_index_sequence<P::plan.steps[loop].ins_count>{})),
                epilogue_of<P, back, cpp_type_t<P::plan.steps[back].type>>, P::plan.steps[back].type != s.type>;
        return kernels::streamed_columns<Streamed, (s.static_k < 0 ? -1 : s.static_k % (kernels::detail::column_batches * W))>{};
    } else if constexpr (s.hands_on()) {
        constexpr planner::plan_step loop = P::plan.steps[S + s.loop_at];
        constexpr int output = planner::handed_operand(P::plan, S);
        constexpr planner::step_operand made = P::plan.operands[s.first_operand + output];
        return kernels::handing_on<cpp_type_t<made.type>, step_kernel<P, P::kernel_of.first[S]>, s.operand_count, output,
            step_kernel<P, P::kernel_of.first[S + s.loop_at]>, loop.outer_rank, loop.operand_count,
            planner::taking_operand(P::plan, loop, made)>{};
    } else return step_kernel<P, P::kernel_of.first[S]>{};
}

template<class P, int S>
constexpr kernel_functions functions_at() {
    kernel_functions r{nullptr, scratch_of_step(P::plan.steps[S])};
    if constexpr (P::plan.steps[S].joined_to == 0) {
        using kernel = decltype(kernel_at<P, S>());
        r.run = &kernel::run;
        // A function of the kernel itself replaces that of its kind of step.
        if constexpr (requires(step_arguments const& a) { kernel::scratch(a); }) r.scratch = &kernel::scratch;
    }
    return r;
}
/// The distinct kernels of P, in the order of P::kernel_of.
template<class P, std::size_t... K>
constexpr void save_kernels(kernel_functions* to, std::index_sequence<K...>) {
    (void(to[K] = functions_at<P, P::kernel_of.head[K]>()), ...);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
