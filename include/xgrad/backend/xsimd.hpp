// SPDX-License-Identifier: MIT
// The only door to xsimd (8.1 to 14): lane operations of float and double on the registers of its default architecture.
#pragma once

#include <xgrad/backend/portable_batch.hpp>

#include <xsimd/xsimd.hpp>

#if XGRAD_USE_XSIMD && (defined(__x86_64__) || defined(__i386__))
#    include <immintrin.h>
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd {
namespace detail {

// Integers stay with the compiler's vectors: xsimd 8.1 divides integers by way of float and lacks 64-bit products.
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
#    if defined(__AVX512F__)
    static constexpr std::uint16_t all_lanes = static_cast<std::uint16_t>((1u << (64 / sizeof(T))) - 1u);
#    endif

    XGRAD_INLINE static native in(vec v) { return native((native_register)v); }
    XGRAD_INLINE static vec out(native const& b) { return (vec)(native_register)b; }

#    if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
    // The unmasked intrinsics (and so xsimd) read an undefined register by design, of which GCC 12 warns in the user's file.
    // A full mask is free.
    XGRAD_INLINE static vec sqrt(vec v) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_sqrt_ps(all_lanes, (__m512)v);
        else return (vec)_mm512_maskz_sqrt_pd(all_lanes, (__m512d)v);
    }
    template<int Mode>
    XGRAD_INLINE static vec round_to(vec v) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_roundscale_ps(all_lanes, (__m512)v, Mode);
        else return (vec)_mm512_maskz_roundscale_pd(all_lanes, (__m512d)v, Mode);
    }
    XGRAD_INLINE static vec floor(vec v) { return round_to<_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC>(v); }
    XGRAD_INLINE static vec ceil(vec v) { return round_to<_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC>(v); }
    XGRAD_INLINE static vec round(vec v) { return round_to<_MM_FROUND_CUR_DIRECTION>(v); }
#    else
    XGRAD_INLINE static vec sqrt(vec v) { return out(xsimd::sqrt(in(v))); }
    XGRAD_INLINE static vec floor(vec v) { return signed_as(out(xsimd::floor(in(v))), v); }
    XGRAD_INLINE static vec ceil(vec v) { return signed_as(out(xsimd::ceil(in(v))), v); }
    XGRAD_INLINE static vec round(vec v) { return signed_as(out(xsimd::nearbyint(in(v))), v); }
    /// Without SSE 4.1 xsimd rounds by way of integers and loses the sign of a zero.
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
#    if defined(__AVX512F__)
    // The instructions are a > b ? a : b and a < b ? a : b, NaN included; of the compiler's vectors GCC 12 makes two instructions, of xsimd
    // versions differ.
    XGRAD_INLINE static vec max(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_max_ps(all_lanes, (__m512)a, (__m512)b);
        else return (vec)_mm512_maskz_max_pd(all_lanes, (__m512d)a, (__m512d)b);
    }
    XGRAD_INLINE static vec min(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_min_ps(all_lanes, (__m512)a, (__m512)b);
        else return (vec)_mm512_maskz_min_pd(all_lanes, (__m512d)a, (__m512d)b);
    }
    XGRAD_INLINE static bool any_above(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ) != 0;
        else return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ) != 0;
    }
    /// v 2^n for whole n, rounded once.
    XGRAD_INLINE static vec scale(vec v, vec n) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_scalef_ps(all_lanes, (__m512)v, (__m512)n);
        else return (vec)_mm512_maskz_scalef_pd(all_lanes, (__m512d)v, (__m512d)n);
    }
    /// floor(log2 |v|), of denormals too; -inf of 0, inf of inf.
    XGRAD_INLINE static vec exponent(vec v) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_getexp_ps(all_lanes, (__m512)v);
        else return (vec)_mm512_maskz_getexp_pd(all_lanes, (__m512d)v);
    }
    /// v times a power of 2, from 0.75 to 1.5; 1 of zeros and inf, NaN below zero.
    XGRAD_INLINE static vec mantissa(vec v) {
        constexpr auto signs = static_cast<_MM_MANTISSA_SIGN_ENUM>(3);   // of -0 none, NaN of other negative numbers
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_maskz_getmant_ps(all_lanes, (__m512)v, _MM_MANT_NORM_p75_1p5, signs);
        else return (vec)_mm512_maskz_getmant_pd(all_lanes, (__m512d)v, _MM_MANT_NORM_p75_1p5, signs);
    }
    /// table[the four lowest bits of i].
    XGRAD_INLINE static vec look_up(double const (&table)[16], vec i)
        requires(std::is_same_v<T, double>)
    {
        return (vec)_mm512_permutex2var_pd((__m512d)lanes::load(table), (__m512i)i, (__m512d)lanes::load(table + 8));
    }
#    elif defined(__AVX__)
    XGRAD_INLINE static vec max(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm256_max_ps((__m256)a, (__m256)b);
        else return (vec)_mm256_max_pd((__m256d)a, (__m256d)b);
    }
    XGRAD_INLINE static vec min(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return (vec)_mm256_min_ps((__m256)a, (__m256)b);
        else return (vec)_mm256_min_pd((__m256d)a, (__m256d)b);
    }
    XGRAD_INLINE static bool any_above(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return _mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GT_OQ)) != 0;
        else return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ)) != 0;
    }
#    elif defined(__SSE2__)
    XGRAD_INLINE static bool any_above(vec a, vec b) {
        if constexpr (std::is_same_v<T, float>) return _mm_movemask_ps(_mm_cmpgt_ps((__m128)a, (__m128)b)) != 0;
        else return _mm_movemask_pd(_mm_cmpgt_pd((__m128d)a, (__m128d)b)) != 0;
    }
#    endif
    // xsimd 8.1 multiplies and adds with two roundings on AVX-512.
    XGRAD_INLINE static vec fma(vec a, vec b, vec c) {
#    if defined(__AVX512F__)
        if constexpr (std::is_same_v<T, float>) return (vec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
        else return (vec)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#    elif defined(__AVX__) && defined(__FMA__)
        if constexpr (std::is_same_v<T, float>) return (vec)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
        else return (vec)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#    else
        return out(xsimd::fma(in(a), in(b), in(c)));
#    endif
    }

    // xsimd 8.1 has no masked memory access, and a loop over lanes costs more than a whole register tile.
#    if defined(__AVX512F__)
    XGRAD_INLINE static vec load_partial(T const* p, std::size_t n, T fill) {
        if constexpr (std::is_same_v<T, float>)
            return (vec)_mm512_mask_loadu_ps((__m512)(fill - vec{}), static_cast<__mmask16>((1u << n) - 1u), p);
        else return (vec)_mm512_mask_loadu_pd((__m512d)(fill - vec{}), static_cast<__mmask8>((1u << n) - 1u), p);
    }
    XGRAD_INLINE static void store_partial(T* p, vec v, std::size_t n) {
        if constexpr (std::is_same_v<T, float>) _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1u), (__m512)v);
        else _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1u), (__m512d)v);
    }
#    elif defined(__AVX2__)
    XGRAD_INLINE static __m256i mask_of(std::size_t n) {
        if constexpr (std::is_same_v<T, float>)
            return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        else return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(n)), _mm256_setr_epi64x(0, 1, 2, 3));
    }
    XGRAD_INLINE static vec load_partial(T const* p, std::size_t n, T fill) {
        __m256i const mask = mask_of(n);
        if constexpr (std::is_same_v<T, float>)
            return (vec)_mm256_blendv_ps((__m256)(fill - vec{}), _mm256_maskload_ps(p, mask), (__m256)mask);
        else return (vec)_mm256_blendv_pd((__m256d)(fill - vec{}), _mm256_maskload_pd(p, mask), (__m256d)mask);
    }
    XGRAD_INLINE static void store_partial(T* p, vec v, std::size_t n) {
        if constexpr (std::is_same_v<T, float>) _mm256_maskstore_ps(p, mask_of(n), (__m256)v);
        else _mm256_maskstore_pd(p, mask_of(n), (__m256d)v);
    }
#    endif
};
#endif

}   // namespace detail
}   // namespace simd
XGRAD_NAMESPACE_END
