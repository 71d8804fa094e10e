// SPDX-License-Identifier: MIT
// The plans of a program and of the bodies of its loops go through the verifier, once, when the first runner of the program is made.
#pragma once

#include <xgrad/core/error.hpp>
#include <xgrad/exec/runtime_plan.hpp>
#include <xgrad/plan/planner.hpp>
#include <xgrad/plan/verify.hpp>
#include <xgrad/plan/verify/text.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P>
constexpr plan_request request_of() {
    using R = typename P::request;
    return {R::outputs, R::output_count, R::updates, R::update_count, P::gate};
}
XGRAD_NOINLINE inline bool must_be_sound(table_view const& t, plan_view const& p, plan_request const& r) {
    if (plan_finding const f = verify_plan(t, p, r))
        raise<error>("xgrad: a plan is wrong, which is a fault of xgrad and not of the program. " + text_of(f, t, p));
    return true;
}
template<class P>
bool has_sound_plan() {
    static bool const sound = must_be_sound(P::table.view(), view_of(P::plan), request_of<P>());
    return sound && []<int... K>(std::integer_sequence<int, K...>) { return (has_sound_plan<typename P::template region<K>>() && ...); }(
                        loop_numbers<P>{});
}
template<class P>
runtime_plan verified_runtime() {
    has_sound_plan<P>();
    return P::runtime.view();
}

}   // namespace detail
XGRAD_NAMESPACE_END
