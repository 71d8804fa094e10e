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
            reinterpret_cast<T const*>(a.slots[0].data), reinterpret_cast<T* const*>(a.rule_slots), a.inner);
    }
};

/// Slots: values, indices. extent[0]: indices, extent[1]: how many indices share one row of values, extent[2]: rows of the variable, inner: row length.
/// Check: the indices are looked at first.
template<class Rule, class T, class Index, long long Row, bool Check = false>
struct update_sparse {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], repeat = a.extent[1], rows = a.extent[2], row = Row >= 0 ? Row : a.inner,
                           step = a.slots[0].stride[0];
        if constexpr (Check)
            if (sparse::first_out_of_range(reinterpret_cast<Index const*>(a.slots[1].data), n, rows) >= 0) {
                *a.bad_index = true;
                return;
            }
        auto const& scalars = *static_cast<rule_scalars<Rule, T> const*>(a.scalars);
        T* const* slots = reinterpret_cast<T* const*>(a.rule_slots);
        T const* values = reinterpret_cast<T const*>(a.slots[0].data);
        auto* scratch = static_cast<std::byte*>(a.scratch);
        row_groups const groups = sparse::group_rows(reinterpret_cast<Index const*>(a.slots[1].data), n, rows, scratch);
        scratch += sparse::group_bytes(n, rows);
        if (repeat != 1 || step != row) {   // rows one behind the other
            T* packed = reinterpret_cast<T*>(scratch);
            scratch += (static_cast<std::size_t>(n * row) * sizeof(T) + 63) / 64 * 64;
            for (std::int64_t i = 0, k = 0; k < n; ++i)
                for (std::int64_t r = 0; r < repeat && k < n; ++r, ++k)
                    for (std::int64_t j = 0; j < row; ++j) packed[k * row + j] = values[i * step + j];
            values = packed;
        }
        if constexpr (Rule::sparse == std::remove_cvref_t<decltype(Rule::sparse)>::exact) {
            auto const sorted = sparse::sort_groups(groups, rows, scratch);
            update_all_rows<Rule, T>(scalars, static_cast<T*>(a.parameter), slots, row, rows, groups, sorted.rows, sorted.which, values);
        } else update_rows<Rule, static_cast<int>(Row), T>(scalars, static_cast<T*>(a.parameter), slots, row, groups, values);
    }
};

}   // namespace kernels
namespace sparse {

/// Bytes of scratch memory of an update by n indexed rows of `row_bytes` into a variable of `rows` rows.
constexpr std::size_t update_scratch(std::int64_t n, std::int64_t rows, std::int64_t row_bytes) {
    return group_bytes(n, rows) + sort_bytes(n) + (static_cast<std::size_t>(n * row_bytes) + 63) / 64 * 64;
}

}   // namespace sparse
XGRAD_NAMESPACE_END
