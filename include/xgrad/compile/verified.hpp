// SPDX-License-Identifier: MIT
// Verifies the plans of a program and of the bodies of its loops, once, when the first runner of the program is made.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runtime_plan.hpp>
#include <xgrad/plan/planner.hpp>
#include <xgrad/plan/verify/finding.hpp>
#if XGRAD_VERIFY_PLANS == 1
#    include <xgrad/compile/verifier.hpp>
#endif

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P>
constexpr planner::plan_request request_of() {
    using R = typename P::request;
    return {R::outputs, R::output_count, R::updates, R::update_count, P::gate};
}
#if XGRAD_VERIFY_PLANS == 2
// Defined in the source that includes compile/verifier.hpp.
bool must_be_sound(table_view const&, planner::plan_view const&, planner::plan_request const&);
#endif
template<class P>
bool has_sound_plan() {
    static bool const sound = must_be_sound(P::table.view(), view_of(P::plan), request_of<P>());
    return sound && []<int... K>(std::integer_sequence<int, K...>) { return (has_sound_plan<typename P::template region<K>>() && ...); }(
                        planned_bodies<P>{});
}
template<class P>
runtime_plan verified_runtime() {
    has_sound_plan<P>();
    return P::runtime.view();
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
