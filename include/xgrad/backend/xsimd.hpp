// SPDX-License-Identifier: MIT
// The only use of xsimd (8.1 to 14): lane operations of float and double on the registers of its default architecture.
// It is used on machines without hand-written instructions in xgrad.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/portable_batch.hpp>

#include <xsimd/xsimd.hpp>

#if defined(__SSE2__)
#    include <emmintrin.h>
#elif defined(__aarch64__)
#    include <arm_neon.h>
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd::detail {

// Integers use compiler vectors: xsimd 8.1 divides integers via float, and lacks 64-bit products.
template<class T>
struct lanes : portable_lanes<T> {};

#if !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
template<class T>
concept InXsimd = std::is_floating_point_v<T> && sizeof(typename xsimd::batch<T>::register_type) == register_bytes;

template<InXsimd T>
struct lanes<T> : portable_lanes<T> {
    using vec = detail::vec<T>;
    using native = xsimd::batch<T>;
    using native_register = typename native::register_type;

    XGRAD_INLINE static native in(vec v) { return native((native_register)v); }
    XGRAD_INLINE static vec out(native const& b) { return (vec)(native_register)b; }

#    if defined(__aarch64__)
    // xsimd 8.1 uses an estimate for the square root of floats, which is NaN for infinity, and rounds via integers.
    static constexpr bool single = sizeof(T) == 4;
    XGRAD_INLINE static vec sqrt(vec v) {
        if constexpr (single) return (vec)vsqrtq_f32((float32x4_t)v);
        else return (vec)vsqrtq_f64((float64x2_t)v);
    }
    XGRAD_INLINE static vec floor(vec v) {
        if constexpr (single) return (vec)vrndmq_f32((float32x4_t)v);
        else return (vec)vrndmq_f64((float64x2_t)v);
    }
    XGRAD_INLINE static vec ceil(vec v) {
        if constexpr (single) return (vec)vrndpq_f32((float32x4_t)v);
        else return (vec)vrndpq_f64((float64x2_t)v);
    }
    XGRAD_INLINE static vec round(vec v) {
        if constexpr (single) return (vec)vrndiq_f32((float32x4_t)v);
        else return (vec)vrndiq_f64((float64x2_t)v);
    }
#    else
    XGRAD_INLINE static vec sqrt(vec v) { return out(xsimd::sqrt(in(v))); }
    XGRAD_INLINE static vec floor(vec v) { return signed_as(out(xsimd::floor(in(v))), v); }
    XGRAD_INLINE static vec ceil(vec v) { return signed_as(out(xsimd::ceil(in(v))), v); }
    XGRAD_INLINE static vec round(vec v) { return signed_as(out(xsimd::nearbyint(in(v))), v); }
    /// Without SSE 4.1, xsimd rounds via integers and loses the sign of zero.
    XGRAD_INLINE static vec signed_as(vec x, [[maybe_unused]] vec sign) {
#        if defined(__SSE2__) && !defined(__SSE4_1__)
        using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        using bits_vec = detail::vec<bits>;
        constexpr bits magnitude = static_cast<bits>(~bits(0)) >> 1;
        return (vec)(((bits_vec)x & magnitude) | ((bits_vec)sign & ~magnitude));
#        else
        return x;
#        endif
    }
#    endif
    XGRAD_INLINE static vec fma(vec a, vec b, vec c) { return out(xsimd::fma(in(a), in(b), in(c))); }
#    if defined(__SSE2__)
    XGRAD_INLINE static bool any_above(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return _mm_movemask_ps(_mm_cmpgt_ps((__m128)a, (__m128)b)) != 0;
        else return _mm_movemask_pd(_mm_cmpgt_pd((__m128d)a, (__m128d)b)) != 0;
    }
#    endif
};
#endif

}   // namespace simd::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
