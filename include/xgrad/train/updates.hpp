// SPDX-License-Identifier: MIT
// The changes of a training step: groups of variables with their rules, gradients that the user has made, and assigned state.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/plan/plan.hpp>

#include <array>

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
    static_assert(variables, "xgrad::param_group(rule, v...): a v is not a variable; give variables only");
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

/// The rule of assigned state: the variable becomes the value.
struct set_value {
    static constexpr std::string_view name = "set_value", tf_name = "Assign";
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr int flops = 0;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V& param, V value, V*) {
        param = value;
    }
};
namespace detail {
template<class V>
inline constexpr bool is_value_of_variable = is_variable<V>;
template<class V>
inline constexpr bool is_value_of_variable<node<op::updated, V>> = true;

/// The deepest updated(...(v)) below `root`, as the number of updates of v. 0: only v itself is read, or not even v.
constexpr int latest_version(node_info const* root, node_info const* v) {
    int latest = 0;
    node_map seen;
    walk(seen, root, [&](node_info const* n, int const*) {
        int version = 0;
        for (; n->op->kind == op_kind::updated; n = n->operands[0]) ++version;
        if (n == v && version > latest) latest = version;
        return 0;
    });
    return latest;
}
}
/// The value of a variable after its update in the same step; `v` itself is the value before. No gradient passes through updated(v).
/// `minimize(loss, adam{}, assign(average, 0.99_c * average + 0.01_c * updated(w)))`. If an expression of updated(v) is assigned to v,
/// that is a second update. updated(v) is then the value between the two updates, and updated(updated(v)) the value after both.
template<class V>
constexpr auto updated(V const&) {
    constexpr bool variable = detail::is_value_of_variable<V>;
    static_assert(variable, "xgrad::updated(v): v is not a variable; for new values of an expression write updated(v) for each v in it");
    if constexpr (variable) return node<op::updated, V>{};
    else return detail::refused{};
}
template<class V, class... A>   // catches updated(v, w)
    requires(sizeof...(A) > 0)
constexpr auto updated(V const&, A const&...) {
    static_assert(detail::never<V>, "xgrad::updated(v): more than one argument is given; write updated(v) for each variable");
    return detail::refused{};
}

/// A variable and an expression: each step sets the variable to the expression. The expression uses values before the step, and for
/// updated(v) values after the update. With updated(v) of the same variable, the assignment is a second update.
template<class V, class E>
struct [[nodiscard(
    "assign(v, expression) is an argument of minimize, after the rule; alone it sets nothing. For an array: train.assign(v, array)")]] assignment {
    static constexpr int version = detail::latest_version(info_of<E>, info_of<V>);   // the version of v that it replaces
    set_value rule;
};
/// Sets a variable in each step, as an argument of minimize. It makes state next to trained variables, such as running averages:
/// `minimize(loss, adam{}, assign(average, 0.99_c * average + 0.01_c * w))`. It also changes what a rule leaves in a trained variable,
/// for constraints and projections: `minimize(loss, adam{}, assign(w, maximum(updated(w), 0_c)))`.
template<Expr V, Expr E>
constexpr auto assign(V const&, E const&) {
    constexpr bool variable = detail::is_variable<V>;
    static_assert(variable, "xgrad::assign(v, expression): v is not a variable; give a variable");
    if constexpr (variable) {
        static_assert(!V::trainable || assignment<V, E>::version > 0 || value_of<E>.wrong != fault::none,
            "xgrad::assign(v, expression): v is trainable, so a rule updates it; declare it as xgrad::non_trainable<...>, or use "
            "updated(v), the value after the rule, in the expression");
        static_assert(value_of<E>.wrong != fault::none || (value_of<E>.dims == value_of<V>.dims && value_of<E>.type == value_of<V>.type),
            "xgrad::assign(v, expression): the expression has another shape or element type than the variable; write "
            "broadcast_to<...>(x) or cast<float>(x)");
    }
    return assignment<V, E>{};
}
namespace detail {
template<class V, class E>
constexpr bool names_variable(assignment<V, E> const*, std::uint64_t) {
    return false;   // an assignment needs no gradient
}
template<class V, class E>
struct group_rule<assignment<V, E>> {
    using type = set_value;
    static constexpr bool rest = false;
    static constexpr int count = 1;
    static constexpr std::uint64_t names[1] = {// a second update has the name of the version that it replaces
        assignment<V, E>::version == 0 ? V::info.attrs.name_hash : hash_mix(V::info.attrs.name_hash, assignment<V, E>::version)};
};
/// The group of a variable, or -1: the group that names it, else the first with a matching pattern, else the group for the rest. With
/// `named_alone` only the first case counts.
template<class... G>
constexpr int group_among(attributes const& a, bool named_alone) {
    int found = -1, k = 0;
    ((found = found < 0 && names_variable(static_cast<G const*>(nullptr), a.name_hash) ? k : found, ++k), ...);
    if (found >= 0 || named_alone) return found;
    k = 0;
    ((found = found < 0 && matches_group(static_cast<G const*>(nullptr), a.name) ? k : found, ++k), ...);
    k = 0;
    ((found = found < 0 && group_rule<G>::rest ? k : found, ++k), ...);
    return found;
}
// The entries of an argument in the table, apart from the gradients of minimize.
template<class G>
struct state_pair {
    static constexpr int count = 0;
    static constexpr int node_count() { return 0; }
    static constexpr void watch(node_map&) {}
    static constexpr void add(table_builder&, node_map&, sequence<planner::plan_update>&, int) {}
};
template<class V, class E>
struct state_pair<assignment<V, E>> {
    static constexpr int count = 1;
    static constexpr node_info const* nodes[2] = {info_of<V>, info_of<E>};
    static constexpr int node_count() { return count_nodes(nodes, 2); }
    static constexpr void watch(node_map& seen) { xgrad::watch(seen, nodes[1]); }
    static constexpr void add(table_builder& b, node_map& seen, sequence<planner::plan_update>& out, int group) {
        symbol variable = flatten(b, seen, nodes[0]);
        for (int k = 0; k < assignment<V, E>::version; ++k) variable = b.add(op_register<op::updated>::info, &variable, 1, {});
        out.push({variable.index, flatten(b, seen, nodes[1]).index, -1, -1, group});
    }
};
}

namespace detail {
/// The gating of a program with these rules. Reductions over all variables need all gradients before the first update.
template<class Rules>
inline constexpr bool reduces_over_all = false;
template<class... R>
inline constexpr bool reduces_over_all<std::tuple<R...>> = ((optimizer_reductions<R> > 0) || ...);
template<class Rules, gating Asked>
inline constexpr gating gate_for = reduces_over_all<Rules> ? gating::graph : Asked;
template<class... R>
inline constexpr bool scales_loss<std::tuple<R...>> = (scales_loss<R> || ...);
/// The initial gradient of the loss if the rules scale it: an input that the trainer binds.
inline constexpr auto loss_scale = input<"loss_scale", float>;
template<class Loss>
using loss_start = std::conditional_t<value_of<Loss>.type == dtype::float64, decltype(cast<double>(loss_scale)),
    std::remove_const_t<decltype(loss_scale)>>;
/// Passes the requirements of a rule to the planner.
template<class Rule>
constexpr void ask_for(planner::plan_update& u) {
    u.whole = !moves_elements<Rule>;
    u.column_sums = static_cast<short>(rule_reductions<Rule>.count_of(per::column));
}
template<class... G>
constexpr void ask_for_rule_of(planner::plan_update& u) {
    int group = 0;
    ((u.group == group++ ? ask_for<typename group_rule<G>::type>(u) : void()), ...);
}
}

/// The gradients of a loss with respect to the variables of groups.
template<class Loss, class... G>
struct minimize_updates {
    using rules = std::tuple<typename detail::group_rule<G>::type...>;
    static constexpr node_info const* loss[1] = {info_of<Loss>};
    static constexpr int max_count = count_nodes(loss, 1) + (detail::state_pair<G>::count + ... + 0);
    static constexpr int node_count() { return (detail::state_pair<G>::node_count() + ... + 0); }

    static constexpr void watch(node_map& seen) {
        xgrad::watch(seen, loss[0]);
        (detail::state_pair<G>::watch(seen), ...);
    }
    static constexpr int group_of(attributes const& a) {   // variables that are not trainable are updated only if named
        return detail::group_among<G...>(a, a.as<variable_attributes>().trainable == 0);
    }
    static constexpr void build(table_builder& b, node_map& seen, sequence<planner::plan_update>& out) {
        symbol const y = flatten(b, seen, loss[0]);
        sequence<symbol> xs;
        sequence<int> groups;
        for (int i = 0; i < b.node_count; ++i)
            if (b.nodes[i].op->kind == op_kind::variable)
                if (int const g = group_of(b.attrs(i)); g >= 0) {
                    xs.push(b.at(i));
                    groups.push(g);
                }
        symbol start{};
        if constexpr (detail::scales_loss<rules>)
            start = op::broadcast_symbol(flatten(b, seen, info_of<detail::loss_start<Loss>>), b.info(y).dims);
        sequence<adjoint> gradients(xs.count, adjoint{});
        reverse_sweep(b).run(&y, &start, 1, xs.at, xs.count, nullptr, 0, gradients.at);
        for (int k = 0; k < xs.count; ++k) {
            adjoint const& g = gradients.at[k];
            if (!g.exists()) continue;   // unconnected: not updated, as in TensorFlow
            planner::plan_update u{xs.at[k].index, g.sparse() ? -1 : g.dense.index, g.sparse() ? g.values.index : -1,
                g.sparse() ? g.indices.index : -1, groups.at[k]};
            detail::ask_for_rule_of<G...>(u);
            out.push(u);
        }
        int group = 0;
        (detail::state_pair<G>::add(b, seen, out, group++), ...);
    }
};

/// A gradient that the user has made, with its variable.
template<class Gradient, class V>
struct [[nodiscard("with_variable(gradient, v) is an argument of apply_gradients; alone it does nothing")]] gradient_pair {};
namespace detail {
template<class G>
struct pair_infos {   // a dense gradient
    static constexpr node_info const *dense = info_of<G>, *values = nullptr, *indices = nullptr;
    static constexpr bool exists = true;
};
template<class V, class I, class D>
struct pair_infos<indexed_slices<V, I, D>> {
    static constexpr node_info const *dense = nullptr, *values = info_of<V>, *indices = info_of<I>;
    static constexpr bool exists = true;
};
template<>
struct pair_infos<none> {
    static constexpr node_info const *dense = nullptr, *values = nullptr, *indices = nullptr;
    static constexpr bool exists = false;
};
}
namespace detail {
template<class G, class V>
struct state_pair<gradient_pair<G, V>> {
    using P = pair_infos<G>;
    static constexpr int node_count() {
        node_info const* roots[3]{info_of<V>};
        int k = 1;
        for (auto const* r : {P::dense, P::values, P::indices})
            if (r != nullptr && k < 3) roots[k++] = r;
        return count_nodes(roots, k);
    }
    static constexpr void watch(node_map& seen) {
        for (auto const* r : {P::dense, P::values, P::indices})
            if (r != nullptr) xgrad::watch(seen, r);
    }
    static constexpr void add(table_builder& b, node_map& seen, sequence<planner::plan_update>& out, int group) {
        if constexpr (P::exists) {
            planner::plan_update u{flatten(b, seen, info_of<V>).index, -1, -1, -1, group};
            if constexpr (P::dense != nullptr) u.dense = flatten(b, seen, P::dense).index;
            else {
                u.values = flatten(b, seen, P::values).index;
                u.indices = flatten(b, seen, P::indices).index;
            }
            out.push(u);
        }
    }
};
// An argument after the output of apply_gradients: a gradient of one of the groups, or an assignment, which is a separate group.
template<class A>
struct applied {
    using named = A;
    static constexpr bool is_gradient = false, exists = false;
    static constexpr std::uint64_t name = 0;
    static constexpr std::string_view text{};
    template<class... Group>
    static constexpr int group_of() {
        return static_cast<int>(sizeof...(Group));   // after all of them
    }
};
template<class G, class V>
struct applied<gradient_pair<G, V>> {
    using named = param_group_type<set_value, V>;
    static constexpr bool is_gradient = true, exists = pair_infos<G>::exists;
    static constexpr std::uint64_t name = V::info.attrs.name_hash;
    static constexpr std::string_view text = V::info.attrs.name;
    template<class... Group>
    static constexpr int group_of() {
        return group_among<Group...>(V::info.attrs, false);
    }
};
template<class G, class V>
constexpr std::tuple<> rules_of_pair(gradient_pair<G, V> const&) {
    return {};
}
template<class V, class E>
constexpr std::tuple<set_value> rules_of_pair(assignment<V, E> const& a) {
    return {a.rule};
}
}
/// Rules for groups of variables, as in minimize; the first argument of apply_gradients.
template<class... G>
struct [[nodiscard("param_groups(...) is the first argument of apply_gradients; alone it does nothing")]] param_group_list {
    std::tuple<G...> groups;
};
/// Pairs with the rules of their groups, and assignments.
template<class Groups, class... A>
struct apply_updates;
template<class... G, class... A>
struct apply_updates<param_group_list<G...>, A...> {
    using rules = decltype(std::tuple_cat(
        std::declval<std::tuple<typename detail::group_rule<G>::type...>>(), detail::rules_of_pair(std::declval<A>())...));
    static constexpr int max_count = sizeof...(A);
    static constexpr int node_count() { return (detail::state_pair<A>::node_count() + ...); }
    static constexpr void watch(node_map& seen) { (detail::state_pair<A>::watch(seen), ...); }
    static constexpr void build(table_builder& b, node_map& seen, sequence<planner::plan_update>& out) {
        int state = 0;
        (detail::state_pair<A>::add(
             b, seen, out, detail::applied<A>::template group_of<G...>() + (detail::applied<A>::is_gradient ? 0 : state++)),
            ...);
        for (planner::plan_update& u : out)
            if (u.group < static_cast<int>(sizeof...(G))) detail::ask_for_rule_of<G...>(u);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
