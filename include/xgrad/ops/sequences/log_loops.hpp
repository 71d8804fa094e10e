// SPDX-License-Identifier: MIT
// Loops in the logarithmic scale that the losses of sequences share: rows in memory of whole registers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace detail::log_loops {

template<class T>
inline constexpr T minus_infinity = -std::numeric_limits<T>::infinity();
/// The largest number of elements that `padded` adds, for both element types and all machines.
inline constexpr std::int64_t most_padding = 16;
/// n up to whole registers.
template<class T>
XGRAD_INLINE std::int64_t padded(std::int64_t n) {
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    return (n + w - 1) / w * w;
}
/// Scratch memory as arrays of whole registers, one after the other.
template<class T>
struct rows_of_scratch {
    std::byte* next;
    T* take(std::int64_t n) {
        T* const r = reinterpret_cast<T*>(next);
        next += static_cast<std::size_t>(padded<T>(n)) * sizeof(T);
        return r;
    }
};
template<class T>
XGRAD_INLINE std::size_t lanes_at(std::int64_t i, std::int64_t n) {
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    return static_cast<std::size_t>(n - i < w ? n - i : w);
}
/// The lanes from x[i] on, of an array of n. Lanes after its end are `fill`.
template<class T>
XGRAD_INLINE simd::batch<T> lanes_from(T const* x, std::int64_t i, std::int64_t n, T fill) {
    return n - i >= static_cast<std::int64_t>(simd::width<T>) ? simd::load(x + i) : simd::load_partial(x + i, lanes_at<T>(i, n), fill);
}
template<class T>
XGRAD_INLINE void store_lanes(T* x, std::int64_t i, std::int64_t n, simd::batch<T> v) {
    if (n - i >= static_cast<std::int64_t>(simd::width<T>)) simd::store(x + i, v);
    else simd::store_partial(x + i, v, lanes_at<T>(i, n));
}
/// x, or 0 for minus infinity: what a logarithm is shifted by.
template<class T>
XGRAD_INLINE T finite_shift(T largest) {
    return largest == minus_infinity<T> ? T(0) : largest;
}
/// The largest of n elements, minus infinity of no elements. NaN is passed over.
template<class T>
T largest(T const* x, std::int64_t n) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    V r(minus_infinity<T>);
    for (std::int64_t i = 0; i < n; i += w) r = simd::max(lanes_from(x, i, n, minus_infinity<T>), r);
    return simd::max(r);
}
/// y = exp(x − shift), and the sum of all. Lanes of y after n are 0: y is an array of whole registers.
template<class T>
T exponentials(T const* x, std::int64_t n, T shift, T* y) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    V total(T(0));
    for (std::int64_t i = 0; i < n; i += w) {
        V const e = simd::exp(lanes_from(x, i, n, minus_infinity<T>) - V(shift));
        simd::store(y + i, e);
        total += e;
    }
    return simd::sum(total);
}
/// log Σ exp(x). Minus infinity if all are.
template<class T>
T log_of_sum(T const* x, std::int64_t n) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    T const shift = finite_shift(largest(x, n));
    V total(T(0));
    for (std::int64_t i = 0; i < n; i += w) total += simd::exp(lanes_from(x, i, n, minus_infinity<T>) - V(shift));
    return shift + math::log(simd::sum(total));
}

}   // namespace detail::log_loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
