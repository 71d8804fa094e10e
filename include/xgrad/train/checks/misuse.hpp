// SPDX-License-Identifier: MIT
// Errors for arguments in place of an update rule, and for other forms of minimize: one sentence each.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Whether T may be a rule. Reports what T is otherwise.
template<class T>
consteval bool explain_no_rule() {
    constexpr bool expression = Expr<T>, schedule = !expression && StepFunction<T>,
                   plain = std::is_arithmetic_v<T> || std::is_array_v<T> || std::is_pointer_v<T>;
    static_assert(!expression,
        "xgrad: an expression is given as an update rule; write variables with their rule, param_group(adam{}, w), and other "
        "results of a step as minimize(outputs(loss, accuracy), adam{})");
    static_assert(!schedule,
        "xgrad: a schedule is given as an update rule; write it as the value of a hyper-parameter: adam{.learning_rate = "
        "exponential_decay{...}}");
    static_assert(!plain, "xgrad: a number, text or pointer is given as an update rule; write one, adam{.learning_rate = 1e-3}");
    return !expression && !schedule && !plain;
}
}

template<class Rule, class Loss>   // minimize<adam>(loss)
auto minimize(Loss const&) {
    static_assert(
        detail::never<Rule>, "xgrad::minimize(loss, rule): the rule is in angle brackets; write it as an argument: minimize(loss, adam{})");
    return trainer<refused_program<Loss>>(std::tuple<>());
}

template<class Loss>   // minimize(loss, {adam{}, ftrl{}})
auto minimize(Loss const&, detail::in_braces) {
    static_assert(detail::never<Loss>,
        "xgrad::minimize(loss, rules...): the rules are in braces; write them one by one: minimize(loss, param_group(adam{}, "
        "w), ftrl{})");
    return trainer<refused_program<Loss>>(std::tuple<>());
}

template<class Stream, class P>
void operator<<(Stream&, trainer<P> const&) {
    static_assert(detail::never<P>,
        "xgrad: a trainer is printed; print the loss that its call returns, train.value(w), or summarize(train) of <xgrad/inspect/summarize.hpp>");
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
