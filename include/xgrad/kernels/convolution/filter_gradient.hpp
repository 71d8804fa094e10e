// SPDX-License-Identifier: MIT
// The gradient of the filter of a convolution: sums over all places of all images.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/padded_rows.hpp>
#include <xgrad/kernels/convolution/tile.hpp>
#include <xgrad/kernels/long_sums.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// Places whose terms are added in registers, the most rows that they come from, and how many such sums are added in float.
inline constexpr std::int64_t places_together = 128, place_rows_together = 64, sums_in_float = 16;

/// Sums of n numbers in `to`, whose parts are added one after the other: some in T, and these in double.
template<class T>
struct sums_of_parts {
    T* to;
    double* totals;   // null for double
    std::int64_t n;
    std::int64_t pending = 0;   // parts in `to`; with 0 of them its content has no meaning
    bool moved = false;

    static sums_of_parts make(T* to, std::int64_t n, memory& from) { return {to, sums_in_double<T> ? from.take<double>(n) : nullptr, n}; }
    /// After a part was added.
    void next() {
        if (++pending < sums_in_float || totals == nullptr) return;
        if constexpr (sums_in_double<T>) kernels::detail::add_to_doubles(to, totals, n, !moved);
        moved = true;
        pending = 0;
    }
    void finish() {
        if (pending == 0 && !moved) std::fill_n(to, n, T(0));
        if constexpr (sums_in_double<T>) {
            if (moved && pending > 0) kernels::detail::take_from_doubles(to, totals, n);
            else if (moved) kernels::detail::round_doubles(to, totals, n);
        }
    }
};

/// Rows first to last − 1 of the filter [depth · height · width · in] whose gradient is computed.
template<class T>
struct filter_sums {
    sizes s;
    padded_rows<T> rows;
    T const* g;
    T const* tail;   // the last numbers of g, with more memory after them; or null
    std::int64_t tail_from, total;
    segment<T>* segments;
    T* to;   // the sums
    std::int64_t first, last;
    sums_of_parts<T> sums;
    std::int64_t pixels;   // places that are one batch

    std::int64_t line_rows() const { return s.at[2].size * s.in; }
    std::int64_t columns() const { return pixels * s.place_channels(); }
    /// Rows of sums for a line: element i meets the gradient of place j as element i − j · stride of the window.
    std::int64_t line_sums() const { return line_rows() + (pixels - 1) * s.at[2].stride * s.in; }
    T const* places_at(std::int64_t at, std::int64_t count) const {
        std::int64_t const end = (at + count) * s.place_channels() + static_cast<std::int64_t>(simd::width<T>);
        return tail != nullptr && end > total ? tail + (at * s.place_channels() - tail_from) : g + at * s.place_channels();
    }
    std::int64_t collect(std::int64_t line, std::int64_t from, std::int64_t end, std::int64_t place, std::int64_t count) const {
        std::int64_t const z = line / s.at[1].size, y = line % s.at[1].size, terms = count / pixels;
        row_place at = row_place::of(from, s.at[0].places, s.at[1].places);
        std::int64_t n = 0;
        for (std::int64_t r = from; r < end; ++r, at.next(s.at[0].places, s.at[1].places)) {
            std::int64_t const d = s.at[0].element(at.depth, z), h = s.at[1].element(at.height, y);
            if (d < 0 || h < 0) continue;
            segments[n++] = {rows.at((at.image * s.at[0].n + d) * s.at[1].n + h) + place * s.at[2].stride * s.array_channels(),
                places_at(r * s.at[2].places + place, count), terms};
        }
        return n;
    }
    /// Rows `from` to end − 1 of one tap, or of several taps that follow each other in a row of the array.
    void add_rows(std::int64_t line, std::int64_t from, std::int64_t end, std::int64_t n) const {
        std::int64_t const tap = from / s.in, x = (tap * s.at[2].dilation - s.at[2].before) * s.array_channels() + from % s.in;
        for (std::int64_t k = 0; k < s.groups; ++k) {
            product<T> const p{segments, n, x + k * s.in, 1, pixels * s.at[2].stride * s.array_channels(), k * s.out, columns(),
                end - from + line_sums() - line_rows(), pixels * s.out, to + (line * line_sums() + from) * columns() + k * s.out, columns(),
                sums.pending > 0};
            for (std::int64_t column = 0; column < p.columns; column += columns_together<T>) run_batches(p, column);
        }
    }
    void add_line(std::int64_t line, std::int64_t n) const {
        std::int64_t const begin = std::max<std::int64_t>(first - line * line_rows(), 0),
                           end = std::min(last - line * line_rows(), line_rows());
        bool const together = s.groups == 1 && (s.at[2].dilation == 1 || s.at[2].size == 1);
        for (std::int64_t from = begin; from < end;) {
            std::int64_t const to = together ? end : std::min(end, (from / s.in + 1) * s.in);
            add_rows(line, from, to, n);
            from = to;
        }
    }
    void add_places(std::int64_t from, std::int64_t end, std::int64_t place, std::int64_t count) {
        for (std::int64_t line = first / line_rows(); line * line_rows() < last; ++line)
            if (std::int64_t const n = collect(line, from, end, place, count); n > 0 || sums.pending == 0) add_line(line, n);
        sums.next();
    }
    void run_all() {
        std::int64_t const all = s.place_rows();
        for (std::int64_t r = 0; r < all;) {
            std::int64_t const most = std::clamp<std::int64_t>(
                                   places_together / std::max<std::int64_t>(s.at[2].places, 1), 1, place_rows_together),
                               end = rows_that_fit<false>(s, rows, r, all, most);
            for (std::int64_t p = 0; p < s.at[2].places; p += places_together)
                add_places(r, end, p, std::min(places_together, s.at[2].places - p));
            r = end;
        }
        sums.finish();
    }
    /// The sums of each place of a batch.
    void add_pixels(T* dw) const {
        for (std::int64_t r = first; r < last; ++r) {
            T const* from = to + (r / line_rows() * line_sums() + r % line_rows()) * columns();
            T* const own = dw + r * s.out;
            std::copy_n(from, s.out, own);
            for (std::int64_t j = 1; j < pixels; ++j) {
                from += s.at[2].stride * s.in * columns() + s.out;
                for (std::int64_t c = 0; c < s.out; ++c) own[c] += from[c];
            }
        }
    }
};
/// At most this number of places has gradients that are one batch: with more, the sums of a part have few terms.
constexpr std::int64_t most_places_in_batch(sizes const& s, std::int64_t width) {
    if (s.groups > 1 || s.at[2].dilation > 1 || s.at[2].size <= s.at[2].stride) return 1;
    return 4 * s.out <= width ? 4 : 2 * s.out <= width ? 2 : 1;
}

/// Rows first to last − 1 of the gradient of the filter.
template<class T>
XGRAD_NOINLINE void convolve_filter(
    sizes const& all, T const* x, T const* g, T* dw, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    sizes const s = all.is_plain() ? all.as_one_row(0, all.place_rows()) : all;
    filter_sums<T> job{s,
        padded_rows<T>::make(x, s.at[2].n, s.array_channels(), array_margins(s.at[2]), row_range(s, s.at[1].n), many_rows_bytes, from), g,
        nullptr, 0, s.place_rows() * s.place_row(), from.take<segment<T>>(place_rows_together), dw, first, last, {},
        most_places_in_batch(s, static_cast<std::int64_t>(simd::width<T>))};
    while (s.at[2].places % job.pixels != 0) job.pixels /= 2;
    if (job.pixels > 1) {
        std::int64_t const n = s.lines() * job.line_sums() * job.columns();
        job.to = from.take<T>(n);
        job.sums = sums_of_parts<T>::make(job.to, n, from);
    } else job.sums = sums_of_parts<T>::make(dw + first * s.place_channels(), (last - first) * s.place_channels(), from);
    if (s.out % static_cast<std::int64_t>(simd::width<T>) != 0) {
        std::int64_t const most =
            std::min(places_together, s.at[2].places) * s.place_channels() + static_cast<std::int64_t>(simd::width<T>);
        job.tail_from = std::max<std::int64_t>(job.total - most, 0);
        job.tail = with_more_memory(g + job.tail_from, job.total - job.tail_from, from);
    }
    if (s.in == 0) return;
    job.run_all();
    if (job.pixels > 1) job.add_pixels(dw);
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
