// SPDX-License-Identifier: MIT
// Lane operations of float and double with the instructions of x86 with AVX or AVX-512.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/x86_instructions.hpp>

#if XGRAD_USE_AVX

XGRAD_NAMESPACE_BEGIN
namespace simd::detail {

template<class T>
struct lanes : portable_lanes<T> {};   // integers: compiler vectors are as good

template<class T>
    requires std::is_floating_point_v<T>
struct lanes<T> : portable_lanes<T> {
    using vec = detail::vec<T>;

    XGRAD_INLINE static vec sqrt(vec v) { return x86::sqrt(v); }
    /// An estimate with at least 11 bits, and one step of Newton's method: y + y/2 (1 − v y²).
    XGRAD_INLINE static vec rsqrt(vec v)
        requires(std::is_same_v<T, float>)
    {
        vec const y = x86::rsqrt_estimate(v);
        return lanes::fma(vec(0.5f * y), vec(lanes::fma(vec(-(v * y)), y, 1.0f - vec{})), y);
    }
    XGRAD_INLINE static vec floor(vec v) { return x86::round<x86::round_down | x86::no_exceptions>(v); }
    XGRAD_INLINE static vec ceil(vec v) { return x86::round<x86::round_up | x86::no_exceptions>(v); }
    XGRAD_INLINE static vec round(vec v) { return x86::round<x86::round_current>(v); }
    // The instructions compute a > b ? a : b and a < b ? a : b, also for NaN. For compiler vectors GCC 12 needs two instructions.
    XGRAD_INLINE static vec max(vec a, vec b) { return x86::max(a, b); }
    XGRAD_INLINE static vec min(vec a, vec b) { return x86::min(a, b); }
    XGRAD_INLINE static bool any_above(vec a, vec b) { return x86::any_above(a, b); }
#    if defined(__FMA__)
    XGRAD_INLINE static vec fma(vec a, vec b, vec c) { return x86::fma(a, b, c); }
#    endif
#    if defined(__AVX2__)   // a loop over lanes costs more than a whole register tile
    XGRAD_INLINE static vec load_partial(T const* p, std::size_t n, T fill) { return x86::load_first(p, n, fill - vec{}); }
    XGRAD_INLINE static void store_partial(T* p, vec v, std::size_t n) { x86::store_first(p, n, v); }
#    endif
#    if XGRAD_USE_AVX512
    /// v 2^n for integers n, rounded once.
    XGRAD_INLINE static vec scale(vec v, vec n) { return x86::scale(v, n); }
    /// floor(log2 |v|), also for denormals; -inf for 0, inf for inf.
    XGRAD_INLINE static vec exponent(vec v) { return x86::exponent(v); }
    /// v times a power of 2, in [0.75, 1.5); 1 for zeros and inf, NaN below zero.
    XGRAD_INLINE static vec mantissa(vec v) { return x86::mantissa(v); }
    /// table[the four lowest bits of i].
    XGRAD_INLINE static vec look_up(double const (&table)[16], vec i)
        requires(std::is_same_v<T, double>)
    {
        return x86::permute(lanes::load(table), (detail::vec<long long>)i, lanes::load(table + 8));
    }
#    endif
};

}   // namespace simd::detail
XGRAD_NAMESPACE_END

#endif
#include <xgrad/config/macros_end.hpp>
