// SPDX-License-Identifier: MIT
// Sums in registers where each channel has a separate filter.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/sizes.hpp>
#include <xgrad/kernels/convolution/tile.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// All lanes, or the first `count`.
template<bool Partial, class T>
XGRAD_INLINE simd::batch<T> load_lanes(T const* p, [[maybe_unused]] std::size_t count) {
    if constexpr (Partial) return simd::load_partial(p, count);
    else return simd::load(p);
}
template<bool Partial, class T>
XGRAD_INLINE void store_lanes(T* p, simd::batch<T> x, bool adds, [[maybe_unused]] std::size_t count) {
    if (adds) x = load_lanes<Partial>(p, count) + x;
    if constexpr (Partial) simd::store_partial(p, x, count);
    else simd::store(p, x);
}

/// to[row, column] = Σ a[row · row_step + column] b[column] over the terms of the segments.
/// Two batches of columns: the halves of a cache line are read in one cycle, and the same halves of two lines often are not.
template<class T, int Rows, int Batches, bool Partial>
struct channel_tile {
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
    XGRAD_INLINE static void load(V (&w)[Batches], T const* p, std::size_t lanes, std::index_sequence<C...>) {
        ((w[C] = load_lanes<Partial>(p + static_cast<std::int64_t>(C) * W, lanes)), ...);
    }
    template<std::size_t... C>
    XGRAD_INLINE void add_row(std::size_t r, T const* a, V const (&w)[Batches], std::size_t lanes, std::index_sequence<C...>) {
        ((sums[r * Batches + C] = fma(load_lanes<Partial>(a + static_cast<std::int64_t>(C) * W, lanes), w[C], sums[r * Batches + C])), ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE void add(T const* a, T const* b, std::int64_t const (&offset)[Rows], std::size_t lanes, std::index_sequence<R...>) {
        V w[Batches];
        load(w, b, lanes, batches{});
        (add_row(R, a + offset[R], w, lanes, batches{}), ...);
    }
    template<std::size_t... C>
    XGRAD_INLINE void write_row(std::size_t r, T* to, bool adds, std::size_t lanes, std::index_sequence<C...>) const {
        (store_lanes<Partial>(to + static_cast<std::int64_t>(C) * W, sums[r * Batches + C], adds, lanes), ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE void write(T* to, std::int64_t step, std::int64_t count, bool adds, std::size_t lanes, std::index_sequence<R...>) const {
        if (count == Rows && !adds) (write_row(R, to + static_cast<std::int64_t>(R) * step, false, lanes, batches{}), ...);
        else
            ((static_cast<std::int64_t>(R) < count ? write_row(R, to + static_cast<std::int64_t>(R) * step, adds, lanes, batches{})
                                                   : void()),
                ...);
    }
};
/// `tiles` tiles of `count` rows from `row` on.
template<class T, int Rows, int Batches, bool Partial>
XGRAD_NOINLINE void run_channel_tiles(
    product<T> const& p, std::int64_t row, std::int64_t count, std::int64_t tiles, std::int64_t column, std::size_t lanes) {
    using part = channel_tile<T, Rows, Batches, Partial>;
    std::int64_t offset[Rows];
    row_offsets(offset, row * p.row_step, p.row_step, count);
    T* to = p.to + row * p.to_step + column;
    for (; tiles > 0; --tiles, to += count * p.to_step) {
        part sums;
        sums.clear(std::make_index_sequence<static_cast<std::size_t>(Rows * Batches)>{});
        for (segment<T> const *s = p.segments, *const end = s + p.count; s != end; ++s) {
            T const *a = s->a + column, *b = s->b + column;
            for (std::int64_t t = 0; t < s->terms; ++t, a += p.term_step, b += p.b_step)
                sums.add(a, b, offset, lanes, typename part::rows{});
        }
        sums.write(to, p.to_step, count, p.adds, lanes, typename part::rows{});
        for (std::int64_t& o : offset) o += count * p.row_step;
    }
}
/// Tiles for lines of three taps, where the next tap of a row is a tap of the next row: each element is read once.
template<class T, int Step, int Rows>
struct sliding_tile {
    using V = simd::batch<T>;
    static constexpr int rows = Rows, taps = 3, elements = (rows - 1) * Step + taps;
    V sums[rows];

    template<std::size_t... R>
    XGRAD_INLINE void clear(std::index_sequence<R...>) {
        ((sums[R] = V(T(0))), ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE T* write(T* to, std::int64_t step, std::index_sequence<R...>) const {
        ((simd::store(to, sums[R]), to += step), ...);
        return to;
    }
    template<std::size_t J, std::size_t... K>
    XGRAD_INLINE void add_element(T const* a, V const (&w)[taps], std::index_sequence<K...>) {
        V x = simd::load(a);
        simd::keep_register(x);
        (add_tap<J, K>(x, w[K]), ...);
    }
    /// Element J of a line is tap K of row (J − K) / Step.
    template<std::size_t J, std::size_t K>
    XGRAD_INLINE void add_tap(V x, V w) {
        if constexpr (J >= K && (J - K) % Step == 0 && (J - K) / Step < rows) sums[(J - K) / Step] = fma(x, w, sums[(J - K) / Step]);
    }
    template<std::size_t... J>
    XGRAD_INLINE void add(T const* a, std::int64_t next, T const* b, std::int64_t b_next, std::index_sequence<J...>) {
        V const w[taps]{simd::load(b), simd::load(b + b_next), simd::load(b + 2 * b_next)};
        ((add_element<J>(a, w, std::make_index_sequence<taps>{}), a += next), ...);
    }
};
template<class T, int Step, int Rows>
XGRAD_NOINLINE void run_sliding_tiles(product<T> const& p, std::int64_t tiles, std::int64_t column) {
    using part = sliding_tile<T, Step, Rows>;
    T* to = p.to + column;
    for (std::int64_t tile = 0, at = column; tile < tiles; ++tile, at += part::rows * p.row_step) {
        part sums;
        sums.clear(std::make_index_sequence<part::rows>{});
        for (segment<T> const *s = p.segments, *const end = s + p.count; s != end; ++s)
            sums.add(s->a + at, p.term_step, s->b + column, p.b_step, std::make_index_sequence<part::elements>{});
        to = sums.write(to, p.to_step, std::make_index_sequence<part::rows>{});
    }
}
/// The rows that tiles of three taps have computed for one batch of columns.
template<class T>
std::int64_t run_sliding(product<T> const& p, std::int64_t column) {
    if (p.adds || p.term_step == 0 || p.count == 0) return 0;
    for (std::int64_t i = 0; i < p.count; ++i)
        if (p.segments[i].terms != 3) return 0;
    bool const even = p.row_step == 2 * p.term_step;
    if (!even && p.row_step != p.term_step) return 0;
    if (p.rows % 8 != 0 && p.rows % 6 == 0) {
        if (even) run_sliding_tiles<T, 2, 6>(p, p.rows / 6, column);
        else run_sliding_tiles<T, 1, 6>(p, p.rows / 6, column);
        return p.rows;
    }
    if (even) run_sliding_tiles<T, 2, 8>(p, p.rows / 8, column);
    else run_sliding_tiles<T, 1, 8>(p, p.rows / 8, column);
    return p.rows / 8 * 8;
}
/// All rows for full batches, by tiles of `Rows` rows or of `Fewer`.
template<class T, int Rows, int Fewer, int Batches>
void run_channel_rows(product<T> const& p, std::int64_t column) {
    std::int64_t row = 0;
    for (int c = 0; c < Batches; ++c) row = run_sliding(p, column + c * static_cast<std::int64_t>(simd::width<T>));
    std::int64_t const full = (p.rows - row) / Rows, rest = (p.rows - row) % Rows;
    if (full > 0) run_channel_tiles<T, Rows, Batches, false>(p, row, Rows, full, column, 0);
    row += full * Rows;
    if (rest > Fewer) run_channel_tiles<T, Rows, Batches, false>(p, row, rest, 1, column, 0);
    else if (rest > 0) run_channel_tiles<T, Fewer, Batches, false>(p, row, rest, 1, column, 0);
}
/// Rows of the tiles with two batches and with one.
#if XGRAD_USE_AVX512 || defined(__aarch64__) || defined(__AVX2__)
inline constexpr int channel_rows = 6;
#else
inline constexpr int channel_rows = 5;
#endif
inline constexpr int channel_few_rows = 3, channel_column_rows = 8;
/// Pixels of few channels that are one batch: their number, or 1. With stride 1 they are computed like the channels of one pixel.
template<class T>
constexpr std::int64_t pixels_together(sizes const& s) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    return s.in > 0 && s.in < W && W % s.in == 0 && s.at[2].stride == 1 ? W / s.in : 1;
}
/// All rows for `columns_together` columns from `column` on.
template<class T>
void run_channels(product<T> const& p, std::int64_t column) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    if (column + 2 * W <= p.columns) return run_channel_rows<T, channel_rows, channel_few_rows, 2>(p, column);
    if (column + W <= p.columns) {
        run_channel_rows<T, channel_column_rows, 4, 1>(p, column);
        column += W;
    }
    std::size_t const lanes = static_cast<std::size_t>(p.columns - column);
    for (std::int64_t row = 0; lanes > 0 && row < p.rows; row += 4)
        run_channel_tiles<T, 4, 1, true>(p, row, std::min<std::int64_t>(p.rows - row, 4), 1, column, lanes);
}

/// All rows, `pixels` of which are one batch.
template<class T>
void run_pixels(product<T> p, std::int64_t pixels) {
    std::int64_t const channels = p.columns, rest = p.rows % pixels;
    p.rows /= pixels;
    p.columns = p.row_step = p.to_step = channels * pixels;
    run_channels(p, 0);
    if (rest > 0) run_channel_tiles<T, 4, 1, true>(p, p.rows, 1, 1, 0, static_cast<std::size_t>(rest * channels));
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
