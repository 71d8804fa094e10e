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
        "xgrad: a rule with reductions over all variables, like prodigy, needs all gradients before the first update, but one "
        "depends on updated(v); make this gradient depend on v");
    return first;
}
/// Why a rule for matrices cannot move a variable of its group.
enum class matrix_fault { none, axes, indexed };
struct wrong_matrix {
    matrix_fault fault = matrix_fault::none;
    std::string_view variable{};
};
template<class Request, class... R>
consteval wrong_matrix find_wrong_matrix(std::tuple<R...> const*) {
    constexpr bool of_matrices[]{moves_matrices<R>..., false};
    for (int u = 0; u < Request::update_count; ++u) {
        auto const& update = Request::updates[u];
        if (!of_matrices[update.group]) continue;
        std::string_view const name = Request::table.attrs(update.variable).name;
        if (Request::table.dims(update.variable).rank != 2) return {matrix_fault::axes, name};
        if (update.dense < 0) return {matrix_fault::indexed, name};
    }
    return {};
}
template<class P>
consteval wrong_matrix wrong_matrix_of() {
    return find_wrong_matrix<typename P::request>(static_cast<typename P::rules const*>(nullptr));
}
// The name is a template argument, so the compiler prints it.
template<fixed_string Name>
constexpr void not_a_matrix() {
    static_assert(sizeof(Name) == 0,
        "xgrad: a rule that moves matrices, like muon, has a variable without exactly two axes: not_a_matrix<...> names it; "
        "give it another rule: minimize(loss, param_group(muon{}, w...), adamw{})");
}
template<fixed_string Name>
constexpr void table_of_matrix_rule() {
    static_assert(sizeof(Name) == 0,
        "xgrad: a rule that moves matrices, like muon, has a table with a sparse gradient, as of gather: "
        "table_of_matrix_rule<...> names it; give it another rule: minimize(loss, param_group(muon{}, w...), adamw{})");
}
template<fixed_string Name>
constexpr void not_of_16_bits() {
    static_assert(sizeof(Name) == 0,
        "xgrad: a rule is for variables of 16 bits and has one of another type: not_of_16_bits<...> names it; declare it as "
        "variable<\"w\", bfloat16, ...>, or give it another rule");
}
template<class P>
consteval bool variables_are_matrices() {
    constexpr wrong_matrix wrong = wrong_matrix_of<P>();
    if constexpr (wrong.fault == matrix_fault::axes) not_a_matrix<make_text([] { return wrong_matrix_of<P>().variable; })>();
    if constexpr (wrong.fault == matrix_fault::indexed) table_of_matrix_rule<make_text([] { return wrong_matrix_of<P>().variable; })>();
    return wrong.fault == matrix_fault::none;
}
template<class Rules>
inline constexpr bool any_moves_matrices = false;
template<class... R>
inline constexpr bool any_moves_matrices<std::tuple<R...>> = (moves_matrices<R> || ...);
/// The first variable that is not of the type that its rule is for; empty if all are right.
template<class Request, class... R>
consteval std::string_view first_of_other_type(std::tuple<R...> const*) {
    constexpr dtype wanted[]{rule_variable_type<R>...};
    for (int u = 0; u < Request::update_count; ++u)
        if (dtype const type = wanted[Request::updates[u].group];
            type != dtype::literal && type != Request::table.type(Request::updates[u].variable))
            return Request::table.attrs(Request::updates[u].variable).name;
    return {};
}
template<class P>
consteval bool variables_fit() {
    constexpr auto other = [] { return first_of_other_type<typename P::request>(static_cast<typename P::rules const*>(nullptr)); };
    constexpr bool fit = other().empty();
    if constexpr (!fit) not_of_16_bits<make_text(other)>();
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
