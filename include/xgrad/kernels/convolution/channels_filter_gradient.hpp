// SPDX-License-Identifier: MIT
// The gradient of the filter of a convolution where each channel has a separate filter, or several.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/channel_tile.hpp>
#include <xgrad/kernels/convolution/filter_gradient.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// For `count` places of one row: where the rows of the array begin for each line of the window, and the gradient there.
template<class T>
struct met_rows {
    T const* const* lines;
    T const* g;
};
/// Some taps of the filter: which line of the window a tap is in, and its first element in a row.
template<class T, int Taps>
struct taps_of_channels {
    std::int64_t line[Taps], offset[Taps];
};

/// Sums over rows of places for some taps and one or two batches of columns, in registers.
template<class T, int Taps, int Batches, bool Partial>
struct channel_sums {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    using batches = std::make_index_sequence<static_cast<std::size_t>(Batches)>;
    V sums[Taps * Batches];

    template<std::size_t... I>
    XGRAD_INLINE void clear(std::index_sequence<I...>) {
        ((sums[I] = V(T(0))), ...);
    }
    /// The first `taps` taps.
    template<std::size_t... I>
    XGRAD_INLINE void write(T* to, std::int64_t step, std::int64_t taps, bool adds, std::size_t lanes, std::index_sequence<I...>) const {
        ((static_cast<std::int64_t>(I) / Batches < taps
                 ? store_lanes<Partial>(to + static_cast<std::int64_t>(I) / Batches * step + static_cast<std::int64_t>(I) % Batches * W,
                       sums[I], adds, lanes)
                 : void()),
            ...);
    }
    template<std::size_t... C>
    XGRAD_INLINE void add_tap(std::size_t k, T const* x, V const (&g)[Batches], std::size_t lanes, std::index_sequence<C...>) {
        ((sums[k * Batches + C] = fma(load_lanes<Partial>(x + static_cast<std::int64_t>(C) * W, lanes), g[C], sums[k * Batches + C])), ...);
    }
    template<std::size_t... K>
    XGRAD_INLINE void add(met_rows<T> const& r, taps_of_channels<T, Taps> const& t, std::int64_t column, std::int64_t count,
        std::int64_t x_step, std::int64_t g_step, std::size_t lanes, std::index_sequence<K...>) {
        T const* const x[Taps]{r.lines[t.line[K]] + t.offset[K] + column...};
        T const* g = r.g + column;
        for (std::int64_t i = 0, at = 0; i < count; ++i, at += x_step, g += g_step) {
            V slope[Batches];
            channel_tile<T, 1, Batches, Partial>::load(slope, g, lanes, batches{});
            (add_tap(K, x[K] + at, slope, lanes, batches{}), ...);
        }
    }
};

/// The same for the nine taps of three lines of three with stride 1 or 2. Tap 0 of a place meets an element of the place before.
template<class T, int Stride>
struct square_sums {
    using V = simd::batch<T>;
    V sums[9];

    template<std::size_t... I>
    XGRAD_INLINE void clear(std::index_sequence<I...>) {
        ((sums[I] = V(T(0))), ...);
    }
    template<std::size_t... I>
    XGRAD_INLINE void write(T* to, std::int64_t step, bool adds, std::index_sequence<I...>) const {
        (store_lanes<false>(to + static_cast<std::int64_t>(I) * step, sums[I], adds, 0), ...);
    }
    template<std::size_t L, bool Inside>
    XGRAD_INLINE void add_line(V& kept, T const* x, std::int64_t next, V g) {
        V second = simd::load(x + next), third(T(0));
        if constexpr (Inside) third = simd::load(x + 2 * next);
        simd::keep_register(second);
        if constexpr (Stride == 2) simd::keep_register(third);
        sums[3 * L] = fma(kept, g, sums[3 * L]);
        sums[3 * L + 1] = fma(second, g, sums[3 * L + 1]);
        sums[3 * L + 2] = fma(third, g, sums[3 * L + 2]);
        kept = Stride == 1 ? second : third;
    }
    /// `offset` is that of tap 0 in a row, `next` that of the next tap. Begins, ends: the first or the last element is a zero before or
    /// after the row.
    XGRAD_INLINE void add(met_rows<T> const& r, std::int64_t offset, std::int64_t next, std::int64_t count, bool begins, bool ends) {
        T const *x0 = r.lines[0] + offset, *x1 = r.lines[1] + offset, *x2 = r.lines[2] + offset, *g = r.g;
        V first(T(0)), second(T(0)), third(T(0));
        if (!begins) first = simd::load(x0), second = simd::load(x1), third = simd::load(x2);
        for (std::int64_t i = ends ? 1 : 0; i < count; ++i, g += next) {
            V const slope = simd::load(g);
            add_line<0, true>(first, x0, next, slope);
            add_line<1, true>(second, x1, next, slope);
            add_line<2, true>(third, x2, next, slope);
            x0 += Stride * next, x1 += Stride * next, x2 += Stride * next;
        }
        if (!ends) return;
        V const slope = simd::load(g);
        add_line<0, false>(first, x0, next, slope);
        add_line<1, false>(second, x1, next, slope);
        add_line<2, false>(third, x2, next, slope);
    }
};

/// All nine taps of three lines of three.
constexpr bool is_square(sizes const& s, std::int64_t first, std::int64_t last) {
    return s.lines() == 3 && s.at[2].size == 3 && s.at[2].dilation == 1 && s.at[2].stride <= 2 && first == 0 && last == 9;
}
/// Taps first to last − 1 of the filter [depth · height · width, channels].
template<class T>
struct channel_filter_sums {
    sizes s;   // with the channels of the results as one group
    padded_rows<T> rows;
    T const *g, *zeros;   // zeros: a row of the array that does not exist
    T const** lines;      // of place_rows_together rows
    met_rows<T>* met;
    T* dw;
    std::int64_t first, last;
    sums_of_parts<T> sums;
    std::int64_t pixels, columns;   // pixels that are one batch, and their channels

    void meet(std::int64_t from, std::int64_t end, std::int64_t place) const {
        axis const &depth = s.at[0], &height = s.at[1];
        for (std::int64_t r = from; r < end; ++r) {
            T const** const own = lines + (r - from) * s.lines();
            row_place const at = row_place::of(r, depth.places, height.places);
            for (std::int64_t z = 0, l = 0; z < depth.size; ++z) {
                std::int64_t const d = depth.element(at.depth, z);
                for (std::int64_t y = 0; y < height.size; ++y, ++l) {
                    std::int64_t const h = d < 0 ? -1 : height.element(at.height, y);
                    own[l] = h < 0 ? zeros : rows.at((at.image * depth.n + d) * height.n + h) + place * s.at[2].stride * s.in;
                }
            }
            met[r - from] = {own, g + (r * s.at[2].places + place) * s.in};
        }
    }
    template<int Taps, int Batches, bool Partial>
    XGRAD_NOINLINE void add_taps(
        std::int64_t tap, std::int64_t taps, std::int64_t rows_met, std::int64_t count, std::int64_t column, std::size_t lanes) const {
        using part = channel_sums<T, Taps, Batches, Partial>;
        axis const& a = s.at[2];
        taps_of_channels<T, Taps> t;
        part p;
        for (std::int64_t k = 0; k < Taps; ++k) {
            std::int64_t const own = tap + std::min(k, taps - 1);
            t.line[k] = own / a.size;
            t.offset[k] = (own % a.size * a.dilation - a.before) * s.in;
        }
        p.clear(std::make_index_sequence<static_cast<std::size_t>(Taps * Batches)>{});
        for (std::int64_t r = 0; r < rows_met; ++r)
            p.add(met[r], t, column, count, a.stride * columns, columns, lanes, std::make_index_sequence<static_cast<std::size_t>(Taps)>{});
        p.write(dw + tap * columns + column, columns, taps, sums.pending > 0, lanes,
            std::make_index_sequence<static_cast<std::size_t>(Taps * Batches)>{});
    }
    /// All taps by groups of `Taps` taps or of `Fewer`.
    template<int Taps, int Fewer, int Batches, bool Partial>
    void add_all_taps(std::int64_t rows_met, std::int64_t count, std::int64_t column, std::size_t lanes) const {
        for (std::int64_t tap = first; tap < last;) {
            std::int64_t const left = last - tap;
            if (left <= Fewer) return add_taps<Fewer, Batches, Partial>(tap, left, rows_met, count, column, lanes);
            add_taps<Taps, Batches, Partial>(tap, std::min<std::int64_t>(left, Taps), rows_met, count, column, lanes);
            tap += Taps;
        }
    }
    template<int Stride>
    XGRAD_NOINLINE void add_square(std::int64_t rows_met, std::int64_t place, std::int64_t count, std::int64_t column) const {
        axis const& a = s.at[2];
        bool const begins = rows.before == 0 && place * Stride < a.before,
                   ends = rows.after == 0 && (place + count - 1) * Stride - a.before + 2 >= a.n;
        square_sums<T, Stride> p;
        p.clear(std::make_index_sequence<9>{});
        for (std::int64_t r = 0; r < rows_met; ++r)
            p.add({met[r].lines, met[r].g + column}, column - a.before * s.in, s.in, count, begins, ends);
        p.write(dw + column, s.in, sums.pending > 0, std::make_index_sequence<9>{});
    }
    void add_columns(std::int64_t rows_met, std::int64_t place, std::int64_t count) const {
        constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
        if (pixels > 1) return add_all_taps<9, 4, 1, false>(rows_met, count / pixels, 0, 0);
        std::int64_t c = 0;
        for (; is_square(s, first, last) && c + W <= s.in; c += W)
            if (s.at[2].stride == 1) add_square<1>(rows_met, place, count, c);
            else add_square<2>(rows_met, place, count, c);
        for (; c + 2 * W <= s.in; c += 2 * W) add_all_taps<5, 4, 2, false>(rows_met, count, c, 0);
        if (c + W <= s.in) {
            add_all_taps<9, 4, 1, false>(rows_met, count, c, 0);
            c += W;
        }
        if (c < s.in) add_all_taps<4, 4, 1, true>(rows_met, count, c, static_cast<std::size_t>(s.in - c));
    }
    void run_all() {
        std::int64_t const all = s.place_rows(), places = s.at[2].places,
                           most = std::clamp<std::int64_t>(places_together / std::max<std::int64_t>(places, 1), 1, place_rows_together);
        for (std::int64_t r = 0; r < all;) {
            std::int64_t const end = rows_that_fit<false>(s, rows, r, all, most);
            for (std::int64_t p = 0; p < places; p += places_together) {
                meet(r, end, p);
                add_columns(end - r, p, std::min(places_together, places - p));
                sums.next();
            }
            r = end;
        }
        sums.finish();
    }
};
/// Elements of the row of zeros, of which `places` places read some.
constexpr std::int64_t zeros_of_channels(sizes const& s, std::int64_t places = places_together) {
    axis const& a = s.at[2];
    return (std::max<std::int64_t>(a.before, 0) + (places - 1) * a.stride + a.span()) * s.place_channels();
}
/// Taps first to last − 1 of the gradient of the filter.
template<class T>
XGRAD_NOINLINE void convolve_channels_filter(
    sizes const& all, T const* x, T const* g, T* dw, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain() && all.out == 1;
    sizes const s = (plain ? all.as_one_row(0, all.place_rows()) : all).as_channels();
    margins m = array_margins(s.at[2]);
    if (is_square(s, first, last) && s.in % static_cast<std::int64_t>(simd::width<T>) == 0 && m.before <= 1 && m.after <= 1)
        m = {0, 0};   // zeros in registers
    auto const rows = padded_rows<T>::make(x, s.at[2].n, all.array_channels(), m, row_range(s, s.at[1].n), many_rows_bytes, from, all.out);
    T* const zeros = from.take<T>(zeros_of_channels(s));
    std::fill_n(zeros, zeros_of_channels(s, std::clamp<std::int64_t>(s.at[2].places, 1, places_together)), T(0));
    std::int64_t const together = pixels_together<T>(s), pixels = s.at[2].places % together == 0 ? together : 1, columns = s.in * pixels;
    T* const sums = pixels > 1 ? from.take<T>((last - first) * columns) : dw + first * s.in;
    channel_filter_sums<T> job{s, rows, g, zeros + std::max<std::int64_t>(s.at[2].before, 0) * s.in,
        from.take<T const*>(place_rows_together * s.lines()), from.take<met_rows<T>>(place_rows_together), sums - first * columns, first,
        last, sums_of_parts<T>::make(sums, (last - first) * columns, from), pixels, columns};
    job.run_all();
    for (std::int64_t r = 0; pixels > 1 && r < last - first; ++r)
        for (std::int64_t c = 0; c < s.in; ++c) {
            T sum = sums[r * columns + c];
            for (std::int64_t k = 1; k < pixels; ++k) sum += sums[r * columns + k * s.in + c];
            dw[(first + r) * s.in + c] = sum;
        }
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
