// SPDX-License-Identifier: MIT
// minimize; compute_gradients, with_variable and apply_gradients for those who change gradients on the way.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/misuse.hpp>
#include <xgrad/train/rules_fit.hpp>
#include <xgrad/train/same_optimizer.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Where the variables of a trainer are: sizes for its own, or an owner that shares its store.
template<class T>
inline constexpr bool says_where = is_size<std::remove_cvref_t<T>> || is_owner<std::remove_cvref_t<T>>;
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
    static_assert(owners < 2, "xgrad: a trainer shares the variables of one owner; leave the other owner out");
    static_assert(owners == 0 || size_count_of<A...> == 0,
        "xgrad: a trainer on the variables of an owner takes the sizes of their named dimensions from it; leave features = 300 out");
    static_assert(
        !constant, "xgrad: a trainer changes the variables of the owner that it is given, and this one is const; give one that is not");
    return owners < 2 && (owners == 0 || size_count_of<A...> == 0) && !constant;
}
template<class... A>
variables_place place_among(A&... arguments) {
    if constexpr (place_fits<A...>()) return {sizes_among(arguments...), owner_among(arguments...)};
    else return {};
}
/// The number of sizes; -1 where there is an owner.
template<class... A>
inline constexpr int given_by = (is_owner<std::remove_cvref_t<A>> || ...) ? -1 : size_count_of<A...>;
template<class A>
constexpr auto unless_where(A const& a) {
    if constexpr (says_where<A>) return std::tuple<>();
    else return std::tuple<A>(a);
}
// As std::apply, with fewer lines in a diagnostic.
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
/// What is minimized, and what a step returns.
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
// Of what the planner reads, since clang takes nothing of a program that has been refused.

/// Whether a group updates the variable of this name, or, where that is 0, any.
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
/// Whether each variable that a group names has a gradient.
template<class Request, class... G>
consteval bool names_match() {
    bool all = true;
    int group = 0;
    auto const check = [&](std::uint64_t const* names, int count) {
        for (int k = 0; k < count; ++k) all = all && group_moves<Request>(group, names[k]);
    };
    ((std::is_same_v<typename group_rule<G>::type, set_value> ? void() : check(group_rule<G>::names, group_rule<G>::count), ++group), ...);
    return all;
}
/// Whether a group takes a variable of the program that has no gradient, whatever the loss does with it.
template<class Request, class Updates>
consteval bool takes_integers() {
    constexpr table_view t = Request::table;
    for (int i = 0; i < t.count; ++i)
        if (t.kind(i) == op_kind::variable && !has_gradient(t.type(i)) && Updates::group_of(t.attrs(i)) >= 0) return true;
    return false;
}
template<gating Gate>
consteval bool is_gating() {
    constexpr bool known = Gate == gating::none || Gate == gating::op || Gate == gating::graph;
    static_assert(known,
        "xgrad::minimize<gating>(loss, rule), apply_gradients<gating>(rule, output, pairs...): this number is no gating; write "
        "xgrad::gating::none, xgrad::gating::op or xgrad::gating::graph");
    return known;
}
template<gating Gate, bool Fuse, int Given, class Outputs, class... G>
auto make_trainer(Outputs const&, [[maybe_unused]] variables_place const& at, G const&... groups) {
    using Loss = typename step_outputs<Outputs>::loss;
    constexpr y_state state = differentiable(static_cast<Loss const*>(nullptr));
    static_assert(state != y_state::no_expression, "xgrad::minimize(loss, rule): loss must be an expression");
    static_assert(state != y_state::not_floating, "xgrad::minimize(loss, rule): the loss must be float or double; write cast<float>(loss)");
    if constexpr (is_gating<Gate>() && state == y_state::good && sizeof...(G) > 0 && !(std::is_same_v<G, refused_group> || ...)) {
        static_assert((static_cast<int>(group_rule<G>::rest) + ...) < 2,
            "xgrad::minimize(loss, rules...): two rules come without variables, and the second would move none; say which: param_group(rule, v...)");
        constexpr bool twice = named_twice<G...>();
        static_assert(!twice,
            "xgrad::minimize(loss, rules...): two groups name one variable, which has one rule; leave it out of one group, or assign what is made "
            "of updated(v), the value that the other one leaves");
        using updates = minimize_updates<Loss, G...>;
        using P = program<typename step_outputs<Outputs>::list, updates, gate_for<typename updates::rules, Gate>, Fuse>;
        constexpr bool integers = takes_integers<typename P::request, updates>();
        static_assert(!integers,
            "xgrad::minimize(loss, rules...): a rule takes a variable of integers or truth values, which has no gradient; declare it as "
            "xgrad::non_trainable<...> and leave it out of groups, or make it float");
        constexpr bool scaled =
            !detail::scales_loss<typename updates::rules> ||
            ((detail::scales_loss<typename group_rule<G>::type> || std::is_same_v<typename group_rule<G>::type, set_value>)&&...);
        static_assert(scaled,
            "xgrad::minimize(loss, rules...): one group scales the loss and another one does not unscale its gradients; begin the chain of each group with the "
            "same link: chain(dynamic_loss_scale{}, adam{})");
        static_assert(integers || P::update_count > 0 || P::loses_gradient || P::new_values != planner::new_value_fault::none,
            "xgrad::minimize(loss, rule): no gradients for any variable: the loss depends on no trainable variable of these groups, or only "
            "through comparisons, stop_gradient, integers, or an operation without derivative(...); minimize a cross entropy, not an accuracy");
        static_assert(integers || twice || P::update_count == 0 || names_match<typename P::request, G...>(),
            "xgrad::minimize(loss, param_group(rule, v...), ...): a group names a variable for which the loss has no gradient: it does not depend on it, or "
            "by stop_gradient and integers alone; leave the variable out of the group");
        static_assert(integers || P::update_count == 0 || patterns_match<typename P::request, G...>(),
            "xgrad::minimize(loss, param_group<\"pattern\">(rule), ...): no trainable variable of the loss has a name of that pattern that no group before it has taken; "
            "`*` stands for any text: param_group<\"deep/*\">(adam{})");
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
template<gating Gate, bool Fuse, class Loss, class R, class... V>
auto minimize_by(Loss const& loss, same_optimizer_type<R, V...> const& o) {
    return make_trainer<Gate, Fuse, -1>(loss, {{}, o.owner, &o.slots}, param_group_type<R, V...>{o.rule});
}
template<gating, bool, class Loss>
auto minimize_by(Loss const&, refused_optimizer) {
    return trainer<refused_program<Loss>>(std::tuple<>());
}
}

/// The trainer that minimises the sum of the elements of `loss`. What else is to be seen of the same forward pass stands behind it,
/// `minimize(outputs(loss, accuracy), adam{})`: a call then returns all of them. Rules come alone (`minimize(loss, adam{})`, all trainable variables) or as
/// param_group(rule, variables...). `Gate` says when updates run: none: each as soon as its gradient is there and the old value is read for the
/// last time (if possible inside the loop that makes the gradient, which is then never stored); op: as a step of its own there; graph: all updates
/// after all gradients, which is so with each of them where a rule has reductions over all variables, as prodigy. The results are the same. Behind the
/// rules stand either the sizes of the named dimensions of its variables,
/// `minimize(loss, adam{}, features = 300)`, or an owner (xg::variables, another trainer) whose variables it shares: `minimize(loss, adam{}, vars)`.
/// `minimize(other_loss, same_optimizer(train))` shares the optimizer as well.
template<gating Gate = gating::none, bool Fuse = true, class Loss, class... Rules>
auto minimize(Loss const& loss, Rules&&... rules) {
    constexpr int where = (0 + ... + static_cast<int>(detail::says_where<Rules>));
    constexpr bool swapped = !Expr<Loss> && (Expr<Rules> || ...);
    static_assert(!swapped, "xgrad::minimize(loss, rule): the loss comes first, then the rules");
    static_assert(sizeof...(Rules) > where, "xgrad::minimize(loss, rule): give an update rule such as xgrad::adam{.learning_rate = 1e-3}");
    if constexpr (swapped) return trainer<refused_program<Loss>>(std::tuple<>());
    else if constexpr ((detail::is_same_optimizer<std::remove_cvref_t<Rules>> || ...)) {
        static_assert(sizeof...(Rules) == 1,
            "xgrad::minimize(loss, same_optimizer(train)): it is the only rule, on the variables of train; leave the other arguments out");
        if constexpr (sizeof...(Rules) == 1) return detail::minimize_by<Gate, Fuse>(loss, rules...);
        else return trainer<refused_program<Loss>>(std::tuple<>());
    } else if constexpr (where == 0) return detail::make_trainer<Gate, Fuse, 0>(loss, {}, detail::as_group(rules)...);
    else
        return detail::unpack(
            [&](auto const&... rule) {
                return detail::make_trainer<Gate, Fuse, detail::given_by<Rules...>>(
                    loss, detail::place_among<std::remove_reference_t<Rules>...>(rules...), detail::as_group(rule)...);
            },
            std::tuple_cat(detail::unless_where(rules)...));
}

namespace detail {
template<class G>
inline constexpr bool is_sparse_or_none = std::is_same_v<G, none>;
template<class V, class I, class D>
inline constexpr bool is_sparse_or_none<indexed_slices<V, I, D>> = true;
template<class E>
inline constexpr bool is_faulty = value_of<E>.wrong != fault::none;
template<class G>
inline constexpr bool silent = [] {   // a gradient that has been refused
    if constexpr (Expr<G>) return is_faulty<G>;
    else return false;
}();
template<class V, class I, class D>
inline constexpr bool silent<indexed_slices<V, I, D>> = is_faulty<V> || is_faulty<I>;

/// Whether a gradient has the shape and element type of a variable.
template<class G, class Variable>
inline constexpr bool fits_variable = [] {
    if constexpr (Expr<G>)
        return silent<G> || (value_of<G>.dims == value_of<Variable>.dims && value_of<G>.type == computed_type(value_of<Variable>.type));
    else return true;
}();
template<class V, class I, class D, class Variable>
inline constexpr bool fits_variable<indexed_slices<V, I, D>, Variable> = [] {
    if (silent<indexed_slices<V, I, D>>) return true;
    bool same_table = true;   // the dense form, where there is one, tells how many rows there are
    if constexpr (Expr<D>) same_table = value_of<D>.dims.rank == 0 || value_of<D>.dims == value_of<Variable>.dims;
    return same_table && value_of<Variable>.dims.rank > 0 && are_slices_of(value_of<V>, value_of<I>, value_of<Variable>);
}();
}

/// The gradients of a loss, for changing them before apply_gradients: a tuple in the order of the variables. Options of gradients() stand before them:
/// `compute_gradients(loss, grad_ys(weights), w, b)`.
template<Expr Loss, class... V>
    requires((Expr<V> || GradientOption<V>) && ...)
[[nodiscard("compute_gradients returns gradients and changes nothing; give them to apply_gradients")]] constexpr auto compute_gradients(
    Loss const& loss, V const&... variables) {
    constexpr bool any = (Expr<V> || ...);
    static_assert(any, "xgrad::compute_gradients(loss, v...): no variables to optimize; name them");
    if constexpr (any) return gradients(loss, variables...);
}
/// A gradient (an expression, indexed_slices, or none) and its variable.
template<class G, Expr V>
constexpr auto with_variable(G const&, V const&) {
    constexpr bool is_gradient = Expr<G> || detail::is_sparse_or_none<G>;
    constexpr bool fits = detail::fits_variable<G, V>;
    constexpr bool moves = has_gradient(value_of<V>.type);
    static_assert(detail::is_variable<V>, "xgrad::with_variable(gradient, v): v must be a variable");
    static_assert(is_gradient, "xgrad::with_variable(gradient, v): a gradient is an expression, indexed_slices or none");
    static_assert(moves || !detail::is_variable<V>,
        "xgrad::with_variable(gradient, v): v must be float or double; integers and truth values are set by assign(v, expression)");
    static_assert(fits || !moves || !detail::is_variable<V>,
        "xgrad::with_variable(gradient, v): the gradient must have the shape and element type of the variable, float where that is bfloat16 or "
        "float16; of indexed_slices the values must be a row of it for each of the indices, which have one axis");
    if constexpr (detail::is_variable<V> && is_gradient && fits && moves) return gradient_pair<G, V>{};
    else return gradient_pair<detail::refused, V>{};
}
namespace detail {
template<class T>
concept Output = Expr<T> || requires { T::infos; };   // several: outputs(a, b)
template<class A>
inline constexpr bool is_silent_pair = false;
template<class G, class V>
inline constexpr bool is_silent_pair<gradient_pair<G, V>> = silent<G>;
template<class Rule>
constexpr auto as_group_list(Rule const& rule) {
    return param_group_list<decltype(as_group(rule))>{std::tuple(as_group(rule))};
}
template<class... G>
constexpr auto as_group_list(param_group_list<G...> const& groups) {
    return groups;
}
constexpr bool holds_all(std::uint64_t const* names, int count, std::uint64_t const* wanted, int wanted_count) {
    bool all = true;
    for (int k = 0; k < wanted_count; ++k) all = all && std::find(names, names + count, wanted[k]) != names + count;
    return all;
}
/// Whether each variable of a pair is of a group, and each one that a group names is of a pair.
template<class... G, class... A>
consteval bool explain_groups(param_group_list<G...> const*, A const*...) {
    constexpr std::uint64_t names[]{applied<A>::name..., 0};
    constexpr bool grouped = ((applied<A>::template group_of<G...>() >= 0) && ...);
    constexpr bool paired = (holds_all(names, sizeof...(A), group_rule<G>::names, group_rule<G>::count) && ...);
    constexpr bool one = (static_cast<int>(group_rule<G>::rest) + ... + 0) < 2 && !named_twice<G...>();
    static_assert(one,
        "xgrad::apply_gradients(param_groups(...), output, pairs...): two groups take one variable, or the rest of them; a variable has one rule");
    static_assert(grouped,
        "xgrad::apply_gradients(param_groups(...), output, pairs...): no group takes the variable of a pair; put a rule without variables behind the groups: "
        "param_groups(param_group(sgd, w), adam{})");
    static_assert(paired,
        "xgrad::apply_gradients(param_groups(...), output, pairs...): a group names a variable for which there is no pair; give with_variable(gradient, v)");
    return one && grouped && paired;
}
template<gating Gate, int Given, class... G, class Output, class... A>
auto make_applier(param_group_list<G...> const& groups, Output const&, variables_place const& at, A const&... pairs) {
    constexpr int count = (0 + ... + static_cast<int>(applied<A>::is_gradient));
    constexpr bool any = (applied<A>::exists || ...), known = !(std::is_same_v<G, refused_group> || ...);
    static_assert(count > 0,
        "xgrad::apply_gradients(rule, output, pairs...): no variables provided; give with_variable(gradient, v) for each variable");
    static_assert(!named_twice<typename applied<A>::named...>(),
        "xgrad::apply_gradients(rule, output, pairs...): two pairs name one variable; add their gradients and give one pair, or assign what is made "
        "of updated(v), the value that the other one leaves");
    static_assert(
        any || count == 0, "xgrad::apply_gradients(rule, output, pairs...): no gradients provided for any variable: all of them are none");
    constexpr bool scaled = (scales_loss<typename group_rule<G>::type> || ...);
    static_assert(!scaled,
        "xgrad::apply_gradients(rule, output, pairs...): a rule that scales the loss would unscale gradients which do not start as the scale; use minimize, or "
        "leave the link out");
    if constexpr (is_gating<Gate>() && known && any && !(is_silent_pair<A> || ...))
        if constexpr (explain_groups(static_cast<param_group_list<G...> const*>(nullptr), static_cast<A const*>(nullptr)...)) {
            using updates = apply_updates<param_group_list<G...>, A...>;
            using P = program<typename step_outputs<Output>::list, updates, gate_for<typename updates::rules, Gate>, true>;
            auto const rules = unpack([](auto const&... g) { return std::tuple(g.rule...); }, groups.groups);
            return make_trainer_of<P, Given>(std::tuple_cat(rules, rules_of_pair(pairs)...), at);
        } else return trainer<refused_program<Output>>(std::tuple<>());
    else return trainer<refused_program<Output>>(std::tuple<>());
}
template<gating Gate, class Output, class R, class... V, class... A>
auto apply_by(same_optimizer_type<R, V...> const& o, Output const& output, A const&... pairs) {
    constexpr bool gradients = (applied<A>::is_gradient && ...);
    static_assert(gradients,
        "xgrad::apply_gradients(same_optimizer(train), output, pairs...): behind the output stand gradients alone, with_variable(gradient, v); the variables are "
        "those of train, and assign(v, expression) is of a trainer of its own");
    if constexpr (gradients)
        return make_applier<Gate, -1>(as_group_list(param_group_type<R, V...>{o.rule}), output, {{}, o.owner, &o.slots}, pairs...);
    else return trainer<refused_program<Output>>(std::tuple<>());
}
template<gating, class Output, class... A>
auto apply_by(refused_optimizer, Output const&, A const&...) {
    return trainer<refused_program<Output>>(std::tuple<>());
}
template<class T>
inline constexpr bool is_pair = says_where<T>;
template<class G, class V>
inline constexpr bool is_pair<gradient_pair<G, V>> = true;
template<class V, class E>
inline constexpr bool is_pair<assignment<V, E>> = true;
}
/// Rules of their own for some of the pairs of apply_gradients, as for minimize: `apply_gradients(param_groups(param_group(sgd, table), adam{}), loss, pairs...)`.
template<class... Rules>
constexpr auto param_groups(Rules const&... rules) {
    static_assert(sizeof...(Rules) > 0 && !(detail::is_assignment<Rules> || ...),
        "xgrad::param_groups(rules...): give rules, alone or as param_group(rule, v...); assign(v, expression) stands among the pairs");
    return param_group_list<decltype(detail::as_group(rules))...>{std::tuple(detail::as_group(rules)...)};
}
/// A trainer that applies given gradients: `apply_gradients(adam{}, loss, with_variable(g, w)...)`; its calls return `output`, or each of outputs(a, b). In place of the rule
/// may stand param_groups(...). Beside the pairs may stand assignments, as for minimize, behind them sizes of the named dimensions of variables, or an owner whose variables it shares.
template<gating Gate = gating::none, class Rule, detail::Output Output, class... A>
    requires(detail::is_pair<std::remove_cvref_t<A>> && ...)
auto apply_gradients(Rule const& rule, Output const& output, A&&... pairs) {
    constexpr int where = (0 + ... + static_cast<int>(detail::says_where<A>));
    if constexpr (detail::is_same_optimizer<Rule>) return detail::apply_by<Gate>(rule, output, pairs...);
    else if constexpr (where == 0) return detail::make_applier<Gate, 0>(detail::as_group_list(rule), output, {}, pairs...);
    else
        return detail::unpack(
            [&](auto const&... pair) {
                return detail::make_applier<Gate, detail::given_by<A...>>(
                    detail::as_group_list(rule), output, detail::place_among<std::remove_reference_t<A>...>(pairs...), pair...);
            },
            std::tuple_cat(detail::unless_where(pairs)...));
}
template<gating Gate = gating::none, class Rule, detail::Output Output, class... A>
    requires(!(detail::is_pair<std::remove_cvref_t<A>> && ...))
auto apply_gradients(Rule const&, Output const&, A&&...) {
    static_assert(sizeof...(A) == 0,
        "xgrad::apply_gradients(rule, output, pairs...): something behind the output is neither with_variable(gradient, v), "
        "nor assign(v, expression), nor the size of a named dimension, nor an owner of variables");
    return trainer<refused_program<Output>>(std::tuple<>());
}
template<gating Gate = gating::none, class Rule>
auto apply_gradients(Rule const&) {
    return apply_gradients<Gate>(Rule{}, Rule{});
}
template<gating Gate = gating::none, class Rule, class Output, class... A>
    requires(!detail::Output<Output>)
auto apply_gradients(Rule const&, Output const&, A&&...) {
    static_assert(detail::Output<Output>,
        "xgrad::apply_gradients(rule, output, pairs...): what a call returns stands behind the rule, the loss or outputs(a, b); groups are "
        "one argument, param_groups(param_group(rule, v...), ...)");
    return trainer<refused_program<Output>>(std::tuple<>());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
