// SPDX-License-Identifier: MIT
// The rows that take part in an update with reductions: all of a variable, or those of a sparse gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update_rows.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

// The rows that take part in an update, in the order in which they are summed: `count`, how many elements they are apart, the row of the table, and the gradient of the n-th. What
// find() says of row n is handed to load(); rows are asked for in ascending order, from a new `cursor`, which must outlive what find() says.

/// A row's gradient: group u of a sparse one, -1 where the row does not occur; in memory at `values`, or null where it is the sum of slices.
template<class T>
struct found_row {
    std::int64_t u;
    T const* values;
};

/// All rows of a whole gradient.
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

/// The gradients of groups of slices, each read several times: what the slices of a group give is added up once where a sum fits the cache. RowStatic: the
/// length of a row where it is known at compile time.
template<class T, class Slices, int RowStatic = -1>
struct gathered_slices {
    static constexpr std::int64_t most = 1024;   // elements of a sum that is kept
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
    /// Calls take(found_row) for each slice of group u as it is.
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
/// All rows of a table; those that do not occur in the sparse gradient have a gradient of 0.
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
    /// Those of row n of the table; `next` is 0 at the first row.
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
