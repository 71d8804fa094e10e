// SPDX-License-Identifier: MIT
// State that a training step assigns: assign(v, expression) and updated(v).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/walk.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/train/param_group.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

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
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
