// SPDX-License-Identifier: MIT
// Groups of variables with their rules: param_group(rule, v...), param_group<"deep/*">(rule).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>
#include <xgrad/optim/rule.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// A rule for some variables. Without variables it is for all that no other group names.
template<class Rule, class... V>
struct [[nodiscard("param_group(rule, v...) is an argument of minimize; alone it does nothing")]] param_group_type {
    Rule rule;
};
namespace detail {
struct refused_group {};   // the error has been reported
}
/// A rule for these variables: `param_group(xg::ftrl{...}, wide, bias)`.
template<class Rule, Expr... V>
constexpr auto param_group(Rule const& rule, V const&...) {
    constexpr bool variables = (detail::is_variable<V> && ...);
    static_assert(explain_rule<Rule>());
    static_assert(
        (variables || ... || detail::was_refused<V>), "xgrad::param_group(rule, v...): a v is not a variable; give variables only");
    if constexpr (variables && UpdateRule<Rule>) return param_group_type<Rule, V...>{rule};
    else return detail::refused_group{};
}

template<class Rule, class... V>
    requires(!(Expr<V> && ...))
constexpr auto param_group(Rule const&, V const&...) {
    static_assert(detail::never<Rule>,
        "xgrad::param_group(rule, v...): an argument after the rule is not a variable; write the rule first, then variables, "
        "or their names: param_group<\"deep/*\">(adam{})");
    return detail::refused_group{};
}

/// In place of variables: those with matching names. `*` matches any text, also an empty one and `/`.
template<fixed_string Pattern>
struct names_like {};
/// A rule for the trainable variables with matching names: `param_group<"deep/*">(xg::adam{})`. `*` matches any text. Variables that
/// another group names are excluded. If several patterns match, the first one counts.
template<fixed_string Pattern, class Rule>
constexpr auto param_group(Rule const& rule) {
    static_assert(explain_rule<Rule>());
    if constexpr (UpdateRule<Rule>) return param_group_type<Rule, names_like<Pattern>>{rule};
    else return detail::refused_group{};
}

namespace detail {
constexpr bool matches(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) return name.empty();
    if (pattern[0] == '*') return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
    return !name.empty() && name[0] == pattern[0] && matches(pattern.substr(1), name.substr(1));
}
template<class Rule, fixed_string Pattern>
constexpr bool names_variable(param_group_type<Rule, names_like<Pattern>> const*, std::uint64_t) {
    return false;   // a pattern names no single variable
}
template<class Rule, class... V>
constexpr bool names_variable(param_group_type<Rule, V...> const*, [[maybe_unused]] std::uint64_t name) {
    return ((V::info.attrs.name_hash == name) || ...);
}
template<class G>
struct group_rule;
template<class Rule, class... V>
struct group_rule<param_group_type<Rule, V...>> {
    using type = Rule;
    static constexpr bool rest = sizeof...(V) == 0;
    static constexpr int count = sizeof...(V);
    static constexpr std::uint64_t names[sizeof...(V) + 1] = {V::info.attrs.name_hash..., 0};
};
template<class Rule, fixed_string Pattern>
struct group_rule<param_group_type<Rule, names_like<Pattern>>> : group_rule<param_group_type<Rule>> {
    static constexpr bool rest = false;
};
template<class G>
inline constexpr bool has_pattern = false;
template<class Rule, fixed_string Pattern>
inline constexpr bool has_pattern<param_group_type<Rule, names_like<Pattern>>> = true;
template<class G>
constexpr bool matches_group(G const*, std::string_view) {
    return false;
}
template<class Rule, fixed_string Pattern>
constexpr bool matches_group(param_group_type<Rule, names_like<Pattern>> const*, std::string_view name) {
    return matches(Pattern.view(), name);
}
}

/// Rules for groups of variables, as in minimize; the first argument of apply_gradients.
template<class... G>
struct [[nodiscard("param_groups(...) is the first argument of apply_gradients; alone it does nothing")]] param_group_list {
    std::tuple<G...> groups;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
