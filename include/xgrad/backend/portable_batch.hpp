// SPDX-License-Identifier: MIT
// Vectors of the compiler (GNU vector extensions), and the lane operations for which they have no operator, as loops over <cmath>.
#pragma once

#include <xgrad/config/config.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if !defined(__GNUC__) && !defined(__clang__)
#    error "xgrad: the SIMD layer needs the vector extensions of GCC or Clang."
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// Bytes of one batch.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

namespace detail {
template<class T, std::size_t Bytes>
struct vec_of {
    typedef T type __attribute__((vector_size(Bytes)));   // using-declarations drop a dependent attribute on some compilers
};
template<class T, std::size_t Bytes = register_bytes>
using vec = typename vec_of<T, Bytes>::type;
}   // namespace detail

/// Number of lanes of batch<T>.
template<class T>
inline constexpr std::size_t width = register_bytes / sizeof(T);

/// Lane operations by loops; a backend for a machine overrides them where its instructions are better.
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
        for (std::size_t i = 0; i < n; ++i) { lanes[i] = p[i]; }
        return load(lanes);
    }
    XGRAD_INLINE static void store_partial(T* p, vec v, std::size_t n) {
        T lanes[size];
        __builtin_memcpy(lanes, &v, sizeof v);
        for (std::size_t i = 0; i < n; ++i) { p[i] = lanes[i]; }
    }

#define XGRAD_LANES_UNARY(name, function) \
    XGRAD_INLINE static vec name(vec v) { \
        vec r{}; \
        for (std::size_t i = 0; i < size; ++i) { r[i] = static_cast<T>(function(v[i])); } \
        return r; \
    }
    XGRAD_LANES_UNARY(sqrt, std::sqrt)
    XGRAD_LANES_UNARY(floor, std::floor)
    XGRAD_LANES_UNARY(ceil, std::ceil)
    XGRAD_LANES_UNARY(round, std::nearbyint)
    XGRAD_LANES_UNARY(sin, std::sin)
    XGRAD_LANES_UNARY(cos, std::cos)
    XGRAD_LANES_UNARY(erf, std::erf)
#undef XGRAD_LANES_UNARY

    XGRAD_INLINE static vec pow(vec v, vec w) {
        vec r{};
        for (std::size_t i = 0; i < size; ++i) { r[i] = static_cast<T>(std::pow(v[i], w[i])); }
        return r;
    }
    XGRAD_INLINE static vec max(vec a, vec b) { return a > b ? a : b; }
    XGRAD_INLINE static vec min(vec a, vec b) { return a < b ? a : b; }
    XGRAD_INLINE static vec fma(vec a, vec b, vec c) {
#if defined(__FMA__) || defined(__aarch64__)
        if constexpr (std::is_floating_point_v<T>) {   // the calls become one instruction
            vec r{};
            for (std::size_t i = 0; i < size; ++i) { r[i] = std::fma(a[i], b[i], c[i]); }
            return r;
        }
#endif
        return a * b + c;
    }
};

#if !XGRAD_USE_XSIMD
namespace detail {
template<class T>
struct lanes : portable_lanes<T> {};
}   // namespace detail
#endif

}   // namespace simd
XGRAD_NAMESPACE_END
