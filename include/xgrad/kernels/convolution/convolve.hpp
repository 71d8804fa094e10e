// SPDX-License-Identifier: MIT
// Convolutions, and the gradients of their arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/convolution/sweep.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// The convolution of x with w. Rows first to last − 1 of y.
template<class T>
XGRAD_NOINLINE void convolve(sizes const& all, T const* x, T const* w, T* y, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain();
    sizes const s = plain ? all.as_one_row(first, last) : all;
    std::int64_t const columns = s.place_channels();
    sweep<T, false, false> job{s,
        padded_rows<T>::make(plain ? x + first * all.array_row() : x, s.at[2].n, s.array_channels(), array_margins(s.at[2]),
            row_range(s, s.at[1].n), few_rows_bytes, from),
        w, s.at[2].size * s.in * columns, s.out, columns, from.take<run>(most_runs(s, s.in)), 0, from.take<phase>(1), 1,
        from.take<segment<T>>(rows_together * s.lines() * most_runs(s, s.in))};
    for (std::int64_t k = 0; k < s.at[2].size; ++k)
        add_tap(job.runs, 0, job.run_count, (k * s.at[2].dilation - s.at[2].before) * s.array_channels(), 1, k * s.in * columns, columns,
            s.in, s.groups == 1);
    job.phases[0] = {0, job.run_count, 0, s.at[2].places};
    if (s.out % static_cast<std::int64_t>(simd::width<T>) != 0) job.filter = with_more_memory(w, s.lines() * job.line, from);
    if (plain) job.run_plain(y + first * all.place_row(), s.at[2].n);
    else job.run_all(y, first, last);
}

/// Makes the runs of each phase. Tap k begins at `place[k]` of a line of the filter; −1 if it meets no element.
template<class T>
void order_taps(sweep<T, true, false>& job, std::int64_t* place, std::int64_t padded) {
    axis const& a = job.s.at[2];
    bool const planes = job.rows.plane > 0;
    std::int64_t const pixel = planes ? 1 : job.s.place_channels(), x_step = planes ? job.rows.plane : 1, w_step = planes ? 1 : padded;
    std::int64_t taps = 0;
    std::fill_n(place, a.size, std::int64_t{-1});
    for (std::int64_t p = 0; p < a.stride && p < a.n; ++p) {
        std::int64_t const first = job.run_count;
        for (std::int64_t k = a.size - 1; k >= 0; --k) {
            if (a.phase(k) != p) continue;
            place[k] = planes ? k * job.s.in * job.s.place_channels() : taps++ * job.s.out * padded;
            add_tap(job.runs, first, job.run_count, a.shift(k) * pixel, x_step, place[k], w_step, job.s.out, job.s.groups == 1 && !planes);
        }
        job.phases[job.phase_count++] = {first, job.run_count - first, p, a.elements(p)};
    }
}
/// The gradient of x: g, the gradient of the result, with the filter w. Rows first to last − 1 of x.
template<class T>
XGRAD_NOINLINE void convolve_back(
    sizes const& all, T const* g, T const* w, T* x, std::int64_t first, std::int64_t last, std::byte* scratch) {
    memory from{scratch};
    bool const plain = all.is_plain();
    sizes const s = plain ? all.as_one_row(first, last) : all;
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    bool const planes = s.is_by_planes(W);
    std::int64_t const padded = (s.in + W - 1) / W * W, taps = s.at[2].size, columns = s.place_channels(),
                       line = taps * (planes ? s.in * columns : s.out * padded);
    T* const packed = planes ? nullptr : from.take<T>(s.groups * s.lines() * line);
    std::int64_t* const place = from.take<std::int64_t>(taps);
    margins const m = place_margins(s.at[2]);
    std::int64_t const range = row_range(s, s.at[1].places);
    T const* const rows = plain ? g + first * all.place_row() : g;
    sweep<T, true, false> job{s,
        planes ? padded_rows<T>::make_planes(rows, s.at[2].places, columns, m, range, from)
               : padded_rows<T>::make(rows, s.at[2].places, columns, m, range, few_rows_bytes, from),
        planes ? w : packed, line, planes ? s.out : s.lines() * line, padded, from.take<run>(most_runs(s, s.out)), 0,
        from.take<phase>(s.at[2].stride), 0, from.take<segment<T>>(rows_together * s.lines() * most_runs(s, s.out))};
    order_taps(job, place, padded);
    if (planes) {
        job.filter_row = columns;
        job.filter_term = 1;
        job.planes = from.take<T>(s.in * (m.before + s.at[2].places + m.after));
        return job.run_all(x, first, last);
    }
    for (std::int64_t k = 0; k < s.groups; ++k)
        for (std::int64_t l = 0; l < s.lines(); ++l)
            for (std::int64_t t = 0; t < taps; ++t)
                if (place[t] >= 0)
                    transpose(w + (l * taps + t) * s.in * columns + k * s.out, s.in, s.out, columns,
                        packed + k * job.group + l * line + place[t], padded, padded);
    if (plain) job.run_plain(x + first * all.array_row(), s.at[2].n);
    else job.run_all(x, first, last);
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
