// SPDX-License-Identifier: MIT
// Switches, macros and the inline namespace. The only place with #define beside version.hpp.
#pragma once

#include <xgrad/config/version.hpp>

#if __cplusplus < 202002L
#    error "xgrad needs C++20: add -std=c++20, or in CMake target_compile_features(<target> PRIVATE cxx_std_20)"
#    include <xgrad needs C++20>   // ends the compilation, which would go on with some thousand errors
#endif

#if __has_include(<xgrad_user_config.hpp>)
#    include <xgrad_user_config.hpp>
#endif

/// Whether floats go through xsimd on machines for which xgrad has no instructions of its own, which are those of x86 with AVX
/// (XGRAD_USE_AVX). There it changes nothing and xsimd is not included; elsewhere 0 takes the vectors of the compiler (backend/portable_batch.hpp).
/// CMake sets it; a plain include decides by what can be found. Where it changes something it is part of the inline namespace.
#ifndef XGRAD_USE_XSIMD
#    if __has_include(<xsimd/xsimd.hpp>)
#        define XGRAD_USE_XSIMD 1
#    else
#        define XGRAD_USE_XSIMD 0
#    endif
#endif

/// 1 sends large matrix products to CBLAS (link one yourself). Off unless asked for.
#ifndef XGRAD_USE_BLAS
#    define XGRAD_USE_BLAS 0
#endif

/// Without exceptions the throwing forms call xgrad::error_handler and abort.
#ifndef XGRAD_EXCEPTIONS
#    if defined(__cpp_exceptions)
#        define XGRAD_EXCEPTIONS 1
#    else
#        define XGRAD_EXCEPTIONS 0
#    endif
#endif

/// 1 leaves the bodies of functions that are the same for all programs to the library xgrad::compiled, 2 is that library's own; off
/// unless asked for. A library of another architecture or of other switches has other symbols and does not link. XGRAD_HOST marks these functions.
#ifndef XGRAD_COMPILED
#    define XGRAD_COMPILED 0
#endif
#if XGRAD_COMPILED
#    define XGRAD_HOST
#else
#    define XGRAD_HOST inline
#endif

/// 1 lets the verifier of plan/verify.hpp go through the plan of each function and trainer when the first of its type is
/// made; a plan that breaks a rule, which is a fault of xgrad, throws xgrad::error. On in debug builds, without NDEBUG and optimization, alone.
/// 2 does the same with one copy of the verifier for many sources: one of them includes xgrad/compile/verifier.hpp.
#ifndef XGRAD_VERIFY_PLANS
#    if defined(NDEBUG) || defined(__OPTIMIZE__)
#        define XGRAD_VERIFY_PLANS 0
#    else
#        define XGRAD_VERIFY_PLANS 1
#    endif
#endif
/// 1 lets views check the indices with which they are read, and calls that nobody else is in a call of the same object. As assert, on
/// without NDEBUG.
#ifndef XGRAD_CHECKS
#    ifdef NDEBUG
#        define XGRAD_CHECKS 0
#    else
#        define XGRAD_CHECKS 1
#    endif
#endif
// XGRAD_DEPRECATED("write other_name"): marks a name that a later version leaves out (CONTRIBUTING.md says when). XGRAD_NO_DEPRECATED: 1 uses such names
// without a warning.
#ifndef XGRAD_NO_DEPRECATED
#    define XGRAD_NO_DEPRECATED 0
#endif
#if XGRAD_NO_DEPRECATED
#    define XGRAD_DEPRECATED(what_to_write)
#else
#    define XGRAD_DEPRECATED(what_to_write) [[deprecated("xgrad: " what_to_write)]]
#endif
#if XGRAD_VERIFY_PLANS
#    define XGRAD_RUNTIME_OF(P) ::xgrad::detail::verified_runtime<P>()
#else
#    define XGRAD_RUNTIME_OF(P) P::runtime.view()
#endif

#if defined(__AVX__)
#    define XGRAD_USE_AVX 1
#else
#    define XGRAD_USE_AVX 0
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512CD__)
#    define XGRAD_USE_AVX512 1
#else
#    define XGRAD_USE_AVX512 0
#endif

/// 1 takes the instructions of x86 from <immintrin.h>, which g++ 12 reads for a quarter of a second. 0 takes the compiler's
/// builtins, and the header only where one is missing (backend/x86_instructions.hpp). The code is the same.
#ifndef XGRAD_USE_IMMINTRIN
#    define XGRAD_USE_IMMINTRIN 0
#endif

// The architecture is part of every symbol: translation units built with different flags never share xgrad's code.
#if XGRAD_USE_AVX512
#    define XGRAD_ARCH avx512
#elif defined(__AVX2__) && defined(__FMA__)
#    define XGRAD_ARCH avx2fma
#elif defined(__AVX2__)
#    define XGRAD_ARCH avx2
#elif defined(__AVX__) && defined(__FMA__)
#    define XGRAD_ARCH avxfma
#elif defined(__AVX__)
#    define XGRAD_ARCH avx
#elif defined(__SSE4_2__)
#    define XGRAD_ARCH sse42
#elif defined(__SSE4_1__)
#    define XGRAD_ARCH sse41
#elif defined(__SSSE3__)
#    define XGRAD_ARCH ssse3
#elif defined(__SSE3__)
#    define XGRAD_ARCH sse3
#elif defined(__SSE2__)
#    define XGRAD_ARCH sse2
#elif defined(__aarch64__)
#    define XGRAD_ARCH neon64
#else
#    define XGRAD_ARCH generic
#endif

// Processors that have AVX2 and FMA convert float16; flags may leave that out.
#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#    define XGRAD_USE_F16C 1
#else
#    define XGRAD_USE_F16C 0
#endif
#if defined(__AVX2__) && defined(__FMA__) && !XGRAD_USE_F16C
#    define XGRAD_ABI_F16C i
#else
#    define XGRAD_ABI_F16C
#endif

#if XGRAD_USE_XSIMD || XGRAD_USE_AVX
#    define XGRAD_ABI_SIMD
#else
#    define XGRAD_ABI_SIMD p
#endif
#if XGRAD_USE_BLAS
#    define XGRAD_ABI_BLAS b
#else
#    define XGRAD_ABI_BLAS
#endif
#if XGRAD_EXCEPTIONS
#    define XGRAD_ABI_EXCEPTIONS
#else
#    define XGRAD_ABI_EXCEPTIONS n
#endif
#if XGRAD_VERIFY_PLANS
#    define XGRAD_ABI_VERIFY c
#else
#    define XGRAD_ABI_VERIFY
#endif
#if XGRAD_CHECKS
#    define XGRAD_ABI_CHECKS d
#else
#    define XGRAD_ABI_CHECKS
#endif
#define XGRAD_CONCAT_(a, b, c, d, e, f, g, h, i) v##a##_##b##c##d##e##f##g##h##i
#define XGRAD_CONCAT(a, b, c, d, e, f, g, h, i) XGRAD_CONCAT_(a, b, c, d, e, f, g, h, i)
#define XGRAD_ABI \
    XGRAD_CONCAT(XGRAD_VERSION_MAJOR, XGRAD_VERSION_MINOR, XGRAD_ARCH, XGRAD_ABI_F16C, XGRAD_ABI_SIMD, XGRAD_ABI_BLAS, \
        XGRAD_ABI_EXCEPTIONS, XGRAD_ABI_VERIFY, XGRAD_ABI_CHECKS)

// Warnings for which a program may ask and xgrad does not: matters of style, and pointers that may be null as far as the optimizer sees. They are about the
// program's own lines, however xgrad is included.
#define XGRAD_PRAGMA(x) _Pragma(#x)
#define XGRAD_IGNORE(warning) XGRAD_PRAGMA(GCC diagnostic ignored warning)
#if defined(__clang__)
#    define XGRAD_IGNORE_GNU
#else
#    define XGRAD_IGNORE_GNU XGRAD_IGNORE("-Wuseless-cast")
#endif
#define XGRAD_WARNINGS_BEGIN \
    XGRAD_PRAGMA(GCC diagnostic push) \
    XGRAD_IGNORE("-Wnull-dereference") XGRAD_IGNORE("-Wold-style-cast") XGRAD_IGNORE("-Wsign-conversion") XGRAD_IGNORE_GNU
#define XGRAD_WARNINGS_END XGRAD_PRAGMA(GCC diagnostic pop)

#define XGRAD_NAMESPACE_BEGIN \
    XGRAD_WARNINGS_BEGIN \
    namespace xgrad { \
    inline namespace XGRAD_ABI {
#define XGRAD_NAMESPACE_END \
    } \
    } \
    XGRAD_WARNINGS_END

#define XGRAD_STRINGIFY_(x) #x
#define XGRAD_STRINGIFY(x) XGRAD_STRINGIFY_(x)

#if __has_cpp_attribute(clang::lifetimebound)
#    define XGRAD_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#    define XGRAD_LIFETIMEBOUND
#endif
#if defined(__GNUC__) || defined(__clang__)
#    define XGRAD_INLINE [[gnu::always_inline]] inline
#    define XGRAD_NOINLINE [[gnu::noinline]]
// What runs where sizes change: made for size, and so are the branches that call it; g++ leaves out the passes above -O1 too, a twentieth of the
// seconds of a small program. What sets up, reports or describes runs once: clang, whose cold says nothing of size, does not optimize it, which is as
// much there.
#    if defined(__OPTIMIZE__) && __has_cpp_attribute(gnu::optimize)
#        define XGRAD_RARE [[gnu::cold, gnu::noinline, gnu::optimize("O1")]]
#    else
#        define XGRAD_RARE [[gnu::cold, gnu::noinline]]
#    endif
#    if __has_cpp_attribute(clang::optnone)
#        define XGRAD_COLD [[gnu::cold, gnu::noinline, clang::optnone]]
#    else
#        define XGRAD_COLD XGRAD_RARE
#    endif
#    if defined(__OPTIMIZE__)
#        define XGRAD_KERNEL XGRAD_INLINE
#        define XGRAD_FLATTEN [[gnu::flatten]]   // everything that it calls is inlined: the bodies of operations come from users too
#    else   // inlined all the same, kernels are half of what a program without optimization takes to compile
#        define XGRAD_KERNEL inline
#        define XGRAD_FLATTEN
#    endif
#    define XGRAD_RESTRICT __restrict__
#else
#    define XGRAD_INLINE inline
#    define XGRAD_KERNEL inline
#    define XGRAD_NOINLINE
#    define XGRAD_COLD
#    define XGRAD_RARE
#    define XGRAD_FLATTEN
#    define XGRAD_RESTRICT
#endif
