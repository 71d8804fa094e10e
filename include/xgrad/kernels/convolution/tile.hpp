// SPDX-License-Identifier: MIT
// Products in registers whose left rows overlap in memory: no matrix of windows is ever written.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_tile.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// Terms of a sum that are contiguous in some way: Σ a[row · row_step + t · term_step] b[t · b_step + column], t < terms.
template<class T>
struct segment {
    T const *a, *b;
    std::int64_t terms;
};
/// Up to this number of terms are added in registers. Further terms are added to the sum in memory.
inline constexpr std::int64_t terms_in_registers = 512;

/// A sum over segments for `rows` rows and `columns` columns, written to `to` or added to it.
template<class T>
struct product {
    segment<T> const* segments;
    std::int64_t count;
    std::int64_t a_offset, row_step, term_step;
    std::int64_t b_offset, b_step;
    std::int64_t rows, columns;
    T* to;
    std::int64_t to_step;
    bool adds;
};

/// Rows of the tile with one batch of columns: fewer sums would wait for each other. A batch of the filter is read once for all rows, so
/// a tile that fills the registers reads less. `row_divisor` rows divide 14 and 28.
#if XGRAD_USE_AVX512 || defined(__aarch64__)
inline constexpr int column_rows = 16, row_divisor = 14;
#else
inline constexpr int column_rows = 8, row_divisor = 7;
#endif
inline constexpr int few_rows = 2;

/// Where the rows of a tile begin: `offsets` for any rows, of which some may be the same one.
template<class T, int Rows>
struct offset_rows {
    std::int64_t const (&offset)[Rows];
    std::int64_t next;
    template<std::size_t... R>
    XGRAD_INLINE auto from(T const* a, std::index_sequence<R...>) const {
        struct reader {
            T const* p[Rows];
            std::int64_t next, at = 0;
            XGRAD_INLINE T operator[](std::size_t r) const { return p[r][at]; }
            XGRAD_INLINE void step() { at += next; }
        };
        return reader{{a + offset[R]...}, next};
    }
};
/// At most 16 rows with the same distance. Four of them share an address, so few registers hold addresses.
template<class T, int Rows>
struct even_rows {
    static_assert(Rows <= 16);
    std::int64_t offset, row_step, next;
    template<std::size_t... R>
    XGRAD_INLINE auto from(T const* a, std::index_sequence<R...>) const {
        struct reader {
            T const *first, *second, *third, *fourth;
            std::int64_t row_step, next;
            XGRAD_INLINE T operator[](std::size_t r) const {
                T const* const p = r < 4 ? first : r < 8 ? second : r < 12 ? third : fourth;
                return p[static_cast<std::int64_t>(r % 4) * row_step];
            }
            XGRAD_INLINE void step() { first += next, second += next, third += next, fourth += next; }
        };
        T const* const p = a + offset;
        return reader{
            p, p + (Rows > 4 ? 4 : 0) * row_step, p + (Rows > 8 ? 8 : 0) * row_step, p + (Rows > 12 ? 12 : 0) * row_step, row_step, next};
    }
};
/// Rows that follow each other.
template<class T, int Rows>
struct next_rows {
    std::int64_t offset, next;
    template<std::size_t... R>
    XGRAD_INLINE auto from(T const* a, std::index_sequence<R...>) const {
        struct reader {
            T const* p;
            std::int64_t next;
            XGRAD_INLINE T operator[](std::size_t r) const { return p[r]; }
            XGRAD_INLINE void step() { p += next; }
        };
        return reader{a + offset, next};
    }
};

template<class T, int Rows, int Batches>
struct tile {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    using rows = std::make_index_sequence<static_cast<std::size_t>(Rows)>;
    using batches = std::make_index_sequence<static_cast<std::size_t>(Batches)>;
    V sums[Rows * Batches];

    template<std::size_t... I>
    XGRAD_INLINE void clear(std::index_sequence<I...>) {
        ((sums[I] = V(T(0))), ...);
    }
    template<std::size_t... C>
    XGRAD_INLINE static void load(V (&b)[Batches], T const* p, std::index_sequence<C...>) {
        ((b[C] = simd::load(p + static_cast<std::int64_t>(C) * W)), ...);
        (simd::keep_register(b[C]), ...);
    }
    template<std::size_t... C>
    XGRAD_INLINE void add_row(std::size_t r, V a, V const (&b)[Batches], std::index_sequence<C...>) {
        ((sums[r * Batches + C] = fma(a, b[C], sums[r * Batches + C])), ...);
    }
    template<class Left, std::size_t... R>
    XGRAD_INLINE void add(segment<T> const& s, product<T> const& p, Left const& left, std::int64_t column, std::index_sequence<R...>) {
        auto a = left.from(s.a, rows{});
        T const* b = s.b + p.b_offset + column;
        std::int64_t const step = p.b_step;
        for (std::int64_t t = 0; t < s.terms; ++t, a.step(), b += step) {
            V right[Batches];
            load(right, b, batches{});
            (add_row(R, V(a[R]), right, batches{}), ...);
        }
    }
    template<class Left>
    XGRAD_INLINE void sum(product<T> const& p, Left const& left, std::int64_t column) {
        clear(std::make_index_sequence<static_cast<std::size_t>(Rows * Batches)>{});
        for (std::int64_t i = 0; i < p.count; ++i) add(p.segments[i], p, left, column, rows{});
    }
    XGRAD_INLINE void finish(product<T> const& p, T* to, std::int64_t count, std::int64_t last) const {
        if (last == W && count == Rows && !p.adds) write_all(to, p.to_step, rows{});
        else write_some(to, p.to_step, count, last, p.adds, rows{});
    }
    template<std::size_t... C>
    XGRAD_INLINE void write_row(std::size_t r, T* to, bool adds, std::index_sequence<C...>) const {
        (simd::store(to + static_cast<std::int64_t>(C) * W,
             adds ? simd::load(to + static_cast<std::int64_t>(C) * W) + sums[r * Batches + C] : sums[r * Batches + C]),
            ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE void write_all(T* to, std::int64_t step, std::index_sequence<R...>) const {
        (write_row(R, to + static_cast<std::int64_t>(R) * step, false, batches{}), ...);
    }
    /// The first `count` rows.
    template<std::size_t... R>
    XGRAD_INLINE void write_some(
        T* to, std::int64_t step, std::int64_t count, std::int64_t last, bool adds, std::index_sequence<R...>) const {
        ((static_cast<std::int64_t>(R) < count ? write(R, to + static_cast<std::int64_t>(R) * step, last, adds) : void()), ...);
    }
    XGRAD_INLINE void write(std::size_t r, T* to, std::int64_t last, bool adds) const {
        if (last == W) write_row(r, to, adds, batches{});
        else write_partial(r, to, static_cast<std::size_t>(last), adds);
    }
    /// The last batch has `last` columns.
    XGRAD_INLINE void write_partial(std::size_t r, T* to, std::size_t last, bool adds) const {
        if constexpr (Batches > 1) write_row(r, to, adds, std::make_index_sequence<Batches - 1>{});
        T* const end = to + (Batches - 1) * W;
        V const x = sums[r * Batches + Batches - 1];
        simd::store_partial(end, adds ? simd::load_partial(end, last) + x : x, last);
    }
};

/// first, first + step, ...: `count` numbers, and the last one again.
template<int Rows>
XGRAD_INLINE void row_offsets(std::int64_t (&offset)[Rows], std::int64_t first, std::int64_t step, std::int64_t count) {
    for (std::int64_t r = 0; r < Rows; ++r) {
        offset[r] = first;
        if (r + 1 < count) first += step;
    }
}
/// `tiles` tiles of rows from `row` on, for the batches from `column` on. A tile has `count` rows: the others repeat the last one and
/// are not written.
template<class T, int Rows, int Batches>
XGRAD_NOINLINE void run_tiles(product<T> const& p, std::int64_t row, std::int64_t count, std::int64_t tiles, std::int64_t column) {
    using part = tile<T, Rows, Batches>;
    std::int64_t offset[Rows];
    row_offsets(offset, p.a_offset + row * p.row_step, p.row_step, count);
    T* to = p.to + row * p.to_step + column;
    std::int64_t const last = std::min(p.columns - column - (Batches - 1) * part::W, part::W), next = count * p.row_step;
    for (; tiles > 0; --tiles, to += count * p.to_step) {
        part sums;
        sums.sum(p, offset_rows<T, Rows>{offset, p.term_step}, column);
        sums.finish(p, to, count, last);
        for (std::int64_t& o : offset) o += next;
    }
}

/// `tiles` full tiles with rows that have the same distance.
template<class T, int Rows, int Batches, bool Next>
XGRAD_NOINLINE void run_even_tiles(product<T> const& p, std::int64_t row, std::int64_t tiles, std::int64_t column) {
    using part = tile<T, Rows, Batches>;
    std::int64_t const last = std::min(p.columns - column - (Batches - 1) * part::W, part::W);
    for (; tiles > 0; --tiles, row += Rows) {
        part sums;
        std::int64_t const offset = p.a_offset + row * p.row_step;
        if constexpr (Next) sums.sum(p, next_rows<T, Rows>{offset, p.term_step}, column);
        else sums.sum(p, even_rows<T, Rows>{offset, p.row_step, p.term_step}, column);
        sums.finish(p, p.to + row * p.to_step + column, Rows, last);
    }
}
/// The full tiles from `row` on, for one batch of columns.
template<class T, int Rows, bool Next = false>
std::int64_t run_full_tiles(product<T> const& p, std::int64_t row, std::int64_t column) {
    std::int64_t const tiles = (p.rows - row) / Rows;
    if (tiles > 0) run_even_tiles<T, Rows, 1, Next>(p, row, tiles, column);
    return row + tiles * Rows;
}

/// All rows for two batches of columns.
template<class T>
void run_two_batches(product<T> const& p, std::int64_t column) {
    using namespace kernels::detail;
    std::int64_t const full =
        p.rows <= middle_rows + low_rows ? p.rows == tile_rows : (p.rows - middle_rows - low_rows - 1) / tile_rows + 1;
    if (full > 0) run_even_tiles<T, tile_rows, 2, false>(p, 0, full, column);
    for (std::int64_t row = full * tile_rows; row < p.rows;) {
        std::int64_t const count = rows_at_once(p.rows - row);
        if (count > middle_rows) run_even_tiles<T, tile_rows, 2, false>(p, row, 1, column);
        else if (count > low_rows) run_tiles<T, middle_rows, 2>(p, row, count, 1, column);
        else if (count > convolution::few_rows) run_tiles<T, low_rows, 2>(p, row, count, 1, column);
        else run_tiles<T, convolution::few_rows, 2>(p, row, count, 1, column);
        row += count;
    }
}
/// All rows for one batch of columns, which may be partial.
template<class T>
void run_one_batch(product<T> const& p, std::int64_t column) {
    std::int64_t row = 0;
    if (p.rows % row_divisor == 0) row = run_full_tiles<T, row_divisor>(p, row, column);
    else if (p.row_step == 1) {   // the gradient of a filter: 9 and 5 elements are lines of a window
        row = run_full_tiles<T, column_rows, true>(p, row, column);
        if constexpr (column_rows > 9) row = run_full_tiles<T, 9, true>(p, row, column);
        if (p.rows - row == 5) row = run_full_tiles<T, 5, true>(p, row, column);
    } else {
        row = run_full_tiles<T, column_rows>(p, row, column);
        if constexpr (column_rows > 8) row = run_full_tiles<T, 8>(p, row, column);
    }
    if (p.rows - row > 4) {
        std::int64_t const count = std::min<std::int64_t>(p.rows - row, 8);
        if (count <= 6) run_tiles<T, 6, 1>(p, row, count, 1, column);
        else run_tiles<T, 8, 1>(p, row, count, 1, column);
        row += count;
    }
    if (p.rows > row) run_tiles<T, 4, 1>(p, row, p.rows - row, 1, column);
}
/// Columns of one call of run_batches.
template<class T>
inline constexpr std::int64_t columns_together = 2 * static_cast<std::int64_t>(simd::width<T>);
template<class T>
void run_batches(product<T> const& p, std::int64_t column) {
    if (p.columns - column > static_cast<std::int64_t>(simd::width<T>)) run_two_batches(p, column);
    else run_one_batch(p, column);
}
/// Calls f(first, count) for parts of `count` segments with at most `terms_in_registers` terms. One part if there is no segment.
template<class T>
XGRAD_INLINE void each_part(segment<T> const* segments, std::int64_t count, auto f) {
    for (std::int64_t first = 0; first == 0 || first < count;) {
        std::int64_t last = first, terms = 0;
        while (last < count && (last == first || terms + segments[last].terms <= terms_in_registers)) terms += segments[last++].terms;
        f(first, last - first);
        first = std::max<std::int64_t>(last, 1);
    }
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
