// SPDX-License-Identifier: MIT
// The update steps of a plan: a rule on a whole variable, or on the rows of indexed slices.
#pragma once

#include <xgrad/kernels/arguments.hpp>
#include <xgrad/kernels/update_rows.hpp>
#include <xgrad/sparse/check_indices.hpp>
#include <xgrad/sparse/coalesce.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Slot: the gradient. inner: elements.
template<class Rule, class T>
struct update_whole {
    static void run(step_arguments const& a) {
        update_dense<Rule, T>(*static_cast<rule_scalars<Rule, T> const*>(a.scalars), static_cast<T*>(a.parameter),
            reinterpret_cast<T const*>(a.slots[0].data), a.rule_slots, a.inner);
    }
};

/// Slot: indices. extent[0]: their number, extent[2]: rows that there are.
template<class Index>
struct check_rows {
    static void run(step_arguments const& a) {
        *a.bad_index = sparse::first_out_of_range(reinterpret_cast<Index const*>(a.slots[0].data), a.extent[0], a.extent[2]) >= 0;
    }
};

/// Slots: values, indices. extent[0]: indices, extent[2]: rows of the variable, inner: row length. Slice p is row (p / extent[1], p % extent[1]) of
/// the values, which are [extent[3], extent[1]] rows.
template<class Rule, class T, class Index, long long Row>
struct update_sparse {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], rows = a.extent[2], row = Row >= 0 ? Row : a.inner;
        auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        slice_values<T> const values{reinterpret_cast<T const*>(a.slots[0].data), a.slots[0].stride[0], a.extent[1], a.slots[0].stride[1]};
        auto* scratch = static_cast<std::byte*>(a.scratch);
        row_groups const groups = sparse::group_rows(reinterpret_cast<Index const*>(a.slots[1].data), n, rows, scratch);
        if constexpr (Rule::sparse == std::remove_cvref_t<decltype(Rule::sparse)>::exact) {
            auto const sorted = sparse::sort_groups(groups, rows, scratch + sparse::group_bytes(n, rows));
            update_all_rows<Rule, T>(scalars, static_cast<T*>(a.parameter), a.rule_slots, row, rows, groups, sorted.rows, sorted.which, values);
        } else update_rows<Rule, static_cast<int>(Row), T>(scalars, static_cast<T*>(a.parameter), a.rule_slots, row, groups, values);
    }
};

/// Of an update by indexed rows.
inline std::size_t update_scratch(step_arguments const& a) {
    return sparse::group_bytes(a.extent[0], a.extent[2]) + sparse::sort_bytes(a.extent[0]);
}

}   // namespace kernels
XGRAD_NAMESPACE_END
