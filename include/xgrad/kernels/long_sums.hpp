// SPDX-License-Identifier: MIT
// Sums of many terms. A float accumulates at most 64 terms; then its sum is added to a double.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Number of terms that a register of floats accumulates before its sum is added to a double and it restarts at 0.
/// The relative error is at most 1e-6 for equal terms. For any terms it is at most 63 · 2⁻²⁴ of the sum of their magnitudes.
inline constexpr int terms_in_float = 64;
/// Whether long sums of T continue in double.
template<class T>
inline constexpr bool sums_in_double = std::is_same_v<T, float>;

namespace detail {

/// Returns the sum and sets it to 0.
template<class V>
XGRAD_KERNEL V taken(V& sum) {
    V const x = sum;
    sum = V(0);
    return x;
}
/// Adds a batch to as many doubles.
template<class T>
XGRAD_KERNEL void add_batch_to_doubles(simd::batch<T> x, double* to) {
    constexpr std::size_t half = simd::width<double>;
    simd::store(to, simd::load(to) + simd::doubles<0>(x));
    simd::store(to + half, simd::load(to + half) + simd::doubles<1>(x));
}
/// Adds n numbers to n doubles. With `first`, the doubles start at 0.
template<class T>
XGRAD_NOINLINE void add_to_doubles(T const* from, double* to, std::int64_t n, bool first) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    for (std::int64_t j = 0; first && j < n; ++j) to[j] = 0;
    std::int64_t const whole = n / W * W;
    for (std::int64_t i = 0; i < whole; i += W) add_batch_to_doubles<T>(simd::load(from + i), to + i);
    for (std::int64_t i = whole; i < n; ++i) to[i] += static_cast<double>(from[i]);
}
/// Adds n doubles to n numbers.
template<class T>
XGRAD_NOINLINE void take_from_doubles(T* to, double const* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(from[i] + static_cast<double>(to[i]));
}
template<class T>
XGRAD_NOINLINE void round_doubles(T* to, double const* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(from[i]);
}
/// The sum of all lanes of several batches.
template<class T, class... V>
XGRAD_KERNEL double sum_in_double(V... x) {
    return simd::sum((simd::doubles<0>(x) + ...) + (simd::doubles<1>(x) + ...));
}
/// Adds the sum of the lanes of each of n batches to a double, and sets the batches to 0.
template<class T>
XGRAD_NOINLINE void move_lanes_to_doubles(simd::batch<T>* from, double* to, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] += simd::sum(simd::doubles<0>(from[i]) + simd::doubles<1>(from[i]));
        from[i] = simd::batch<T>(T(0));
    }
}

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
