// SPDX-License-Identifier: MIT
// Loops that add gradients in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// to[i] += from[i].
template<class T>
void add_elements(T* to, T const* from, std::int64_t n) {
    constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t i = 0;
    for (; i + 4 * width <= n; i += 4 * width)
        for (std::int64_t k = 0; k < 4 * width; k += width) simd::store(to + i + k, simd::load(to + i + k) + simd::load(from + i + k));
    for (; i < n; ++i) to[i] += from[i];
}
/// first[i] = (first[i] + others[0][i] + others[1][i] ...) / divisor, added in this order. With divisor 1 the division changes nothing.
template<class T>
void add_all(T* first, T const* const* others, int count, T divisor, std::int64_t n) {
    constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
    if (count == 0 && divisor == 1) return;
    std::int64_t i = 0;
    simd::batch<T> const by(divisor);
    for (; i + 2 * width <= n; i += 2 * width) {
        auto a = simd::load(first + i), b = simd::load(first + i + width);
        for (int k = 0; k < count; ++k) {
            a += simd::load(others[k] + i);
            b += simd::load(others[k] + i + width);
        }
        simd::store(first + i, a / by);
        simd::store(first + i + width, b / by);
    }
    for (; i < n; ++i) {
        T a = first[i];
        for (int k = 0; k < count; ++k) a += others[k][i];
        first[i] = a / divisor;
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
