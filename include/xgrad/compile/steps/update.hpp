// SPDX-License-Identifier: MIT
// Kernels of updates.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>
#include <xgrad/sparse/update_step.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, int S, class T>
constexpr auto update_type() {
    constexpr planner::plan_step s = P::plan.steps[S];
    using M = cpp_type_t<s.memory>;
    if constexpr (s.sparse) return kernels::update_sparse<rule_of<P, S>, T, M, cpp_type_t<s.index_type>, s.static_inner>{};
    else if constexpr (moves_matrices<rule_of<P, S>>) return kernels::update_of_matrix<rule_of<P, S>, T, M>{};
    else return kernels::update_whole<rule_of<P, S>, T, M>{};
}

template<>
struct kernel_of_kind<planner::step_kind::update> {
    static constexpr planner::step_kind kind = planner::step_kind::update;
    template<class P, int S, class T>
    using type = decltype(update_type<P, S, T>());
    static constexpr scratch_function scratch(planner::plan_step const& s) {
        return s.sparse ? kernels::update_scratch : kernels::sums_scratch;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
