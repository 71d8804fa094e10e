// SPDX-License-Identifier: MIT
// Groups slices of equal index and sums them. Groups are in order of first occurrence, sums are in order of position.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/config/config.hpp>
#include <xgrad/kernels/updates/update_rows.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace sparse {

using kernels::row_groups;

namespace detail {
constexpr std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
constexpr std::size_t ints(std::int64_t n) { return padded(static_cast<std::size_t>(n) * sizeof(std::int32_t)); }

/// Slots of the hash table for n indices: a power of two, at most a quarter full.
constexpr std::int64_t hash_slots(std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n < 8 ? 32 : 4 * n)));
}

// A loop over indices must not wait for the number of groups so far, nor branch on whether a
// row is new. Such branches cannot be predicted, and both cost more than the lookups. So `rows`
// starts as -1 everywhere, and the row is always written at `count`, whether it is new or not.

/// A table with one entry per row, looked up directly. An entry is trusted only if the group that it names belongs to that row.
/// So the table is never cleared, and its content before a call does not matter.
struct row_table {
    std::int32_t* group_of;
    std::uint32_t n;
    void reset() noexcept {}
    /// The group of a row; `count` if the row is new.
    XGRAD_INLINE std::int32_t find(std::int32_t row, std::int32_t* rows, std::int32_t count) const noexcept {
        std::int32_t const entry = group_of[row];
        std::int32_t const within = -static_cast<std::int32_t>(static_cast<std::uint32_t>(entry) < n);
        std::int32_t const known = within & -static_cast<std::int32_t>(rows[entry & within] == row);
        std::int32_t const group = (entry & known) | (count & ~known);
        group_of[row] = group;
        rows[count] = row;
        return group;
    }
};

/// A hash table with open addressing that contains only the indices. For tables with many more rows than a gradient has.
struct row_hash {
    std::int32_t* group_of;
    std::int64_t slots;
    int shift;
    row_hash(std::int32_t* memory, std::int64_t n) noexcept
        : group_of(memory), slots(hash_slots(n)), shift(64 - std::countr_zero(static_cast<std::uint64_t>(slots))) {}
    void reset() noexcept { std::fill(group_of, group_of + slots, -1); }
    XGRAD_INLINE std::int32_t find(std::int32_t row, std::int32_t* rows, std::int32_t count) const noexcept {
        // Fibonacci hashing: the high bits of a product with 2^64 / golden ratio
        auto slot = static_cast<std::int64_t>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) * 0x9E3779B97F4A7C15u) >> shift);
        for (;;) {
            std::int32_t const entry = group_of[slot];
            std::int32_t const fresh = entry >> 31;   // all bits set if the slot is free
            std::int32_t const same = -static_cast<std::int32_t>(rows[entry & ~fresh] == row);
            std::int32_t hit = fresh | same;
#if defined(__GNUC__) || defined(__clang__)
            asm("" : "+r"(hit));   // one test: two branches are mispredicted half of the time
#endif
            if (hit != 0) [[likely]] {
                std::int32_t const group = (count & fresh) | (entry & ~fresh);
                group_of[slot] = group;
                rows[count] = row;
                return group;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }
};

/// Finds the group of every index, in order of first occurrence, and the sizes of the groups. Returns the number of groups.
template<class Table, class Index>
std::int32_t number_groups(
    Table table, Index const* indices, std::int64_t n, std::int32_t* rows, std::int32_t* group, std::int32_t* size) noexcept {
    table.reset();
    std::fill(size, size + n, 0);
    std::fill(rows, rows + n, -1);
    std::int32_t count = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int32_t const g = table.find(static_cast<std::int32_t>(indices[k]), rows, count);
        count += g == count ? 1 : 0;
        group[k] = g;
        ++size[g];
    }
    return count;
}
}   // namespace detail

/// Whether grouping n indices into a table of `rows` rows uses a direct table. Otherwise it hashes.
constexpr bool uses_row_table(std::int64_t n, std::int64_t rows) { return rows <= 4 * detail::hash_slots(n); }

/// Bytes of workspace for group_rows. The workspace must be aligned to 64 bytes. It needs no initialization and need not be kept.
constexpr std::size_t group_bytes(std::int64_t n, std::int64_t rows) {
    std::int64_t const table = uses_row_table(n, rows) ? rows : detail::hash_slots(n);
    return 3 * detail::ints(n) + detail::ints(n + 1) + detail::ints(table);
}

/// Groups n indices into a table of `rows` rows (both below 2³¹). Groups are in order of first occurrence,
/// and the slices of a group in order of position (the order of tf.unique). So sums do not depend on threads or addresses.
/// No allocation; O(n). Index is int32 or int64. Indices must have been checked. The groups point into the workspace.
template<class Index>
row_groups group_rows(Index const* indices, std::int64_t n, std::int64_t rows, void* workspace) noexcept {
    auto* bytes = static_cast<std::byte*>(workspace);
    auto const take = [&bytes](std::int64_t count) {
        auto* const p = reinterpret_cast<std::int32_t*>(bytes);
        bytes += detail::ints(count);
        return p;
    };
    std::int32_t* const unique = take(n);
    std::int32_t* const group = take(n);
    std::int32_t* const order = take(n);
    std::int32_t* const offsets = take(n + 1);
    auto* const table = reinterpret_cast<std::int32_t*>(bytes);
    std::int32_t const count =
        uses_row_table(n, rows)
            ? detail::number_groups(detail::row_table{table, static_cast<std::uint32_t>(n)}, indices, n, unique, group, offsets)
            : detail::number_groups(detail::row_hash(table, n), indices, n, unique, group, offsets);
    if (count == n) return {unique, nullptr, nullptr, count};
    // Counting sort by group: converts sizes to ends, then fills backwards, so that ends become beginnings.
    std::int32_t sum = 0;
    for (std::int32_t u = 0; u < count; ++u) {
        sum += offsets[u];
        offsets[u] = sum;
    }
    offsets[count] = sum;
    for (std::int64_t k = n; k-- > 0;) order[--offsets[group[k]]] = static_cast<std::int32_t>(k);
    return {unique, offsets, order, count};
}

/// The groups of group_rows(indices, n, ...) whose rows occur for the first time at a position in [first, last).
/// `workspace` is that of group_rows. Disjoint ranges that cover [0, n) together give all groups.
/// If no row occurs twice, group_rows returns no offsets and no order. This function then writes both into the workspace, so two threads
/// must not share one. (Each part of a step has its own scratch memory, and groups its indices there again.)
inline row_groups groups_between(
    row_groups const& groups, std::int64_t n, std::int64_t first, std::int64_t last, void* workspace) noexcept {
    auto* const bytes = static_cast<std::byte*>(workspace);
    auto const part = [&](int which) {   // in the order of group_rows
        return reinterpret_cast<std::int32_t*>(bytes + static_cast<std::size_t>(which) * detail::ints(n));
    };
    std::int32_t const* const group = part(1);
    auto const count_before = [&](std::int64_t position) {   // groups are numbered in order of occurrence
        std::int32_t count = 0;
        for (std::int64_t k = 0; k < position; ++k) count = std::max(count, group[k] + 1);
        return count;
    };
    std::int32_t const begin = count_before(first), end = count_before(last);
    if (groups.order != nullptr) return {groups.rows + begin, groups.offsets + begin, groups.order, end - begin};
    std::int32_t *const order = part(2), *const offsets = part(3);   // group u is slice u
    for (std::int32_t u = 0; u <= end; ++u) offsets[u] = u;
    for (std::int32_t u = 0; u < end; ++u) order[u] = u;
    return {groups.rows + begin, offsets + begin, order, end - begin};
}

/// Writes the sums of the groups. values is [n, row], out is [groups.count, row]. They must not overlap.
template<class T>
void sum_groups(row_groups const& groups, T const* values, std::int64_t row, T* out) noexcept {
    if (groups.order == nullptr) {
        std::copy(values, values + groups.count * row, out);
        return;
    }
    kernels::detail::grouped_slices<T> const slices{{values, row}, groups.offsets, groups.order};
    for (std::int64_t u = 0; u < groups.count; ++u, out += row)
        if (row == 1) slices.template write<1>(u, out, 1);
        else slices.write_in_batches(u, out, row);
}

/// Sums slices of equal index. Writes the rows to `rows_out` and the sums to `values_out` [≤ n, row]. Returns their number.
/// Example: indices [5,2,5,7,2] with values [1,10,100,1000,10000] give [5,2,7] and [101,10010,1000].
template<class T, class Index>
std::int64_t coalesce(Index const* indices, T const* values, std::int64_t n, std::int64_t row, std::int64_t table_rows, Index* rows_out,
    T* values_out, void* workspace) noexcept {
    row_groups const groups = group_rows(indices, n, table_rows, workspace);
    std::copy(groups.rows, groups.rows + groups.count, rows_out);
    sum_groups(groups, values, row, values_out);
    return groups.count;
}

/// Bytes of workspace for sort_groups with at most n groups.
constexpr std::size_t sort_bytes(std::int64_t n) { return 4 * detail::ints(n); }

/// Groups in the order of their rows.
struct sorted_groups {
    std::int32_t const* rows;    ///< ascending
    std::int32_t const* which;   ///< their groups
};

/// The rows of the groups in ascending order with the numbers of their groups, by a radix sort.
/// This is the input of kernels::update_all_rows. No allocation. The workspace must be aligned to 64 bytes.
inline sorted_groups sort_groups(row_groups const& groups, std::int64_t table_rows, void* workspace) noexcept {
    std::int64_t const n = groups.count;
    auto* const memory = static_cast<std::byte*>(workspace);
    std::int32_t* part[4];
    for (std::size_t i = 0; i < 4; ++i) part[i] = reinterpret_cast<std::int32_t*>(memory + i * detail::ints(n));
    std::int32_t *rows = part[0], *which = part[1], *rows_next = part[2], *which_next = part[3];
    for (std::int64_t u = 0; u < n; ++u) {
        rows[u] = groups.rows[u];
        which[u] = static_cast<std::int32_t>(u);
    }
    for (int shift = 0; shift < 32 && ((table_rows - 1) >> shift) > 0; shift += 8) {
        std::int32_t begin[256] = {};
        for (std::int64_t u = 0; u < n; ++u) ++begin[(rows[u] >> shift) & 255];
        std::int32_t sum = 0;
        for (std::int32_t& b : begin) {
            std::int32_t const here = b;
            b = sum;
            sum += here;
        }
        for (std::int64_t u = 0; u < n; ++u) {
            std::int32_t const to = begin[(rows[u] >> shift) & 255]++;
            rows_next[to] = rows[u];
            which_next[to] = which[u];
        }
        std::swap(rows, rows_next);
        std::swap(which, which_next);
    }
    return {rows, which};
}

}   // namespace sparse
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
