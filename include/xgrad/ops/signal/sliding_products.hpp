// SPDX-License-Identifier: MIT
// The loops of convolve and correlate: sums of products of a filter that slides along rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>

#include <algorithm>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail::sliding {

/// Terms that one register accumulates before it is added to the sum of the registers before.
inline constexpr std::int64_t terms_at_once = 64;

/// Σ x[j] w[j] for j < n.
template<class T>
XGRAD_NOINLINE T dot(T const* x, T const* w, std::int64_t n) {
    using V = simd::batch<T>;
    constexpr auto lanes = static_cast<std::int64_t>(simd::width<T>);
    V total[2] = {V(0), V(0)};
    std::int64_t j = 0;
    while (j + 2 * lanes <= n) {
        V part[2] = {V(0), V(0)};
        for (std::int64_t const end = std::min(n, j + 2 * lanes * terms_at_once); j + 2 * lanes <= end; j += 2 * lanes)
            for (int i = 0; i < 2; ++i) part[i] = math::fma(simd::load(x + j + i * lanes), simd::load(w + j + i * lanes), part[i]);
        for (int i = 0; i < 2; ++i) total[i] += part[i];
    }
    T r = simd::sum(total[0] + total[1]);
    for (; j < n; ++j) r += x[j] * w[j];
    return r;
}
/// y[i] = Σ x[i + j] w[j] for j < m, of Blocks registers of results.
template<int Blocks, class T>
XGRAD_INLINE void block(T const* x, T const* w, std::int64_t m, T* y) {
    using V = simd::batch<T>;
    constexpr auto lanes = static_cast<std::int64_t>(simd::width<T>);
    V total[Blocks];
    for (int i = 0; i < Blocks; ++i) total[i] = V(0);
    for (std::int64_t j = 0; j < m;) {
        V part[Blocks];
        for (int i = 0; i < Blocks; ++i) part[i] = V(0);
        for (std::int64_t const end = std::min(m, j + terms_at_once); j < end; ++j) {
            V const factor(w[j]);
            for (int i = 0; i < Blocks; ++i) part[i] = math::fma(simd::load(x + j + i * lanes), factor, part[i]);
        }
        for (int i = 0; i < Blocks; ++i) total[i] += part[i];
    }
    for (int i = 0; i < Blocks; ++i) simd::store(y + i * lanes, total[i]);
}
/// y[k] = Σ x[k − before + j] w[j] for k < count. Of the m terms, those outside of the n elements of x are omitted.
template<class T>
XGRAD_NOINLINE void run(T const* x, std::int64_t n, T const* w, std::int64_t m, std::int64_t before, T* y, std::int64_t count) {
    constexpr auto lanes = static_cast<std::int64_t>(simd::width<T>);
    constexpr std::int64_t blocks = 4;
    std::int64_t const first = std::min(before, count), last = std::max(first, std::min(count, n - m + before + 1));
    auto const at_ends = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t k = from; k < to; ++k) {
            std::int64_t const j = std::max<std::int64_t>(0, before - k), end = std::min(m, n + before - k);
            y[k] = j < end ? dot(x + k - before + j, w + j, end - j) : T(0);
        }
    };
    if (last - first < lanes) return at_ends(0, count);
    at_ends(0, first);
    std::int64_t k = first;
    for (; k + blocks * lanes <= last; k += blocks * lanes) block<blocks>(x + (k - before), w, m, y + k);
    for (; k + lanes <= last; k += lanes) block<1>(x + (k - before), w, m, y + k);
    if (k < last) block<1>(x + (last - lanes - before), w, m, y + last - lanes);   // some results are computed again
    at_ends(last, count);
}

}   // namespace detail::sliding
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
