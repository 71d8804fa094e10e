// SPDX-License-Identifier: MIT
// Applies an update rule to the rows of a table that occur in a sparse gradient, or exactly to all rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/long_sums.hpp>
#include <xgrad/kernels/updates/update.hpp>

#include <algorithm>
#include <array>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Slices grouped by equal index (made by sparse::group_rows). Group u is row rows[u]. Its gradient is the sum of
/// values[order[offsets[u]]] … values[order[offsets[u + 1] - 1]], in that order.
/// If no index occurs twice, `order` is null and group u is slice u.
struct row_groups {
    std::int32_t const* rows;
    std::int32_t const* offsets;
    std::int32_t const* order;
    std::int64_t count;
};

/// The memory of slices: slice p begins at first + p / inner * step + p % inner * inner_step elements.
/// So a gradient that several slices share, or that is part of a wider matrix, is read in place.
template<class T>
struct slice_values {
    T const* first;
    std::int64_t step;
    std::int64_t inner = 1, inner_step = 0;

    XGRAD_KERNEL T const* slice(std::int64_t p) const {
        if (inner == 1) return first + p * step;
        auto const n = static_cast<std::uint32_t>(p), length = static_cast<std::uint32_t>(inner);   // fewer than 2³¹ slices
        return first + static_cast<std::int64_t>(n / length) * step + static_cast<std::int64_t>(n % length) * inner_step;
    }
};

namespace detail {
inline constexpr std::int64_t prefetch_rows = 24;    // prefetch distance in rows; 12 costs a fifth more with a table in memory
inline constexpr std::int64_t pack_elements = 256;   // elements of a packed block of short rows

template<int RowStatic, class T>
XGRAD_KERNEL void copy_row(T* to, T const* from, std::int64_t n) {
    if constexpr (RowStatic > 0) __builtin_memcpy(to, from, RowStatic * sizeof(T));
    else
        for (std::int64_t e = 0; e < n; ++e) to[e] = from[e];
}

/// The gradient of row u if all rows are unique: it is read in place.
template<class T>
struct single_slices {
    slice_values<T> values;
    XGRAD_KERNEL simd::batch<T> load(std::int64_t u, std::int64_t e) const { return simd::load(values.slice(u) + e); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t u, std::int64_t e, std::size_t n) const {
        return simd::load_partial(values.slice(u) + e, n);
    }
    template<int RowStatic>
    XGRAD_KERNEL void write(std::int64_t u, T* to, std::int64_t row) const {
        copy_row<RowStatic>(to, values.slice(u), row);
    }
};

/// The gradient of row u as the sum of its slices, computed in registers.
template<class T>
struct grouped_slices {
    slice_values<T> values;
    std::int32_t const* offsets;
    std::int32_t const* order;
    XGRAD_KERNEL T const* slice(std::int32_t k) const { return values.slice(order[k]); }
    XGRAD_KERNEL simd::batch<T> load(std::int64_t u, std::int64_t e) const { return sum<false>(u, e, simd::width<T>); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t u, std::int64_t e, std::size_t n) const { return sum<true>(u, e, n); }
    /// Writes the whole sum, for rows of at least one batch.
    XGRAD_KERNEL void write_in_batches(std::int64_t u, T* to, std::int64_t row) const {
        constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
        std::int64_t e = 0;
        for (; e + width <= row; e += width) simd::store(to + e, load(u, e));
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            simd::store_partial(to + e, load_partial(u, e, rest), rest);
        }
    }
    template<int RowStatic>
    XGRAD_KERNEL void write(std::int64_t u, T* to, std::int64_t row) const {
        std::int32_t k = offsets[u];
        std::int32_t const end = offsets[u + 1];
        if (is_long(end - k)) return write_in_batches(u, to, row);
        copy_row<RowStatic>(to, slice(k), row);
        while (++k < end) {
            T const* const next = slice(k);
            for (std::int64_t e = 0; e < row; ++e) to[e] += next[e];
        }
    }

private:
    static constexpr bool is_long(std::int32_t terms) { return sums_in_double<T> && terms > terms_in_float; }
    template<bool Partial>
    XGRAD_KERNEL simd::batch<T> batch_of(std::int32_t k, std::int64_t e, std::size_t n) const {
        if constexpr (Partial) return simd::load_partial(slice(k) + e, n);
        else return simd::load(slice(k) + e);
    }
    template<bool Partial>   // without a call: g++ would keep registers of the rule in memory
    XGRAD_KERNEL simd::batch<T> sum(std::int64_t u, std::int64_t e, std::size_t n) const {
        std::int32_t k = offsets[u];
        std::int32_t const end = offsets[u + 1];
        simd::batch<T> sum = batch_of<Partial>(k, e, n);
        if constexpr (sums_in_double<T>)
            if (is_long(end - k)) {
                alignas(64) double total[simd::width<T>] = {};
                alignas(64) T lane[simd::width<T>];
                for (std::int32_t last = k + terms_in_float;; last = end - k > terms_in_float ? k + terms_in_float : end) {
                    while (++k < last) sum += batch_of<Partial>(k, e, n);
                    add_batch_to_doubles(sum, total);
                    if (k == end) break;
                    sum = batch_of<Partial>(k, e, n);
                }
                for (std::size_t i = 0; i < simd::width<T>; ++i) lane[i] = static_cast<T>(total[i]);
                return simd::load(lane);
            }
        while (++k < end) sum += batch_of<Partial>(k, e, n);
        return sum;
    }
};

/// Bytes per element of the largest slot of a variable, or of the variable itself.
template<class Rule>
constexpr std::size_t largest_slot(dtype variable) {
    std::size_t bytes = size_of(variable);
    for (slot_info const& s : rule_slots<Rule>) bytes = std::max(bytes, size_of(s.type_for(variable)));
    return bytes;
}
/// Copies a row, for slot_pointers::copy_to.
template<int RowStatic>
struct row_copy {
    template<class M>
    XGRAD_KERNEL static void run(M* to, M const* from, std::int64_t n) {
        copy_row<RowStatic>(to, from, n);
    }
};

/// Prefetches the row that is updated `prefetch_rows` rows after row u.
template<class M, class Slots>
XGRAD_KERNEL void ask_ahead(
    M const* param, Slots const& at, std::int64_t row, std::int64_t step, std::int32_t const* rows, std::int64_t u, std::int64_t count) {
    if (u + prefetch_rows >= count) return;
    std::int64_t const ahead = rows[u + prefetch_rows];
    prefetch_row(param + ahead * step, row);
    at.prefetch(ahead, row, step);
}
/// Rows of at most half a batch: many rows are packed into one block, so that no lane is idle.
template<class Rule, int RowStatic, class T, class M, class Slices>
void update_packed(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& at, std::int64_t row_dynamic,
    std::int64_t step, std::int32_t const* rows, std::int64_t count, Slices const& slices) noexcept {
    std::int64_t const row = RowStatic > 0 ? RowStatic : row_dynamic;
    alignas(64) M p[pack_elements];
    alignas(64) T g[pack_elements];
    alignas(64) std::byte s[slot_pointers<Rule, T>::buffers][pack_elements * largest_slot<Rule>(dtype_of<T>)];
    void* blocks[slot_pointers<Rule, T>::buffers];
    for (int k = 0; k < slot_pointers<Rule, T>::buffers; ++k) blocks[k] = s[k];
    slot_pointers<Rule, T> const block(blocks);
    std::int64_t const per_block = pack_elements / row;
    for (std::int64_t u = 0; u < count; u += per_block) {
        std::int64_t const n = std::min(per_block, count - u);
        for (std::int64_t j = 0; j < n; ++j) {
            ask_ahead(param, at, row, step, rows, u + j, count);
            std::int64_t const from = static_cast<std::int64_t>(rows[u + j]) * step, to = j * row;
            copy_row<RowStatic>(p + to, param + from, row);
            at.template copy_to<row_copy<RowStatic>>(block, to, from, row);
            slices.template write<RowStatic>(u + j, g + to, row);
        }
        update_dense<Rule, T>(scalars, p, g, blocks, n * row);
        for (std::int64_t j = 0; j < n; ++j) {
            std::int64_t const to = static_cast<std::int64_t>(rows[u + j]) * step, from = j * row;
            copy_row<RowStatic>(param + to, p + from, row);
            block.template copy_to<row_copy<RowStatic>>(at, to, from, row);
        }
    }
}

/// Longer rows in place. A partial batch costs less than packing.
template<class Rule, int RowStatic, class T, class M, class Slices>
void update_in_place(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& slots, std::int64_t row_dynamic,
    std::int64_t step, std::int32_t const* rows, std::int64_t count, Slices const& slices) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const row = RowStatic > 0 ? RowStatic : row_dynamic;
    rule_scalars<Rule, T> const s = scalars;
    slot_pointers<Rule, T> const at = slots;   // a copy: no store can change it
    for (std::int64_t u = 0; u < count; ++u) {
        ask_ahead(param, at, row, step, rows, u, count);
        std::int64_t const base = static_cast<std::int64_t>(rows[u]) * step;
        std::int64_t e = 0;
        for (; e + width <= row; e += width) update_batch<Rule, T>(s, param, slices.load(u, e), at, base + e);
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            update_tail<Rule, T>(s, param, slices.load_partial(u, e, rest), at, base + e, rest);
        }
    }
}

template<class Rule, int RowStatic, class T, class M, class Slices>
XGRAD_KERNEL void update_slices(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& slots, std::int64_t row,
    std::int64_t step, std::int32_t const* rows, std::int64_t count, Slices const& slices) noexcept {
    if (row == 0) return;
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    if constexpr (RowStatic > 0)
        if constexpr (2 * RowStatic <= width) update_packed<Rule, RowStatic, T>(scalars, param, slots, row, step, rows, count, slices);
        else update_in_place<Rule, RowStatic, T>(scalars, param, slots, row, step, rows, count, slices);
    else if (row == 1) update_packed<Rule, 1, T>(scalars, param, slots, row, step, rows, count, slices);
    else if (2 * row <= width) update_packed<Rule, -1, T>(scalars, param, slots, row, step, rows, count, slices);
    else update_in_place<Rule, -1, T>(scalars, param, slots, row, step, rows, count, slices);
}
}   // namespace detail

/// Applies a rule to `count` unique rows of a table [_, row]. grads is [count, row]; gradient u belongs to row rows[u].
/// - Rows that do not occur are not touched (`lazy` semantics). That is exact for rules that do nothing if the gradient is 0.
/// - RowStatic is the row length if it is known at compile time. Slots are as for update_dense.
/// - Indices must have been checked (sparse::check_indices).
template<class Rule, int RowStatic = -1, class T, class M, class Slot>
void update_rows(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, std::int32_t const* rows,
    std::int64_t count, T const* grads) noexcept {
    slot_pointers<Rule, T> const at(slots);
    detail::update_slices<Rule, RowStatic, T>(scalars, param, at, row, row, rows, count, detail::single_slices<T>{{grads, row}});
}

/// The same with ungrouped slices. Duplicates are summed in registers, in the order of the groups.
/// `step` is the distance of rows, in elements, of the table and of its slots per element; 0: the length of a row.
template<class Rule, int RowStatic = -1, class T, class M, class Slot>
void update_rows(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, row_groups const& groups,
    slice_values<T> const& values, std::int64_t step = 0) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if (step == 0) step = row;
    if (groups.order == nullptr) {
        detail::update_slices<Rule, RowStatic, T>(
            scalars, param, at, row, step, groups.rows, groups.count, detail::single_slices<T>{values});
    } else {
        detail::update_slices<Rule, RowStatic, T>(
            scalars, param, at, row, step, groups.rows, groups.count, detail::grouped_slices<T>{values, groups.offsets, groups.order});
    }
}

namespace detail {
/// The same gradients in another order: the gradient of row u is that of row which[u].
template<class T, class Slices>
struct reordered_slices {
    Slices slices;
    std::int32_t const* which;
    XGRAD_KERNEL simd::batch<T> load(std::int64_t u, std::int64_t e) const { return slices.load(which[u], e); }
    XGRAD_KERNEL simd::batch<T> load_partial(std::int64_t u, std::int64_t e, std::size_t n) const {
        return slices.load_partial(which[u], e, n);
    }
    template<int RowStatic>
    XGRAD_KERNEL void write(std::int64_t u, T* to, std::int64_t row) const {
        slices.template write<RowStatic>(which[u], to, row);
    }
};

/// Updates rows [first, table_rows). `sorted` are the rows among them that occur.
template<class Rule, class T, class M, class Slices>
void update_table(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& all, std::int64_t row, std::int64_t first,
    std::int64_t table_rows, std::int32_t const* sorted, std::int32_t const* which, std::int64_t count, Slices const& slices) noexcept {
    if (row == 0) return;
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    constexpr std::int64_t block = 1024;   // elements; the gradient of a block stays in the L1 cache
    bool const in_blocks = row < 4 * width;
    std::int64_t const block_rows = in_blocks ? std::min(block / row, table_rows) : 1;
    alignas(64) T g[block];
    for (std::int64_t u = 0, r = first; r < table_rows;) {
        // A stretch without gradient up to the next row that occurs, then one block (or one long row) with gradient.
        std::int64_t const next = u < count ? sorted[u] : table_rows;
        if (next - r >= block_rows || (next > r && next == table_rows)) {
            update_idle<Rule, T>(scalars, param + r * row, (all + r * row).at, (next - r) * row);
            r = next;
        } else if (in_blocks) {
            std::int64_t const end = std::min(table_rows, r + block_rows), n = (end - r) * row;
            std::fill(g, g + n, T(0));
            for (; u < count && sorted[u] < end; ++u) slices.template write<-1>(which[u], g + (sorted[u] - r) * row, row);
            update_dense<Rule, T>(scalars, param + r * row, g, (all + r * row).at, n);
            r = end;
        } else {
            std::int64_t const base = r * row;
            std::int64_t e = 0;
            for (; e + width <= row; e += width) update_batch<Rule, T>(scalars, param, slices.load(which[u], e), all, base + e);
            if (e < row) {
                auto const rest = static_cast<std::size_t>(row - e);
                update_tail<Rule, T>(scalars, param, slices.load_partial(which[u], e, rest), all, base + e, rest);
            }
            ++u;
            ++r;
        }
    }
}
/// The same for a rule with a separate update for absent rows: first the rows that occur, then the rows between them.
template<class Rule, class T, class M, class Slices>
void update_apart(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& all, std::int64_t row, std::int64_t first,
    std::int64_t table_rows, std::int32_t const* sorted, std::int32_t const* which, std::int64_t count, Slices const& slices) noexcept {
    update_slices<Rule, -1, T>(scalars, param, all, row, row, sorted, count, reordered_slices<T, Slices>{slices, which});
    rule_scalars<Rule, T> const absent = Rule::absent_row(scalars);
    for (std::int64_t u = 0, r = first; u <= count; ++u) {
        std::int64_t const next = u < count ? sorted[u] : table_rows;
        if (next > r) update_idle<Rule, T>(absent, param + r * row, (all + r * row).at, (next - r) * row);
        r = next + 1;
    }
}
template<class Rule, class T, class M, class Slices>
XGRAD_KERNEL void update_every_row(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& all, std::int64_t row,
    std::int64_t first, std::int64_t table_rows, std::int32_t const* sorted, std::int32_t const* which, std::int64_t count,
    Slices const& slices) noexcept {
    if constexpr (moves_absent_rows<Rule>) update_apart<Rule, T>(scalars, param, all, row, first, table_rows, sorted, which, count, slices);
    else update_table<Rule, T>(scalars, param, all, row, first, table_rows, sorted, which, count, slices);
}
}   // namespace detail

/// Applies an exact rule to every row of a table [table_rows, row] in one pass.
/// Rows that occur get the sum of their slices, the others a gradient of 0. No dense gradient is stored.
/// - first: only rows [first, table_rows) are updated.
/// - sorted, which: the rows of the groups in ascending order, and their groups (sparse::sort_groups).
/// - Rows that do not occur get the scalars absent_row(scalars), if the rule has this function.
template<class Rule, class T, class M, class Slot>
void update_all_rows(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, std::int64_t table_rows,
    row_groups const& groups, std::int32_t const* sorted, std::int32_t const* which, slice_values<T> const& values,
    std::int64_t first = 0) noexcept {
    std::int32_t const* const begin = first == 0 ? sorted : std::lower_bound(sorted, sorted + groups.count, first);
    std::int64_t const count = std::lower_bound(begin, sorted + groups.count, table_rows) - begin;
    which += begin - sorted;
    slot_pointers<Rule, T> const at(slots);
    if (groups.order == nullptr) {
        detail::update_every_row<Rule, T>(
            scalars, param, at, row, first, table_rows, begin, which, count, detail::single_slices<T>{values});
    } else {
        detail::update_every_row<Rule, T>(scalars, param, at, row, first, table_rows, begin, which, count,
            detail::grouped_slices<T>{values, groups.offsets, groups.order});
    }
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
