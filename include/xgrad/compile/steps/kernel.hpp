// SPDX-License-Identifier: MIT
// Kernels that operations define.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>
#include <xgrad/kernels/rows/row_function.hpp>
#include <xgrad/kernels/rows/rows.hpp>
#include <xgrad/kernels/whole.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Operands and outputs of a kernel, without its scratch memory.
template<class P, int S>
inline constexpr int tensor_operands = P::plan.steps[S].operand_count - (P::plan.steps[S].op->kernel->scratch_of != nullptr);
template<class P, int S, class Op>
constexpr auto attributes_of_step() {
    if constexpr (requires { typename Op::attributes; })
        return P::table.view().attrs(P::plan.steps[S].node).template as<typename Op::attributes>();
    else return kernels::no_attributes{};
}
template<class P, int S, std::size_t... K>
constexpr auto own_kernel(std::index_sequence<K...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    using Op = op_at<s.op>;
    return typename kernels::kernel_of<Op>::template type<
        kernels::kernel_form<s.read_count, attributes_of_step<P, S, Op>(), planner::kernel_ranks(P::table.view(), s.node), s.static_inner,
            s.static_m, s.static_n, s.static_k, cpp_type_t<P::plan.operands[s.first_operand + static_cast<int>(K)].type>...>>{};
}

template<>
struct kernel_of_kind<planner::step_kind::kernel> {
    static constexpr planner::step_kind kind = planner::step_kind::kernel;
    template<class P, int S, class>
    using type = decltype(own_kernel<P, S>(std::make_index_sequence<static_cast<std::size_t>(tensor_operands<P, S>)>{}));
    static constexpr scratch_function scratch(planner::plan_step const&) { return nullptr; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
