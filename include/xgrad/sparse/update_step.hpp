// SPDX-License-Identifier: MIT
// The update steps of a plan: a rule on a whole variable, or on the rows of indexed slices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>
#include <xgrad/kernels/updates/optimizer_sums.hpp>
#include <xgrad/kernels/updates/update_matrix.hpp>
#include <xgrad/kernels/updates/update_reduced.hpp>
#include <xgrad/sparse/check_indices.hpp>
#include <xgrad/sparse/coalesce.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Bytes for the sums of a rule in an update.
inline std::size_t sums_scratch(step_arguments const& a) { return static_cast<std::size_t>(a.extent[4]); }
/// Bytes to group and sort the rows of an update by indexed rows.
inline std::size_t group_scratch(step_arguments const& a) {
    return sparse::group_bytes(a.extent[0], a.extent[2]) + sparse::sort_bytes(a.extent[0]);
}
/// All bytes for an update by indexed rows: groups, then sums.
inline std::size_t update_scratch(step_arguments const& a) { return group_scratch(a) + sums_scratch(a); }

/// The rule computes in T; the variable is M in memory. Operand: the gradient.
/// - first, inner: elements.
/// - extent[2], extent[4]: for rules that are not element-wise, the rows of the variable and the bytes for their sums.
/// - add(): adds the terms of the step to the reductions of the rule over all variables, before the first update.
template<class Rule, class T, class M>
struct update_whole {
    static void run(step_arguments const& a) {
        [[maybe_unused]] auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        M* const parameter = static_cast<M*>(a.parameter);
        T const* const gradient = reinterpret_cast<T const*>(a.operands[0].data);
        if constexpr (std::is_same_v<T, bool> || xgrad::detail::is_half_type<T>)   // an assignment
            std::memmove(static_cast<void*>(parameter + a.first), gradient + a.first, static_cast<std::size_t>(a.inner) * sizeof(T));
        else if constexpr (moves_elements<Rule>) {
            auto const slots = slot_pointers<Rule, T>(a.rule_slots) + a.first;
            update_dense<Rule, T>(scalars, parameter + a.first, gradient + a.first, slots.at, a.inner);
        } else if (a.inner > 0)
            update_reduced<Rule, T>(scalars, parameter, gradient, a.rule_slots, a.inner / a.extent[2], a.extent[2], a.scratch);
    }
    static void add(step_arguments const& a, optimizer_sums<Rule>& sums) {
        if (a.inner == 0) return;
        auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        std::int64_t const rows = moves_elements<Rule> ? 1 : a.extent[2];
        sums.template add_dense<T>(scalars, static_cast<M const*>(a.parameter), reinterpret_cast<T const*>(a.operands[0].data),
            a.rule_slots, a.inner / rows, rows);
    }
};

/// The same for a rule on matrices. extent[2]: rows of the variable.
template<class Rule, class T, class M>
struct update_of_matrix {
    static std::size_t scratch(step_arguments const& a) {
        return a.inner == 0 ? 0 : matrix_scratch<Rule, T>(a.extent[2], a.inner / a.extent[2]).all;
    }
    static void run(step_arguments const& a) {
        if (a.inner == 0) return;
        update_matrix<Rule, T>(*static_cast<rule_scalars<Rule, T> const*>(a.scalars), static_cast<M*>(a.parameter),
            reinterpret_cast<T const*>(a.operands[0].data), a.rule_slots, a.extent[2], a.inner / a.extent[2], a.scratch);
    }
};

/// Operand: indices. extent[0]: their number, extent[2]: number of rows.
template<class Index>
struct check_rows {
    static void run(step_arguments const& a) {
        auto const* const ids = reinterpret_cast<Index const*>(a.operands[0].data);
        std::int64_t const k = sparse::first_out_of_range(ids, a.extent[0], a.extent[2]);
        if (k >= 0) report_index(a.bad_index, a.fault, "indexed_slices", ids[k], a.extent[2]);
    }
};

/// The groups that further updates with the same indices use. The groups' memory follows this header.
struct alignas(64) kept_groups {
    row_groups groups;
    sparse::sorted_groups sorted;
    std::byte* sort_at;
};

/// Operands: values, indices.
/// - extent[0]: number of indices; extent[2]: rows of the variable; inner: row length; extent[4]: as in update_whole.
/// - Slice p is row (p / extent[1], p % extent[1]) of the values, which are [extent[3], extent[1]] rows.
/// - A part of an exact rule updates rows [first, last) of the variable.
///   Other rules only update rows that occur: a part updates an equal share of these.
template<class Rule, class T, class M, class Index, long long Row>
struct update_sparse {
    static constexpr bool exact = Rule::sparse == std::remove_cvref_t<decltype(Rule::sparse)>::exact;
    /// The slices, grouped by row in the scratch memory of the step, or in the memory that it shares with other updates.
    struct grouped {
        std::int64_t n, rows, row;
        slice_values<T> values;
        row_groups groups;
        sparse::sorted_groups sorted{};
        XGRAD_INLINE explicit grouped(step_arguments const& a)
            : n(a.extent[0]), rows(a.extent[2]), row(Row >= 0 ? Row : a.inner),
              values{reinterpret_cast<T const*>(a.operands[0].data), a.operands[0].stride[0], a.extent[1], a.operands[0].stride[1]} {
            auto* const kept = static_cast<kept_groups*>(a.groups);
            std::byte *const memory =
                                 kept == nullptr ? static_cast<std::byte*>(a.scratch) : static_cast<std::byte*>(a.groups) + sizeof *kept,
                             *sort_at = memory + sparse::group_bytes(n, rows);
            if (kept != nullptr && a.grouped) {
                groups = kept->groups;
                sorted = kept->sorted;
                sort_at = kept->sort_at;
            } else groups = sparse::group_rows(reinterpret_cast<Index const*>(a.operands[1].data), n, rows, memory);
            if constexpr (exact)
                if (sorted.rows == nullptr) sorted = sparse::sort_groups(groups, rows, sort_at);
            if (kept != nullptr) *kept = {groups, sorted, sort_at};
        }
    };
    static void run(step_arguments const& a) {
        auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        auto* const parameter = static_cast<M*>(a.parameter);
        auto const [n, rows, row, values, groups, sorted] = grouped(a);
        if constexpr (!moves_elements<Rule>) {
            void* const sums = static_cast<std::byte*>(a.scratch) + group_scratch(a);
            if constexpr (exact)
                update_reduced_table<Rule, static_cast<int>(Row), T>(
                    scalars, parameter, a.rule_slots, row, rows, groups, sorted.rows, sorted.which, values, sums);
            else
                update_reduced_rows<Rule, static_cast<int>(Row), T>(
                    scalars, parameter, a.rule_slots, row, groups, values, sums, a.row_step);
        } else if constexpr (exact)
            update_all_rows<Rule, T>(scalars, parameter, a.rule_slots, row, a.last, groups, sorted.rows, sorted.which, values, a.first);
        else {
            row_groups const mine = a.first == 0 && a.last == rows ? groups
                                                                   : sparse::groups_between(groups, n, n * a.first / rows,
                                                                         n * a.last / rows, static_cast<std::byte*>(a.scratch));
            update_rows<Rule, static_cast<int>(Row), T>(scalars, parameter, a.rule_slots, row, mine, values, a.row_step);
        }
    }
    static void add(step_arguments const& a, optimizer_sums<Rule>& sums) {
        auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        auto const* const parameter = static_cast<M const*>(a.parameter);
        step_arguments alone = a;   // groups its slices itself: the update that makes the shared groups has not run yet
        alone.groups = nullptr;
        grouped const g(alone);
        if constexpr (exact)
            sums.template add_table<T>(scalars, parameter, a.rule_slots, g.row, g.rows, g.groups, g.sorted.rows, g.sorted.which, g.values);
        else sums.template add_rows<T>(scalars, parameter, a.rule_slots, g.row, g.groups, g.values, a.row_step);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
