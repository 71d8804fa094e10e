// SPDX-License-Identifier: MIT
// bfloat16 and float16 as memory types. Reading converts the 16 bits to float, and writing rounds.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

struct bfloat16;
struct float16;

namespace detail {
template<class H>
inline constexpr bool is_half_type = std::is_same_v<H, bfloat16> || std::is_same_v<H, float16>;

// One body serves single numbers (F is float, U is std::uint32_t) and vectors of the compiler. Nothing here depends on
// how denormal floats are treated.

/// The float of 16 bits in the low half of `h`.
template<class Half, class F, class U>
constexpr F widen_half(U h) {
    if constexpr (std::is_same_v<Half, bfloat16>) {
        return std::bit_cast<F>(h << 16);
    } else {
        U const magnitude = h & 0x7fffu, sign = (h & 0x8000u) << 16;
        U const normal = (magnitude << 13) + 0x38000000u;   // exponent 15 becomes 127
        U const infinite = (magnitude << 13) | 0x7f800000u;
        // NaN becomes quiet, as in the processor's conversion
        U const special = magnitude > 0x7c00u ? infinite | 0x00400000u : infinite;
        F const small = (std::bit_cast<F>(magnitude | 0x4b000000u) - 8388608.0f) * 0x1p-24f;   // below 2^-14: a whole number of 2^-24
        U const finite = magnitude < 0x0400u ? std::bit_cast<U>(small) : normal;
        return std::bit_cast<F>((magnitude >= 0x7c00u ? special : finite) | sign);
    }
}
/// The nearest value of 16 bits, ties to even, in the low half. NaN stays NaN.
template<class Half, class U, class F>
constexpr U narrow_half(F f) {
    U const bits = std::bit_cast<U>(f), magnitude = bits & 0x7fffffffu;
    if constexpr (std::is_same_v<Half, bfloat16>) {
        U const rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        return magnitude > 0x7f800000u ? (bits >> 16) | 0x0040u : rounded;
    } else {
        U const sign = (bits >> 16) & 0x8000u;
        U const normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
        U const small = std::bit_cast<U>(std::bit_cast<F>(magnitude) + 0.5f) - 0x3f000000u;   // the addition rounds to a multiple of 2^-24
        U const finite = magnitude < 0x38800000u ? small : normal;
        U const infinite = magnitude - magnitude + 0x7c00u;
        U const large = magnitude >= 0x477ff000u ? infinite : finite;
        return (magnitude > 0x7f800000u ? ((magnitude >> 13) & 0x01ffu) | 0x7e00u : large) | sign;
    }
}
/// Rounds f randomly to one of the two bfloat16 around it, returned as a float. The nearer one is more likely. The
/// choice is a hash of f, `salt` and `seed`. Infinities and NaN do not change.
template<class U, class F>
constexpr F dither_bfloat16(F f, U salt, std::uint32_t seed) {
    U const bits = std::bit_cast<U>(f);
    U h = bits * 0x9e3779b1u + salt * 0x85ebca6bu + seed * 0xc2b2ae35u;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    U const chosen = (bits + ((h ^ (h >> 16)) & 0xffffu)) & 0xffff0000u;
    return std::bit_cast<F>((bits & 0x7f800000u) == 0x7f800000u ? bits : chosen);
}
}   // namespace detail

/// The upper half of a float: 8 bits of exponent, 7 of fraction. A type for memory, not for arithmetic. It converts to
/// float, and from float to the nearest value, ties to even. NaN stays NaN. A double is rounded to float first.
struct bfloat16 {
    std::uint16_t bits = 0;
    constexpr bfloat16() = default;
    constexpr explicit bfloat16(float x) : bits(static_cast<std::uint16_t>(detail::narrow_half<bfloat16, std::uint32_t>(x))) {}
    constexpr operator float() const { return detail::widen_half<bfloat16, float>(static_cast<std::uint32_t>(bits)); }
};
/// IEEE 754 binary16: 5 bits of exponent, 10 of fraction, 65504 at most, 2^-24 at least. A type for memory, like
/// bfloat16.
struct float16 {
    std::uint16_t bits = 0;
    constexpr float16() = default;
    constexpr explicit float16(float x) : bits(static_cast<std::uint16_t>(detail::narrow_half<float16, std::uint32_t>(x))) {}
    constexpr operator float() const { return detail::widen_half<float16, float>(static_cast<std::uint32_t>(bits)); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
