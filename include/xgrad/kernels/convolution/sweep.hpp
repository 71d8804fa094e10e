// SPDX-License-Identifier: MIT
// A convolution, and the gradient of its array: both sum products of rows with parts of a filter.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/padded_rows.hpp>
#include <xgrad/kernels/convolution/tile.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// Terms that are contiguous both in a row, from element x on, and in the part of the filter for that row, from w on.
struct run {
    std::int64_t x, w, terms;
};
/// Results first, first + step, ... of a row: `pixels` of them. They have the same runs.
struct phase {
    std::int64_t first_run, runs, first, pixels;
};
/// Rows of results that are computed together, so that a block of the filter stays in the first cache.
inline constexpr std::int64_t rows_together = 8;

constexpr std::int64_t most_runs(sizes const& s, std::int64_t channels) { return s.at[2].size * (channels / terms_in_registers + 1); }

/// Adds a run of one tap, or makes the last run longer.
inline void add_tap(run* runs, std::int64_t first, std::int64_t& count, std::int64_t x, std::int64_t w, std::int64_t channels,
    std::int64_t w_step, bool joins) {
    if (joins && count > first && runs[count - 1].x + runs[count - 1].terms == x &&
        runs[count - 1].terms + channels <= terms_in_registers) {
        runs[count - 1].terms += channels;
        return;
    }
    for (std::int64_t c = 0; c < channels; c += terms_in_registers)
        runs[count++] = {x + c, w + c * w_step, std::min(terms_in_registers, channels - c)};
}

/// The work of both directions. Back: results are the elements of the array, and rows are rows of places.
template<class T, bool Back>
struct sweep {
    sizes s;
    padded_rows<T> rows;
    T const* filter;
    std::int64_t line, group, w_step;   // elements of the filter for a line and a group, and the distance of its rows
    run* runs;
    std::int64_t run_count;
    phase* phases;
    std::int64_t phase_count;
    segment<T>* segments;   // of rows_together rows

    std::int64_t from() const { return Back ? s.out : s.in; }   // channels of a group that are summed
    std::int64_t to() const { return Back ? s.in : s.out; }
    std::int64_t depths() const { return Back ? s.at[0].places : s.at[0].n; }
    std::int64_t heights() const { return Back ? s.at[1].places : s.at[1].n; }
    std::int64_t results_depths() const { return Back ? s.at[0].n : s.at[0].places; }
    std::int64_t results_heights() const { return Back ? s.at[1].n : s.at[1].places; }
    static std::int64_t met(axis const& a, std::int64_t at, std::int64_t k) { return Back ? a.place(at, k) : a.element(at, k); }

    /// The first and last row that the row `r` of results meets; first > last if none.
    void range_of(row_place r, std::int64_t& first, std::int64_t& last) const {
        for (std::int64_t z = 0; z < s.at[0].size; ++z) {
            std::int64_t const d = met(s.at[0], r.depth, z);
            for (std::int64_t y = 0; d >= 0 && y < s.at[1].size; ++y)
                if (std::int64_t const h = met(s.at[1], r.height, y); h >= 0) {
                    std::int64_t const key = (r.image * depths() + d) * heights() + h;
                    first = std::min(first, key);
                    last = std::max(last, key);
                }
        }
    }
    /// The segments of a row of results for one phase and group; returns their number.
    std::int64_t collect(segment<T>* to_segments, row_place r, phase const& f, std::int64_t g) const {
        std::int64_t n = 0;
        for (std::int64_t z = 0; z < s.at[0].size; ++z) {
            std::int64_t const d = met(s.at[0], r.depth, z);
            for (std::int64_t y = 0; d >= 0 && y < s.at[1].size; ++y) {
                std::int64_t const h = met(s.at[1], r.height, y);
                if (h < 0) continue;
                T const* const x = rows.at((r.image * depths() + d) * heights() + h) + g * from();
                std::int64_t const l = z * s.at[1].size + y;
                T const* const w = filter + g * group + l * line;
                for (std::int64_t i = f.first_run; i < f.first_run + f.runs; ++i)
                    to_segments[n++] = {x + runs[i].x, w + runs[i].w, runs[i].terms};
            }
        }
        return n;
    }
    /// Rows first to last − 1 of the results, at most rows_together.
    void run_rows(T* results, std::int64_t first, std::int64_t last, phase const& f, std::int64_t g) const {
        std::int64_t const most = s.lines() * run_count, channels = s.groups * to(),
                           row_size = channels * (Back ? s.at[2].n : s.at[2].places), step = Back ? s.at[2].stride : 1;
        std::int64_t counts[rows_together];
        for (std::int64_t r = first; r < last; ++r)
            counts[r - first] = collect(segments + (r - first) * most, row_place::of(r, results_depths(), results_heights()), f, g);
        std::int64_t const row_step = s.groups * from() * (Back ? 1 : s.at[2].stride), wide = 2 * static_cast<std::int64_t>(simd::width<T>);
        for (std::int64_t column = 0; column < to(); column += wide)
            for (std::int64_t r = first; r < last; ++r) {
                segment<T> const* const own = segments + (r - first) * most;
                T* const out = results + r * row_size + f.first * channels + g * to();
                each_part(own, counts[r - first], [&](std::int64_t from_segment, std::int64_t n) {
                    run_batches<T>(
                        {own + from_segment, n, 0, row_step, 1, 0, w_step, f.pixels, to(), out, step * channels, from_segment > 0}, column);
                });
            }
    }
    /// The end of the rows from `first` on whose operands fit into memory together.
    std::int64_t end_of_rows(std::int64_t first, std::int64_t last) const {
        std::int64_t end = first, low = INT64_MAX, high = -1;
        for (; end < last && end - first < rows_together; ++end) {
            range_of(row_place::of(end, results_depths(), results_heights()), low, high);
            if (rows.slots > 0 && end > first && high - low >= rows.slots) break;
        }
        return end;
    }
    void run_all(T* results, std::int64_t first, std::int64_t last) const {
        while (first < last) {
            std::int64_t const end = end_of_rows(first, last);
            for (std::int64_t f = 0; f < phase_count; ++f)
                for (std::int64_t g = 0; g < s.groups; ++g) run_rows(results, first, end, phases[f], g);
            first = end;
        }
    }
};

/// The convolution of x with w. Rows first to last − 1 of y.
template<class T>
XGRAD_NOINLINE void convolve(sizes const& all, T const* x, T const* w, T* y, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    sizes const s = all.is_plain() ? all.as_one_row(first, last) : all;
    std::int64_t const skipped = all.is_plain() ? first : 0, columns = s.place_channels();
    x += skipped * all.array_row();
    y += skipped * all.place_row();
    sweep<T, false> job{s, padded_rows<T>::make(x, s.at[2].n, s.array_channels(), array_margins(s.at[2]), row_range(s, s.at[1].n), from), w,
        s.at[2].size * s.in * columns, s.out, columns, from.take<run>(most_runs(s, s.in)), 0, from.take<phase>(1), 1,
        from.take<segment<T>>(rows_together * s.lines() * most_runs(s, s.in))};
    for (std::int64_t k = 0; k < s.at[2].size; ++k)
        add_tap(job.runs, 0, job.run_count, (k * s.at[2].dilation - s.at[2].before) * s.array_channels(), k * s.in * columns, s.in, columns,
            s.groups == 1);
    job.phases[0] = {0, job.run_count, 0, s.at[2].places};
    if (s.out % static_cast<std::int64_t>(simd::width<T>) != 0) job.filter = with_more_memory(w, s.lines() * job.line, from);
    job.run_all(y, all.is_plain() ? 0 : first, all.is_plain() ? 1 : last);
}

/// The places of the taps in a packed filter, by phases: `order[p]` is the tap at place p. Makes the runs of each phase.
template<class T>
void order_taps(sweep<T, true>& job, std::int64_t* order, std::int64_t padded) {
    axis const& a = job.s.at[2];
    std::int64_t taps = 0;
    for (std::int64_t p = 0; p < a.stride && p < a.n; ++p) {
        std::int64_t const first = job.run_count;
        for (std::int64_t k = a.size - 1; k >= 0; --k) {
            if (a.phase(k) != p) continue;
            order[taps] = k;
            add_tap(job.runs, first, job.run_count, a.shift(k) * job.s.place_channels(), taps * job.s.out * padded, job.s.out, padded,
                job.s.groups == 1);
            ++taps;
        }
        job.phases[job.phase_count++] = {first, job.run_count - first, p, a.elements(p)};
    }
    while (taps < a.size) order[taps++] = -1;   // they meet no element
}
/// to[o, c] = w[c, o] with `padded` columns.
template<class T>
void transpose(T const* w, std::int64_t rows, std::int64_t columns, std::int64_t step, T* to, std::int64_t padded) {
    for (std::int64_t o = 0; o < columns; ++o, to += padded) {
        for (std::int64_t c = 0; c < rows; ++c) to[c] = w[c * step + o];
        std::fill(to + rows, to + padded, T(0));
    }
}
/// The gradient of x: g, the gradient of the result, with the filter w. Rows first to last − 1 of x.
template<class T>
XGRAD_NOINLINE void convolve_back(
    sizes const& all, T const* g, T const* w, T* x, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain();
    sizes const s = plain ? all.as_one_row(first, last) : all;
    if (plain) {
        g += first * all.place_row();
        x += first * all.array_row();
    }
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const padded = (s.in + W - 1) / W * W, taps = s.at[2].size, line = taps * s.out * padded;
    T* const packed = from.take<T>(s.groups * s.lines() * line);
    std::int64_t* const order = from.take<std::int64_t>(taps);
    sweep<T, true> job{s,
        padded_rows<T>::make(g, s.at[2].places, s.place_channels(), place_margins(s.at[2]), row_range(s, s.at[1].places), from), packed,
        line, s.lines() * line, padded, from.take<run>(most_runs(s, s.out)), 0, from.take<phase>(s.at[2].stride), 0,
        from.take<segment<T>>(rows_together * s.lines() * most_runs(s, s.out))};
    order_taps(job, order, padded);
    for (std::int64_t k = 0; k < s.groups; ++k)
        for (std::int64_t l = 0; l < s.lines(); ++l)
            for (std::int64_t p = 0; p < taps; ++p)
                if (order[p] >= 0)
                    transpose(w + (l * taps + order[p]) * s.in * s.place_channels() + k * s.out, s.in, s.out, s.place_channels(),
                        packed + k * job.group + l * line + p * s.out * padded, padded);
    job.run_all(x, plain ? 0 : first, plain ? 1 : last);
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
