// SPDX-License-Identifier: MIT
// The kernels of all kinds of steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/steps/check.hpp>
#include <xgrad/compile/steps/kernel.hpp>
#include <xgrad/compile/steps/matmul.hpp>
#include <xgrad/compile/steps/nest.hpp>
#include <xgrad/compile/steps/region.hpp>
#include <xgrad/compile/steps/update.hpp>
#include <xgrad/plan/step_kinds.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

using step_kernels = planner::step_kinds<kernel_of_kind<planner::step_kind::nest>, kernel_of_kind<planner::step_kind::matmul>,
    kernel_of_kind<planner::step_kind::kernel>, kernel_of_kind<planner::step_kind::region>, kernel_of_kind<planner::step_kind::check>,
    kernel_of_kind<planner::step_kind::update>>;

template<class P, int S>
using step_kernel = typename kernel_of_kind<P::plan.steps[S].kind>::template type<P, S, cpp_type_t<P::plan.steps[S].type>>;

constexpr scratch_function scratch_of_step(planner::plan_step const& s) {
    scratch_function r = nullptr;
    step_kernels::visit(s.kind, [&](auto kind) { r = kind.scratch(s); });
    return r;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
