// SPDX-License-Identifier: MIT
// Clipping of gradients in place: by value, by norm, by the norm of all of them.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/config/config.hpp>
#include <xgrad/core/math.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

// The arrays are gradients of dense variables, or the values of slices: there duplicates are not merged, a norm is that of the raw values
// (TensorFlow's clip_by_*). The norm of several gradients is the root of the sum of their sum_of_squares: it can be summed while they are made.

/// Σ gᵢ², summed in double over blocks of 1024 that are summed in T: a fixed order, independent of the machine's threads.
template<class T>
double sum_of_squares(T const* grad, std::int64_t n) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>), block = 1024;
    double total = 0;
    for (std::int64_t begin = 0; begin < n; begin += block) {
        std::int64_t const end = std::min(n, begin + block);
        simd::batch<T> even(T(0)), odd(T(0));
        std::int64_t i = begin;
        for (; i + 2 * width <= end; i += 2 * width) {
            simd::batch<T> const a = simd::load(grad + i), b = simd::load(grad + i + width);
            even += a * a;
            odd += b * b;
        }
        for (; i < end; i += width) {
            std::int64_t const rest = end - i;
            simd::batch<T> const a = rest >= width ? simd::load(grad + i) : simd::load_partial(grad + i, static_cast<std::size_t>(rest));
            even += a * a;
        }
        total += static_cast<double>(simd::sum(even + odd));
    }
    return total;
}

/// The factor that brings a gradient of this norm down to `clip_norm`: clip_norm · min(1/norm, 1/clip_norm), 1 for norm 0, and NaN where the norm
/// is not finite, so that a broken step shows (clip_by_global_norm).
inline double clip_factor(double norm, double clip_norm) {
    if (!std::isfinite(norm)) { return std::numeric_limits<double>::quiet_NaN(); }
    return norm > clip_norm ? clip_norm / norm : 1.0;
}

/// g ← g · factor; nothing is touched where the factor is 1.
template<class T>
void scale(T* grad, std::int64_t n, std::type_identity_t<T> factor) noexcept {
    if (factor == T(1)) { return; }
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    simd::batch<T> const f(factor);
    std::int64_t i = 0;
    for (; i + width <= n; i += width) { simd::store(grad + i, simd::load(grad + i) * f); }
    if (i < n) {
        auto const rest = static_cast<std::size_t>(n - i);
        simd::store_partial(grad + i, simd::load_partial(grad + i, rest) * f, rest);
    }
}

/// g ← max(min(g, high), low); NaN stays NaN.
template<class T>
void clip_by_value(T* grad, std::int64_t n, std::type_identity_t<T> low, std::type_identity_t<T> high) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    simd::batch<T> const lo(low), hi(high);
    std::int64_t i = 0;
    for (; i + width <= n; i += width) { simd::store(grad + i, math::max(lo, math::min(hi, simd::load(grad + i)))); }
    if (i < n) {
        auto const rest = static_cast<std::size_t>(n - i);
        simd::store_partial(grad + i, math::max(lo, math::min(hi, simd::load_partial(grad + i, rest))), rest);
    }
}

/// g ← g · c / max(‖g‖, c); returns ‖g‖ before. A zero gradient stays zero.
template<class T>
double clip_by_norm(T* grad, std::int64_t n, double clip_norm) noexcept {
    double const norm = std::sqrt(sum_of_squares(grad, n));
    scale(grad, n, static_cast<T>(clip_norm / std::max(norm, clip_norm)));
    return norm;
}

XGRAD_NAMESPACE_END
