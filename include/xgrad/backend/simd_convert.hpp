// SPDX-License-Identifier: MIT
// Conversions of batches: to memory of other element types and back, to doubles, rounded to 16 bits.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>
#include <xgrad/backend/simd_half.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// The lanes rounded to the 16 bits of Half.
template<class Half, class T>
XGRAD_INLINE batch<T> rounded(batch<T> x) {
    return detail::widen<T, Half>(detail::narrow<Half, T>(x.v));
}

/// Rounds each lane to one of the two adjacent bfloat16 numbers. The lane of `salt` and `seed` decide which
/// (core/arrays/half.hpp).
template<class T>
XGRAD_INLINE batch<T> dithered(batch<T> x, batch<T> salt, std::uint32_t seed) {
    using floats = detail::floats_of<T>;
    using bits = detail::float_bits_of<T>;
    auto const f = __builtin_convertvector(x.v, floats);
    auto const s = std::bit_cast<bits>(__builtin_convertvector(salt.v, floats));
    return __builtin_convertvector(xgrad::detail::dither_bfloat16<bits>(f, s, seed), detail::vec<T>);
}

namespace detail {
template<std::size_t Part, class T, std::size_t... I>
XGRAD_INLINE vec<double> doubles(vec<T> v, std::index_sequence<I...>) {
    auto const part = __builtin_shufflevector(v, v, static_cast<int>(Part * sizeof...(I) + I)...);
#if XGRAD_USE_AVX512
    return x86::widen(part);   // g++ converts a register in halves
#else
    return __builtin_convertvector(part, vec<double>);
#endif
}
}   // namespace detail
/// The width<double> lanes from lane Part · width<double> on, of a batch of float or double, as doubles.
template<std::size_t Part, class T>
XGRAD_INLINE batch<double> doubles(batch<T> x) {
    if constexpr (std::is_same_v<T, double>) return x;
    else return detail::doubles<Part, T>(x.v, std::make_index_sequence<width<double>>{});
}

namespace detail {
/// N elements of bool or of an integer type of 8 or 16 bits.
template<std::size_t N, class U>
XGRAD_INLINE vec<std::int32_t, 4 * N> load_small(U const* p) {
    using stored = std::conditional_t<std::is_same_v<U, bool>, std::uint8_t, U>;
#if defined(XGRAD_WIDENS_INTEGERS) && XGRAD_WIDENS_INTEGERS
    if constexpr (x86::widens_integers<N, stored>) return x86::widen_integers<N>(reinterpret_cast<stored const*>(p));
#endif
    vec<stored, N * sizeof(U)> u;
    __builtin_memcpy(&u, p, sizeof u);
    if constexpr (sizeof(U) == 1) {   // in two steps, for which g++ has shorter code
        using twice = std::conditional_t<std::is_signed_v<stored>, std::int16_t, std::uint16_t>;
        return __builtin_convertvector(__builtin_convertvector(u, vec<twice, N * 2>), vec<std::int32_t, 4 * N>);
    } else return __builtin_convertvector(u, vec<std::int32_t, 4 * N>);
}
}   // namespace detail
/// The lanes p[0 .. width<T>), converted like static_cast.
/// U is bool, an integer type, float or double; for T float or double also bfloat16 or float16.
template<class T, class U>
XGRAD_INLINE batch<T> load_as(U const* p) {
    if constexpr (std::is_same_v<T, U>) {
        return load(p);
    } else if constexpr (xgrad::detail::is_half_type<U>) {
        detail::half_bits_of<T> h;
        __builtin_memcpy(&h, p, sizeof h);
        return detail::widen<T, U>(h);
    } else if constexpr (sizeof(U) < 4) {
        return __builtin_convertvector(detail::load_small<width<T>>(p), detail::vec<T>);
    } else {
        detail::vec<U, width<T> * sizeof(U)> u;
        __builtin_memcpy(&u, p, sizeof u);
        return __builtin_convertvector(u, detail::vec<T>);
    }
}
/// p[0 .. n) converted, and `fill` in the other lanes.
template<class T, class U>
XGRAD_INLINE batch<T> load_partial_as(U const* p, std::size_t n, std::type_identity_t<T> fill = T(0)) {
    if constexpr (std::is_same_v<T, U>) {
        return load_partial(p, n, fill);
    } else if constexpr (xgrad::detail::is_half_type<U>) {
        U lanes[width<T>];
        for (std::size_t i = 0; i < width<T>; ++i) lanes[i] = i < n ? p[i] : U(static_cast<float>(fill));
        return load_as<T>(lanes);
    } else {
        batch<T> r(fill);
        for (std::size_t i = 0; i < width<T>; ++i)
            if (i < n) r.v[i] = static_cast<T>(p[i]);
        return r;
    }
}
/// Writes the lanes, converted like static_cast; to bool: x != 0.
template<class U, class T>
XGRAD_INLINE void store_as(U* p, batch<T> x) {
    if constexpr (std::is_same_v<T, U>) {
        store(p, x);
    } else if constexpr (xgrad::detail::is_half_type<U>) {
        auto const h = detail::narrow<U, T>(x.v);
        __builtin_memcpy(static_cast<void*>(p), &h, sizeof h);
    } else if constexpr (std::is_same_v<U, bool>) {
        auto const bits = __builtin_convertvector((x.v != detail::vec<T>{}) & 1, detail::vec<std::uint8_t, width<T>>);
        __builtin_memcpy(p, &bits, sizeof bits);
    } else {
        auto const u = __builtin_convertvector(x.v, detail::vec<U, width<T> * sizeof(U)>);
        __builtin_memcpy(p, &u, sizeof u);
    }
}
/// Writes n lanes, converted.
template<class U, class T>
XGRAD_INLINE void store_partial_as(U* p, batch<T> x, std::size_t n) {
    if constexpr (std::is_same_v<T, U>) {
        store_partial(p, x, n);
    } else if constexpr (xgrad::detail::is_half_type<U>) {
        U lanes[width<T>];
        store_as(lanes, x);
        for (std::size_t i = 0; i < n; ++i) p[i] = lanes[i];
    } else {
        for (std::size_t i = 0; i < width<T>; ++i)
            if (i < n) p[i] = static_cast<U>(x.v[i]);
    }
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
