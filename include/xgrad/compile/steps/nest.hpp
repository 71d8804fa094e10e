// SPDX-License-Identifier: MIT
// Kernels of loop nests.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<>
struct kernel_of_kind<planner::step_kind::nest> {
    static constexpr planner::step_kind kind = planner::step_kind::nest;
    template<class P, int S, class T>
    using type = decltype(nest_type<P, S, T>(std::make_index_sequence<P::plan.steps[S].ins_count>{}));
    static constexpr scratch_function scratch(planner::plan_step const&) { return nullptr; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
