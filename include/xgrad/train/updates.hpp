// SPDX-License-Identifier: MIT
// The updates of a training step: gradients of a loss, or of the user, with the rules of their groups, and assigned state.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/plan/plan.hpp>
#include <xgrad/train/assignment.hpp>
#include <xgrad/train/param_group.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
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
    static constexpr int count = 1;
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
template<class A>   // assignments
constexpr std::tuple<set_value> rules_of_pair(A const& a) {
    return {a.rule};
}
}
/// Pairs with the rules of their groups, and assignments.
template<class Groups, class... A>
struct apply_updates;
template<class... G, class... A>
struct apply_updates<param_group_list<G...>, A...> {
    using rules = decltype(std::tuple_cat(
        std::declval<std::tuple<typename detail::group_rule<G>::type...>>(), detail::rules_of_pair(std::declval<A>())...));
    static constexpr int max_count = (detail::state_pair<A>::count + ...);
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
namespace detail {
/// The slot `name` of a variable that program P updates; null if its rule has none.
template<class P>
consteval slot_info const* slot_of_update(std::uint64_t variable, std::string_view name) {
    slot_info const* found = nullptr;
    for (int u = 0; u < P::update_count; ++u)
        if (auto const& update = P::update_list[u]; P::table.view().attrs(update.variable).name_hash == variable)
            [&]<class... R>(std::tuple<R...> const*) {
                int group = 0;
                ((found = update.group == group++ ? slot_in<R>(name) : found), ...);
            }(static_cast<typename P::rules const*>(nullptr));
    return found;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
