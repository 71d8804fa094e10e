// SPDX-License-Identifier: MIT
// Kernels of loops over a region.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/kernel_of_kind.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, int S>
struct region_kernel;   // defined in region_turns.hpp

template<>
struct kernel_of_kind<planner::step_kind::scan> {
    static constexpr planner::step_kind kind = planner::step_kind::scan;
    template<class P, int S, class>
    using type = region_kernel<P, S>;
    static constexpr scratch_function scratch(planner::plan_step const&) { return nullptr; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
