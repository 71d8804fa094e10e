// SPDX-License-Identifier: MIT
// Sentences about a variable of a group. Its name is a template argument, so the compiler prints it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape_names.hpp>
#include <xgrad/train/updates.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The names of the variables of a group, in the order of group_rule<G>::names.
template<class G>
struct group_names {
    static constexpr std::string_view at[1]{};
};
template<class Rule, class... V>
struct group_names<param_group_type<Rule, V...>> {
    static constexpr std::string_view at[sizeof...(V) + 1] = {V::info.attrs.name..., {}};
};
template<class Rule, fixed_string Pattern>
struct group_names<param_group_type<Rule, names_like<Pattern>>> : group_names<void> {};
template<class V, class E>
struct group_names<assignment<V, E>> {
    static constexpr std::string_view at[1] = {V::info.attrs.name};
};
/// The first variable that two groups name, or one group twice; empty if all are right.
template<class... G>
consteval std::string_view first_named_twice() {
    std::uint64_t all[(group_rule<G>::count + ... + 1)]{};
    int n = 0;
    std::string_view twice;
    auto const add = [&](std::uint64_t const* hashes, std::string_view const* names, int count) {
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < n; ++k)
                if (twice.empty() && all[k] == hashes[i] && hashes[i] != 0) twice = names[i];   // 0: not a variable, which is another error
            all[n++] = hashes[i];
        }
    };
    (add(group_rule<G>::names, group_names<G>::at, group_rule<G>::count), ...);
    return twice;
}

template<fixed_string Name>
constexpr void variable_of_two_groups() {
    static_assert(sizeof(Name) == 0,
        "xgrad::minimize(loss, rules...): two groups name one variable: variable_of_two_groups<...> names it; remove it from "
        "one group, or assign an expression of updated(v), the value after the rule");
}
template<fixed_string Name>
struct variable_of_integers {
    static_assert(sizeof(Name) == 0,
        "xgrad::minimize(loss, rules...): a rule has a variable of integers or bool, which has no gradient: "
        "variable_of_integers<...> names it; declare it as xgrad::non_trainable<...> outside of groups, or make it float");
};
template<fixed_string Name>
struct variable_without_gradient {
    static_assert(sizeof(Name) == 0,
        "xgrad::minimize(loss, param_group(rule, v...), ...): the loss has no gradient for a variable of a group: "
        "variable_without_gradient<...> names it; remove it, or use it without stop_gradient in the loss");
};
template<fixed_string Name>
constexpr void variable_of_two_pairs() {
    static_assert(sizeof(Name) == 0,
        "xgrad::apply_gradients(rule, output, pairs...): two pairs name one variable: variable_of_two_pairs<...> names it; add "
        "their gradients and give one pair, or assign an expression of updated(v), the value after the first update");
}
template<fixed_string Name>
constexpr void variable_without_group() {
    static_assert(sizeof(Name) == 0,
        "xgrad::apply_gradients(param_groups(...), output, pairs...): no group has the variable of a pair: "
        "variable_without_group<...> names it; write a rule without variables after the groups: param_groups(param_group(sgd, "
        "w), adam{})");
}
template<fixed_string Name>
constexpr void variable_without_pair() {
    static_assert(sizeof(Name) == 0,
        "xgrad::apply_gradients(param_groups(...), output, pairs...): no pair has a variable that a group names: "
        "variable_without_pair<...> names it; give with_variable(gradient, v)");
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
