// SPDX-License-Identifier: MIT
// Convolutions of each channel with a separate filter, or several, and the gradients of their arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/sweep.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// A copy of a filter where each row of channels occurs `times` times.
template<class T>
T const* repeated(T const* w, std::int64_t rows, std::int64_t channels, std::int64_t times, memory& from) {
    T* const copy = from.take<T>(rows * channels * times);
    T* to = copy;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < times; ++i) to = std::copy_n(w + r * channels, channels, to);
    return copy;
}
/// The work of both. `s` has the channels of the results as one group.
template<class T, bool Back>
sweep<T, Back, true> sweep_of_channels(sizes const& s, padded_rows<T> const& rows, T const* w, memory& from) {
    std::int64_t const channels = s.in, taps = s.at[2].size, pixels = pixels_together<T>(s), columns = channels * pixels;
    sweep<T, Back, true> job{s, rows, w, taps * columns, 0, columns, from.take<run>(taps), 0, from.take<phase>(s.at[2].stride), 0,
        from.take<segment<T>>(rows_together * s.lines() * taps)};
    axis const& a = s.at[2];
    if (pixels > 1) {
        job.pixels = pixels;
        job.filter = repeated(w, s.lines() * taps, channels, pixels, from);
    }
    job.term_step = Back ? channels : a.dilation * channels;
    if (Back) job.w_step = -columns * (a.dilation == 1 ? a.stride : 1);
    std::int64_t const phases = Back ? std::min(a.stride, a.n) : 1;
    for (std::int64_t p = 0; p < phases; ++p) {
        std::int64_t const first = job.run_count;
        for (std::int64_t i = 0; i < taps; ++i) {
            std::int64_t const k = Back ? taps - 1 - i : i;
            if (Back && a.phase(k) != p) continue;
            run const tap{(Back ? a.shift(k) : k * a.dilation - a.before) * channels, k * columns, 1};
            run* const last = job.run_count > first ? &job.runs[job.run_count - 1] : nullptr;
            if (last != nullptr && last->x + last->terms * job.term_step == tap.x && last->w + last->terms * job.w_step == tap.w)
                ++last->terms;
            else job.runs[job.run_count++] = tap;
        }
        job.phases[job.phase_count++] = {first, job.run_count - first, p, Back ? a.elements(p) : a.places};
    }
    return job;
}
/// The convolution of the channels of x with w. Rows first to last − 1 of y.
template<class T>
XGRAD_NOINLINE void convolve_channels(
    sizes const& all, T const* x, T const* w, T* y, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain() && all.out == 1;
    sizes const s = (plain ? all.as_one_row(first, last) : all).as_channels();
    auto const rows = padded_rows<T>::make(plain ? x + first * all.array_row() : x, s.at[2].n, all.array_channels(), array_margins(s.at[2]),
        row_range(s, s.at[1].n), one_row_bytes, from, all.out);
    auto job = sweep_of_channels<T, false>(s, rows, w, from);
    if (plain) job.run_plain(y + first * all.place_row(), s.at[2].n);
    else job.run_all(y, first, last);
}
/// to[i] = Σ from[i · count + k].
template<class T>
void sum_neighbours(T const* from, std::int64_t count, T* to, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i, from += count) {
        T sum = from[0];
        for (std::int64_t k = 1; k < count; ++k) sum += from[k];
        to[i] = sum;
    }
}
/// The gradient of x: g, the gradient of the result, with the filter w. Rows first to last − 1 of x.
template<class T>
XGRAD_NOINLINE void convolve_channels_back(
    sizes const& all, T const* g, T const* w, T* x, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain() && all.out == 1;
    sizes const s = (plain ? all.as_one_row(first, last) : all).as_channels();
    auto const rows = padded_rows<T>::make(plain ? g + first * all.place_row() : g, s.at[2].places, s.in, place_margins(s.at[2]),
        row_range(s, s.at[1].places), one_row_bytes, from);
    auto job = sweep_of_channels<T, true>(s, rows, w, from);
    if (plain) return job.run_plain(x + first * all.array_row(), s.at[2].n);
    if (all.out == 1) return job.run_all(x, first, last);
    if (s.place_rows() == 0) return std::fill(x + first * all.array_row(), x + last * all.array_row(), T(0));
    T* const row = from.take<T>(job.result_row());
    for (std::int64_t r = first; r < last; ++r) {
        if (job.has_gaps()) std::fill_n(row, job.result_row(), T(0));
        for (std::int64_t p = 0; p < job.phase_count; ++p) job.run_rows(row, r, r + 1, job.phases[p], 0);
        sum_neighbours(row, all.out, x + r * all.array_row(), all.array_row());
    }
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
