// SPDX-License-Identifier: MIT
// nn::updates(loss): the state that the layers of a loss move in each training step, such as moving averages.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/eval.hpp>
#include <xgrad/train/apply_gradients.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The assignments of all layers of an expression, as an argument of minimize.
template<class E>
struct [[nodiscard("nn::updates(loss) is an argument of minimize, after the rule; alone it sets nothing")]] layer_updates {
    set_value rule;
};
/// That all layers of an expression keep their state, as an argument of minimize.
struct [[nodiscard("nn::no_updates(loss) is an argument of minimize, after the rule; alone it does nothing")]] kept_layers {};

/// Calls visit(variable, next value, input) for each variable that a layer below `root` moves. The input is that of the layer, or null.
/// Layers below a node of `seen` were visited before.
template<class Visit>
constexpr void visit_state(node_map& seen, node_info const& root, Visit&& visit) {
    if (!root.moves) return;
    walk(seen, &root, [&](node_info const* n, int const*) {
        node_info const* const x = n->count % 2 != 0 ? n->operands[n->count - 1] : nullptr;
        for (int k = 2; n->op == op_register<op::in_training>::info && k + 1 < n->count; k += 2)
            visit(*n->operands[k], *n->operands[k + 1], x);
        return 0;
    });
}
template<class Visit>
constexpr void visit_state(node_info const& root, Visit&& visit) {
    node_map seen;
    visit_state(seen, root, visit);
}
template<class E>
inline constexpr bool is_silent_loss = false;
template<Expr E>
inline constexpr bool is_silent_loss<E> = value_of<E>.wrong != fault::none;
template<class E>
inline constexpr int state_count = [] {
    int n = 0;
    visit_state(E::info, [&](node_info const&, node_info const&, node_info const*) { ++n; });
    return n;
}();
/// Whether a layer with state is in a body, whose values end with the iteration. An outer expression computed before it is outside.
constexpr bool has_state_in_bodies(node_info const& root) {
    node_map seen;
    sequence<region_info const*> open;
    auto const add_bodies = [&](node_info const* n, int const*) {
        if (n->op->kind == op_kind::region) open.push(n->op->region);
        return 0;
    };
    walk(seen, &root, add_bodies);
    while (open.count > 0) {
        region_info const& r = *open.last();
        --open.count;
        bool found = false;
        node_map inside;
        for (int k = 0; k < r.captures && k < max_region_operands; ++k) inside.insert(r.captured[k], 0);
        for (int b = 0; b < r.body_count; ++b)
            for (int i = 0; i < r.bodies[b].count(); ++i) {
                visit_state(inside, *r.bodies[b].results[i], [&](node_info const&, node_info const&, node_info const*) { found = true; });
                walk(seen, r.bodies[b].results[i], add_bodies);
            }
        if (found) return true;
    }
    return false;
}
/// The variables with their next values: at[2 k], at[2 k + 1]. A variable that several calls of a layer move is there for each call.
template<class E>
struct state_of_layers {
    static constexpr int count = state_count<E>;
    struct list {
        node_info const* at[2 * count + 1];
        node_info const* input[count + 1];
        int version[count + 1];   // the number of the pair among those of its variable
        std::uint64_t hash[count + 1];
        std::string_view name[count + 1];
    };
    static constexpr list all = [] {
        list r{};
        int n = 0;
        visit_state(E::info, [&](node_info const& variable, node_info const& next, node_info const* x) {
            r.at[2 * n] = &variable;
            r.at[2 * n + 1] = &next;
            r.input[n] = x;
            for (int k = 0; k < n; ++k) r.version[n] += r.at[2 * k] == &variable;
            // a second update has the name of the version that it replaces
            r.hash[n] = r.version[n] == 0 ? variable.attrs.name_hash : hash_mix(variable.attrs.name_hash, r.version[n]);
            r.name[n++] = variable.attrs.name;
        });
        return r;
    }();
};
template<class E>
constexpr bool names_variable(layer_updates<E> const*, std::uint64_t) {
    return false;   // it needs no gradient
}
template<class T>
inline constexpr bool is_layer_updates = false;
template<class E>
inline constexpr bool is_layer_updates<layer_updates<E>> = true;
/// How often an argument of minimize moves a variable.
template<class T>
struct moves_of {
    static constexpr int count(std::uint64_t) { return 0; }
};
template<class E>
struct moves_of<layer_updates<E>> {
    static constexpr int count(std::uint64_t name) {
        int n = 0;
        visit_state(E::info, [&](node_info const& v, node_info const&, node_info const*) { n += v.attrs.name_hash == name; });
        return n;
    }
};
template<class Loss, class... A>
    requires((is_layer_updates<A> || ...) && !(keeps_state<A> || ...))
inline constexpr bool moves_all_state<Loss, A...> = [] {
    bool all = true;
    if constexpr (!(std::is_same_v<A, layer_updates<Loss>> || ...))   // those of the loss move all of it
        visit_state(Loss::info, [&](node_info const& v, node_info const&, node_info const*) {
            std::uint64_t const name = v.attrs.name_hash;
            all = all && (0 + ... + moves_of<A>::count(name)) >= moves_of<layer_updates<Loss>>::count(name);
        });
    return all;
}();
/// Whether the arguments of apply_gradients move all state of the losses whose gradients are in `Pair`. A variable counts as often as
/// layers of all of them move it.
template<class... Pair, class... A>
    requires((is_layer_updates<A> || ...) && !(keeps_state<A> || ...))
inline constexpr bool moves_all_state<differentiated<Pair...>, A...> = [] {
    node_map seen;
    sequence<std::uint64_t> names;
    for (node_info const* const root : {root_of_pair<Pair>...})
        if (root != nullptr)
            visit_state(seen, *root, [&](node_info const& v, node_info const&, node_info const*) { names.push(v.attrs.name_hash); });
    bool all = true;
    for (std::uint64_t const name : names) {
        int needed = 0;
        for (std::uint64_t const other : names) needed += other == name;
        all = all && (0 + ... + moves_of<A>::count(name)) >= needed;
    }
    return all;
}();
template<class E>
struct group_rule<layer_updates<E>> {
    using type = set_value;
    static constexpr bool rest = false;
    static constexpr int count = state_count<E>;
    static constexpr auto const& names = state_of_layers<E>::all.hash;
};
template<class E>
struct group_names<layer_updates<E>> {
    static constexpr auto const& at = state_of_layers<E>::all.name;
};
template<class E>
struct state_pair<layer_updates<E>> {
    using state = state_of_layers<E>;
    static constexpr int count = state::count;
    static constexpr int node_count() {
        int n = count_nodes(state::all.at, 2 * count);
        for (int k = 0; k < count; ++k)
            if (state::all.version[k] > 0) n += count_nodes(&state::all.at[2 * k + 1], 1) + state::all.version[k];
        return n;
    }
    static constexpr void watch(node_map& seen) {
        for (int k = 0; k < count; ++k) xgrad::watch(seen, state::all.at[2 * k + 1]);
    }
    static constexpr void add(table_builder& b, node_map& seen, sequence<planner::plan_update>& out, int group) {
        for (int k = 0; k < count; ++k) {
            node_info const *const v = state::all.at[2 * k], *const next = state::all.at[2 * k + 1], *const x = state::all.input[k];
            symbol variable = flatten(b, seen, v);
            if (state::all.version[k] == 0) {
                out.push({variable.index, flatten(b, seen, next).index, -1, -1, group});
                continue;
            }
            node_map again;   // the next value after the calls before, of the same input
            if (x != nullptr) again.insert(x, flatten(b, seen, x).index);
            for (int i = 0; i < state::all.version[k]; ++i) variable = b.add(op_register<op::updated>::info, &variable, 1, {});
            again.insert(v, variable.index);
            out.push({variable.index, flatten(b, again, next).index, -1, -1, group});
        }
    }
};
template<class E>
inline constexpr bool is_assignment<layer_updates<E>> = true;
template<class E>
inline constexpr bool is_pair<layer_updates<E>> = true;
template<class E>
inline constexpr bool says_state<layer_updates<E>> = true;
template<>
inline constexpr bool says_state<kept_layers> = true;
template<>
inline constexpr bool keeps_state<kept_layers> = true;
}

namespace nn {
/// What the layers of an expression move in each training step, next to the rule: `minimize(loss, adam{}, nn::updates(loss))`. The
/// moving averages of nn::batch_norm and the vectors of nn::spectral_norm are set from the values of this step, before its updates.
/// eval(y) reads them. Several calls of one layer (nn::shared) move them one after the other, in the order in which the loss reads
/// the calls. `minimize` and `apply_gradients` refuse the updates of another expression if a layer of the loss would not move.
/// `nn::no_updates(loss)` next to them says that such a layer keeps its state.
template<class E>
constexpr auto updates(E const&) {
    constexpr bool expression = Expr<E>;
    static_assert(expression, "xgrad::nn::updates(loss): loss is not an expression; give the loss that is minimized");
    if constexpr (!expression) return detail::refused_group{};
    else {
        constexpr bool outside = !detail::has_state_in_bodies(E::info), any = detail::state_count<E> > 0 || !outside;
        static_assert(any || value_of<E>.wrong != fault::none,
            "xgrad::nn::updates(loss): no layer of the loss has state, such as the moving averages of nn::batch_norm; remove it");
        static_assert(outside,
            "xgrad::nn::updates(loss): a layer with state is in the body of a loop, branch or call, which cannot assign it; write it outside "
            "and pass its result to the body");
        if constexpr (!any || !outside) return detail::refused_group{};
        else return detail::layer_updates<E>{};
    }
}
/// The layers of an expression keep their state in a training step, in place of nn::updates: their moving averages do not move.
/// `minimize(loss, adam{}, nn::no_updates(loss))` trains with the statistics of each batch, and eval(y) reads what was there before.
template<class E>
constexpr auto no_updates(E const&) {
    constexpr bool state = detail::has_state<E>;
    static_assert(state || detail::is_silent_loss<E>,
        "xgrad::nn::no_updates(loss): loss is not an expression with a layer that has state, such as the moving averages of nn::batch_norm; "
        "remove it");
    if constexpr (state) return detail::kept_layers{};
    else return detail::refused_group{};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
