// SPDX-License-Identifier: MIT
// Sine and cosine on batches: x = n pi/2 + r, with pi/2 as a sum of parts, and minimax polynomials on |r| <= pi/4.
// Lanes beyond `far` use the C library.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_math.hpp>
#include <xgrad/meta/libm.hpp>

XGRAD_NAMESPACE_BEGIN
namespace simd {
namespace detail {

/// pi/2 = half_pi[0] + half_pi[1] + .... With fused multiply-add the parts are full numbers.
/// Without it they are short, so that their products with n are exact.
/// Below `far` every n is an integer. There the error of the parts is small compared with the distance of any number
/// to a multiple of pi/2.
template<class T>
struct trigonometry_traits;
template<>
struct trigonometry_traits<float> {
    static constexpr float two_over_pi = 0.636619772f;
#if defined(__FMA__) || defined(__aarch64__)
    static constexpr float far = 65536.0f;
    static constexpr float half_pi[] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
#else
    static constexpr float far = 1600.0f;
    static constexpr float half_pi[] = {0x1.922p+0f, -0x1.2afp-18f, 0x1.0b48p-34f, -0x1.ee59dap-50f};
#endif
    /// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 as polynomials of r^2, errors 4e-9 and 1e-10
    static constexpr float sin_poly[] = {-1.666665375e-01f, 8.332112804e-03f, -1.950871956e-04f};
    static constexpr float cos_poly[] = {4.166664556e-02f, -1.388725243e-03f, 2.442577170e-05f};
};
template<>
struct trigonometry_traits<double> {
    static constexpr double two_over_pi = 0.63661977236758134308;
#if defined(__FMA__) || defined(__aarch64__)
    static constexpr double far = 1073741824.0;
    static constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
#else
    static constexpr double far = 1048576.0;
    static constexpr double half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
#endif
    /// errors 4e-18 and 7e-20
    static constexpr double sin_poly[] = {-0.16666666666666627, 0.008333333333320954, -0.00019841269828628356, 2.755731327896907e-06,
        -2.5050692878254855e-08, 1.5892981881672706e-10};
    static constexpr double cos_poly[] = {0.04166666666666658, -0.0013888888888871384, 2.48015872877858e-05, -2.75573138658876e-07,
        2.0875657571486305e-09, -1.135626481421091e-11};
};

/// |x| = n pi/2 + (high + low), n in the low bits.
template<class T>
struct quarter_turns {
    batch<T> high, low;
    bits_vec<T> n;
};
template<class T>
XGRAD_INLINE quarter_turns<T> reduce_turns(batch<T> x) {
    using t = trigonometry_traits<T>;
    constexpr T magic = float_traits<T>::magic;
    batch<T> const shifted = fma(x, batch<T>(t::two_over_pi), batch<T>(magic)), n = shifted - batch<T>(magic);
    batch<T> const first = fma(n, batch<T>(-t::half_pi[0]), x);   // exact
    batch<T> const second = n * batch<T>(t::half_pi[1]), high = first - second;
    batch<T> low = ((first - high) - second) - fma(n, batch<T>(t::half_pi[1]), -second);
    for (std::size_t k = 2; k < sizeof(t::half_pi) / sizeof(T); ++k) low = fma(n, batch<T>(-t::half_pi[k]), low);
    return {high, low, to_bits(shifted)};
}

template<bool Cosine, class T>
XGRAD_NOINLINE vec<T> far_turns(vec<T> x, vec<T> near) {
    for (std::size_t i = 0; i < width<T>; ++i) {
        T const a = x[i];
        if (libm::abs(a) > trigonometry_traits<T>::far) near[i] = Cosine ? libm::cos(a) : libm::sin(a);
    }
    return near;
}
/// Computes both polynomials. Each lane takes the one for its quadrant: sin(x) = cos(x - pi/2).
template<bool Cosine, class T>
XGRAD_INLINE batch<T> turned(batch<T> x) {
    using t = trigonometry_traits<T>;
    using bits = typename float_traits<T>::bits;
    constexpr int sign = sizeof(T) * 8 - 1;
    batch<T> const magnitude = abs(x), half(T(0.5)), one(T(1));
    auto const [high, low, n] = reduce_turns(magnitude);
    batch<T> const z = high * high, h = half * z, rest = one - h;
    batch<T> const s = high + fma(polynomial(z, t::sin_poly) * z, high, low * rest);
    batch<T> const c = rest + (((one - rest) - h) + fma(polynomial(z, t::cos_poly) * z, z, -(high * low)));
    bits_vec<T> const quadrant = Cosine ? n + 1 : n;
    batch<T> r((quadrant & 1) != 0 ? c.v : s.v);
    bits_vec<T> flip = (quadrant >> 1) << sign;
    if constexpr (!Cosine) flip ^= to_bits(x) & (bits(1) << sign);
    r = from_bits<T>(to_bits(r) ^ flip);
    if (any_above(magnitude, batch<T>(t::far))) [[unlikely]]
        r = far_turns<Cosine, T>(x.v, r.v);
    return r;
}
}   // namespace detail

/// Error below 1 ULP, or 1.5 ULP without fused multiply-add.
template<class T>
XGRAD_INLINE batch<T> sin(batch<T> x) {
    return detail::turned<false>(x);
}
/// Error below 1 ULP, or 1.5 ULP without fused multiply-add.
template<class T>
XGRAD_INLINE batch<T> cos(batch<T> x) {
    return detail::turned<true>(x);
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
