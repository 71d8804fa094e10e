// SPDX-License-Identifier: MIT
// Mathematics on batches, branch-free; found from xgrad::math by argument-dependent lookup.
#pragma once

#include <xgrad/backend/batch.hpp>

#include <bit>
#include <limits>

// exp, expm1, tanh, sigmoid, log and log1p are xgrad's own and the same with xsimd and without: those of xsimd branch per batch
// and differ between its versions. Reduction of the argument as in fdlibm; polynomials are Chebyshev fits made for these intervals.
// They need IEEE arithmetic: -ffast-math breaks them. ULPs are the largest seen against long double on dense samples with FMA.

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// mask ? a : b.
template<class T>
XGRAD_INLINE batch<T> select(mask<T> m, batch<T> a, batch<T> b) {
    return m.v ? a.v : b.v;
}

#define XGRAD_SIMD_UNARY(name) \
    template<class T> \
    XGRAD_INLINE batch<T> name(batch<T> x) { \
        return detail::lanes<T>::name(x.v); \
    }
XGRAD_SIMD_UNARY(sqrt)
XGRAD_SIMD_UNARY(floor)
XGRAD_SIMD_UNARY(ceil)
XGRAD_SIMD_UNARY(round)
XGRAD_SIMD_UNARY(sin)
XGRAD_SIMD_UNARY(cos)
XGRAD_SIMD_UNARY(erf)
#undef XGRAD_SIMD_UNARY

template<class T>
XGRAD_INLINE batch<T> pow(batch<T> x, batch<T> y) {
    return detail::lanes<T>::pow(x.v, y.v);
}
/// a > b ? a : b: b where either is NaN.
template<class T>
XGRAD_INLINE batch<T> max(batch<T> a, batch<T> b) {
    return detail::lanes<T>::max(a.v, b.v);
}
/// a < b ? a : b: b where either is NaN.
template<class T>
XGRAD_INLINE batch<T> min(batch<T> a, batch<T> b) {
    return detail::lanes<T>::min(a.v, b.v);
}
/// a * b + c, one rounding where the machine has fused multiply-add.
template<class T>
XGRAD_INLINE batch<T> fma(batch<T> a, batch<T> b, batch<T> c) {
    return detail::lanes<T>::fma(a.v, b.v, c.v);
}

namespace detail {

template<class T>
struct float_traits;
template<>
struct float_traits<float> {
    using bits = std::uint32_t;
    static constexpr int mantissa = 23, bias = 127;
    static constexpr float magic = 12582912.0f;   // 1.5 * 2^23: adding it rounds to an integer that stands in the low bits
    static constexpr float log2e = 1.44269504089f, ln2_high = 0.693145751953125f, ln2_low = 1.4286068203094172e-6f;
    static constexpr float exp_low = -104.0f, exp_high = 89.0f, expm1_low = -18.0f, tanh_high = 9.2f;
    static constexpr float min_normal = 1.17549435e-38f, denormal_scale = 8388608.0f, denormal_shift = 23.0f;
    /// (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2, error 1.4e-9
    static constexpr float exp_poly[] = {0.50000000134658092f, 0.166666666816232314f, 0.04166646492528590541f, 0.008333310925480900835f,
        0.001393364999630925043f, 0.0001989099082467365385f};
    /// (2 atanh(s) - 2 s) / s^3 of z = s^2 on z <= 0.02944, error 1.9e-7
    static constexpr float log_poly[] = {0.666666850447858783f, 0.3998877843365143733f, 0.2958004616831219887f};
};
template<>
struct float_traits<double> {
    using bits = std::uint64_t;
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr double magic = 6755399441055744.0;   // 1.5 * 2^52
    static constexpr double log2e = 1.4426950408889634074, ln2_high = 0.6931471803691238164901733, ln2_low = 1.908214929270587816144266e-10;
    static constexpr double exp_low = -746.0, exp_high = 710.0, expm1_low = -38.0, tanh_high = 20.0;
    static constexpr double min_normal = 2.2250738585072014e-308, denormal_scale = 4503599627370496.0, denormal_shift = 52.0;
    /// error 1.4e-18
    static constexpr double exp_poly[] = {0.5, 0.1666666666666667099, 0.04166666666666666975, 0.008333333333326135126,
        0.00138888888888837483, 0.0001984126987482062527, 0.00002480158732554774122, 2.755725540020642443e-6, 2.755727364311029533e-7,
        2.510521700472074516e-8, 2.091468696808687723e-9};
    /// error 3.1e-16
    static constexpr double log_poly[] = {0.6666666666666669688, 0.399999999998994473, 0.2857142862600142557, 0.2222221113056072644,
        0.1818288943375751642, 0.1533171134667299598, 0.1461657642164438595};
};

template<class T>
using bits_vec = vec<typename float_traits<T>::bits>;

template<class T>
XGRAD_INLINE bits_vec<T> to_bits(batch<T> x) {
    return (bits_vec<T>)x.v;
}
template<class T>
XGRAD_INLINE batch<T> from_bits(bits_vec<T> b) {
    return batch<T>((vec<T>)b);
}

/// c[I] + c[I + 2] x^2 + ... by Horner's rule.
template<std::size_t I, class T, std::size_t N>
XGRAD_INLINE batch<T> every_second(batch<T> square, T const (&c)[N]) {
    constexpr std::size_t last = I + (N - 1 - I) / 2 * 2;
    batch<T> r(c[last]);
    for (std::size_t i = last; i > I; i -= 2) { r = fma(r, square, batch<T>(c[i - 2])); }
    return r;
}
/// The polynomial c[0] + c[1] x + ...: even and odd powers side by side, so that half as many operations wait for each other.
template<class T, std::size_t N>
XGRAD_INLINE batch<T> polynomial(batch<T> x, T const (&c)[N]) {
    batch<T> const square = x * x;
    return fma(every_second<1>(square, c), x, every_second<0>(square, c));
}

/// x = n ln 2 + r with |r| <= ln(2) / 2.
template<class T>
struct exp_parts {
    batch<T> r;
    bits_vec<T> n;    // biased by the bits of magic
    batch<T> whole;   // n as a number
};
template<class T>
XGRAD_INLINE exp_parts<T> reduce_exp(batch<T> x) {
    using t = float_traits<T>;
    batch<T> const shifted = fma(x, batch<T>(t::log2e), batch<T>(t::magic));
    batch<T> const n = shifted - batch<T>(t::magic);
    batch<T> r = fma(n, batch<T>(-t::ln2_high), x);
    r = fma(n, batch<T>(-t::ln2_low), r);
    return {r, to_bits(shifted), n};
}
template<class T>
inline constexpr auto magic_bits = std::bit_cast<typename float_traits<T>::bits>(float_traits<T>::magic);

/// exp(r) - 1 on |r| <= ln(2) / 2.
template<class T>
XGRAD_INLINE batch<T> expm1_core(batch<T> r) {
    return fma(polynomial(r, float_traits<T>::exp_poly), r * r, r);
}
/// exp(x) - 1 for x within the clamps, by way of 2^(n-1) so that n = 128 (1024) does not overflow early.
template<class T>
XGRAD_INLINE batch<T> expm1_clamped(batch<T> x) {
    using t = float_traits<T>;
    auto const [r, n, whole] = reduce_exp(x);
    batch<T> const p = expm1_core(r);
    batch<T> const half_scale = from_bits<T>((n - magic_bits<T> + (t::bias - 1)) << t::mantissa);
    batch<T> const half = fma(half_scale, p, half_scale - batch<T>(0.5));
    return half + half;
}
}   // namespace detail

template<class T>
XGRAD_INLINE batch<T> abs(batch<T> x) {
    if constexpr (std::is_floating_point_v<T>) {
        using bits = typename detail::float_traits<T>::bits;
        return detail::from_bits<T>(detail::to_bits(x) & (static_cast<bits>(~bits(0)) >> 1));
    } else {
        return select(x < batch<T>(0), -x, x);
    }
}
template<class T>
XGRAD_INLINE batch<T> copysign(batch<T> x, batch<T> y) {
    using bits = typename detail::float_traits<T>::bits;
    constexpr bits magnitude = static_cast<bits>(~bits(0)) >> 1;
    return detail::from_bits<T>((detail::to_bits(x) & magnitude) | (detail::to_bits(y) & ~magnitude));
}

/// e^x: within 1 ULP; overflows to inf and falls through the denormals to 0.
template<class T>
XGRAD_INLINE batch<T> exp(batch<T> x) {
    using t = detail::float_traits<T>;
    x = max(batch<T>(t::exp_low), min(batch<T>(t::exp_high), x));
    auto const [r, n, whole] = detail::reduce_exp(x);
    batch<T> const y = detail::expm1_core(r) + batch<T>(1);
    if constexpr (requires { detail::lanes<T>::scale(x.v, x.v); }) { return detail::lanes<T>::scale(y.v, whole.v); }
    // 2^n in two factors: one alone cannot reach denormals.
    auto const both = n - detail::magic_bits<T> + 2 * t::bias;
    auto const first = both >> 1;
    return y * detail::from_bits<T>(first << t::mantissa) * detail::from_bits<T>((both - first) << t::mantissa);
}

/// e^x - 1: within 2 ULP, also near 0.
template<class T>
XGRAD_INLINE batch<T> expm1(batch<T> x) {
    using t = detail::float_traits<T>;
    batch<T> const y = detail::expm1_clamped(max(batch<T>(t::expm1_low), min(batch<T>(t::exp_high), x)));
    return select(abs(x) < batch<T>(std::numeric_limits<T>::epsilon() / 2), x, y);
}

/// tanh(x) = t / (t + 2), t = e^(2|x|) - 1: within 3 ULP.
template<class T>
XGRAD_INLINE batch<T> tanh(batch<T> x) {
    using t = detail::float_traits<T>;
    batch<T> const magnitude = min(batch<T>(t::tanh_high), abs(x));
    batch<T> const e = detail::expm1_clamped(magnitude + magnitude);
    return copysign(e / (e + batch<T>(2)), x);
}

/// 1 / (1 + e^-x): within 3 ULP.
template<class T>
XGRAD_INLINE batch<T> sigmoid(batch<T> x) {
    return batch<T>(1) / (batch<T>(1) + exp(-x));
}

namespace detail {
/// k ln 2 + log(1 + f) + c for sqrt(1/2) <= 1 + f <= sqrt(2).
template<class T>
XGRAD_INLINE batch<T> log_core(batch<T> k, batch<T> f, batch<T> c) {
    using t = float_traits<T>;
    batch<T> const s = f / (f + batch<T>(2));
    batch<T> const z = s * s;
    batch<T> const rest = polynomial(z, t::log_poly) * z;
    batch<T> const half_square = batch<T>(0.5) * f * f;
    return fma(k, batch<T>(t::ln2_high), f - (half_square - fma(s, half_square + rest, fma(k, batch<T>(t::ln2_low), c))));
}
template<class T>
struct log_parts {
    batch<T> k, f;
};
/// x = 2^k (1 + f); x positive and normal.
template<class T>
XGRAD_INLINE log_parts<T> reduce_log(batch<T> x) {
    using t = float_traits<T>;
    using bits = typename t::bits;
    constexpr bits sqrt_half = std::bit_cast<bits>(static_cast<T>(0.70710678118654752440L));
    constexpr bits one = std::bit_cast<bits>(T(1));
    bits_vec<T> const shifted = to_bits(x) + (one - sqrt_half);
    bits_vec<T> const exponent = shifted >> t::mantissa;
    bits_vec<T> const fraction = (shifted & ((bits(1) << t::mantissa) - 1)) + sqrt_half;
    // The exponent as a number, through the bits of magic: no conversion of 64-bit integers is needed.
    batch<T> const k = from_bits<T>(exponent + magic_bits<T>) - batch<T>(t::magic + t::bias);
    return {k, from_bits<T>(fraction) - batch<T>(1)};
}
/// What log does outside the positive finite numbers: log(0) = -inf, NaN below, inf and NaN themselves.
template<class T>
XGRAD_INLINE batch<T> log_edges(batch<T> x, batch<T> y) {
    constexpr T inf = std::numeric_limits<T>::infinity();
    y = select(x < batch<T>(inf), y, x);
    y = select(x > batch<T>(0), y, batch<T>(std::numeric_limits<T>::quiet_NaN()));
    return select(x == batch<T>(0), batch<T>(-inf), y);
}
}   // namespace detail

/// Natural logarithm: within 1 ULP, denormals included.
template<class T>
XGRAD_INLINE batch<T> log(batch<T> x) {
    using t = detail::float_traits<T>;
    auto const tiny = x < batch<T>(t::min_normal);
    auto const [k, f] = detail::reduce_log(select(tiny, x * batch<T>(t::denormal_scale), x));
    batch<T> const y = detail::log_core(k - select(tiny, batch<T>(t::denormal_shift), batch<T>(0)), f, batch<T>(0));
    return detail::log_edges(x, y);
}

/// log(1 + x): within 2 ULP, also near 0.
template<class T>
XGRAD_INLINE batch<T> log1p(batch<T> x) {
    batch<T> const one(1);
    batch<T> const u = one + x;
    auto const [k, f] = detail::reduce_log(u);
    // What the sum has lost, of whichever summand was the smaller.
    batch<T> const lost = select(x > one, one - (u - x), x - (u - one)) / u;
    auto const small = k == batch<T>(0);
    batch<T> const y = detail::log_core(k, select(small, x, f), select(small, batch<T>(0), lost));
    return select(abs(x) < batch<T>(std::numeric_limits<T>::epsilon() / 2), x, detail::log_edges(u, y));
}

}   // namespace simd
XGRAD_NAMESPACE_END
