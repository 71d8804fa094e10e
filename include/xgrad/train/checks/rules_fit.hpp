// SPDX-License-Identifier: MIT
// Checks that rules can move their variables, and that their reductions come in time. Reports an error sentence if not.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/optimizer_reductions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P>
consteval bool reductions_come_first() {
    constexpr bool first = reductions_fit<P>(static_cast<typename P::rules const*>(nullptr));
    static_assert(first,
        "xgrad: a rule with reductions over all variables, as prodigy, needs all its gradients before the first update, and one of them is made of "
        "updated(v), which is there only behind it; make that gradient of v");
    return first;
}
/// Why a rule for matrices cannot move a variable of its group.
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
        "xgrad: a rule that moves matrices, as muon, is given a variable of other than two axes; name the matrices and give the others another rule: "
        "minimize(loss, param_group(muon{}, w...), adamw{})");
    static_assert(wrong != matrix_fault::indexed,
        "xgrad: a rule that moves matrices, as muon, is given a table whose gradient has the rows that occur alone, as of gather; give it another rule: "
        "minimize(loss, param_group(muon{}, w...), adamw{})");
    return wrong == matrix_fault::none;
}
template<class Rules>
inline constexpr bool any_moves_matrices = false;
template<class... R>
inline constexpr bool any_moves_matrices<std::tuple<R...>> = (moves_matrices<R> || ...);
/// Whether each variable has the element type that its rule requires.
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
        "xgrad: a rule is for variables of 16 bits, master_weights<Half>(rule) of Half and stochastic_rounding(rule) of bfloat16, and takes one of another type; "
        "declare it as variable<\"w\", bfloat16, ...>, or give that one another rule");
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
