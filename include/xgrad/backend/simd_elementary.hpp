// SPDX-License-Identifier: MIT
// Tangents, hyperbolic functions, their inverses, other bases and the cube root on batches, by xsimd. Without xsimd they are the C
// library's, lane by lane. xgrad::math finds them by argument-dependent lookup.
//
// - ULPs are the largest errors seen on samples compared with long double, by xsimd 8.1 and 14.3 with and without FMA.
// - Functions of xsimd may choose another way for a batch whose lanes are all small. So a lane may differ by an ULP with its neighbours.
// - Not used, because they are wrong in all of these releases: erfc (35000 ULP), lgamma (also near 1 and 2), hypot (overflows early).
// - Corrected here: denormal doubles of cbrt; the ends of exp10; atan2 of two zeros or infinities.
// - Not xsimd's: exp2, and log2 and log10 of doubles, which share the loops of exp and log.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_math.hpp>
#include <xgrad/backend/xsimd_batch.hpp>
#include <xgrad/core/math_elementary.hpp>

XGRAD_NAMESPACE_BEGIN
namespace simd {

namespace detail {
#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
// The byte and word instructions of AVX-512 (BW) change nothing for floats. xsimd 8 does not compile with them by g++ -O0.
template<class T>
using xsimd_floats =
    xsimd::batch<T, std::conditional_t<std::is_base_of_v<xsimd::avx512dq, xsimd::default_arch>, xsimd::avx512dq, xsimd::default_arch>>;
template<class T>
XGRAD_INLINE xsimd_floats<T> to_xsimd_floats(batch<T> x) {
    return xsimd_floats<T>((typename xsimd_floats<T>::register_type)x.v);
}
template<class T>
XGRAD_INLINE batch<T> from_xsimd_floats(xsimd_floats<T> const& x) {
    return batch<T>((vec<T>)(typename xsimd_floats<T>::register_type)x);
}
#    define XGRAD_XSIMD_OR_LANES(name) \
        template<class T> \
        XGRAD_INLINE batch<T> xsimd_##name(batch<T> x) { \
            if constexpr (has_xsimd<T>) return from_xsimd_floats<T>(xsimd::name(to_xsimd_floats(x))); \
            else return each_lane([](T a) { return math::name(a); }, x); \
        }
#else
#    define XGRAD_XSIMD_OR_LANES(name) \
        template<class T> \
        XGRAD_INLINE batch<T> xsimd_##name(batch<T> x) { \
            return each_lane([](T a) { return math::name(a); }, x); \
        }
#endif
XGRAD_XSIMD_OR_LANES(tan)
XGRAD_XSIMD_OR_LANES(asin)
XGRAD_XSIMD_OR_LANES(acos)
XGRAD_XSIMD_OR_LANES(atan)
XGRAD_XSIMD_OR_LANES(sinh)
XGRAD_XSIMD_OR_LANES(cosh)
XGRAD_XSIMD_OR_LANES(asinh)
XGRAD_XSIMD_OR_LANES(acosh)
XGRAD_XSIMD_OR_LANES(atanh)
XGRAD_XSIMD_OR_LANES(exp10)
XGRAD_XSIMD_OR_LANES(log2)
XGRAD_XSIMD_OR_LANES(log10)
XGRAD_XSIMD_OR_LANES(cbrt)
#undef XGRAD_XSIMD_OR_LANES

/// 2^54 is a cube, so a root of denormals can be scaled back exactly.
template<class T>
struct denormals {
    mask<T> tiny;
    batch<T> normal;
    XGRAD_INLINE explicit denormals(batch<T> x)
        : tiny(abs(x) < batch<T>(float_traits<T>::min_normal)), normal(select(tiny, x * batch<T>(T(0x1p54)), x)) {}
};
/// join(k, log(1 + f)) for x = 2^k (1 + f), with the special cases of log. k is infinite for 0 and inf.
template<class T, class F>
XGRAD_INLINE batch<T> log_in_base(batch<T> x, F const& join) {
    using t = float_traits<T>;
    batch<T> const zero(T(0));
    if constexpr (SplitByInstruction<T>) {
        auto const part = reduce_log(x);
        return join(part.k, log_core(zero, part.f, zero));
    } else {
        auto const tiny = x < batch<T>(t::min_normal);
        auto const part = reduce_log(select(tiny, x * batch<T>(t::denormal_scale), x));
        return log_edges(x, join(part.k - select(tiny, batch<T>(t::denormal_shift), zero), log_core(zero, part.f, zero)));
    }
}
}   // namespace detail

/// Error below 3.5 ULP, for numbers of any size.
template<class T>
XGRAD_INLINE batch<T> tan(batch<T> x) {
    return detail::xsimd_tan(x);
}
/// Error below 2.5 ULP. NaN beyond −1 and 1.
template<class T>
XGRAD_INLINE batch<T> asin(batch<T> x) {
    return detail::xsimd_asin(x);
}
/// Error below 1.5 ULP. NaN beyond −1 and 1.
template<class T>
XGRAD_INLINE batch<T> acos(batch<T> x) {
    return detail::xsimd_acos(x);
}
/// Error below 2.5 ULP.
template<class T>
XGRAD_INLINE batch<T> atan(batch<T> x) {
    return detail::xsimd_atan(x);
}
/// Error below 3 ULP.
template<class T>
XGRAD_INLINE batch<T> sinh(batch<T> x) {
    return detail::xsimd_sinh(x);
}
/// Error below 3 ULP.
template<class T>
XGRAD_INLINE batch<T> cosh(batch<T> x) {
    return detail::xsimd_cosh(x);
}
/// Error below 4 ULP.
template<class T>
XGRAD_INLINE batch<T> asinh(batch<T> x) {
    return detail::xsimd_asinh(x);
}
/// Error below 2.5 ULP. NaN below 1.
template<class T>
XGRAD_INLINE batch<T> acosh(batch<T> x) {
    return detail::xsimd_acosh(x);
}
/// Error below 2 ULP. Infinite at −1 and 1, NaN beyond.
template<class T>
XGRAD_INLINE batch<T> atanh(batch<T> x) {
    return detail::xsimd_atanh(x);
}
/// Error below 2 ULP, also for denormals.
template<class T>
XGRAD_INLINE batch<T> cbrt(batch<T> x) {
    if constexpr (sizeof(T) == 4) return detail::xsimd_cbrt(x);
    detail::denormals<T> const d(x);
    batch<T> const r = detail::xsimd_cbrt(d.normal);
    return select(d.tiny, r * batch<T>(T(0x1p-18)), r);
}
/// Error below 2 ULP, also for denormals.
template<class T>
XGRAD_INLINE batch<T> log2(batch<T> x) {
    if constexpr (sizeof(T) == 4) return detail::xsimd_log2(x);
    else return detail::log_in_base(x, [](batch<T> k, batch<T> y) { return fma(y, batch<T>(T(1.4426950408889634074)), k); });
}
/// Error below 2 ULP, also for denormals.
template<class T>
XGRAD_INLINE batch<T> log10(batch<T> x) {
    if constexpr (sizeof(T) == 4) return detail::xsimd_log10(x);
    else {
        constexpr T high = T(0x1.34413509f79fep-2), low = T(5.270742310347266e-17);   // log10(2), both positive: k may be infinite
        return detail::log_in_base(x,
            [](batch<T> k, batch<T> y) { return fma(k, batch<T>(high), fma(k, batch<T>(low), y * batch<T>(T(0.43429448190325182765)))); });
    }
}
/// 2^x: error below 2 ULP. Overflows to inf, and underflows through denormals to 0.
template<class T>
XGRAD_INLINE batch<T> exp2(batch<T> x) {
    using t = detail::float_traits<T>;
    constexpr T ln2 = T(0.69314718055994530942);
    x = max(batch<T>(T(-t::bias - t::mantissa - 2)), min(batch<T>(T(t::bias + 2)), x));
    if constexpr (detail::ExpByTable<T>) {
        batch<T> const shifted = x + batch<T>(t::table_magic), n = shifted - batch<T>(t::table_magic);
        return detail::exp_of_parts(detail::table_parts<T>{n, detail::lanes<T>::look_up(t::exp_table, shifted.v),
            detail::lanes<T>::look_up(t::exp_table_rest, shifted.v), (x - n) * batch<T>(ln2)});
    } else {
        constexpr T magic = t::magic + 2 * t::bias;
        batch<T> const shifted = x + batch<T>(magic), n = shifted - batch<T>(magic);
        return detail::exp_of_parts(detail::exp_parts<T>{(x - n) * batch<T>(ln2), n, detail::to_bits(shifted)});
    }
}
/// 10^x: error below 3 ULP. Overflows to inf, and underflows through denormals to 0.
template<class T>
XGRAD_INLINE batch<T> exp10(batch<T> x) {
    constexpr T high = sizeof(T) == 4 ? T(37) : T(300);
    auto const large = x > batch<T>(high), tiny = x < batch<T>(-high);
    batch<T> const by = select(large, batch<T>(T(10)), select(tiny, batch<T>(T(-20)), batch<T>(T(0))));
    batch<T> const factor = select(large, batch<T>(T(1e10)), select(tiny, batch<T>(T(1e-20)), batch<T>(T(1))));
    return detail::xsimd_exp10(x - by) * factor;
}
/// Error below 3 ULP, with the special cases of std::atan2.
template<class T>
XGRAD_INLINE batch<T> atan2(batch<T> y, batch<T> x) {
#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
    if constexpr (has_xsimd<T>) {
        // xsimd divides y by x, which is NaN for two zeros or two infinities.
        batch<T> const one(1), zero(0);
        auto const equal = abs(x) == abs(y);
        batch<T> const a = select(equal & (y != zero), copysign(one, y), y), b = select(equal, copysign(one, x), x);
        return detail::from_xsimd_floats<T>(xsimd::atan2(detail::to_xsimd_floats(a), detail::to_xsimd_floats(b)));
    } else
#endif
        return each_lane([](T a, T b) { return math::atan2(a, b); }, y, x);
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
