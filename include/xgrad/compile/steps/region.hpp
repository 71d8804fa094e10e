// SPDX-License-Identifier: MIT
// Kernels of steps that run bodies.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, int S, class Bodies>
struct kernel_over_bodies;   // defined in region_kernel.hpp

template<>
struct kernel_of_kind<planner::step_kind::region> {
    static constexpr planner::step_kind kind = planner::step_kind::region;
    template<class P, int S, class>
    using type = typename kernel_over_bodies<P, S, std::make_integer_sequence<int, P::plan.steps[S].body_count>>::type;
    static constexpr scratch_function scratch(planner::plan_step const&) { return nullptr; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
