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
        add_tap(job.runs, 0, job.run_count, (k * s.at[2].dilation - s.at[2].before) * s.array_channels(), k * s.in * columns, s.in, columns,
            s.groups == 1);
    job.phases[0] = {0, job.run_count, 0, s.at[2].places};
    if (s.out % static_cast<std::int64_t>(simd::width<T>) != 0) job.filter = with_more_memory(w, s.lines() * job.line, from);
    if (plain) job.run_plain(y + first * all.place_row(), s.at[2].n);
    else job.run_all(y, first, last);
}

/// The places of the taps in a packed filter, by phases: `order[p]` is the tap at place p. Makes the runs of each phase.
template<class T>
void order_taps(sweep<T, true, false>& job, std::int64_t* order, std::int64_t padded) {
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
/// One stage of a transposition: exchanges the halves of `2 · Half` lanes between two rows.
template<class T, std::size_t Half, std::size_t... I>
XGRAD_INLINE void exchange_halves(simd::batch<T>& a, simd::batch<T>& b, std::index_sequence<I...>) {
    constexpr std::size_t W = sizeof...(I);
    auto const low = __builtin_shufflevector(a.v, b.v, static_cast<int>((I & Half) == 0 ? I : W + I - Half)...);
    auto const high = __builtin_shufflevector(a.v, b.v, static_cast<int>((I & Half) == 0 ? I + Half : W + I)...);
    a.v = low;
    b.v = high;
}
template<class T, std::size_t Half>
XGRAD_INLINE void transpose_square(simd::batch<T> (&rows)[simd::width<T>]) {
    if constexpr (Half > 0) {
        for (std::size_t i = 0; i < simd::width<T>; ++i)
            if ((i & Half) == 0) exchange_halves<T, Half>(rows[i], rows[i + Half], std::make_index_sequence<simd::width<T>>{});
        transpose_square<T, Half / 2>(rows);
    }
}
/// to[o, c] = w[c, o] with `padded` columns, in squares as wide as a register.
template<class T>
XGRAD_NOINLINE void transpose(T const* w, std::int64_t rows, std::int64_t columns, std::int64_t step, T* to, std::int64_t padded) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t c = 0;
    for (; c + W <= rows; c += W) {
        std::int64_t o = 0;
        for (; o + W <= columns; o += W) {
            simd::batch<T> square[W];
            for (std::int64_t j = 0; j < W; ++j) square[j] = simd::load(w + (c + j) * step + o);
            transpose_square<T, simd::width<T> / 2>(square);
            for (std::int64_t j = 0; j < W; ++j) simd::store(to + (o + j) * padded + c, square[j]);
        }
        for (; o < columns; ++o)
            for (std::int64_t j = 0; j < W; ++j) to[o * padded + c + j] = w[(c + j) * step + o];
    }
    for (std::int64_t o = 0; o < columns && c < padded; ++o) {
        for (std::int64_t j = c; j < rows; ++j) to[o * padded + j] = w[j * step + o];
        std::fill(to + o * padded + rows, to + (o + 1) * padded, T(0));
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
    std::int64_t const padded = (s.in + W - 1) / W * W, taps = s.at[2].size, line = taps * s.out * padded;
    T* const packed = from.take<T>(s.groups * s.lines() * line);
    std::int64_t* const order = from.take<std::int64_t>(taps);
    sweep<T, true, false> job{s,
        padded_rows<T>::make(plain ? g + first * all.place_row() : g, s.at[2].places, s.place_channels(), place_margins(s.at[2]),
            row_range(s, s.at[1].places), few_rows_bytes, from),
        packed, line, s.lines() * line, padded, from.take<run>(most_runs(s, s.out)), 0, from.take<phase>(s.at[2].stride), 0,
        from.take<segment<T>>(rows_together * s.lines() * most_runs(s, s.out))};
    order_taps(job, order, padded);
    for (std::int64_t k = 0; k < s.groups; ++k)
        for (std::int64_t l = 0; l < s.lines(); ++l)
            for (std::int64_t p = 0; p < taps; ++p)
                if (order[p] >= 0)
                    transpose(w + (l * taps + order[p]) * s.in * s.place_channels() + k * s.out, s.in, s.out, s.place_channels(),
                        packed + k * job.group + l * line + p * s.out * padded, padded);
    if (plain) job.run_plain(x + first * all.array_row(), s.at[2].n);
    else job.run_all(x, first, last);
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
