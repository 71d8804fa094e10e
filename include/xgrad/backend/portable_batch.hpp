// SPDX-License-Identifier: MIT
// Vectors of the compiler (GNU vector extensions), and the lane operations that they lack.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if !defined(__GNUC__) && !defined(__clang__)
#    error "xgrad: the SIMD layer needs the vector extensions of GCC or Clang."
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// Bytes of one batch.
#if XGRAD_USE_AVX512
inline constexpr std::size_t register_bytes = 64;
#elif XGRAD_USE_AVX
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

namespace detail {
template<class T, std::size_t Bytes>
struct vec_of {
    // using-declarations lose a dependent attribute on some compilers.
    typedef T type __attribute__((vector_size(Bytes)));
};
template<class T, std::size_t Bytes = register_bytes>
using vec = typename vec_of<T, Bytes>::type;
}   // namespace detail

/// Number of lanes of batch<T>.
template<class T>
inline constexpr std::size_t width = register_bytes / sizeof(T);

/// Lane operations with compiler vectors and loops. The backend of a machine overrides them if its instructions are better.
template<class T>
struct portable_lanes {
    using value_type = T;
    using vec = detail::vec<T>;
    static constexpr std::size_t size = width<T>;

    XGRAD_INLINE static vec load(T const* p) {
        vec r;
        __builtin_memcpy(&r, p, sizeof r);
        return r;
    }
    XGRAD_INLINE static vec load_aligned(T const* p) { return load(static_cast<T const*>(__builtin_assume_aligned(p, sizeof(vec)))); }
    XGRAD_INLINE static void store(T* p, vec v) { __builtin_memcpy(p, &v, sizeof v); }
    XGRAD_INLINE static void store_aligned(T* p, vec v) { store(static_cast<T*>(__builtin_assume_aligned(p, sizeof(vec))), v); }
    XGRAD_INLINE static vec load_partial(T const* p, std::size_t n, T fill) {
        vec const all = fill - vec{};
        T lanes[size];
        __builtin_memcpy(lanes, &all, sizeof all);
        for (std::size_t i = 0; i < n; ++i) lanes[i] = p[i];
        return load(lanes);
    }
    XGRAD_INLINE static void store_partial(T* p, vec v, std::size_t n) {
        T lanes[size];
        __builtin_memcpy(lanes, &v, sizeof v);
        for (std::size_t i = 0; i < n; ++i) p[i] = lanes[i];
    }

    XGRAD_INLINE static vec sqrt(vec v) {
        vec r{};
        for (std::size_t i = 0; i < size; ++i) r[i] = static_cast<T>(libm::sqrt(v[i]));
        return r;
    }
    /// Adding and subtracting a number with no bits for a fraction rounds in the current mode. The sign of zero is kept.
    XGRAD_INLINE static vec round(vec v) {
        if constexpr (std::is_floating_point_v<T>) {
            using bits_vec = detail::vec<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
            constexpr int sign = sizeof(T) * 8 - 1;
            constexpr T whole = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);
            bits_vec const negative = (bits_vec)v >> sign << sign;
            vec const magnitude = (vec)((bits_vec)v ^ negative);
            return magnitude < whole ? (vec)((bits_vec)(magnitude + whole - whole) | negative) : v;
        } else {
            return v;
        }
    }
    XGRAD_INLINE static vec floor(vec v) {
        if constexpr (std::is_floating_point_v<T>) {
            vec const r = round(v);
            return r > v ? r - T(1) : r;
        } else {
            return v;
        }
    }
    XGRAD_INLINE static vec ceil(vec v) {
        if constexpr (std::is_floating_point_v<T>) return -floor(-v);
        else return v;
    }
    /// Whether a > b in any lane.
    XGRAD_INLINE static bool any_above(vec a, vec b) {
        bool r = false;
        for (std::size_t i = 0; i < size; ++i) r |= a[i] > b[i];
        return r;
    }

    XGRAD_INLINE static vec max(vec a, vec b) { return a > b ? a : b; }
    XGRAD_INLINE static vec min(vec a, vec b) { return a < b ? a : b; }
    XGRAD_INLINE static vec fma(vec a, vec b, vec c) {
#if defined(__FMA__) || defined(__aarch64__)
        if constexpr (std::is_floating_point_v<T>) {   // each call becomes one instruction
            vec r{};
            for (std::size_t i = 0; i < size; ++i) r[i] = libm::fma(a[i], b[i], c[i]);
            return r;
        }
#endif
        return a * b + c;
    }
};

#if !XGRAD_USE_XSIMD && !XGRAD_USE_AVX
namespace detail {
template<class T>
struct lanes : portable_lanes<T> {};
}   // namespace detail
#endif

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
