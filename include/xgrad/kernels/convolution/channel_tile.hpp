// SPDX-License-Identifier: MIT
// Sums in registers where each channel has a filter of its own.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/tile.hpp>

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

/// to[row, column] = Σ a[row · row_step + column] b[column] over the segments, for one batch of columns. Each segment is one term.
template<class T, int Rows, bool Partial>
struct channel_tile {
    using V = simd::batch<T>;
    using rows = std::make_index_sequence<static_cast<std::size_t>(Rows)>;

    template<std::size_t... R>
    XGRAD_INLINE static void run(product<T> const& p, std::int64_t const (&offset)[Rows], std::int64_t column, std::size_t lanes,
        std::int64_t count, T* to, std::index_sequence<R...>) {
        V sums[Rows]{((void)R, V(T(0)))...};
        for (std::int64_t i = 0; i < p.count; ++i) {
            T const* const a = p.segments[i].a + column;
            V const w = load_lanes<Partial>(p.segments[i].b + column, lanes);
            ((sums[R] = fma(load_lanes<Partial>(a + offset[R], lanes), w, sums[R])), ...);
        }
        ((static_cast<std::int64_t>(R) < count ? store_lanes<Partial>(to + static_cast<std::int64_t>(R) * p.to_step, sums[R], p.adds, lanes)
                                               : void()),
            ...);
    }
};
/// `tiles` tiles of `count` rows from `row` on.
template<class T, int Rows, bool Partial>
XGRAD_NOINLINE void run_channel_tiles(
    product<T> const& p, std::int64_t row, std::int64_t count, std::int64_t tiles, std::int64_t column, std::size_t lanes) {
    std::int64_t offset[Rows];
    for (std::int64_t r = 0; r < Rows; ++r) offset[r] = (row + std::min(r, count - 1)) * p.row_step;
    T* to = p.to + row * p.to_step + column;
    for (; tiles > 0; --tiles, to += count * p.to_step) {
        using part = channel_tile<T, Rows, Partial>;
        part::run(p, offset, column, lanes, count, to, typename part::rows{});
        for (std::int64_t& o : offset) o += count * p.row_step;
    }
}
template<class T>
void run_channel_batch(product<T> const& p, std::int64_t column, std::size_t lanes) {
    constexpr std::int64_t most = 8;
    if (lanes < simd::width<T>) {
        for (std::int64_t row = 0; row < p.rows; row += 4)
            run_channel_tiles<T, 4, true>(p, row, std::min<std::int64_t>(p.rows - row, 4), 1, column, lanes);
        return;
    }
    std::int64_t const full = p.rows / most, rest = p.rows % most;
    if (full > 0) run_channel_tiles<T, 8, false>(p, 0, most, full, column, lanes);
    if (rest > 6) run_channel_tiles<T, 8, false>(p, full * most, rest, 1, column, lanes);
    else if (rest > 4) run_channel_tiles<T, 6, false>(p, full * most, rest, 1, column, lanes);
    else if (rest > 0) run_channel_tiles<T, 4, false>(p, full * most, rest, 1, column, lanes);
}
/// All rows for `columns_together` columns from `column` on.
template<class T>
void run_channels(product<T> const& p, std::int64_t column) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    for (std::int64_t c = column; c < std::min(p.columns, column + columns_together<T>); c += W)
        run_channel_batch(p, c, static_cast<std::size_t>(std::min(W, p.columns - c)));
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
