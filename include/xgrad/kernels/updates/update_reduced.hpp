// SPDX-License-Identifier: MIT
// Applies an update rule with reductions over rows, columns or the whole variable, or with slots for each of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/reduced_update.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {
template<class Rule, int RowStatic = -1, class T, class M, class Rows>
void run_reduced(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& slots, std::int64_t row, Rows const& rows,
    void* scratch) {
    reduced_update<Rule, T, M, Rows, false>(scalars, param, slots, RowStatic > 0 ? RowStatic : row, rows, scratch).run();
}
}   // namespace detail

// The passes of an update:
// 1. Reductions per variable and per column are summed over all rows. Then the slots per variable and per column are updated.
// 2. The same for each later stage.
// 3. Row by row: reductions per row, the slots per row, the elements.
//
// Slots per row are updated earlier, also row by row, if a later stage reads all rows.
// If slots are updated after the elements, everything is one pass.
//
// Order of summation:
// - Terms are computed in T.
// - Four batches of a row, or four rows of a column of a dense gradient, are added in T. These sums are added in double.
// - Rows are added in order (rows of a sparse gradient: by first occurrence).
// - A row is summed lane by lane. The lanes are added at its end; for reductions per variable, after all rows.
//
// So a sum depends only on shape, indices and the width of a batch.
//
// Without rows or elements nothing is changed. Slots are as for update_dense, `scratch` has reduction_bytes<Rule>(row) bytes.

/// Any rule, on a whole variable [rows, row].
template<class Rule, class T, class M, class Slot>
void update_reduced(rule_scalars<Rule, T> const& scalars, M* param, T const* grad, Slot* const* slots, std::int64_t row, std::int64_t rows,
    void* scratch) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if constexpr (detail::sees_rows<Rule>())
        detail::run_reduced<Rule, -1, T>(scalars, param, at, row, detail::dense_rows<T>{grad, row, rows}, scratch);
    else   // as one long row
        detail::run_reduced<Rule, -1, T>(scalars, param, at, row * rows, detail::dense_rows<T>{grad, row * rows, 1}, scratch);
}
/// On the rows that occur in a sparse gradient.
/// Reductions cover only these rows, and the others are not touched. `step` is as for update_rows.
template<class Rule, int RowStatic = -1, class T, class M, class Slot>
void update_reduced_rows(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, row_groups const& groups,
    slice_values<T> const& values, void* scratch, std::int64_t step = 0) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if constexpr (RowStatic > 0) row = RowStatic;
    if (step == 0) step = row;
    if (groups.order == nullptr) {
        using slices = detail::single_slices<T>;
        detail::run_reduced<Rule, RowStatic, T>(scalars, param, at, row,
            detail::present_rows<T, slices, RowStatic>{groups.rows, groups.count, step, {slices{values}, row}}, scratch);
    } else {
        using slices = detail::grouped_slices<T>;
        detail::run_reduced<Rule, RowStatic, T>(scalars, param, at, row,
            detail::present_rows<T, slices, RowStatic>{
                groups.rows, groups.count, step, {slices{values, groups.offsets, groups.order}, row}},
            scratch);
    }
}
/// On every row of a table [table_rows, row], as if the sparse gradient were dense. `sorted` and `which` are as for update_all_rows.
template<class Rule, int RowStatic = -1, class T, class M, class Slot>
void update_reduced_table(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, std::int64_t table_rows,
    row_groups const& groups, std::int32_t const* sorted, std::int32_t const* which, slice_values<T> const& values,
    void* scratch) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if constexpr (RowStatic > 0) row = RowStatic;
    if (groups.order == nullptr) {
        using slices = detail::single_slices<T>;
        detail::run_reduced<Rule, RowStatic, T>(scalars, param, at, row,
            detail::table_rows<T, slices, RowStatic>{sorted, which, groups.count, table_rows, {slices{values}, row}}, scratch);
    } else {
        using slices = detail::grouped_slices<T>;
        detail::run_reduced<Rule, RowStatic, T>(scalars, param, at, row,
            detail::table_rows<T, slices, RowStatic>{
                sorted, which, groups.count, table_rows, {slices{values, groups.offsets, groups.order}, row}},
            scratch);
    }
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
