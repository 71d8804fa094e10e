// SPDX-License-Identifier: MIT
// The verifier as one function. With XGRAD_VERIFY_PLANS=2, one source of the program includes this header and the others link to it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/plan/verify.hpp>
#include <xgrad/plan/verify/text.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

XGRAD_NOINLINE
#if XGRAD_VERIFY_PLANS != 2
inline
#endif
    bool
    must_be_sound(table_view const& t, planner::plan_view const& p, planner::plan_request const& r) {
    if (planner::plan_finding const f = planner::verify_plan(t, p, r))
        raise<error>("xgrad: a plan is wrong, which is a fault of xgrad and not of the program. " + text_of(f, t, p));
    return true;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
