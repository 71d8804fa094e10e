// SPDX-License-Identifier: MIT
// The plans of a program and of the bodies of its loops, verified.
#pragma once

#include <xgrad/plan/planner.hpp>
#include <xgrad/plan/verify.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The finding in P's own plan, without those of its loops.
template<class P>
constexpr plan_finding find_fault() {
    using D = typename P::request;
    return verify_plan(P::table.view(), view_of(P::plan), {D::outputs, D::output_count, D::updates, D::update_count, P::gate});
}

}   // namespace detail
XGRAD_NAMESPACE_END
