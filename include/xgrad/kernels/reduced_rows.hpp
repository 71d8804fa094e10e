// SPDX-License-Identifier: MIT
// The rows that take part in an update with reductions: all of a variable, or those of a sparse gradient.
#pragma once

#include <xgrad/kernels/update_rows.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

// The rows that take part in an update, in the order in which they are summed: `count`, how many elements they are apart, the row of the table, and the gradient of the n-th. What
// find() says of row n is handed to load(); rows are asked for in ascending order, from a cursor that begins at 0.

/// All rows of a whole gradient.
template<class T>
struct dense_rows {
    static constexpr bool scattered = false;
    T const* grad;
    std::int64_t row, count;
    XGRAD_KERNEL std::int64_t step() const { return row; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_KERNEL std::int64_t find(std::int64_t n, std::int64_t&) const { return n; }
    XGRAD_KERNEL simd::batch<T> load(std::int64_t n, std::int64_t e) const { return simd::load(grad + n * row + e); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t n, std::int64_t e, std::size_t rest) const {
        return simd::load_partial(grad + n * row + e, rest);
    }
};
/// The rows that occur in a sparse gradient, in order of first occurrence.
template<class T, class Slices>
struct present_rows {
    static constexpr bool scattered = true;
    std::int32_t const* rows;
    std::int64_t count, apart;
    Slices slices;
    XGRAD_KERNEL std::int64_t step() const { return apart; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return rows[n]; }
    XGRAD_KERNEL std::int64_t find(std::int64_t n, std::int64_t&) const { return n; }
    XGRAD_KERNEL simd::batch<T> load(std::int64_t n, std::int64_t e) const { return slices.load(n, e); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t n, std::int64_t e, std::size_t rest) const {
        return slices.load_partial(n, e, rest);
    }
};
/// All rows of a table; those that do not occur in the sparse gradient have a gradient of 0.
template<class T, class Slices>
struct table_rows {
    static constexpr bool scattered = false;
    std::int32_t const *sorted, *which;
    std::int64_t groups, count, row;
    Slices slices;
    XGRAD_KERNEL std::int64_t step() const { return row; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_KERNEL std::int64_t find(std::int64_t n, std::int64_t& cursor) const {
        return cursor < groups && sorted[cursor] == n ? which[cursor++] : -1;
    }
    XGRAD_KERNEL simd::batch<T> load(std::int64_t u, std::int64_t e) const { return u < 0 ? simd::batch<T>(T(0)) : slices.load(u, e); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t u, std::int64_t e, std::size_t rest) const {
        return u < 0 ? simd::batch<T>(T(0)) : slices.load_partial(u, e, rest);
    }
};

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
