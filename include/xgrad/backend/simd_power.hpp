// SPDX-License-Identifier: MIT
// Powers on batches, without branches: exp(y log|x|), and the special cases of C.
// The logarithm is a sum of two numbers, because large powers multiply its error.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_math.hpp>
#include <xgrad/meta/libm.hpp>

XGRAD_NAMESPACE_BEGIN
namespace simd {
namespace detail {

/// A number as the sum high + low, where low is much smaller.
template<class T>
struct two_parts {
    batch<T> high, low;
};
/// a b exactly (except for parts below the denormals).
template<class T>
XGRAD_INLINE two_parts<T> exact_product(batch<T> a, batch<T> b) {
    batch<T> const p = a * b;
#if defined(__FMA__) || defined(__aarch64__)
    return {p, fma(a, b, -p)};
#else
    using bits = typename float_traits<T>::bits;
    constexpr bits upper = static_cast<bits>(~bits(0)) << ((float_traits<T>::mantissa + 2) / 2);
    batch<T> const ah = from_bits<T>(to_bits(a) & upper), bh = from_bits<T>(to_bits(b) & upper), al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
#endif
}
/// a + b exactly; |a| >= |b|, or a is 0.
template<class T>
XGRAD_INLINE two_parts<T> exact_sum(batch<T> a, batch<T> b) {
    batch<T> const s = a + b;
    return {s, (a - s) + b};
}

template<class T>
struct power_traits;
template<>
struct power_traits<float> {
    static constexpr float third = 0.666666687f, third_low = -1.98682149e-08f;   // 2/3
    /// (2 atanh(s) - 2 s - 2/3 s^3) / s^5 as a polynomial of s^2 up to 0.04, error of the logarithm 4e-11
    static constexpr float log_poly[] = {4.000039101e-01f, 2.852556705e-01f, 2.387391925e-01f};
};
template<>
struct power_traits<double> {
    static constexpr double third = 0.66666666666666663, third_low = 3.7007434154171883e-17;
    /// error 2e-21
    static constexpr double log_poly[] = {0.3999999999999972, 0.2857142857157934, 0.22222222190880347, 0.1818182155975395,
        0.1538440492842369, 0.13341194020940556, 0.11591606593891018, 0.12576107194960048};
};

/// log(x) for positive x. For other x, `high` is -inf for 0, inf for inf and NaN for NaN, and `low` is unspecified.
template<class T>
XGRAD_INLINE two_parts<T> log_in_parts(batch<T> x) {
    using t = float_traits<T>;
    using p = power_traits<T>;
    batch<T> shift(0), normal = x;
    if constexpr (!SplitByInstruction<T>) {
        auto const tiny = x < batch<T>(t::min_normal);
        normal = select(tiny, x * batch<T>(t::denormal_scale), x);
        shift = select(tiny, batch<T>(t::denormal_shift), batch<T>(0));
    }
    auto const [whole, f] = reduce_log(normal);
    batch<T> const two(2), k = whole - shift;
    // s = f / (2 + f), log(1 + f) = 2 atanh(s)
    two_parts<T> const g = exact_sum(two, f);
    batch<T> const inverse = batch<T>(1) / g.high, s = f * inverse;
    two_parts<T> const back = exact_product(s, g.high);
    batch<T> const s_low = (((f - back.high) - back.low) - s * g.low) * inverse;
    two_parts<T> const z = exact_product(s, s);
    batch<T> const z_low = z.low + two * s * s_low;
    two_parts<T> const c = exact_sum(batch<T>(p::third), polynomial(z.high, p::log_poly) * z.high);
    two_parts<T> const cube = exact_product(s, z.high);
    batch<T> const cube_low = cube.low + (s * z_low + s_low * z.high);
    two_parts<T> const rest = exact_product(cube.high, c.high);
    batch<T> const rest_low = rest.low + (cube.high * (c.low + batch<T>(p::third_low)) + cube_low * c.high);
    two_parts<T> const near = exact_sum(two * s, rest.high);
    batch<T> const near_low = near.low + fma(two, s_low, rest_low);
    two_parts<T> const all = exact_sum(k * batch<T>(t::ln2_high), near.high);
    batch<T> const low = all.low + fma(k, batch<T>(t::ln2_low), near_low);
    if constexpr (SplitByInstruction<T>) return {all.high, low};
    else return {log_edges(x, all.high), low};
}
}   // namespace detail

/// x to the power y: error below 2 ULP, with the special cases of std::pow.
template<class T>
XGRAD_INLINE batch<T> pow(batch<T> x, batch<T> y) {
    if constexpr (!std::is_floating_point_v<T>) {
        for (std::size_t i = 0; i < batch<T>::size; ++i) x.v[i] = static_cast<T>(libm::pow(x[i], y[i]));
        return x;
    } else {
        constexpr T inf = std::numeric_limits<T>::infinity();
        batch<T> const zero(0), one(1), magnitude = abs(x), half = y * batch<T>(0.5);
        auto const log = detail::log_in_parts(magnitude);
        auto const exponent = detail::exact_product(y, log.high);
        // After an overflow the lower part may be anything, also NaN, so it is clamped.
        constexpr T most = sizeof(T) == 4 ? T(1e-3) : T(1e-6);
        batch<T> const low = max(min(fma(y, log.low, exponent.low), batch<T>(most)), batch<T>(-most));
        batch<T> r = detail::exp_of_sum(exponent.high, low);
        auto const whole = floor(y) == y;
        r = select(whole & (floor(half) != half), copysign(r, x), r);   // odd
        auto const finite_negative = (x < zero) & (x > batch<T>(-inf));
        r = select(finite_negative & !whole, batch<T>(std::numeric_limits<T>::quiet_NaN()), r);
        return select((x == one) | (y == zero) | ((x == -one) & (abs(y) == batch<T>(inf))), one, r);
    }
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
