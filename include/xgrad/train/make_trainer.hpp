// SPDX-License-Identifier: MIT
// Makes a trainer from a loss or gradients, groups of variables with their rules, and an owner or sizes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/checks/misuse.hpp>
#include <xgrad/train/checks/named_variables.hpp>
#include <xgrad/train/checks/rules_fit.hpp>
#include <xgrad/train/same_optimizer.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Whether an argument is nn::updates(loss) or nn::no_updates(loss), and whether it is the second.
template<class T>
inline constexpr bool says_state = false;
template<class T>
inline constexpr bool keeps_state = false;
/// Whether the arguments of minimize move all state of a loss. layer_updates.hpp checks nn::updates of another expression.
template<class Loss, class... A>
inline constexpr bool moves_all_state = true;
/// Whether an expression has a layer with state, such as nn::batch_norm.
template<class E>
inline constexpr bool has_state = false;
template<Expr E>
inline constexpr bool has_state<E> = info_of<E>->moves;
/// Where the variables of a trainer are: sizes for new variables, or an owner whose store is shared. nn::no_updates(loss) is treated
/// alike, because it is not a rule.
template<class T>
inline constexpr bool says_where =
    is_size<std::remove_cvref_t<T>> || is_owner<std::remove_cvref_t<T>> || keeps_state<std::remove_cvref_t<T>>;
struct variables_place {
    sequence<dim_size> sizes;
    variable_owner* owner = nullptr;
    shared_slots const* slots = nullptr;
};
template<class... A>
constexpr int size_count_of = (0 + ... + static_cast<int>(is_size<std::remove_cvref_t<A>>));
template<class... A>
consteval bool place_fits() {
    constexpr int owners = (0 + ... + static_cast<int>(is_owner<std::remove_cvref_t<A>>));
    constexpr bool constant = ((is_owner<std::remove_cvref_t<A>> && std::is_const_v<std::remove_reference_t<A>>) || ...);
    static_assert(owners < 2, "xgrad: a trainer gets more than one owner of its variables; remove the other owner");
    static_assert(owners == 0 || size_count_of<A...> == 0,
        "xgrad: a trainer gets an owner and a size of a named dimension, which the owner has already; remove features = 300");
    static_assert(!constant, "xgrad: a trainer gets an owner that is const, but a step changes its variables; give one that is not");
    return owners < 2 && (owners == 0 || size_count_of<A...> == 0) && !constant;
}
template<class... A>
variables_place place_among(A&... arguments) {
    if constexpr (place_fits<A...>()) return {sizes_among(arguments...), owner_among(arguments...)};
    else return {};
}
/// The number of sizes; -1 if there is an owner.
template<class... A>
inline constexpr int given_by = (is_owner<std::remove_cvref_t<A>> || ...) ? -1 : size_count_of<A...>;
template<class A>
constexpr auto unless_where(A const& a) {
    if constexpr (says_where<A>) return std::tuple<>();
    else return std::tuple<A>(a);
}
template<class A>
constexpr auto unless_kept([[maybe_unused]] A& a) {
    if constexpr (keeps_state<std::remove_cvref_t<A>>) return std::tuple<>();
    else return std::tuple<A&>(a);
}
// Like std::apply, with fewer lines in a diagnostic.
template<class F, class... T>
auto unpack(F const& f, std::tuple<T...> const& t) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return f(std::get<I>(t)...); }(std::index_sequence_for<T...>{});
}
template<class P, int Given>
auto make_trainer_of(typename P::rules const& rules, variables_place const& at) {
    if constexpr (!rules_fit<P>()) return trainer<refused_program<P>>(std::tuple<>());
    else if constexpr (Given < 0) return trainer<P>(rules, nullptr, 0, at.owner, at.slots);
    else if constexpr (sizes_fit<P, Given>()) return trainer<P>(rules, at.sizes.at, Given);
    else return trainer<refused_program<P>>(std::tuple<>());
}
/// The loss that is minimized, and the list of outputs of a step.
template<class E>
struct step_outputs {
    using loss = E;
    using list = expression_list<E>;
};
template<class Loss, class... E>
struct step_outputs<expression_list<Loss, E...>> {
    using loss = Loss;
    using list = expression_list<Loss, E...>;
};
// The next functions look only at what the planner reads, because clang evaluates nothing of a program that has been refused.

/// Whether a group updates the variable of this name; with name 0: whether it updates any variable.
template<class Request>
constexpr bool group_moves(int group, std::uint64_t name) {
    for (int u = 0; u < Request::update_count; ++u)
        if (auto const& update = Request::updates[u];
            update.group == group && (name == 0 || Request::table.attrs(update.variable).name_hash == name))
            return true;
    return false;
}
/// Whether each pattern of a group matches a variable that is updated.
template<class Request, class... G>
consteval bool patterns_match() {
    bool all = true;
    int group = 0;
    ((all = all && (!has_pattern<G> || group_moves<Request>(group, 0)), ++group), ...);
    return all;
}
/// The first variable that a group names and that has no gradient; empty if all are right.
template<class Request, class... G>
consteval std::string_view first_without_gradient() {
    std::string_view first;
    int group = 0;
    auto const check = [&](std::uint64_t const* hashes, std::string_view const* names, int count) {
        for (int k = 0; k < count; ++k)
            if (first.empty() && !group_moves<Request>(group, hashes[k])) first = names[k];
    };
    ((std::is_same_v<typename group_rule<G>::type, set_value> ? void()
                                                              : check(group_rule<G>::names, group_names<G>::at, group_rule<G>::count),
         ++group),
        ...);
    return first;
}
/// The first variable of the program that a group has and that cannot have a gradient; empty if all are right.
template<class Request, class Updates>
consteval std::string_view first_of_integers() {
    constexpr table_view t = Request::table;
    for (int i = 0; i < t.count; ++i)
        if (t.kind(i) == op_kind::variable && !has_gradient(t.type(i)) && Updates::group_of(t.attrs(i)) >= 0) return t.attrs(i).name;
    return {};
}
template<class Request, class Updates>
struct integers_in : variable_of_integers<make_text([] { return first_of_integers<Request, Updates>(); })> {};
template<class Request, class... G>
struct without_gradient_in : variable_without_gradient<make_text([] { return first_without_gradient<Request, G...>(); })> {};
template<gating Gate>
consteval bool is_gating() {
    constexpr bool known = Gate == gating::none || Gate == gating::op || Gate == gating::graph;
    static_assert(known,
        "xgrad::minimize<gating>(loss, rule), apply_gradients<gating>(rule, output, pairs...): this number is not a gating; "
        "write xgrad::gating::none, xgrad::gating::op or xgrad::gating::graph");
    return known;
}
template<gating Gate, bool Fuse, int Given, class Outputs, class... G>
auto make_trainer(Outputs const&, [[maybe_unused]] variables_place const& at, G const&... groups) {
    using Loss = typename step_outputs<Outputs>::loss;
    constexpr y_state state = differentiable(static_cast<Loss const*>(nullptr));
    static_assert(state != y_state::no_expression, "xgrad::minimize(loss, rule): loss is not an expression; give an expression");
    static_assert(
        state != y_state::not_floating, "xgrad::minimize(loss, rule): the loss is neither float nor double; write cast<float>(loss)");
    if constexpr (is_gating<Gate>() && state == y_state::good && sizeof...(G) > 0 && !(std::is_same_v<G, refused_group> || ...)) {
        static_assert((static_cast<int>(group_rule<G>::rest) + ...) < 2,
            "xgrad::minimize(loss, rules...): two rules have no list of variables, and the second would move none; name the "
            "variables: param_group(rule, v...)");
        constexpr bool twice = !first_named_twice<G...>().empty();
        if constexpr (twice) variable_of_two_groups<make_text([] { return first_named_twice<G...>(); })>();
        using updates = minimize_updates<Loss, G...>;
        using P = program<typename step_outputs<Outputs>::list, updates, gate_for<typename updates::rules, Gate>, Fuse>;
        constexpr bool integers = !first_of_integers<typename P::request, updates>().empty();
        static_assert(sizeof(typename said<!integers>::template by<integers_in<typename P::request, updates>>) > 0);
        constexpr bool scaled =
            !detail::scales_loss<typename updates::rules> ||
            ((detail::scales_loss<typename group_rule<G>::type> || std::is_same_v<typename group_rule<G>::type, set_value>)&&...);
        static_assert(scaled,
            "xgrad::minimize(loss, rules...): one group scales the loss and another one does not unscale its gradients; begin the chain of each group with the "
            "same link: chain(dynamic_loss_scale{}, adam{})");
        static_assert(integers || P::update_count > 0 || P::loses_gradient || P::new_values != planner::new_value_fault::none,
            "xgrad::minimize(loss, rule): the loss has no gradient for any variable of these groups, only comparisons, "
            "stop_gradient, integers or operations without derivative(...); minimize a cross entropy, not an accuracy");
        constexpr bool complete = integers || twice || P::update_count == 0 || first_without_gradient<typename P::request, G...>().empty();
        static_assert(sizeof(typename said<complete>::template by<without_gradient_in<typename P::request, G...>>) > 0);
        static_assert(integers || P::update_count == 0 || patterns_match<typename P::request, G...>(),
            "xgrad::minimize(loss, param_group<\"pattern\">(rule), ...): the pattern matches no trainable variable of the loss, or "
            "only variables of earlier groups; write param_group<\"deep/*\">(adam{}), where `*` means any text");
        return make_trainer_of<P, Given>(std::tuple(groups.rule...), at);
    } else return trainer<refused_program<Loss>>(std::tuple<>());
}
template<class T>
inline constexpr bool is_group = false;
template<class R, class... V>
inline constexpr bool is_group<param_group_type<R, V...>> = true;
template<class T>
inline constexpr bool is_assignment = false;
template<class V, class E>
inline constexpr bool is_assignment<assignment<V, E>> = true;
template<class T>
constexpr auto as_group(T const& t) {
    if constexpr (is_group<T> || is_assignment<T> || std::is_same_v<T, refused_group>) return t;
    else if constexpr (!explain_no_rule<T>()) return refused_group{};
    else {
        static_assert(explain_rule<T>());
        if constexpr (UpdateRule<T>) return param_group_type<T>{t};
        else return refused_group{};
    }
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
