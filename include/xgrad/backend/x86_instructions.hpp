// SPDX-License-Identifier: MIT
// Instructions of x86 under xgrad's names. They are compiler builtins, because <immintrin.h> costs as much compile time as all of xgrad's
// own text. <immintrin.h> is used if a compiler lacks a builtin under the known name, or if XGRAD_USE_IMMINTRIN is 1.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/portable_batch.hpp>

#if defined(__SSE2__)

#    if XGRAD_USE_IMMINTRIN || !(__has_builtin(__builtin_ia32_stmxcsr) && __has_builtin(__builtin_ia32_ldmxcsr))
#        define XGRAD_X86_BUILTINS 0
#    elif XGRAD_USE_F16C && !(__has_builtin(__builtin_ia32_vcvtph2ps256) && __has_builtin(__builtin_ia32_vcvtps2ph256))
#        define XGRAD_X86_BUILTINS 0
#    elif XGRAD_USE_AVX512 && !(__has_builtin(__builtin_ia32_rndscaleps_mask) && __has_builtin(__builtin_ia32_cmpps512_mask) && \
                                  __has_builtin(__builtin_ia32_scalefps512_mask) && __has_builtin(__builtin_ia32_getexpps512_mask) && \
                                  __has_builtin(__builtin_ia32_getmantps512_mask) && __has_builtin(__builtin_ia32_loadups512_mask) && \
                                  __has_builtin(__builtin_ia32_storeups512_mask) && __has_builtin(__builtin_ia32_vfmaddps512_mask) && \
                                  __has_builtin(__builtin_ia32_vcvtph2ps512_mask) && __has_builtin(__builtin_ia32_vcvtps2ph512_mask) && \
                                  (__has_builtin(__builtin_ia32_sqrtps512_mask) || __has_builtin(__builtin_ia32_sqrtps512)) && \
                                  __has_builtin(__builtin_ia32_rsqrt14ps512_mask) && \
                                  (__has_builtin(__builtin_ia32_maxps512_mask) || __has_builtin(__builtin_ia32_maxps512)) && \
                                  (__has_builtin(__builtin_ia32_vpermt2varpd512_mask) || __has_builtin(__builtin_ia32_vpermi2varpd512)))
#        define XGRAD_X86_BUILTINS 0
#    elif XGRAD_USE_AVX && !XGRAD_USE_AVX512 && \
        !(__has_builtin(__builtin_ia32_roundps256) && __has_builtin(__builtin_ia32_maxps256) && __has_builtin(__builtin_ia32_cmpps256) && \
            __has_builtin(__builtin_ia32_movmskps256) && __has_builtin(__builtin_ia32_maskloadps256) && \
            __has_builtin(__builtin_ia32_sqrtps256) && __has_builtin(__builtin_ia32_rsqrtps256) && \
            __has_builtin(__builtin_ia32_vfmaddps256))
#        define XGRAD_X86_BUILTINS 0
#    else
#        define XGRAD_X86_BUILTINS 1
#    endif
#    if !XGRAD_X86_BUILTINS
#        include <immintrin.h>
#    endif

XGRAD_NAMESPACE_BEGIN
namespace simd::detail::x86 {

/// The control and status word of the floating-point unit.
#    if XGRAD_X86_BUILTINS
XGRAD_INLINE unsigned floating_point_control() { return __builtin_ia32_stmxcsr(); }
XGRAD_INLINE void set_floating_point_control(unsigned word) { __builtin_ia32_ldmxcsr(word); }
#    else
XGRAD_INLINE unsigned floating_point_control() { return _mm_getcsr(); }
XGRAD_INLINE void set_floating_point_control(unsigned word) { _mm_setcsr(word); }
#    endif

// Operands of the instructions, as in the manual.
inline constexpr int round_nearest = 0, round_down = 1, round_up = 2, round_current = 4, no_exceptions = 8;
inline constexpr int greater_ordered_quiet = 30;

#    if XGRAD_USE_F16C
using float16x8 = vec<std::uint16_t, 16>;
using float32x8 = vec<float, 32>;
#        if XGRAD_X86_BUILTINS
XGRAD_INLINE float32x8 widen_half(float16x8 h) { return __builtin_ia32_vcvtph2ps256((vec<short, 16>)h); }
XGRAD_INLINE float16x8 narrow_half(float32x8 f) { return (float16x8)__builtin_ia32_vcvtps2ph256(f, round_nearest); }
#        else
XGRAD_INLINE float32x8 widen_half(float16x8 h) { return (float32x8)_mm256_cvtph_ps((__m128i)h); }
XGRAD_INLINE float16x8 narrow_half(float32x8 f) { return (float16x8)_mm256_cvtps_ph((__m256)f, round_nearest); }
#        endif
#    endif

#    if defined(__AVX2__) && __has_builtin(__builtin_ia32_pmovzxbd256) && \
        (!XGRAD_USE_AVX512 || __has_builtin(__builtin_ia32_pmovzxbd512_mask))
#        define XGRAD_WIDENS_INTEGERS 1
/// N integers of 8 or 16 bits as int32, where g++ has no short code for vectors of the compiler. clang has.
template<std::size_t N, class U>
inline constexpr bool widens_integers = N == 4 || N == 8 || (XGRAD_USE_AVX512 && N == 16);
template<std::size_t N, class U>
XGRAD_INLINE vec<int, 4 * N> widen_integers(U const* p) {
    constexpr bool bytes = sizeof(U) == 1, positive = !std::is_signed_v<U>;
    constexpr std::size_t size = N * sizeof(U);
    vec<std::conditional_t<bytes, char, short>, (size > 16 ? size : 16)> u;
    if constexpr (size >= 16) __builtin_memcpy(&u, p, size);
    else {   // g++ would copy into a part of a vector in memory
        std::conditional_t<size == 8, long long, int> bits;
        __builtin_memcpy(&bits, p, size);
        if constexpr (size == 8) u = (decltype(u))vec<long long, 16>{bits};
        else u = (decltype(u))vec<int, 16>{bits};
    }
#        if XGRAD_USE_AVX512
    if constexpr (N == 16) {
        constexpr unsigned short all = 0xffff;
        if constexpr (bytes && positive) return __builtin_ia32_pmovzxbd512_mask(u, vec<int, 64>{}, all);
        else if constexpr (bytes) return __builtin_ia32_pmovsxbd512_mask(u, vec<int, 64>{}, all);
        else if constexpr (positive) return __builtin_ia32_pmovzxwd512_mask(u, vec<int, 64>{}, all);
        else return __builtin_ia32_pmovsxwd512_mask(u, vec<int, 64>{}, all);
    } else
#        endif
        if constexpr (N == 8) {
        if constexpr (bytes && positive) return __builtin_ia32_pmovzxbd256(u);
        else if constexpr (bytes) return __builtin_ia32_pmovsxbd256(u);
        else if constexpr (positive) return __builtin_ia32_pmovzxwd256(u);
        else return __builtin_ia32_pmovsxwd256(u);
    } else if constexpr (bytes && positive) return __builtin_ia32_pmovzxbd128(u);
    else if constexpr (bytes) return __builtin_ia32_pmovsxbd128(u);
    else if constexpr (positive) return __builtin_ia32_pmovzxwd128(u);
    else return __builtin_ia32_pmovsxwd128(u);
}
#    else
#        define XGRAD_WIDENS_INTEGERS 0
#    endif

#    if XGRAD_USE_AVX512
// Instructions with a mask of all lanes cost nothing more. Without a mask, g++'s
// header reads an undefined register, and g++ 12 warns about that in the user's file.
using floats = vec<float, 64>;
using doubles = vec<double, 64>;
using float16x16 = vec<std::uint16_t, 32>;
inline constexpr unsigned char all8 = 0xff;
inline constexpr unsigned short all16 = 0xffff;

/// The first n lanes.
XGRAD_INLINE unsigned short first_floats(std::size_t n) { return static_cast<unsigned short>((1u << n) - 1u); }
XGRAD_INLINE unsigned char first_doubles(std::size_t n) { return static_cast<unsigned char>((1u << n) - 1u); }
// For getmant: the mantissa in [0.75, 1.5); without its sign for -0, NaN for other negative numbers.
inline constexpr int mantissa_around_one = 3, mantissa_signs = 3;

#        if XGRAD_X86_BUILTINS
XGRAD_INLINE floats rsqrt_estimate(floats v) { return __builtin_ia32_rsqrt14ps512_mask(v, floats{}, all16); }
#            if __has_builtin(__builtin_ia32_sqrtps512_mask)   // g++; its builtin without _mask has other arguments
XGRAD_INLINE floats sqrt(floats v) { return __builtin_ia32_sqrtps512_mask(v, floats{}, all16, round_current); }
XGRAD_INLINE doubles sqrt(doubles v) { return __builtin_ia32_sqrtpd512_mask(v, doubles{}, all8, round_current); }
#            else
XGRAD_INLINE floats sqrt(floats v) { return __builtin_ia32_sqrtps512(v, round_current); }
XGRAD_INLINE doubles sqrt(doubles v) { return __builtin_ia32_sqrtpd512(v, round_current); }
#            endif
#            if __has_builtin(__builtin_ia32_maxps512)
XGRAD_INLINE floats max(floats a, floats b) { return __builtin_ia32_maxps512(a, b, round_current); }
XGRAD_INLINE doubles max(doubles a, doubles b) { return __builtin_ia32_maxpd512(a, b, round_current); }
XGRAD_INLINE floats min(floats a, floats b) { return __builtin_ia32_minps512(a, b, round_current); }
XGRAD_INLINE doubles min(doubles a, doubles b) { return __builtin_ia32_minpd512(a, b, round_current); }
#            else
XGRAD_INLINE floats max(floats a, floats b) { return __builtin_ia32_maxps512_mask(a, b, floats{}, all16, round_current); }
XGRAD_INLINE doubles max(doubles a, doubles b) { return __builtin_ia32_maxpd512_mask(a, b, doubles{}, all8, round_current); }
XGRAD_INLINE floats min(floats a, floats b) { return __builtin_ia32_minps512_mask(a, b, floats{}, all16, round_current); }
XGRAD_INLINE doubles min(doubles a, doubles b) { return __builtin_ia32_minpd512_mask(a, b, doubles{}, all8, round_current); }
#            endif
#            if __has_builtin(__builtin_ia32_vpermi2varpd512)
XGRAD_INLINE doubles permute(doubles low, vec<long long, 64> i, doubles high) { return __builtin_ia32_vpermi2varpd512(low, i, high); }
#            else
XGRAD_INLINE doubles permute(doubles low, vec<long long, 64> i, doubles high) {
    return __builtin_ia32_vpermt2varpd512_mask(i, low, high, all8);
}
#            endif
template<int Mode>
XGRAD_INLINE floats round(floats v) {
    return __builtin_ia32_rndscaleps_mask(v, Mode, floats{}, all16, round_current);
}
template<int Mode>
XGRAD_INLINE doubles round(doubles v) {
    return __builtin_ia32_rndscalepd_mask(v, Mode, doubles{}, all8, round_current);
}
XGRAD_INLINE bool any_above(floats a, floats b) {
    return static_cast<unsigned short>(__builtin_ia32_cmpps512_mask(a, b, greater_ordered_quiet, all16, round_current)) != 0;
}
XGRAD_INLINE bool any_above(doubles a, doubles b) {
    return static_cast<unsigned char>(__builtin_ia32_cmppd512_mask(a, b, greater_ordered_quiet, all8, round_current)) != 0;
}
XGRAD_INLINE floats scale(floats v, floats n) { return __builtin_ia32_scalefps512_mask(v, n, floats{}, all16, round_current); }
XGRAD_INLINE doubles scale(doubles v, doubles n) { return __builtin_ia32_scalefpd512_mask(v, n, doubles{}, all8, round_current); }
XGRAD_INLINE floats exponent(floats v) { return __builtin_ia32_getexpps512_mask(v, floats{}, all16, round_current); }
XGRAD_INLINE doubles exponent(doubles v) { return __builtin_ia32_getexppd512_mask(v, doubles{}, all8, round_current); }
XGRAD_INLINE floats mantissa(floats v) {
    return __builtin_ia32_getmantps512_mask(v, mantissa_signs << 2 | mantissa_around_one, floats{}, all16, round_current);
}
XGRAD_INLINE doubles mantissa(doubles v) {
    return __builtin_ia32_getmantpd512_mask(v, mantissa_signs << 2 | mantissa_around_one, doubles{}, all8, round_current);
}
XGRAD_INLINE floats fma(floats a, floats b, floats c) { return __builtin_ia32_vfmaddps512_mask(a, b, c, all16, round_current); }
XGRAD_INLINE doubles fma(doubles a, doubles b, doubles c) { return __builtin_ia32_vfmaddpd512_mask(a, b, c, all8, round_current); }
XGRAD_INLINE floats load_first(float const* p, std::size_t n, floats rest) {
    return __builtin_ia32_loadups512_mask(p, rest, first_floats(n));
}
XGRAD_INLINE doubles load_first(double const* p, std::size_t n, doubles rest) {
    return __builtin_ia32_loadupd512_mask(p, rest, first_doubles(n));
}
XGRAD_INLINE void store_first(float* p, std::size_t n, floats v) { __builtin_ia32_storeups512_mask(p, v, first_floats(n)); }
XGRAD_INLINE void store_first(double* p, std::size_t n, doubles v) { __builtin_ia32_storeupd512_mask(p, v, first_doubles(n)); }
XGRAD_INLINE doubles widen(vec<float, 32> v) { return __builtin_ia32_cvtps2pd512_mask(v, doubles{}, all8, round_current); }
XGRAD_INLINE floats widen_half(float16x16 h) { return __builtin_ia32_vcvtph2ps512_mask((vec<short, 32>)h, floats{}, all16, round_current); }
XGRAD_INLINE float16x16 narrow_half(floats f) {
    return (float16x16)__builtin_ia32_vcvtps2ph512_mask(f, round_nearest | no_exceptions, vec<short, 32>{}, all16);
}
#        else
XGRAD_INLINE floats sqrt(floats v) { return (floats)_mm512_maskz_sqrt_ps(all16, (__m512)v); }
XGRAD_INLINE floats rsqrt_estimate(floats v) { return (floats)_mm512_maskz_rsqrt14_ps(all16, (__m512)v); }
XGRAD_INLINE doubles sqrt(doubles v) { return (doubles)_mm512_maskz_sqrt_pd(all8, (__m512d)v); }
XGRAD_INLINE floats max(floats a, floats b) { return (floats)_mm512_maskz_max_ps(all16, (__m512)a, (__m512)b); }
XGRAD_INLINE doubles max(doubles a, doubles b) { return (doubles)_mm512_maskz_max_pd(all8, (__m512d)a, (__m512d)b); }
XGRAD_INLINE floats min(floats a, floats b) { return (floats)_mm512_maskz_min_ps(all16, (__m512)a, (__m512)b); }
XGRAD_INLINE doubles min(doubles a, doubles b) { return (doubles)_mm512_maskz_min_pd(all8, (__m512d)a, (__m512d)b); }
XGRAD_INLINE doubles permute(doubles low, vec<long long, 64> i, doubles high) {
    return (doubles)_mm512_permutex2var_pd((__m512d)low, (__m512i)i, (__m512d)high);
}
template<int Mode>
XGRAD_INLINE floats round(floats v) {
    return (floats)_mm512_maskz_roundscale_ps(all16, (__m512)v, Mode);
}
template<int Mode>
XGRAD_INLINE doubles round(doubles v) {
    return (doubles)_mm512_maskz_roundscale_pd(all8, (__m512d)v, Mode);
}
XGRAD_INLINE bool any_above(floats a, floats b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, greater_ordered_quiet) != 0; }
XGRAD_INLINE bool any_above(doubles a, doubles b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, greater_ordered_quiet) != 0; }
XGRAD_INLINE floats scale(floats v, floats n) { return (floats)_mm512_maskz_scalef_ps(all16, (__m512)v, (__m512)n); }
XGRAD_INLINE doubles scale(doubles v, doubles n) { return (doubles)_mm512_maskz_scalef_pd(all8, (__m512d)v, (__m512d)n); }
XGRAD_INLINE floats exponent(floats v) { return (floats)_mm512_maskz_getexp_ps(all16, (__m512)v); }
XGRAD_INLINE doubles exponent(doubles v) { return (doubles)_mm512_maskz_getexp_pd(all8, (__m512d)v); }
XGRAD_INLINE floats mantissa(floats v) {
    return (floats)_mm512_maskz_getmant_ps(
        all16, (__m512)v, static_cast<_MM_MANTISSA_NORM_ENUM>(mantissa_around_one), static_cast<_MM_MANTISSA_SIGN_ENUM>(mantissa_signs));
}
XGRAD_INLINE doubles mantissa(doubles v) {
    return (doubles)_mm512_maskz_getmant_pd(
        all8, (__m512d)v, static_cast<_MM_MANTISSA_NORM_ENUM>(mantissa_around_one), static_cast<_MM_MANTISSA_SIGN_ENUM>(mantissa_signs));
}
XGRAD_INLINE floats fma(floats a, floats b, floats c) { return (floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c); }
XGRAD_INLINE doubles fma(doubles a, doubles b, doubles c) { return (doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }
XGRAD_INLINE floats load_first(float const* p, std::size_t n, floats rest) {
    return (floats)_mm512_mask_loadu_ps((__m512)rest, first_floats(n), p);
}
XGRAD_INLINE doubles load_first(double const* p, std::size_t n, doubles rest) {
    return (doubles)_mm512_mask_loadu_pd((__m512d)rest, first_doubles(n), p);
}
XGRAD_INLINE void store_first(float* p, std::size_t n, floats v) { _mm512_mask_storeu_ps(p, first_floats(n), (__m512)v); }
XGRAD_INLINE void store_first(double* p, std::size_t n, doubles v) { _mm512_mask_storeu_pd(p, first_doubles(n), (__m512d)v); }
XGRAD_INLINE doubles widen(vec<float, 32> v) { return (doubles)_mm512_maskz_cvtps_pd(all8, (__m256)v); }
XGRAD_INLINE floats widen_half(float16x16 h) { return (floats)_mm512_maskz_cvtph_ps(all16, (__m256i)h); }
XGRAD_INLINE float16x16 narrow_half(floats f) { return (float16x16)_mm512_maskz_cvtps_ph(all16, (__m512)f, round_nearest | no_exceptions); }
#        endif

#    elif XGRAD_USE_AVX
using floats = vec<float, 32>;
using doubles = vec<double, 32>;

#        if defined(__AVX2__)
/// All bits in the first n lanes.
XGRAD_INLINE vec<int, 32> first_floats(std::size_t n) {
    return static_cast<int>(n) - vec<int, 32>{} > vec<int, 32>{0, 1, 2, 3, 4, 5, 6, 7};
}
XGRAD_INLINE vec<long long, 32> first_doubles(std::size_t n) {
    return static_cast<long long>(n) - vec<long long, 32>{} > vec<long long, 32>{0, 1, 2, 3};
}
/// In parts of 16, 8 and 4 bytes: the masked stores of AVX2 are about ten times slower on some machines (Zen).
XGRAD_INLINE void store_first(float* p, std::size_t n, floats v) {
    if (n & 8) return void(__builtin_memcpy(p, &v, 32));
    auto part = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    if (n & 4) {
        __builtin_memcpy(p, &part, 16);
        part = __builtin_shufflevector(v, v, 4, 5, 6, 7);
        p += 4;
    }
    if (n & 2) {
        __builtin_memcpy(p, &part, 8);
        part = __builtin_shufflevector(part, part, 2, 3, 2, 3);
        p += 2;
    }
    if (n & 1) *p = part[0];
}
XGRAD_INLINE void store_first(double* p, std::size_t n, doubles v) {
    if (n & 4) return void(__builtin_memcpy(p, &v, 32));
    auto part = __builtin_shufflevector(v, v, 0, 1);
    if (n & 2) {
        __builtin_memcpy(p, &part, 16);
        part = __builtin_shufflevector(v, v, 2, 3);
        p += 2;
    }
    if (n & 1) *p = part[0];
}
#        endif

#        if XGRAD_X86_BUILTINS
XGRAD_INLINE floats sqrt(floats v) { return __builtin_ia32_sqrtps256(v); }
XGRAD_INLINE floats rsqrt_estimate(floats v) { return __builtin_ia32_rsqrtps256(v); }
XGRAD_INLINE doubles sqrt(doubles v) { return __builtin_ia32_sqrtpd256(v); }
XGRAD_INLINE floats max(floats a, floats b) { return __builtin_ia32_maxps256(a, b); }
XGRAD_INLINE doubles max(doubles a, doubles b) { return __builtin_ia32_maxpd256(a, b); }
XGRAD_INLINE floats min(floats a, floats b) { return __builtin_ia32_minps256(a, b); }
XGRAD_INLINE doubles min(doubles a, doubles b) { return __builtin_ia32_minpd256(a, b); }
template<int Mode>
XGRAD_INLINE floats round(floats v) {
    return __builtin_ia32_roundps256(v, Mode);
}
template<int Mode>
XGRAD_INLINE doubles round(doubles v) {
    return __builtin_ia32_roundpd256(v, Mode);
}
XGRAD_INLINE bool any_above(floats a, floats b) {
    return __builtin_ia32_movmskps256(__builtin_ia32_cmpps256(a, b, greater_ordered_quiet)) != 0;
}
XGRAD_INLINE bool any_above(doubles a, doubles b) {
    return __builtin_ia32_movmskpd256(__builtin_ia32_cmppd256(a, b, greater_ordered_quiet)) != 0;
}
#            if defined(__FMA__)
XGRAD_INLINE floats fma(floats a, floats b, floats c) { return __builtin_ia32_vfmaddps256(a, b, c); }
XGRAD_INLINE doubles fma(doubles a, doubles b, doubles c) { return __builtin_ia32_vfmaddpd256(a, b, c); }
#            endif
#            if defined(__AVX2__)
XGRAD_INLINE floats load_first(float const* p, std::size_t n, floats rest) {
    auto const mask = first_floats(n);
    return mask ? __builtin_ia32_maskloadps256((floats const*)p, mask) : rest;
}
XGRAD_INLINE doubles load_first(double const* p, std::size_t n, doubles rest) {
    auto const mask = first_doubles(n);
    return mask ? __builtin_ia32_maskloadpd256((doubles const*)p, mask) : rest;
}
#            endif
#        else
XGRAD_INLINE floats sqrt(floats v) { return (floats)_mm256_sqrt_ps((__m256)v); }
XGRAD_INLINE floats rsqrt_estimate(floats v) { return (floats)_mm256_rsqrt_ps((__m256)v); }
XGRAD_INLINE doubles sqrt(doubles v) { return (doubles)_mm256_sqrt_pd((__m256d)v); }
XGRAD_INLINE floats max(floats a, floats b) { return (floats)_mm256_max_ps((__m256)a, (__m256)b); }
XGRAD_INLINE doubles max(doubles a, doubles b) { return (doubles)_mm256_max_pd((__m256d)a, (__m256d)b); }
XGRAD_INLINE floats min(floats a, floats b) { return (floats)_mm256_min_ps((__m256)a, (__m256)b); }
XGRAD_INLINE doubles min(doubles a, doubles b) { return (doubles)_mm256_min_pd((__m256d)a, (__m256d)b); }
template<int Mode>
XGRAD_INLINE floats round(floats v) {
    return (floats)_mm256_round_ps((__m256)v, Mode);
}
template<int Mode>
XGRAD_INLINE doubles round(doubles v) {
    return (doubles)_mm256_round_pd((__m256d)v, Mode);
}
XGRAD_INLINE bool any_above(floats a, floats b) {
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, greater_ordered_quiet)) != 0;
}
XGRAD_INLINE bool any_above(doubles a, doubles b) {
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, greater_ordered_quiet)) != 0;
}
#            if defined(__FMA__)
XGRAD_INLINE floats fma(floats a, floats b, floats c) { return (floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
XGRAD_INLINE doubles fma(doubles a, doubles b, doubles c) { return (doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
#            endif
#            if defined(__AVX2__)
XGRAD_INLINE floats load_first(float const* p, std::size_t n, floats rest) {
    auto const mask = first_floats(n);
    return mask ? (floats)_mm256_maskload_ps(p, (__m256i)mask) : rest;
}
XGRAD_INLINE doubles load_first(double const* p, std::size_t n, doubles rest) {
    auto const mask = first_doubles(n);
    return mask ? (doubles)_mm256_maskload_pd(p, (__m256i)mask) : rest;
}
#            endif
#        endif
#    endif

}   // namespace simd::detail::x86
XGRAD_NAMESPACE_END

#endif
#include <xgrad/config/macros_end.hpp>
