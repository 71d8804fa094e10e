// SPDX-License-Identifier: MIT
// The declarations of an update rule: the numbers that it keeps, and the reductions that it needs.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/shape.hpp>
#include <xgrad/meta/fixed_string.hpp>

#include <array>
#include <concepts>
#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// The scope of a number: which elements share it.
/// A variable [n, a, b] has n rows of a·b elements, and a·b columns of n elements. A variable of rank 1 has rows of one
/// element and one column. A variable of rank 0 is a single row.
/// row_pair and column_pair are for matrices: one number for any two rows, or for any two columns.
enum class per : unsigned char { element, row, column, variable, optimizer, row_pair, column_pair };

/// A slot: numbers that a rule keeps from step to step. `slots{"m", {"v", dtype::bfloat16}, {"accumulator", per::row},
/// {"beta1_power", per::optimizer}}`.
struct slot_info {
    std::string_view name;
    /// in memory, any floating type; literal: the type in which the rule computes, or double for per::optimizer
    dtype type = dtype::literal;
    per scope = per::element;

    constexpr slot_info(std::string_view n, dtype t = dtype::literal, per s = per::element) : name(n), type(t), scope(s) {}
    constexpr slot_info(char const* n, dtype t = dtype::literal, per s = per::element) : name(n), type(t), scope(s) {}
    constexpr slot_info(std::string_view n, per s) : name(n), scope(s) {}

    /// The type in memory, for a variable of this type.
    constexpr dtype type_for(dtype variable) const {
        return type != dtype::literal ? type : scope == per::optimizer ? dtype::float64 : computed_type(variable);
    }
    friend constexpr bool operator==(slot_info const& slot, std::string_view text) { return slot.name == text; }
};

/// The axes of the numbers of one scope, for a variable of rank `rank`: the first axis, how many, and their distance.
/// Distance 0 means the same axis twice.
struct axis_range {
    int first, count, step = 1;
    constexpr int at(int k) const { return first + k * step; }
};
constexpr axis_range axes_of(per scope, int rank) {
    switch (scope) {
    case per::element: return {0, rank};
    case per::row: return {0, rank < 1 ? rank : 1};
    case per::column: return {rank < 1 ? rank : 1, rank < 1 ? 0 : rank - 1};
    case per::row_pair: return {0, 2, 0};
    case per::column_pair: return {1, 2, 0};
    default: return {0, 0};
    }
}

/// How the terms of the elements of one scope are combined.
enum class reduction : unsigned char { sum, mean, max };

/// A number that a rule needs of all elements of a row, a column or a variable:
/// `reductions{per::variable, {per::row, reduction::mean}}`.
/// * Its terms may use reductions of earlier stages, and slots that those have updated. Stages in the list start at 0
///   and increase by one.
/// * per::optimizer: over all variables that the rule updates in a trainer. Such reductions have one stage, and come
///   last in the list.
/// * A name adds up the reductions of that name over several groups: `{per::optimizer, "squares"}`.
struct reduction_info {
    per scope;
    reduction kind = reduction::sum;
    int stage = 0;
    std::uint64_t shared = 0;   // the hash of its name, or 0
    bool each_slice = false;    // for a sparse gradient: sums the slices as they are, without adding up repeated rows first
    constexpr reduction_info(per s, char const* name) : scope(s), kind(reduction::sum), shared(hash_text(name)) {}
    constexpr reduction_info(per s, reduction k = reduction::sum, int n = 0) : scope(s), kind(k), stage(n) {}
    constexpr reduction_info(per s, int n) : scope(s), stage(n) {}
    /// The same, but over the slices of a sparse gradient one by one. Only for sums per variable or over all variables,
    /// in the first stage.
    constexpr reduction_info of_slices() const {
        reduction_info r = *this;
        r.each_slice = true;
        return r;
    }
};

/// The declarations of one kind (slots or reductions) of a rule.
template<class T>
struct declared_list {
    T const* first;
    int count;
    constexpr T const* begin() const { return first; }
    constexpr T const* end() const { return first + count; }
    constexpr T const& operator[](std::size_t k) const { return first[k]; }
    constexpr int count_of(per scope) const {
        int n = 0;
        for (T const& i : *this) n += i.scope == scope;
        return n;
    }
};

namespace detail {
template<class Rule, std::size_t... K>
constexpr std::array<slot_info, sizeof...(K)> slots_of_names(std::index_sequence<K...>) {
    return {slot_info(Rule::slots[K])...};
}
template<class Rule>
inline constexpr auto named_slots = slots_of_names<Rule>(std::make_index_sequence<Rule::slots.size()>());
template<class Rule>
constexpr declared_list<slot_info> declared_slots() {
    constexpr int n = static_cast<int>(Rule::slots.size());
    if constexpr (n == 0) return {nullptr, 0};
    else if constexpr (requires(slot_info const& s) { &s == Rule::slots.data(); }) return {Rule::slots.data(), n};
    else return {named_slots<Rule>.data(), n};
}
template<class Rule>
constexpr declared_list<reduction_info> declared_reductions() {
    if constexpr (requires { Rule::reductions; }) return {Rule::reductions.data(), static_cast<int>(Rule::reductions.size())};
    else return {nullptr, 0};
}
}   // namespace detail

/// The declared slots of a rule. Names alone are slots per element.
template<class Rule>
inline constexpr declared_list<slot_info> rule_slots = detail::declared_slots<Rule>();
template<class Rule>
inline constexpr declared_list<reduction_info> rule_reductions = detail::declared_reductions<Rule>();

/// Number of slots that belong to each variable. They come first in the list.
template<class Rule>
inline constexpr int slot_count = rule_slots<Rule>.count - rule_slots<Rule>.count_of(per::optimizer);
/// Number of slots that belong to the optimizer.
template<class Rule>
inline constexpr int power_count = rule_slots<Rule>.count_of(per::optimizer);
namespace detail {
/// The slot of a variable with this name; null if the rule has none.
template<class Rule>
constexpr slot_info const* slot_in(std::string_view name) {
    for (int k = 0; k < slot_count<Rule>; ++k)
        if (rule_slots<Rule>[static_cast<std::size_t>(k)].name == name) return &rule_slots<Rule>[static_cast<std::size_t>(k)];
    return nullptr;
}
/// The slots of a rule with one more inserted after those of a variable.
template<class Rule>
constexpr auto with_slot(slot_info const& added) {
    constexpr std::size_t all = static_cast<std::size_t>(rule_slots<Rule>.count), own = static_cast<std::size_t>(slot_count<Rule>);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::array<slot_info, all + 1>{(K == own ? added : rule_slots<Rule>[K < own ? K : K - 1])...};
    }(std::make_index_sequence<all + 1>{});
}
}   // namespace detail
/// Number of reductions over all variables that the rule updates. They are known before the first update.
template<class Rule>
inline constexpr int optimizer_reductions = rule_reductions<Rule>.count_of(per::optimizer);
/// Number of the other reductions, each over one variable.
template<class Rule>
inline constexpr int own_reductions = rule_reductions<Rule>.count - optimizer_reductions<Rule>;
/// Number of stages of these.
template<class Rule>
inline constexpr int reduction_stages = own_reductions<Rule> > 0 ? rule_reductions<Rule>.first[own_reductions<Rule> - 1].stage + 1 : 1;
/// An exact rule that updates rows missing from the indexed slices with other scalars, absent_row(scalars).
template<class Rule>
inline constexpr bool moves_absent_rows = requires(typename Rule::template scalars<float> const& s) { Rule::absent_row(s); };
/// Operations per element, if the rule declares them.
template<class Rule>
inline constexpr int flops_of = 0;
template<class Rule>
    requires requires { Rule::flops; }
inline constexpr int flops_of<Rule> = Rule::flops;
/// The memory type of the variables that a rule is for. literal: any.
template<class Rule>
inline constexpr dtype rule_variable_type = dtype::literal;
template<class Rule>
    requires requires { Rule::variable_type; }
inline constexpr dtype rule_variable_type<Rule> = Rule::variable_type;
/// A rule for which a step without a gradient is a linear map of an element and its slots. The map depends on
/// hyper-parameters alone.
template<class Rule>
inline constexpr bool idle_is_linear = requires { requires Rule::idle_is_linear; };
/// A rule whose slots that are not per element change after the update. `terms` computes the change from their values
/// before the update.
template<class Rule>
inline constexpr bool slots_move_behind = requires { requires Rule::slots_move_behind; };
/// Number of slots that have a number for any two rows or columns.
template<class Rule>
inline constexpr int pair_count = rule_slots<Rule>.count_of(per::row_pair) + rule_slots<Rule>.count_of(per::column_pair);
/// A rule that updates matrices by products of matrices (optim/matrix_rule.hpp).
template<class Rule>
inline constexpr bool moves_matrices = requires { requires Rule::moves_matrices; };
/// A rule whose update of an element uses only numbers of that element.
template<class Rule>
inline constexpr bool moves_elements =
    own_reductions<Rule> == 0 && rule_slots<Rule>.count_of(per::element) == slot_count<Rule> && !moves_matrices<Rule>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
