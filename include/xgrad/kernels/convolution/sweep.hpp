// SPDX-License-Identifier: MIT
// A convolution, and the gradient of its array: both sum products of rows with parts of a filter.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/channel_tile.hpp>
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
inline constexpr std::int64_t rows_together = 8, plain_row_bytes = 24576;

constexpr std::int64_t most_runs(sizes const& s, std::int64_t channels) { return s.at[2].size * (channels / terms_in_registers + 1); }

/// Adds a run of one tap, or makes the last run longer. x_step, w_step: distances between the channels.
inline void add_tap(run* runs, std::int64_t first, std::int64_t& count, std::int64_t x, std::int64_t x_step, std::int64_t w,
    std::int64_t w_step, std::int64_t channels, bool joins) {
    if (joins && count > first && runs[count - 1].x + runs[count - 1].terms == x &&
        runs[count - 1].terms + channels <= terms_in_registers) {
        runs[count - 1].terms += channels;
        return;
    }
    for (std::int64_t c = 0; c < channels; c += terms_in_registers)
        runs[count++] = {x + c * x_step, w + c * w_step, std::min(terms_in_registers, channels - c)};
}

/// The work of both directions.
/// * Back: results are the elements of the array, and rows are rows of places.
/// * ByChannel: each channel of the results has a separate filter, and the sizes have one group.
template<class T, bool Back, bool ByChannel>
struct sweep {
    static constexpr bool has_planes = Back && !ByChannel;   // rows may be in planes
    sizes s;
    padded_rows<T> rows;
    T const* filter;
    std::int64_t line, group, w_step;   // elements of the filter for a line and a group, and the distance of its rows
    run* runs;
    std::int64_t run_count;
    phase* phases;
    std::int64_t phase_count;
    segment<T>* segments;         // of rows_together rows
    std::int64_t term_step = 1;   // distance of the terms of a run in a row
    std::int64_t together = rows_together;
    std::int64_t pixels = 1;                        // that are one batch; the filter then has them too
    T* planes = nullptr;                            // a row of results in planes, if rows are in planes
    std::int64_t filter_row = 0, filter_term = 0;   // then: distances in the filter between the results and between the terms of a sum

    std::int64_t from() const { return Back ? s.out : s.in; }   // channels of a group that are summed
    std::int64_t to() const { return Back ? s.in : s.out; }
    row_place place_of(std::int64_t row) const {
        return row_place::of(row, s.at[0].template results<Back>(), s.at[1].template results<Back>());
    }

    /// The segments of a row of results for one phase and group; returns their number.
    std::int64_t collect(segment<T>* to_segments, row_place r, phase const& f, std::int64_t g) const {
        axis const &depth = s.at[0], &height = s.at[1];
        std::int64_t n = 0;
        for (std::int64_t z = 0; z < depth.size; ++z) {
            std::int64_t const d = depth.template met<Back>(r.depth, z);
            for (std::int64_t y = 0; d >= 0 && y < height.size; ++y) {
                std::int64_t const h = height.template met<Back>(r.height, y);
                if (h < 0) continue;
                T const* const x = rows.at((r.image * depth.template met_count<Back>() + d) * height.template met_count<Back>() + h) +
                                   g * from() * (has_planes && rows.plane > 0 ? rows.plane : 1);
                std::int64_t const l = z * height.size + y;
                T const* const w = filter + g * group + l * line;
                for (std::int64_t i = f.first_run; i < f.first_run + f.runs; ++i) {
                    to_segments[n++] = {x + runs[i].x, w + runs[i].w, runs[i].terms};
                    if constexpr (has_planes)
                        if (rows.plane > 0) std::swap(to_segments[n - 1].a, to_segments[n - 1].b);
                }
            }
        }
        return n;
    }
    std::int64_t result_row() const { return s.groups * to() * s.at[2].template results<Back>(); }
    /// Rows first to last − 1 of the results, at most rows_together. `to_first` is where the first of them is written.
    void run_rows(T* to_first, std::int64_t first, std::int64_t last, phase const& f, std::int64_t g) const {
        std::int64_t const most = s.lines() * run_count, channels = s.groups * to(), step = Back ? s.at[2].stride : 1;
        std::int64_t counts[rows_together];
        for (std::int64_t r = first; r < last; ++r) counts[r - first] = collect(segments + (r - first) * most, place_of(r), f, g);
        std::int64_t const row_step = s.groups * from() * (Back ? 1 : s.at[2].stride);
        for (std::int64_t column = 0; column < to(); column += columns_together<T>)
            for (std::int64_t r = first; r < last; ++r) {
                segment<T> const* const own = segments + (r - first) * most;
                if (has_gaps() && counts[r - first] == 0) continue;   // zeros already
                T* const out = to_first + (r - first) * result_row() + f.first * channels + g * to();
                each_part(own, counts[r - first], [&](std::int64_t from_segment, std::int64_t n) {
                    product<T> const p{
                        own + from_segment, n, 0, row_step, term_step, 0, w_step, f.pixels, to(), out, step * channels, from_segment > 0};
                    if constexpr (!ByChannel) run_batches(p, column);
                    else if (pixels > 1) run_pixels(p, pixels);
                    else run_channels(p, column);
                });
            }
    }
    /// The same, where the columns of a product are pixels.
    void run_planes(T* to_first, std::int64_t first, std::int64_t last, phase const& f, std::int64_t g) const {
        std::int64_t const channels = s.groups * to(), step = s.at[2].stride;
        for (std::int64_t r = first; r < last; ++r) {
            std::int64_t const count = collect(segments, place_of(r), f, g);
            if (has_gaps() && count == 0) continue;
            T* const out = to_first + (r - first) * result_row() + f.first * channels + g * to();
            T* const sums = channels * step == 1 ? out : planes;
            each_part(segments, count, [&](std::int64_t from_segment, std::int64_t n) {
                product<T> const p{segments + from_segment, n, 0, filter_row, filter_term, 0, rows.plane, to(), f.pixels, sums, f.pixels,
                    from_segment > 0};
                for (std::int64_t column = 0; column < f.pixels; column += columns_together<T>) run_batches(p, column);
            });
            if (sums != out) transpose(sums, to(), f.pixels, f.pixels, out, step * channels, to());
        }
    }
    /// Some elements of the array meet no place: with strides larger than the window.
    bool has_gaps() const {
        return Back && (s.at[0].size < s.at[0].stride || s.at[1].size < s.at[1].stride || s.at[2].size < s.at[2].stride);
    }
    /// Rows first to last − 1. `results` is where row 0 is.
    XGRAD_NOINLINE void run_all(T* results, std::int64_t first, std::int64_t last) const {
        if (has_gaps()) std::fill(results + first * result_row(), results + last * result_row(), T(0));
        while (first < last) {
            std::int64_t const end = rows_that_fit<Back>(s, rows, first, last, together);
            for (std::int64_t f = 0; f < phase_count; ++f)
                for (std::int64_t g = 0; g < s.groups; ++g) {
                    T* const to_first = results + first * result_row();
                    if constexpr (has_planes)
                        if (rows.plane > 0) {
                            run_planes(to_first, first, end, phases[f], g);
                            continue;
                        }
                    run_rows(to_first, first, end, phases[f], g);
                }
            first = end;
        }
    }
    /// With a window of one element: `count` rows of `pixels` results from `results` on, and where the next ones begin.
    T* run_plain_rows(T* results, std::int64_t pixels, std::int64_t count) {
        s.at[2].n = s.at[2].places = phases[0].pixels = pixels;
        s.at[1].n = s.at[1].places = count;
        rows.row = pixels * s.groups * from();
        run_all(results, 0, count);
        rows.array += count * rows.row;
        return results + count * result_row();
    }
    /// The same for any number of pixels, in rows that the first cache holds.
    void run_plain(T* results, std::int64_t pixels) {
        std::int64_t const bytes = static_cast<std::int64_t>(sizeof(T)) * s.groups * (from() + to()),
                           row = std::max<std::int64_t>(48, plain_row_bytes / std::max<std::int64_t>(bytes, 1) / 24 * 24);
        together = 1;
        results = run_plain_rows(results, row, pixels / row);
        run_plain_rows(results, pixels % row, 1);
    }
};

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
