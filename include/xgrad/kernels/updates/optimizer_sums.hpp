// SPDX-License-Identifier: MIT
// The reductions of a rule over all variables that it updates. They are summed variable by variable, before the first update.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/reduced_update.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Sums in progress. The variables come in the order of the plan. Each is summed like the reductions per variable of an update
/// (kernels/updates/update_reduced.hpp), from the slots per element as they are before the step. Nothing is changed.
template<class Rule>
struct optimizer_sums {
    double value[optimizer_reductions<Rule>] = {};
    double elements = 0;

    /// Adds a whole variable [rows, row] with its gradient.
    template<class T, class M, class Slot>
    void add_dense(rule_scalars<Rule, T> const& scalars, M const* param, T const* grad, Slot* const* slots, std::int64_t row,
        std::int64_t rows) noexcept {
        if constexpr (detail::sees_rows<Rule>()) add(scalars, param, slots, row, detail::dense_rows<T>{grad, row, rows});
        else add(scalars, param, slots, row * rows, detail::dense_rows<T>{grad, row * rows, 1});
    }
    /// Adds the rows that occur in a sparse gradient. `step` is as for update_rows.
    template<class T, class M, class Slot>
    void add_rows(rule_scalars<Rule, T> const& scalars, M const* param, Slot* const* slots, std::int64_t row, row_groups const& groups,
        slice_values<T> const& values, std::int64_t step = 0) noexcept {
        if (step == 0) step = row;
        if (groups.order == nullptr) {
            using slices = detail::single_slices<T>;
            add(scalars, param, slots, row, detail::present_rows<T, slices>{groups.rows, groups.count, step, {slices{values}, row}});
        } else {
            using slices = detail::grouped_slices<T>;
            add(scalars, param, slots, row,
                detail::present_rows<T, slices>{groups.rows, groups.count, step, {slices{values, groups.offsets, groups.order}, row}});
        }
    }
    /// Adds every row of a table; rows that do not occur have a gradient of 0. `sorted` and `which` are as for update_all_rows.
    template<class T, class M, class Slot>
    void add_table(rule_scalars<Rule, T> const& scalars, M const* param, Slot* const* slots, std::int64_t row, std::int64_t table_rows,
        row_groups const& groups, std::int32_t const* sorted, std::int32_t const* which, slice_values<T> const& values) noexcept {
        if (groups.order == nullptr) {
            using slices = detail::single_slices<T>;
            add(scalars, param, slots, row, detail::table_rows<T, slices>{sorted, which, groups.count, table_rows, {slices{values}, row}});
        } else {
            using slices = detail::grouped_slices<T>;
            add(scalars, param, slots, row,
                detail::table_rows<T, slices>{
                    sorted, which, groups.count, table_rows, {slices{values, groups.offsets, groups.order}, row}});
        }
    }
    /// Call after all variables have been added: divides the means. A mean of no elements is 0.
    void finish() noexcept {
        for (int k = 0; k < optimizer_reductions<Rule>; ++k)
            if (rule_reductions<Rule>[static_cast<std::size_t>(own_reductions<Rule> + k)].kind == reduction::mean && elements > 0)
                value[k] /= elements;
    }

private:
    template<class T, class M, class Slot, class Rows>
    void add(rule_scalars<Rule, T> const& scalars, M const* param, Slot* const* slots, std::int64_t row, Rows const& rows) noexcept {
        detail::reduced_update<Rule, T, M const, Rows, true>(scalars, param, slot_pointers<Rule, T>(slots), row, rows, nullptr)
            .add_to(value, elements);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
