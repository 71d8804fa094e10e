// SPDX-License-Identifier: MIT
// What an update rule declares: the numbers that it keeps, and the sums that it needs.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/shape.hpp>

#include <array>
#include <concepts>
#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// What there is one number for. A variable [n, a, b] has n rows of a·b elements and a·b columns of n; one of rank 1 has rows of one element and one
/// column, one of rank 0 is a single row.
enum class per : unsigned char { element, row, column, variable, optimizer };

/// A slot: numbers that a rule keeps from step to step. `slots{"m", {"v", dtype::bfloat16}, {"accumulator", per::row}, {"beta1_power", per::optimizer}}`.
struct slot_info {
    std::string_view name;
    dtype type = dtype::literal;   ///< in memory, any floating one; literal: that of the variable, for the optimizer double
    per scope = per::element;

    constexpr slot_info(std::string_view n, dtype t = dtype::literal, per s = per::element) : name(n), type(t), scope(s) {}
    constexpr slot_info(char const* n, dtype t = dtype::literal, per s = per::element) : name(n), type(t), scope(s) {}
    constexpr slot_info(std::string_view n, per s) : name(n), scope(s) {}

    /// In memory, of a variable of this type.
    constexpr dtype type_for(dtype variable) const {
        return type != dtype::literal ? type : scope == per::optimizer ? dtype::float64 : variable;
    }
    friend constexpr bool operator==(slot_info const& slot, std::string_view text) { return slot.name == text; }
};

/// Axes of the numbers of one scope of a variable of rank `rank`: the first one, and how many.
struct axis_range {
    int first, count;
};
constexpr axis_range axes_of(per scope, int rank) {
    switch (scope) {
    case per::element: return {0, rank};
    case per::row: return {0, rank < 1 ? rank : 1};
    case per::column: return {rank < 1 ? rank : 1, rank < 1 ? 0 : rank - 1};
    default: return {0, 0};
    }
}

/// What becomes of the terms of the elements that a number is for.
enum class reduction : unsigned char { sum, mean };

/// A number that a rule needs of all elements of a row, a column or a variable: `reductions{per::variable, {per::row, reduction::mean}}`.
struct reduction_info {
    per scope;
    reduction kind = reduction::sum;
    constexpr reduction_info(per s, reduction k = reduction::sum) : scope(s), kind(k) {}
};

namespace detail {
template<class To, class List>
constexpr auto convert_list(List const& list) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) { return std::array<To, sizeof...(K)>{To(list[K])...}; }(
               std::make_index_sequence<std::tuple_size_v<List>>{});
}
template<class Rule>
constexpr auto declared_reductions() {
    if constexpr (requires { Rule::reductions; }) return convert_list<reduction_info>(Rule::reductions);
    else return std::array<reduction_info, 0>{};
}
template<class List>
constexpr int count_scope(List const& list, per scope) {
    int n = 0;
    for (auto const& i : list) n += i.scope == scope;
    return n;
}
}   // namespace detail

/// The declarations of a rule; names alone are slots per element.
template<class Rule>
inline constexpr auto rule_slots = detail::convert_list<slot_info>(Rule::slots);
template<class Rule>
inline constexpr auto rule_reductions = detail::declared_reductions<Rule>();

/// Number of slots that belong to each variable; they stand first.
template<class Rule>
inline constexpr int slot_count = static_cast<int>(rule_slots<Rule>.size()) - detail::count_scope(rule_slots<Rule>, per::optimizer);
/// Number of slots that belong to the optimizer.
template<class Rule>
inline constexpr int power_count = detail::count_scope(rule_slots<Rule>, per::optimizer);
/// A rule that moves each element by what belongs to that element alone: it may run wherever a gradient is made.
template<class Rule>
inline constexpr bool moves_elements =
    rule_reductions<Rule>.size() == 0 && detail::count_scope(rule_slots<Rule>, per::element) == slot_count<Rule>;

XGRAD_NAMESPACE_END
