// SPDX-License-Identifier: MIT
// Kernels of steps that check indices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>
#include <xgrad/sparse/update_step.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<>
struct kernel_of_kind<planner::step_kind::check> {
    static constexpr planner::step_kind kind = planner::step_kind::check;
    template<class P, int S, class>
    using type = kernels::check_rows<cpp_type_t<P::plan.steps[S].index_type>>;
    static constexpr scratch_function scratch(planner::plan_step const&) { return nullptr; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
