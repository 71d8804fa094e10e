// SPDX-License-Identifier: MIT
// Converts lanes of bfloat16 and float16 to floats and back.
// float16 uses processor instructions if available, otherwise the integer code of core/arrays/half.hpp.
// Both give the same bits, also for NaN.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/portable_batch.hpp>
#include <xgrad/core/arrays/half.hpp>

#if XGRAD_USE_F16C
#    include <xgrad/backend/x86_instructions.hpp>
#endif

XGRAD_NAMESPACE_BEGIN
namespace simd {
namespace detail {

/// width<T> floats, and the bits of as many 16-bit numbers. For T = float this is one register of floats, for T = double half a register.
template<class T>
using floats_of = vec<float, width<T> * sizeof(float)>;
template<class T>
using float_bits_of = vec<std::uint32_t, width<T> * sizeof(float)>;
template<class T>
using half_bits_of = vec<std::uint16_t, width<T> * sizeof(std::uint16_t)>;

#if XGRAD_USE_F16C
/// Whether the processor converts this many float16 numbers with one instruction. Not used for bfloat16: the instruction flushes denormals.
template<class Half, std::size_t Lanes>
inline constexpr bool converts_half = std::is_same_v<Half, float16> && (Lanes == 8 || (XGRAD_USE_AVX512 && Lanes == 16));
using x86::narrow_half;
using x86::widen_half;
#else
template<class Half, std::size_t Lanes>
inline constexpr bool converts_half = false;
#endif

template<class T, class Half>
XGRAD_INLINE vec<T> widen(half_bits_of<T> h) {
    floats_of<T> f;
    if constexpr (converts_half<Half, width<T>>) f = widen_half(h);
    else f = xgrad::detail::widen_half<Half, floats_of<T>>(__builtin_convertvector(h, float_bits_of<T>));
    if constexpr (std::is_same_v<T, float>) return f;
    else return __builtin_convertvector(f, vec<T>);
}
template<class Half, class T>
XGRAD_INLINE half_bits_of<T> narrow(vec<T> v) {
    floats_of<T> f;
    if constexpr (std::is_same_v<T, float>) f = v;
    else f = __builtin_convertvector(v, floats_of<T>);
    if constexpr (converts_half<Half, width<T>>) return narrow_half(f);
    else return __builtin_convertvector(xgrad::detail::narrow_half<Half, float_bits_of<T>>(f), half_bits_of<T>);
}

}   // namespace detail
}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
