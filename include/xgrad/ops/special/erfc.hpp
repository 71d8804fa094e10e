// SPDX-License-Identifier: MIT
// The complement of the error function, the normal distribution, and their inverses.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// c[0] + c[1] x + ... by Horner's rule.
template<class V, std::size_t N>
XGRAD_INLINE V horner(V const& x, math::scalar_of<V> const (&c)[N]) {
    V r(c[N - 1]);
    for (std::size_t i = N - 1; i > 0; --i) r = math::fma(r, x, V(c[i - 1]));
    return r;
}

/// c[0] + c[1] x + ..., where even and odd powers are independent chains, which halves the latency.
template<class V, std::size_t N>
XGRAD_INLINE V in_two_chains(V const& x, math::scalar_of<V> const (&c)[N]) {
    static_assert(N > 2);
    V const square = x * x;
    V high(c[N - 1]), low(c[N - 2]);
    for (std::size_t i = N - 1; i > 2; i -= 2) {
        high = math::fma(high, square, V(c[i - 2]));
        low = math::fma(low, square, V(c[i - 3]));
    }
    if constexpr (N % 2 == 0) return math::fma(high, x, low);
    else return math::fma(low, x, math::fma(high, square, V(c[0])));
}

/// (z + center) exp(z²) erfc(z) as a polynomial of (z − center) / (z + center), for z up to the number where erfc underflows.
template<class T>
struct erfc_traits;
template<>
struct erfc_traits<float> {
    static constexpr float center = 2.5f, limit = 10.3f;
    static constexpr float poly[] = {1.054031819f, -0.8046518164f, 0.4539142285f, -0.1712522075f, 0.0283593864f, 0.008402080953f,
        -0.004802227152f, -0.0004664502064f, 0.0006470688957f, 7.886258267e-5f, -3.980888955e-5f};   // error 3.2e-9
};
template<>
struct erfc_traits<double> {
    static constexpr double center = 3.5, limit = 27.3;
    static constexpr double poly[] = {1.08705558926226008, -0.937799724567112042, 0.694113646634644468, -0.435256026716887042,
        0.225738621647408948, -0.092318706638519633, 0.0265186198816823652, -0.00317705034246097747, -0.00130535469178826431,
        0.000714531686323573093, -0.0000420621657463390258, -0.0000747771016728846669, 0.0000186471948028422051, 7.2442112636493443e-6,
        -3.39203386781552928e-6, -7.96462774482471042e-7, 5.50530084411947078e-7, 1.16199251723102349e-7, -8.35036726289027999e-8,
        -2.17699604944603555e-8, 9.03672996122364068e-9, 3.29508665566919416e-9};   // error 1.8e-17
};
/// The square of a minus its rounded value. Without the fused instruction, a is split into halves.
template<class V>
XGRAD_INLINE V rest_of_square(V const& a, V const& square) {
#if defined(__FMA__) || defined(__aarch64__)
    return math::fma(a, a, -square);
#else
    using T = math::scalar_of<V>;
    V const part = a * V(sizeof(T) == 4 ? T(4097) : T(134217729)), high = part - (part - a), low = a - high;
    return ((high * high - square) + V(T(2)) * high * low) + low * low;
#endif
}
/// erfc(|x| √scale) for scale 1 or 1/2. The square of x is exact in two parts, because erfc multiplies its error.
template<bool Halved, class V>
XGRAD_INLINE V erfc_of_magnitude(V const& x) {
    using T = math::scalar_of<V>;
    using t = erfc_traits<T>;
    constexpr T root = Halved ? T(0.70710678118654752440) : T(1), factor = Halved ? T(0.5) : T(1);
    V const magnitude = math::min(V(t::limit / root), math::abs(x)), square = magnitude * magnitude;
    V const decay = math::exp(-(square * V(factor))), rest = rest_of_square(magnitude, square) * V(factor);
    V const inverse = V(T(1)) / math::fma(magnitude, V(root), V(t::center));
    V const scaled = in_two_chains(math::fma(inverse, V(T(-2) * t::center), V(T(1))), t::poly) * inverse;
    return scaled * math::fma(-decay, rest, decay);
}

/// Wichura's rational functions (algorithm AS 241) for quantiles of the normal distribution, to 16 digits.
template<class T>
struct quantile_tables {
    static constexpr T middle[] = {T(3.3871328727963666080e0), T(1.3314166789178437745e2), T(1.9715909503065514427e3),
        T(1.3731693765509461125e4), T(4.5921953931549871457e4), T(6.7265770927008700853e4), T(3.3430575583588128105e4),
        T(2.5090809287301226727e3)};
    static constexpr T below_middle[] = {T(1), T(4.2313330701600911252e1), T(6.8718700749205790830e2), T(5.3941960214247511077e3),
        T(2.1213794301586595867e4), T(3.9307895800092710610e4), T(2.8729085735721942674e4), T(5.2264952788528545610e3)};
    static constexpr T tail[] = {T(1.42343711074968357734e0), T(4.63033784615654529590e0), T(5.76949722146069140550e0),
        T(3.64784832476320460504e0), T(1.27045825245236838258e0), T(2.41780725177450611770e-1), T(2.27238449892691845833e-2),
        T(7.74545014278341407640e-4)};
    static constexpr T below_tail[] = {T(1), T(2.05319162663775882187e0), T(1.67638483018380384940e0), T(6.89767334985100004550e-1),
        T(1.48103976427480074590e-1), T(1.51986665636164571966e-2), T(5.47593808499534494600e-4), T(1.05075007164441684324e-9)};
    static constexpr T far[] = {T(6.65790464350110377720e0), T(5.46378491116411436990e0), T(1.78482653991729133580e0),
        T(2.96560571828504891230e-1), T(2.65321895265761230930e-2), T(1.24266094738807843860e-3), T(2.71155556874348757815e-5),
        T(2.01033439929228813265e-7)};
    static constexpr T below_far[] = {T(1), T(5.99832206555887937690e-1), T(1.36929880922735805310e-1), T(1.48753612908506148525e-2),
        T(7.86869131145613259100e-4), T(1.84631831751005468180e-5), T(1.42151175831644588870e-7), T(2.04426310338993978564e-15)};
};
/// The quantile of probability 1/2 + q, where `outside` is the probability of the tail beyond it.
template<class V>
XGRAD_INLINE V normal_quantile(V const& q, V const& outside) {
    using T = math::scalar_of<V>;
    using t = quantile_tables<T>;
    V const r = V(T(0.180625)) - q * q;
    V const middle = q * horner(r, t::middle) / horner(r, t::below_middle);
    V const s = math::sqrt(-math::log(outside)), near = s - V(T(1.6)), far = s - V(T(5));
    V const beyond = math::where(
        math::greater(s, V(T(5))), horner(far, t::far) / horner(far, t::below_far), horner(near, t::tail) / horner(near, t::below_tail));
    V const infinite = math::where(math::equal(outside, V(T(0))), V(std::numeric_limits<T>::infinity()), beyond);
    return math::where(math::less_equal(math::abs(q), V(T(0.425))), middle, math::copysign(infinite, q));
}

struct erfc : floating_function {
    static constexpr std::string_view name = "erfc";
    static constexpr int flops = 60;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        V const e = erfc_of_magnitude<false>(x);
        return math::where(math::less(x, V(0)), V(2) - e, e);
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * (-1.1283791670955126_c * xgrad::exp(-xgrad::square(x))); }
};
struct ndtr : floating_function {
    static constexpr std::string_view name = "ndtr";
    static constexpr int flops = 60;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const e = V(T(0.5)) * erfc_of_magnitude<true>(x);
        return math::where(math::less(x, V(0)), e, V(1) - e);
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        return g * (0.3989422804014327_c * xgrad::exp(-0.5_c * xgrad::square(x)));
    }
};
struct erfinv : floating_function {
    static constexpr std::string_view name = "erfinv";
    static constexpr int flops = 110;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const half(T(0.5));
        return normal_quantile<V>(half * x, half * (V(1) - math::abs(x))) * V(static_cast<T>(0.70710678118654752440));
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (0.886226925452758_c * xgrad::exp(xgrad::square(y))); }
};
struct ndtri : floating_function {
    static constexpr std::string_view name = "ndtri";
    static constexpr int flops = 110;
    XGRAD_INLINE static auto value(auto p) {
        using V = decltype(p);
        using T = math::scalar_of<V>;
        V const q = p - V(T(0.5));
        return normal_quantile<V>(q, math::where(math::less(q, V(0)), p, V(1) - p));
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) {
        return g * (2.5066282746310002_c * xgrad::exp(0.5_c * xgrad::square(y)));
    }
};
/// Σ 1 · 3 ··· (2n − 1) (u / 2)ⁿ from n = 1 to 9, for |u| up to 1/256. By it the asymptotic series of erfcx and of Dawson's function
/// differ from their first terms (DLMF 7.12.1).
constexpr symbol rest_of_series(symbol u) {
    constexpr auto step = [](symbol v, auto factor, symbol rest) { return factor * v * (1_c + rest); };
    symbol r = 8.5_c * u;
    r = step(u, 7.5_c, r);
    r = step(u, 6.5_c, r);
    r = step(u, 5.5_c, r);
    r = step(u, 4.5_c, r);
    r = step(u, 3.5_c, r);
    r = step(u, 2.5_c, r);
    r = step(u, 1.5_c, r);
    return step(u, 0.5_c, r);
}
}

/// 1 − erf(x), with a small relative error for large x too: below 8 ULP.
inline constexpr elementwise<op::erfc> erfc{};
/// The normal distribution Φ(x) = 0.5 erfc(−x / √2), the probability of numbers below x. Error below 8 ULP, also for
/// probabilities near 0.
inline constexpr elementwise<op::ndtr> ndtr{};
/// The inverse of erf. Infinite at −1 and 1, NaN beyond.
inline constexpr elementwise<op::erfinv> erfinv{};
/// The inverse of the normal distribution: the quantile of probability p. Infinite at 0 and 1, NaN beyond.
inline constexpr elementwise<op::ndtri> ndtri{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
