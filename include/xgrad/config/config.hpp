// SPDX-License-Identifier: MIT
// Switches, macros and the inline namespace. Nearly all macros that other headers use are defined here or in version.hpp.
#pragma once

#include <xgrad/config/version.hpp>

#if __cplusplus < 202002L
#    error "xgrad needs C++20: add -std=c++20, or in CMake target_compile_features(<target> PRIVATE cxx_std_20)"
#    include <xgrad needs C++20>   // ends the compilation, which would otherwise report thousands of errors
#endif

#if __has_include(<xgrad_user_config.hpp>)
#    include <xgrad_user_config.hpp>
#endif

/// Whether floats use xsimd, on machines for which xgrad has no hand-written instructions. CMake sets it.
/// Without CMake it depends on whether xsimd is found.
/// - x86 with AVX (XGRAD_USE_AVX): 1 lets a few headers of operations include xsimd, such as ops/trigonometric.hpp.
/// - Other machines: 0 selects compiler vectors (backend/portable_batch.hpp). The value is part of the inline namespace.
#ifndef XGRAD_USE_XSIMD
#    if __has_include(<xsimd/xsimd.hpp>)
#        define XGRAD_USE_XSIMD 1
#    else
#        define XGRAD_USE_XSIMD 0
#    endif
#endif

/// 1 uses CBLAS for large matrix products; the program must link one. Off by default.
#ifndef XGRAD_USE_BLAS
#    define XGRAD_USE_BLAS 0
#endif

/// Without exceptions, the throwing forms call xgrad::error_handler and abort.
#ifndef XGRAD_EXCEPTIONS
#    if defined(__cpp_exceptions)
#        define XGRAD_EXCEPTIONS 1
#    else
#        define XGRAD_EXCEPTIONS 0
#    endif
#endif

/// 1 takes the bodies of functions that are equal for all programs from the library xgrad::compiled;
/// 2 is for building that library. Off by default. A library for another architecture or with other
/// switches has other symbols and does not link. XGRAD_HOST marks these functions.
#ifndef XGRAD_COMPILED
#    define XGRAD_COMPILED 0
#endif
#if XGRAD_COMPILED
#    define XGRAD_HOST
#else
#    define XGRAD_HOST inline
#endif

/// 1 runs the verifier (plan/verify.hpp) on the plan of each function and trainer, when the first object of its type is made. A plan that
/// breaks a rule is a bug of xgrad, and throws xgrad::error. On by default only in debug builds, without NDEBUG and optimization.
/// 2 does the same with one copy of the verifier for many sources: one of them includes xgrad/compile/verifier.hpp.
#ifndef XGRAD_VERIFY_PLANS
#    if defined(NDEBUG) || defined(__OPTIMIZE__)
#        define XGRAD_VERIFY_PLANS 0
#    else
#        define XGRAD_VERIFY_PLANS 1
#    endif
#endif
/// 1 makes views check the indices with which they are read, and calls check that no other thread is in a call of the same object.
/// Like assert, on by default without NDEBUG.
#ifndef XGRAD_CHECKS
#    ifdef NDEBUG
#        define XGRAD_CHECKS 0
#    else
#        define XGRAD_CHECKS 1
#    endif
#endif
// XGRAD_DEPRECATED("write other_name") marks a name that a later version will remove
// (CONTRIBUTING.md says when). XGRAD_NO_DEPRECATED = 1 disables these warnings.
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

/// 1 takes the x86 instructions from <immintrin.h>, which costs g++ 12 a quarter of a second.
/// 0 uses compiler builtins, and the header only if one is missing (backend/x86_instructions.hpp). The generated code is the same.
#ifndef XGRAD_USE_IMMINTRIN
#    define XGRAD_USE_IMMINTRIN 0
#endif

// The architecture is part of every symbol, so translation units built with different flags never share xgrad's code.
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

// Processors with AVX2 and FMA can convert float16, but flags may disable that.
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

#if XGRAD_USE_XSIMD
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

// Warnings that a program may enable and xgrad does not follow: style, and pointers that the optimizer believes may be null.
// They must only apply to the program's own lines, however xgrad is included.
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
#    define XGRAD_NOINLINE [[gnu::noinline]]
// XGRAD_RARE: code that runs when sizes change. It is optimized for size, like the branches that call it.
// g++ also skips the passes above -O1, which saves a twentieth of the compile time of a small program.
// XGRAD_COLD: code that runs once, to set up, report or describe. For clang, cold
// does not imply size, so this code is not optimized there, which saves as much.
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
#        define XGRAD_INLINE [[gnu::always_inline]] inline
#        define XGRAD_KERNEL XGRAD_INLINE
#        define XGRAD_FLATTEN [[gnu::flatten]]   // inlines all calls: the bodies of operations also come from users
// Without optimization nothing is inlined. Inlined, kernels would be half of the compile time of such a program.
#    else
#        define XGRAD_INLINE inline
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
