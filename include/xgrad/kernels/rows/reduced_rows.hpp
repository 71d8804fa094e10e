// SPDX-License-Identifier: MIT
// The rows that take part in an update with reductions: all rows of a variable, or the rows of a sparse gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update_rows.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

// The row lists below define the rows of an update, in the order in which they are summed:
// - count: number of rows;
// - step(): distance of rows in elements;
// - table_row(n): the row of the table;
// - find(n, cursor), then load(): the gradient of row n.
//
// find() is called for ascending rows with a new `cursor`. The cursor must outlive the result of find().

/// The gradient of a row.
/// - u: group of a sparse gradient, -1 if the row does not occur;
/// - values: its memory, or null if it is a sum of slices.
template<class T>
struct found_row {
    std::int64_t u;
    T const* values;
};

/// All rows of a dense gradient.
template<class T>
struct dense_rows {
    static constexpr bool scattered = false, whole = true;
    struct cursor {};
    T const* grad;
    std::int64_t row, count;
    XGRAD_KERNEL std::int64_t step() const { return row; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_KERNEL found_row<T> find(std::int64_t n, cursor&) const { return {n, grad + n * row}; }
    XGRAD_KERNEL simd::batch<T> load(found_row<T> r, std::int64_t e) const { return simd::load(r.values + e); }
    XGRAD_KERNEL simd::batch<T> load_partial(found_row<T> r, std::int64_t e, std::size_t rest) const {
        return simd::load_partial(r.values + e, rest);
    }
};

/// The gradients of groups of slices. Each is read several times, so the slices of a group are summed once if the sum fits the cache.
/// RowStatic: the length of a row if it is known at compile time.
template<class T, class Slices, int RowStatic = -1>
struct gathered_slices {
    static constexpr std::int64_t most = 1024;   // maximal length of a sum that is kept, in elements
    static constexpr bool grouped = std::is_same_v<Slices, grouped_slices<T>>, keeps = grouped && RowStatic <= most,
                          keeps_all = !grouped || (RowStatic > 0 && keeps);
    struct cursor {
        std::int64_t next = 0;
        alignas(64) T sum[keeps ? most : 1];
    };
    Slices slices;
    std::int64_t row;

    XGRAD_KERNEL found_row<T> find(std::int64_t u, [[maybe_unused]] cursor& c) const {
        if constexpr (!grouped) return {u, slices.values.slice(u)};
        else {
            if (slices.offsets[u + 1] - slices.offsets[u] == 1) return {u, slices.slice(slices.offsets[u])};
            if constexpr (keeps)
                if (keeps_all || row <= most) {
                    slices.write_in_batches(u, c.sum, row);
                    return {u, c.sum};
                }
            return {u, nullptr};
        }
    }
    /// Calls take(found_row) for each slice of group u, without summing them.
    template<class Take>
    XGRAD_KERNEL void each_slice(std::int64_t u, Take const& take) const {
        if constexpr (!grouped) take(found_row<T>{u, slices.values.slice(u)});
        else
            for (std::int32_t k = slices.offsets[u]; k < slices.offsets[u + 1]; ++k) take(found_row<T>{u, slices.slice(k)});
    }
    XGRAD_KERNEL simd::batch<T> load(found_row<T> r, std::int64_t e) const {
        if constexpr (!keeps_all)
            if (r.values == nullptr) return slices.load(r.u, e);
        return simd::load(r.values + e);
    }
    XGRAD_KERNEL simd::batch<T> load_partial(found_row<T> r, std::int64_t e, std::size_t rest) const {
        if constexpr (!keeps_all)
            if (r.values == nullptr) return slices.load_partial(r.u, e, rest);
        return simd::load_partial(r.values + e, rest);
    }
};

/// The rows that occur in a sparse gradient, in order of first occurrence.
template<class T, class Slices, int RowStatic = -1>
struct present_rows {
    static constexpr bool scattered = true, whole = false;
    using gathered = gathered_slices<T, Slices, RowStatic>;
    using cursor = typename gathered::cursor;
    std::int32_t const* rows;
    std::int64_t count, apart;
    gathered slices;
    XGRAD_KERNEL std::int64_t step() const { return apart; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return rows[n]; }
    XGRAD_KERNEL found_row<T> find(std::int64_t n, cursor& c) const { return slices.find(n, c); }
    template<class Take>
    XGRAD_KERNEL void each_slice(std::int64_t n, std::int64_t&, Take const& take) const {
        slices.each_slice(n, take);
    }
    XGRAD_KERNEL simd::batch<T> load(found_row<T> r, std::int64_t e) const { return slices.load(r, e); }
    XGRAD_KERNEL simd::batch<T> load_partial(found_row<T> r, std::int64_t e, std::size_t rest) const {
        return slices.load_partial(r, e, rest);
    }
};
/// All rows of a table. Rows that do not occur in the sparse gradient have a gradient of 0.
template<class T, class Slices, int RowStatic = -1>
struct table_rows {
    static constexpr bool scattered = false, whole = false;
    using gathered = gathered_slices<T, Slices, RowStatic>;
    using cursor = typename gathered::cursor;
    std::int32_t const *sorted, *which;
    std::int64_t groups, count;
    gathered slices;
    XGRAD_KERNEL std::int64_t step() const { return slices.row; }
    XGRAD_KERNEL std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_KERNEL found_row<T> find(std::int64_t n, cursor& c) const {
        return c.next < groups && sorted[c.next] == n ? slices.find(which[c.next++], c) : found_row<T>{-1, nullptr};
    }
    /// The slices of row n of the table. `next` starts at 0 with the first row.
    template<class Take>
    XGRAD_KERNEL void each_slice(std::int64_t n, std::int64_t& next, Take const& take) const {
        if (next < groups && sorted[next] == n) slices.each_slice(which[next++], take);
    }
    XGRAD_KERNEL simd::batch<T> load(found_row<T> r, std::int64_t e) const { return r.u < 0 ? simd::batch<T>(T(0)) : slices.load(r, e); }
    XGRAD_KERNEL simd::batch<T> load_partial(found_row<T> r, std::int64_t e, std::size_t rest) const {
        return r.u < 0 ? simd::batch<T>(T(0)) : slices.load_partial(r, e, rest);
    }
};

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
