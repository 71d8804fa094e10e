// SPDX-License-Identifier: MIT
// Exponentials and logarithms on batches, without branches. xgrad::math finds them by argument-dependent lookup.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>

#include <bit>
#include <limits>

// xgrad implements all of these functions, and those in the other simd_* files.
// Those of xsimd branch per batch and differ between its versions.
// - The argument is reduced as in fdlibm. AVX-512 uses its instructions for tables and exponents.
// - Polynomials are minimax approximations on the reduced intervals.
// - They need IEEE arithmetic: -ffast-math breaks them.
// - ULPs are the largest errors seen on dense samples compared with long double, with FMA.

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
#undef XGRAD_SIMD_UNARY

/// 1 / √x, approximate if the processor has an estimate instruction.
template<class T>
XGRAD_INLINE batch<T> rsqrt(batch<T> x) {
    if constexpr (requires { detail::lanes<T>::rsqrt(x.v); }) return detail::lanes<T>::rsqrt(x.v);
    else return batch<T>(1) / sqrt(x);
}
/// a > b ? a : b. If either is NaN, the result is b.
template<class T>
XGRAD_INLINE batch<T> max(batch<T> a, batch<T> b) {
    return detail::lanes<T>::max(a.v, b.v);
}
/// a < b ? a : b. If either is NaN, the result is b.
template<class T>
XGRAD_INLINE batch<T> min(batch<T> a, batch<T> b) {
    return detail::lanes<T>::min(a.v, b.v);
}
/// Whether a > b in any lane.
template<class T>
XGRAD_INLINE bool any_above(batch<T> a, batch<T> b) {
    return detail::lanes<T>::any_above(a.v, b.v);
}
/// a * b + c, with one rounding if the machine has fused multiply-add.
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
    static constexpr float magic = 12582912.0f;   // 1.5 * 2^23: adding it rounds to an integer in the low bits
    static constexpr float log2e = 1.44269504089f, ln2_high = 0.693145751953125f, ln2_low = 1.4286068203094172e-6f;
    static constexpr float exp_low = -104.0f, exp_high = 89.0f, expm1_low = -18.0f, tanh_high = 9.2f;
    static constexpr float min_normal = 1.17549435e-38f, denormal_scale = 8388608.0f, denormal_shift = 23.0f;
    /// (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2, error 1.4e-9
    static constexpr float exp_poly[] = {0.50000000134658092f, 0.166666666816232314f, 0.04166646492528590541f, 0.008333310925480900835f,
        0.001393364999630925043f, 0.0001989099082467365385f};
    /// (2 atanh(s) - 2 s) / s^3 as a polynomial of z = s^2 for z <= 0.04, error of the logarithm 3e-9
    static constexpr float log_poly[] = {0.6666692605575147f, 0.3995936030674658f, 0.30334842790010275f};
};
template<>
struct float_traits<double> {
    using bits = std::uint64_t;
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr double magic = 6755399441055744.0;   // 1.5 * 2^52
    static constexpr double log2e = 1.4426950408889634074, ln2_high = 0.6931471803691238164901733, ln2_low = 1.908214929270587816144266e-10;
    static constexpr double exp_low = -746.0, exp_high = 710.0, expm1_low = -38.0, tanh_high = 20.0;
    static constexpr double min_normal = 2.2250738585072014e-308, denormal_scale = 4503599627370496.0, denormal_shift = 52.0;
    /// error 6e-20
    static constexpr double exp_poly[] = {0.5, 0.16666666666666682, 0.04166666666666672, 0.008333333333317787, 0.0013888888888860655,
        0.00019841269894888187, 0.0000248015873705209, 2.7557236107815675e-6, 2.7557235538025267e-7, 2.5111664619133395e-8,
        2.0926385631663532e-9};
    /// error 2e-17
    static constexpr double log_poly[] = {0.6666666666667024, 0.3999999999716408, 0.28571429251880137, 0.22222148257225519,
        0.18186013394334039, 0.1525619451135843, 0.15326614222527715};
    // exp with a table: 2^(j / 16), and the relative error of each rounded entry. Then |r| <= ln(2) / 32.
    static constexpr double table_magic = magic / 16;
    static constexpr double exp_table[16] = {0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
        0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0,
        0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0, 0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
    static constexpr double exp_table_rest[16] = {0, 8.189317638195515e-17, -2.7939114859515733e-17, 7.826573258636076e-17,
        3.3484623336251524e-17, 3.750854201303127e-17, 1.9572585293112036e-17, 5.68648095791174e-17, -6.835808657661922e-17,
        -2.3591094770850053e-17, 5.1548301170786783e-17, 1.5341410053603723e-17, 4.875160526227062e-17, 1.685487290628973e-17,
        1.790126907604513e-17, -5.545065618639427e-17};
    /// error 1.3e-17
    static constexpr double exp_table_poly[] = {
        0.5000000000000006, 0.16666666664449703, 0.04166666665979185, 0.00833347117317047, 0.0013889127264528846};
    /// error 1.3e-20
    static constexpr double expm1_table_poly[] = {
        0.5000000000000004, 0.16666666666666677, 0.04166666666080683, 0.008333333332298633, 0.0013889109285904297, 0.00019841568680907586};
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
    for (std::size_t i = last; i > I; i -= 2) r = fma(r, square, batch<T>(c[i - 2]));
    return r;
}
/// The polynomial c[0] + c[1] x + .... Even and odd powers are independent chains, which halves the latency.
template<class T, std::size_t N>
XGRAD_INLINE batch<T> polynomial(batch<T> x, T const (&c)[N]) {
    batch<T> const square = x * x;
    return fma(every_second<1>(square, c), x, every_second<0>(square, c));
}

/// r = x - n ln 2.
template<class T>
XGRAD_INLINE batch<T> without_powers(batch<T> x, batch<T> n) {
    using t = float_traits<T>;
    return fma(n, batch<T>(-t::ln2_low), fma(n, batch<T>(-t::ln2_high), x));
}
/// x = n ln 2 + r with |r| <= ln(2) / 2.
template<class T>
struct exp_parts {
    batch<T> r, n;
    // Offset + n, below the bits of magic. A shift to the exponent drops the bits of magic.
    bits_vec<T> bits;
};
template<int Offset, class T>
XGRAD_INLINE exp_parts<T> reduce_exp(batch<T> x) {
    using t = float_traits<T>;
    constexpr T magic = t::magic + Offset;
    batch<T> const shifted = fma(x, batch<T>(t::log2e), batch<T>(magic));
    batch<T> const n = shifted - batch<T>(magic);
    return {without_powers(x, n), n, to_bits(shifted)};
}
template<class T>
inline constexpr auto magic_bits = std::bit_cast<typename float_traits<T>::bits>(float_traits<T>::magic);

/// exp(r) - 1 on |r| <= ln(2) / 2.
template<class T>
XGRAD_INLINE batch<T> expm1_core(batch<T> r) {
    return fma(polynomial(r, float_traits<T>::exp_poly), r * r, r);
}

template<class T>
concept ExpByTable = requires(lanes<T> l, vec<T> v) {
    float_traits<T>::exp_table;
    l.look_up(float_traits<T>::exp_table, v);
};
/// exp(x) = 2^floor(n) root (1 + rest) exp(r). n is a multiple of 1/16, and root (1 + rest) = 2^(n - floor(n)).
template<class T>
struct table_parts {
    batch<T> n, root, rest, r;
};
template<class T>
XGRAD_INLINE table_parts<T> reduce_by_table(batch<T> x) {
    using t = float_traits<T>;
    batch<T> const shifted = fma(x, batch<T>(t::log2e), batch<T>(t::table_magic)), n = shifted - batch<T>(t::table_magic);
    return {n, lanes<T>::look_up(t::exp_table, shifted.v), lanes<T>::look_up(t::exp_table_rest, shifted.v), without_powers(x, n)};
}
/// (exp(x) - 1) / 2 for x within the clamps. The factor 1/2 avoids an early overflow at n = 128 (1024).
template<class T>
XGRAD_INLINE batch<T> half_expm1(batch<T> x) {
    if constexpr (ExpByTable<T>) {
        auto const [n, root, rest, r] = reduce_by_table(x);
        batch<T> const p = fma(polynomial(r, float_traits<T>::expm1_table_poly), r * r, fma(rest, r, rest)) + r;
        batch<T> const half_scale = lanes<T>::scale(root.v, (n - batch<T>(1)).v);
        return fma(half_scale, p, half_scale - batch<T>(0.5));
    } else {
        using t = float_traits<T>;
        auto const part = reduce_exp<t::bias - 1>(x);
        batch<T> const half_scale = from_bits<T>(part.bits << t::mantissa);
        return fma(half_scale, expm1_core(part.r), half_scale - batch<T>(0.5));
    }
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

namespace detail {
/// 2^n (1 + (exp(r) - 1)) for the parts of an exponent and what is added to r.
template<class T, class... Low>
XGRAD_INLINE batch<T> exp_of_parts(exp_parts<T> part, Low... low) {
    using t = float_traits<T>;
    batch<T> const p = expm1_core((part.r + ... + low));
    if constexpr (requires { lanes<T>::scale(p.v, p.v); }) {
        return lanes<T>::scale((p + batch<T>(1)).v, part.n.v);
    } else {   // 2^n as two factors: a single one cannot reach denormals
        auto const first = part.bits >> 1;
        batch<T> const scale = from_bits<T>(first << t::mantissa);
        return fma(p, scale, scale) * from_bits<T>((part.bits - first) << t::mantissa);
    }
}
template<class T, class... Low>
XGRAD_INLINE batch<T> exp_of_parts(table_parts<T> part, Low... low) {
    batch<T> const r = (part.r + ... + low), p = fma(polynomial(r, float_traits<T>::exp_table_poly), r * r, part.rest) + r;
    return lanes<T>::scale(fma(part.root, p, part.root).v, part.n.v);
}
/// exp(x + low), or exp(x).
template<class T, class... Low>
XGRAD_INLINE batch<T> exp_of_sum(batch<T> x, Low... low) {
    using t = float_traits<T>;
    x = max(batch<T>(t::exp_low), min(batch<T>(t::exp_high), x));
    if constexpr (ExpByTable<T>) return exp_of_parts(reduce_by_table(x), low...);
    else return exp_of_parts(reduce_exp<2 * t::bias>(x), low...);
}
}   // namespace detail

/// e^x: error below 1 ULP. Overflows to inf, and underflows through denormals to 0.
template<class T>
XGRAD_INLINE batch<T> exp(batch<T> x) {
    return detail::exp_of_sum(x);
}

/// e^x - 1: error below 2 ULP, also near 0.
template<class T>
XGRAD_INLINE batch<T> expm1(batch<T> x) {
    using t = detail::float_traits<T>;
    batch<T> const half = detail::half_expm1(max(batch<T>(t::expm1_low), min(batch<T>(t::exp_high), x)));
    return select(abs(x) < batch<T>(std::numeric_limits<T>::epsilon() / 2), x, half + half);
}

/// tanh(x) = t / (t + 1), t = (e^(2|x|) - 1) / 2: error below 3 ULP.
template<class T>
XGRAD_INLINE batch<T> tanh(batch<T> x) {
    using t = detail::float_traits<T>;
    batch<T> const magnitude = min(batch<T>(t::tanh_high), abs(x));
    batch<T> const half = detail::half_expm1(magnitude + magnitude);
    return copysign(half / (half + batch<T>(1)), x);
}

/// 1 / (1 + e^-x): error below 3 ULP.
template<class T>
XGRAD_INLINE batch<T> sigmoid(batch<T> x) {
    return batch<T>(1) / (batch<T>(1) + exp(-x));
}

namespace detail {
/// k ln 2 + log(1 + f) + c for sqrt(1/2) <= 1 + f <= 1.5.
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
template<class T>
concept SplitByInstruction = requires(lanes<T> l, vec<T> v) { l.mantissa(v); };
/// x = 2^k (1 + f) for positive normal x.
/// If instructions split x, it may be any number: log_core then gives the logarithm of 0, inf and NaN too.
template<class T>
XGRAD_INLINE log_parts<T> reduce_log(batch<T> x) {
    using t = float_traits<T>;
    if constexpr (SplitByInstruction<T>) {
        auto const m = lanes<T>::mantissa(x.v);
        return {batch<T>(lanes<T>::exponent(x.v)) - batch<T>(lanes<T>::exponent(m)), batch<T>(m) - batch<T>(1)};
    } else {
        using bits = typename t::bits;
        constexpr bits sqrt_half = std::bit_cast<bits>(static_cast<T>(0.70710678118654752440L));
        constexpr bits one = std::bit_cast<bits>(T(1));
        bits_vec<T> const shifted = to_bits(x) + (one - sqrt_half);
        bits_vec<T> const exponent = shifted >> t::mantissa;
        bits_vec<T> const fraction = (shifted & ((bits(1) << t::mantissa) - 1)) + sqrt_half;
        // Converts the exponent to a number through the bits of magic, so that no conversion of 64-bit integers is needed.
        batch<T> const k = from_bits<T>(exponent + magic_bits<T>) - batch<T>(t::magic + t::bias);
        return {k, from_bits<T>(fraction) - batch<T>(1)};
    }
}
/// Special cases of log: log(0) = -inf, NaN for negative numbers, inf and NaN for themselves.
template<class T>
XGRAD_INLINE batch<T> log_edges(batch<T> x, batch<T> y) {
    constexpr T inf = std::numeric_limits<T>::infinity();
    y = select(x < batch<T>(inf), y, x);
    y = select(x > batch<T>(0), y, batch<T>(std::numeric_limits<T>::quiet_NaN()));
    return select(x == batch<T>(0), batch<T>(-inf), y);
}
}   // namespace detail

/// Natural logarithm: error below 1 ULP, also for denormals.
template<class T>
XGRAD_INLINE batch<T> log(batch<T> x) {
    using t = detail::float_traits<T>;
    if constexpr (detail::SplitByInstruction<T>) {
        auto const [k, f] = detail::reduce_log(x);
        return detail::log_core(k, f, batch<T>(0));
    } else {
        auto const tiny = x < batch<T>(t::min_normal);
        auto const [k, f] = detail::reduce_log(select(tiny, x * batch<T>(t::denormal_scale), x));
        batch<T> const y = detail::log_core(k - select(tiny, batch<T>(t::denormal_shift), batch<T>(0)), f, batch<T>(0));
        return detail::log_edges(x, y);
    }
}

/// log(1 + x): error below 2 ULP, also near 0.
template<class T>
XGRAD_INLINE batch<T> log1p(batch<T> x) {
    batch<T> const one(1);
    batch<T> const u = one + x;
    auto const [k, f] = detail::reduce_log(u);
    // The rounding error of the sum, computed from the smaller summand.
    batch<T> const lost = select(x > one, one - (u - x), x - (u - one)) / u;
    auto const small = k == batch<T>(0);
    batch<T> const y = detail::log_core(k, select(small, x, f), select(small, batch<T>(0), lost));
    return select(abs(x) < batch<T>(std::numeric_limits<T>::epsilon() / 2), x, detail::log_edges(u, y));
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
