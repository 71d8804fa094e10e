// SPDX-License-Identifier: MIT
// compute_gradients, with_variable and apply_gradients, for programs that change gradients before a rule uses them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/make_trainer.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class G>
inline constexpr bool is_sparse_or_none = std::is_same_v<G, none>;
template<class V, class I, class D>
inline constexpr bool is_sparse_or_none<indexed_slices<V, I, D>> = true;
template<class E>
inline constexpr bool is_faulty = value_of<E>.wrong != fault::none;
template<class G>
inline constexpr bool silent = [] {   // a gradient whose error has been reported
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
    bool same_table = true;   // a dense form, if there is one, gives the number of rows
    if constexpr (Expr<D>) same_table = value_of<D>.dims.rank == 0 || value_of<D>.dims == value_of<Variable>.dims;
    return same_table && value_of<Variable>.dims.rank > 0 && are_slices_of(value_of<V>, value_of<I>, value_of<Variable>);
}();
}

/// The gradients of a loss as a tuple in the order of the variables. They can be changed and then given to apply_gradients.
/// Options of gradients() come before the variables: `compute_gradients(loss, grad_ys(weights), w, b)`.
template<Expr Loss, class... V>
    requires((Expr<V> || GradientOption<V>) && ...)
[[nodiscard("compute_gradients returns gradients and changes nothing; give them to apply_gradients")]] constexpr auto compute_gradients(
    Loss const& loss, V const&... variables) {
    constexpr bool any = (Expr<V> || ...);
    static_assert(any, "xgrad::compute_gradients(loss, v...): there are no variables to optimize; name them");
    if constexpr (any) return gradients(loss, variables...);
}
/// A gradient (an expression, indexed_slices, or none) and its variable.
template<class G, Expr V>
constexpr auto with_variable(G const&, V const&) {
    constexpr bool is_gradient = Expr<G> || detail::is_sparse_or_none<G>;
    constexpr bool fits = detail::fits_variable<G, V>;
    constexpr bool moves = has_gradient(value_of<V>.type);
    static_assert(
        detail::is_variable<V> || detail::was_refused<V>, "xgrad::with_variable(gradient, v): v is not a variable; give a variable");
    static_assert(is_gradient,
        "xgrad::with_variable(gradient, v): the gradient is neither an expression, nor indexed_slices, nor none; give one of "
        "these");
    static_assert(moves || !detail::is_variable<V>,
        "xgrad::with_variable(gradient, v): v has integers or truth values, which have no gradient; write assign(v, expression)");
    static_assert(fits || !moves || !detail::is_variable<V>,
        "xgrad::with_variable(gradient, v): the gradient has another shape or element type than v; give that of v, for 16 bits "
        "float, in indexed_slices a row for each int32 or int64 index");
    if constexpr (detail::is_variable<V> && is_gradient && fits && moves) return gradient_pair<G, V>{};
    else return gradient_pair<detail::refused, V>{};
}
namespace detail {
template<class A>
inline constexpr bool is_silent_pair = false;
template<class G, class V>
inline constexpr bool is_silent_pair<gradient_pair<G, V>> = silent<G>;
/// The expression of a gradient, or that of its values; null for xgrad::none.
template<class G>
inline constexpr node_info const* gradient_root = [] {
    using P = pair_infos<G>;
    if constexpr (was_refused<G>) return static_cast<node_info const*>(nullptr);
    else return P::dense != nullptr ? P::dense : P::values;
}();
/// Whether a gradient is that of an expression with a layer with state.
template<class A>
inline constexpr bool pair_has_state = false;
template<class G, class V>
inline constexpr bool pair_has_state<gradient_pair<G, V>> = gradient_root<G> != nullptr && gradient_root<G>->moves;
/// The losses of these pairs, in the place of a loss.
template<class... A>
struct differentiated {};
template<class A>
inline constexpr node_info const* root_of_pair = nullptr;
template<class G, class V>
inline constexpr node_info const* root_of_pair<gradient_pair<G, V>> = gradient_root<G>;
/// Whether nn::updates(loss) or nn::no_updates(loss) is there, if a gradient needs it.
template<class... A>
consteval bool says_what_moves() {
    constexpr bool said = !(pair_has_state<A> || ...) || (says_state<A> || ...) || (std::is_same_v<A, refused_group> || ...);
    constexpr bool moved = !said || moves_all_state<differentiated<A...>, A...>;
    static_assert(said,
        "xgrad::apply_gradients(rule, output, pairs...): a layer of the loss has state, such as the moving averages of nn::batch_norm; "
        "write xgrad::nn::updates(loss) after the pairs, or xgrad::nn::no_updates(loss) if they stay");
    static_assert(moved,
        "xgrad::apply_gradients(rule, output, pairs..., nn::updates(y)): a layer of the differentiated loss has state that y does not have; "
        "write nn::updates of that loss");
    return said && moved;
}
template<class Rule>
constexpr auto as_group_list(Rule const& rule) {
    return param_group_list<decltype(as_group(rule))>{std::tuple(as_group(rule))};
}
template<class... G>
constexpr auto as_group_list(param_group_list<G...> const& groups) {
    return groups;
}
/// The first of a group's variables that no pair has; empty if all are right.
template<class G>
constexpr std::string_view first_missing(std::uint64_t const* names, int count) {
    for (int k = 0; k < group_rule<G>::count; ++k)
        if (std::find(names, names + count, group_rule<G>::names[k]) == names + count) return group_names<G>::at[k];
    return {};
}
template<class... G, class... A>
consteval std::string_view first_without_pair(param_group_list<G...> const*, A const*...) {
    constexpr std::uint64_t names[]{applied<A>::name..., 0};
    std::string_view first;
    ((first = first.empty() ? first_missing<G>(names, sizeof...(A)) : first), ...);
    return first;
}
template<class... G, class... A>
consteval std::string_view first_without_group(param_group_list<G...> const*, A const*...) {
    std::string_view first;
    ((first = first.empty() && applied<A>::template group_of<G...>() < 0 ? applied<A>::text : first), ...);
    return first;
}
/// Whether a group takes the variable of each pair, and each variable that a group names has a pair.
template<class... G, class... A>
consteval bool explain_groups(param_group_list<G...> const*, A const*...) {
    using groups = param_group_list<G...>;
    constexpr auto ungrouped = [] { return first_without_group(static_cast<groups const*>(nullptr), static_cast<A const*>(nullptr)...); };
    constexpr auto unpaired = [] { return first_without_pair(static_cast<groups const*>(nullptr), static_cast<A const*>(nullptr)...); };
    constexpr bool grouped = ungrouped().empty(), paired = unpaired().empty();
    constexpr bool one = (static_cast<int>(group_rule<G>::rest) + ... + 0) < 2 && first_named_twice<G...>().empty();
    static_assert(one, "xgrad::apply_gradients(param_groups(...), output, pairs...): two groups take one variable, or the rest of them; "
                       "remove it from one group");
    if constexpr (!grouped) variable_without_group<make_text(ungrouped)>();
    if constexpr (!paired) variable_without_pair<make_text(unpaired)>();
    return one && grouped && paired;
}
template<gating Gate, int Given, class... G, class Output, class... A>
auto make_applier(param_group_list<G...> const& groups, Output const&, variables_place const& at, A const&... pairs) {
    constexpr int count = (0 + ... + static_cast<int>(applied<A>::is_gradient));
    constexpr bool any = (applied<A>::exists || ...), known = !(std::is_same_v<G, refused_group> || ...);
    static_assert(count > 0,
        "xgrad::apply_gradients(rule, output, pairs...): there is no pair with a variable; write with_variable(gradient, v) "
        "for each variable");
    if constexpr (!first_named_twice<typename applied<A>::named...>().empty())
        variable_of_two_pairs<make_text([] { return first_named_twice<typename applied<A>::named...>(); })>();
    static_assert(any || count == 0,
        "xgrad::apply_gradients(rule, output, pairs...): all gradients are xgrad::none; give a gradient of a variable that the "
        "loss depends on");
    constexpr bool scaled = (scales_loss<typename group_rule<G>::type> || ...);
    static_assert(!scaled,
        "xgrad::apply_gradients(rule, output, pairs...): a rule scales the loss, and would unscale gradients that do not "
        "contain the scale; write minimize, or remove the link");
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
    static_assert(gradients, "xgrad::apply_gradients(same_optimizer(train), output, pairs...): an argument after the output is not "
                             "with_variable(gradient, v); remove it, and write assign(v, expression) in another trainer");
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
/// Different rules for different pairs of apply_gradients, like the groups of minimize:
///
///     apply_gradients(param_groups(param_group(sgd, table), adam{}), loss, pairs...)
template<class... Rules>
constexpr auto param_groups(Rules const&... rules) {
    static_assert(sizeof...(Rules) > 0 && !(detail::is_assignment<Rules> || ...),
        "xgrad::param_groups(rules...): there is no rule, or assign(v, expression) is among the rules; write rules or "
        "param_group(rule, v...), and assignments as pairs");
    return param_group_list<decltype(detail::as_group(rules))...>{std::tuple(detail::as_group(rules)...)};
}
/// The results of a step: one expression, or outputs(a, b).
template<class T>
concept StepOutput = Expr<T> || requires { T::infos; };

/// A trainer that applies given gradients: `apply_gradients(adam{}, loss, with_variable(g, w)...)`. A call returns `output`, or
/// each of outputs(a, b).
///
/// * In place of the rule: param_groups(...).
/// * Next to the pairs: assignments, as in minimize.
/// * After the pairs: sizes of the named dimensions of variables, or an owner whose variables the trainer shares.
/// * If the gradients are those of a loss with nn::batch_norm or another layer with state: nn::updates(loss), or nn::no_updates(loss).
template<gating Gate = gating::none, class Rule, StepOutput Output, class... A>
    requires(detail::is_pair<std::remove_cvref_t<A>> && ...)
auto apply_gradients(Rule const& rule, Output const& output, A&&... pairs) {
    constexpr int where = (0 + ... + static_cast<int>(detail::says_where<A>));
    if constexpr (!detail::says_what_moves<std::remove_cvref_t<A>...>()) return trainer<refused_program<Output>>(std::tuple<>());
    else if constexpr (detail::is_same_optimizer<Rule>)
        return detail::unpack([&](auto const&... pair) { return detail::apply_by<Gate>(rule, output, pair...); },
            std::tuple_cat(detail::unless_kept(pairs)...));
    else if constexpr (where == 0) return detail::make_applier<Gate, 0>(detail::as_group_list(rule), output, {}, pairs...);
    else
        return detail::unpack(
            [&](auto const&... pair) {
                return detail::make_applier<Gate, detail::given_by<A...>>(
                    detail::as_group_list(rule), output, detail::place_among<std::remove_reference_t<A>...>(pairs...), pair...);
            },
            std::tuple_cat(detail::unless_where(pairs)...));
}
template<gating Gate = gating::none, class Rule, StepOutput Output, class... A>
    requires(!(detail::is_pair<std::remove_cvref_t<A>> && ...))
auto apply_gradients(Rule const&, Output const&, A&&...) {
    static_assert(detail::never<Rule>,
        "xgrad::apply_gradients(rule, output, pairs...): an argument after the output is of no known kind; write "
        "with_variable(gradient, v), assign(v, expression), a size of a named dimension, or an owner");
    return trainer<refused_program<Output>>(std::tuple<>());
}
template<gating Gate = gating::none, class Rule>
auto apply_gradients(Rule const&) {
    return apply_gradients<Gate>(Rule{}, Rule{});
}
template<gating Gate = gating::none, class Rule, class Output, class... A>
    requires(!StepOutput<Output>)
auto apply_gradients(Rule const&, Output const&, A&&...) {
    static_assert(detail::never<Output>,
        "xgrad::apply_gradients(rule, output, pairs...): the second argument is neither the loss nor outputs(a, b); write that "
        "after the rule, and several groups as param_groups(param_group(rule, v...), ...)");
    return trainer<refused_program<Output>>(std::tuple<>());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
