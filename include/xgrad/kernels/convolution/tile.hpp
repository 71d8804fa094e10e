// SPDX-License-Identifier: MIT
// Products in registers whose left rows overlap in memory: no matrix of windows is ever written.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_tile.hpp>

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

/// Rows of the tile with one batch of columns: fewer sums would wait for each other.
inline constexpr int column_rows = 8, few_rows = 2;

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
    template<std::size_t... R>
    XGRAD_INLINE void add(
        segment<T> const& s, product<T> const& p, std::int64_t const (&offset)[Rows], std::int64_t column, std::index_sequence<R...>) {
        T const* const a[Rows]{s.a + offset[R]...};
        T const* b = s.b + p.b_offset + column;
        std::int64_t const next = p.term_step, step = p.b_step;
        for (std::int64_t t = 0, at = 0; t < s.terms; ++t, at += next, b += step) {
            V right[Batches];
            load(right, b, batches{});
            (add_row(R, V(a[R][at]), right, batches{}), ...);
        }
    }
    template<std::size_t... C>
    XGRAD_INLINE void write_row(std::size_t r, T* to, bool adds, std::index_sequence<C...>) const {
        (simd::store(to + static_cast<std::int64_t>(C) * W,
             adds ? simd::load(to + static_cast<std::int64_t>(C) * W) + sums[r * Batches + C] : sums[r * Batches + C]),
            ...);
    }
    /// The last batch has `last` columns.
    XGRAD_INLINE void write_partial(std::size_t r, T* to, std::size_t last, bool adds) const {
        if constexpr (Batches > 1) write_row(r, to, adds, std::make_index_sequence<Batches - 1>{});
        T* const end = to + (Batches - 1) * W;
        V const x = sums[r * Batches + Batches - 1];
        simd::store_partial(end, adds ? simd::load_partial(end, last) + x : x, last);
    }
};

/// Rows `row` to row + count − 1 and the batches from `column` on. Rows after `count` repeat the last one and are not written.
template<class T, int Rows, int Batches>
XGRAD_NOINLINE void run_tile(product<T> const& p, std::int64_t row, std::int64_t count, std::int64_t column) {
    using part = tile<T, Rows, Batches>;
    std::int64_t offset[Rows];
    for (std::int64_t r = 0; r < Rows; ++r) offset[r] = p.a_offset + (row + std::min(r, count - 1)) * p.row_step;
    part sums;
    sums.clear(std::make_index_sequence<Rows * Batches>{});
    for (std::int64_t i = 0; i < p.count; ++i) sums.add(p.segments[i], p, offset, column, typename part::rows{});
    T* const to = p.to + row * p.to_step + column;
    std::int64_t const last = std::min(p.columns - column - (Batches - 1) * part::W, part::W);
    [&]<std::size_t... R>(std::index_sequence<R...>) {
        if (last == part::W)
            ((static_cast<std::int64_t>(R) < count
                     ? sums.write_row(R, to + static_cast<std::int64_t>(R) * p.to_step, p.adds, typename part::batches{})
                     : void()),
                ...);
        else
            ((static_cast<std::int64_t>(R) < count
                     ? sums.write_partial(R, to + static_cast<std::int64_t>(R) * p.to_step, static_cast<std::size_t>(last), p.adds)
                     : void()),
                ...);
    }(typename part::rows{});
}

/// All rows for two batches of columns.
template<class T>
void run_two_batches(product<T> const& p, std::int64_t column) {
    using namespace kernels::detail;
    for (std::int64_t row = 0; row < p.rows;) {
        std::int64_t const count = rows_at_once(p.rows - row);
        if (count > middle_rows) run_tile<T, tile_rows, 2>(p, row, count, column);
        else if (count > low_rows) run_tile<T, middle_rows, 2>(p, row, count, column);
        else if (count > convolution::few_rows) run_tile<T, low_rows, 2>(p, row, count, column);
        else run_tile<T, convolution::few_rows, 2>(p, row, count, column);
        row += count;
    }
}
/// All rows for one batch of columns, which may be partial.
template<class T>
void run_one_batch(product<T> const& p, std::int64_t column) {
    for (std::int64_t row = 0; row < p.rows;) {
        std::int64_t const count = std::min<std::int64_t>(p.rows - row, column_rows);
        if (count > few_rows) run_tile<T, column_rows, 1>(p, row, count, column);
        else run_tile<T, few_rows, 1>(p, row, count, column);
        row += count;
    }
}
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
