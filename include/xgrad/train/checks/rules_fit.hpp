// SPDX-License-Identifier: MIT
// Whether rules can move the variables that they are given, and in time; if not, a sentence.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/optimizer_reductions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P>
consteval bool reductions_come_first() {
    constexpr bool first = reductions_fit<P>(static_cast<typename P::rules const*>(nullptr));
    static_assert(first,
        "xgrad: a rule with reductions over all variables, like prodigy, needs all gradients before the first update, but one "
        "depends on updated(v). Make this gradient depend on v");
    return first;
}
/// What keeps a rule that moves matrices from a variable of its group.
enum class matrix_fault { none, axes, indexed };
template<class Request, class... R>
consteval matrix_fault matrices_fit(std::tuple<R...> const*) {
    constexpr bool of_matrices[]{moves_matrices<R>..., false};
    for (int u = 0; u < Request::update_count; ++u) {
        auto const& update = Request::updates[u];
        if (!of_matrices[update.group]) continue;
        if (Request::table.dims(update.variable).rank != 2) return matrix_fault::axes;
        if (update.dense < 0) return matrix_fault::indexed;
    }
    return matrix_fault::none;
}
template<class P>
consteval bool variables_are_matrices() {
    constexpr matrix_fault wrong = matrices_fit<typename P::request>(static_cast<typename P::rules const*>(nullptr));
    static_assert(wrong != matrix_fault::axes,
        "xgrad: a rule that moves matrices, like muon, has a variable without exactly two axes: not_a_matrix<\"w\"> names it. "
        "Give it another rule: minimize(loss, param_group(muon{}, w...), adamw{})");
    static_assert(wrong != matrix_fault::indexed,
        "xgrad: a rule that moves matrices, like muon, has a table with a sparse gradient, as of gather: "
        "table_of_matrix_rule<\"w\"> names it. Give it another rule: minimize(loss, param_group(muon{}, w...), adamw{})");
    return wrong == matrix_fault::none;
}
template<class Rules>
inline constexpr bool any_moves_matrices = false;
template<class... R>
inline constexpr bool any_moves_matrices<std::tuple<R...>> = (moves_matrices<R> || ...);
/// Whether each variable is of the type that its rule is for.
template<class Request, class... R>
consteval bool types_fit(std::tuple<R...> const*) {
    constexpr dtype wanted[]{rule_variable_type<R>...};
    for (int u = 0; u < Request::update_count; ++u)
        if (dtype const type = wanted[Request::updates[u].group];
            type != dtype::literal && type != Request::table.type(Request::updates[u].variable))
            return false;
    return true;
}
template<class P>
consteval bool variables_fit() {
    constexpr bool fit = types_fit<typename P::request>(static_cast<typename P::rules const*>(nullptr));
    static_assert(fit,
        "xgrad: a rule is for variables of 16 bits and has one of another type: not_of_16_bits<\"w\"> names it. Declare it as "
        "variable<\"w\", bfloat16, ...>, or give it another rule");
    return fit;
}
template<class P>
consteval bool rules_fit() {
    bool fit = variables_fit<P>();
    if constexpr (any_moves_matrices<typename P::rules>) fit = fit && variables_are_matrices<P>();
    if constexpr (reduces_over_all<typename P::rules>) fit = fit && reductions_come_first<P>();
    return fit;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
