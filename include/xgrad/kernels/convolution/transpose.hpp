// SPDX-License-Identifier: MIT
// Transposed copies, in squares as wide as a register.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

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
/// to[c · to_step + r] = from[r · step + c]. Each row of `to` has `filled` numbers: those after `rows` are zeros.
template<class T>
XGRAD_NOINLINE void transpose(
    T const* from, std::int64_t rows, std::int64_t columns, std::int64_t step, T* to, std::int64_t to_step, std::int64_t filled) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    for (std::int64_t r = 0; r < filled; r += W)
        for (std::int64_t c = 0; c < columns; c += W) {
            simd::batch<T> square[W];
            std::int64_t const height = std::min(rows - r, W), width = std::min(columns - c, W);
            auto const load = [&](std::int64_t i) {
                T const* const p = from + (r + i) * step + c;
                return width == W ? simd::load(p) : simd::load_partial(p, static_cast<std::size_t>(width));
            };
            for (std::int64_t i = 0; i < W; ++i) square[i] = i < height ? load(i) : simd::batch<T>(T(0));
            transpose_square<T, simd::width<T> / 2>(square);
            std::int64_t const lanes = std::min(filled - r, W);
            T* p = to + c * to_step + r;
            for (std::int64_t i = 0; i < W; ++i, p += to_step) {
                if (i >= width) break;
                if (lanes == W) simd::store(p, square[i]);
                else simd::store_partial(p, square[i], static_cast<std::size_t>(lanes));
            }
        }
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
