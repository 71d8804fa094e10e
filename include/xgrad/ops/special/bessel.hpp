// SPDX-License-Identifier: MIT
// Modified Bessel functions of the first kind, of order 0 and 1.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Coefficients of Chebyshev polynomials of |x| / 4 − 1 up to 8, and of 16 / |x| − 1 beyond. small_1 is for the function
/// divided by |x|, the large ones for the function times √|x|.
template<class T>
struct bessel_tables;
template<>
struct bessel_tables<float> {
    static constexpr float small_0[] = {0.3383976372f, -0.3046826723f, 0.1716209015f, -0.09490109705f, 0.04930528424f, -0.02373741481f,
        0.01054646039f, -0.004324309995f, 0.001639475617f, -0.0005763755745f, 0.0001885028851f, -5.75419501e-5f, 1.644844807e-5f,
        -4.416738358e-6f, 1.117387539e-6f, -2.670793854e-7f, 6.046995023e-8f, -1.30002501e-8f, 2.659823725e-9f, -5.189795602e-10f};
    static constexpr float large_0[] = {
        0.4022452055f, 0.003369116478f, 6.889758347e-5f, 2.891370521e-6f, 2.048918589e-7f, 2.26666899e-8f, 3.396232026e-9f};
    static constexpr float small_1[] = {0.1262935932f, -0.1764165184f, 0.1026436587f, -0.05294598121f, 0.02472644903f, -0.01056408489f,
        0.004156422944f, -0.001513572451f, 0.0005122859562f, -0.0001617608158f, 4.781565108e-5f, -1.327316366e-5f, 3.470251308e-6f,
        -8.568720265e-7f, 2.003294754e-7f, -4.445059129e-8f, 9.381537386e-9f, -1.887249752e-9f, 3.625590282e-10f};
    static constexpr float large_1[] = {
        0.3892881175f, -0.009761097491f, -0.0001105889388f, -3.882564809e-6f, -2.512236238e-7f, -2.631468847e-8f, -3.835380386e-9f};
};
template<>
struct bessel_tables<double> {
    static constexpr double small_0[] = {0.33839763720473804, -0.3046826723431984, 0.17162090152220878, -0.094901097048047644,
        0.049305284239670708, -0.023737414805899469, 0.010546460394594998, -0.0043243099950505759, 0.0016394756169413358,
        -0.00057637557453858237, 0.00018850288509584166, -5.7541950100821037e-5, 1.6448448070728897e-5, -4.4167383584587506e-6,
        1.1173875391201037e-6, -2.6707938539406117e-7, 6.0469950225419189e-8, -1.300025009986248e-8, 2.6598237246823867e-9,
        -5.1897956016352629e-10, 9.6758090353732369e-11, -1.7268262914415557e-11, 2.9550526631296398e-12, -4.8564467831119295e-13,
        7.6761854986049356e-14, -1.1685332877993452e-14, 1.715391285555133e-15, -2.4312798465479547e-16, 3.3307945188222381e-17,
        -4.4153416464793394e-18};
    static constexpr double large_0[] = {0.40224520550705442, 0.0033691164782556941, 6.889758346916824e-5, 2.8913705208347565e-6,
        2.0489185894690637e-7, 2.2666689904981781e-8, 3.3962320257083863e-9, 4.9406023882249696e-10, 1.1889147107846438e-11,
        -3.1499165279632414e-11, -1.3215811840447713e-11, -1.7941785315068061e-12, 7.1801244513836662e-13, 3.8527783827421427e-13,
        1.5400862175214098e-14, -4.1505693472872221e-14, -9.5548466988283076e-15, 3.8116806693526224e-15, 1.7725601330565264e-15,
        -3.4254856196772191e-16, -2.8276239805165835e-16, 3.4612228676974611e-17, 4.46562142029676e-17, -4.8305044859441821e-18,
        -7.233180487874754e-18};
    static constexpr double small_1[] = {0.12629359322181683, -0.17641651835783406, 0.1026436586898471, -0.052945981208094991,
        0.024726449030626517, -0.010564084894626198, 0.0041564229443128882, -0.0015135724506312531, 0.00051228595616857577,
        -0.00016176081582589675, 4.7815651075500542e-5, -1.3273163656039436e-5, 3.4702513081376785e-6, -8.5687202646954547e-7,
        2.0032947535521353e-7, -4.4450591287963281e-8, 9.3815373864957718e-9, -1.8872497517228293e-9, 3.625590281552117e-10,
        -6.6634897235020277e-11, 1.1736186298890902e-11, -1.9839743977649437e-12, 3.2237933659455747e-13, -5.0421855047279117e-14,
        7.6006842947354069e-15, -1.1055969477353863e-15, 1.5536319577362005e-16, -2.1114212143581661e-17, 2.7779141127610464e-18};
    static constexpr double large_1[] = {0.38928811750914006, -0.0097610974913614684, -0.00011058893876262372, -3.8825648088776904e-6,
        -2.5122362378702089e-7, -2.6314688468895195e-8, -3.835380385964237e-9, -5.5897434621965838e-10, -1.8974958123505412e-11,
        3.2526035830154882e-11, 1.4125807436613781e-11, 2.0356285441470895e-12, -7.1985517762459085e-13, -4.0835511110921973e-13,
        -2.1015418427726643e-14, 4.2724400167119514e-14, 1.0420276984128803e-14, -3.8144030724370078e-15, -1.8803547755107824e-15,
        3.3082023109209283e-16, 2.9626289976459501e-16, -3.209525921993424e-17, -4.6503053684893583e-17, 4.4143483230717079e-18,
        7.5172963108421048e-18};
};
/// c[0] + c[1] T1(x) + c[2] T2(x) + ... by Clenshaw's rule.
template<class V, std::size_t N>
XGRAD_INLINE V chebyshev_sum(V const& x, math::scalar_of<V> const (&c)[N]) {
    V const twice = x + x;
    V next(0), r(0);
    for (std::size_t i = N - 1; i > 0; --i) {
        V const before = r;
        r = math::fma(twice, r, V(c[i]) - next);
        next = before;
    }
    return math::fma(x, r, V(c[0]) - next);
}
/// exp(−|x|) I(|x|) of order 0 or 1.
template<int Order, class V>
XGRAD_INLINE V scaled_bessel(V const& x) {
    using T = math::scalar_of<V>;
    using t = bessel_tables<T>;
    V const size = math::abs(x), below = math::min(V(8), size), above = math::max(V(8), size);
    V const near = V(T(0.25)) * below - V(1), far = V(16) / above - V(1);
    auto const [small, large] = [&] {
        struct both {
            V small, large;
        };
        if constexpr (Order == 0) return both{chebyshev_sum(near, t::small_0), chebyshev_sum(far, t::large_0)};
        else return both{below * chebyshev_sum(near, t::small_1), chebyshev_sum(far, t::large_1)};
    }();
    return math::where(math::less_equal(size, V(8)), small, large / math::sqrt(above));
}

struct bessel_i0e : floating_function {
    static constexpr std::string_view name = "bessel_i0e";
    static constexpr int flops = 120;
    XGRAD_INLINE static auto value(auto x) { return scaled_bessel<0>(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
struct bessel_i1e : floating_function {
    static constexpr std::string_view name = "bessel_i1e";
    static constexpr int flops = 120;
    XGRAD_INLINE static auto value(auto x) { return math::copysign(scaled_bessel<1>(x), x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
struct bessel_i0 : floating_function {
    static constexpr std::string_view name = "bessel_i0";
    static constexpr int flops = 140;
    XGRAD_INLINE static auto value(auto x) {
        decltype(x) const size = math::abs(x), inf(std::numeric_limits<math::scalar_of<decltype(x)>>::infinity());
        return math::where(math::equal(size, inf), inf, math::exp(size) * scaled_bessel<0>(x));
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct bessel_i1 : floating_function {
    static constexpr std::string_view name = "bessel_i1";
    static constexpr int flops = 140;
    XGRAD_INLINE static auto value(auto x) {
        decltype(x) const size = math::abs(x), inf(std::numeric_limits<math::scalar_of<decltype(x)>>::infinity());
        return math::where(math::equal(size, inf), x, math::exp(size) * math::copysign(scaled_bessel<1>(x), x));
    }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
}

/// exp(−|x|) I₀(x), with the modified Bessel function of the first kind of order 0. 0 for infinite x.
/// Gradient: exp(−|x|) I₁(x) − sign(x) times the value, times g. For large x it loses digits, because the terms are nearly equal.
inline constexpr elementwise<op::bessel_i0e> bessel_i0e{};
/// exp(−|x|) I₁(x), with the modified Bessel function of the first kind of order 1. 0 for infinite x.
/// Gradient: exp(−|x|) (I₀(x) − I₁(x) / x) − sign(x) times the value, times g. For large x it loses digits, because the terms are nearly
/// equal.
inline constexpr elementwise<op::bessel_i1e> bessel_i1e{};
/// I₀(x), the modified Bessel function of the first kind of order 0. It overflows where eˣ does.
inline constexpr elementwise<op::bessel_i0> bessel_i0{};
/// I₁(x), the modified Bessel function of the first kind of order 1. It overflows where eˣ does.
/// Gradient: I₀(x) − I₁(x) / x, times g.
inline constexpr elementwise<op::bessel_i1> bessel_i1{};

namespace op {
/// ½ Σ uᵏ / (k! (k + 1)!): J₁(x) / x for u = −x² / 4 (DLMF 10.2.2), I₁(x) / x for u = x² / 4 (10.25.2), for x up to ½.
constexpr symbol order_one_series(symbol u) {
    return 0.5_c +
           u * (0.25_c +
                   u * (0.041666666666666666667_c +
                           u * (0.0034722222222222222222_c +
                                   u * (0.00017361111111111111111_c + u * (5.787037037037037037e-6_c + u * 1.377865961199294533e-7_c)))));
}
/// y / x near 0 by a series, because derivatives of the quotient would lose their digits there.
constexpr symbol quotient_near_zero(symbol x, symbol y, symbol near, symbol series) {
    return xgrad::select(near, series, y / xgrad::select(near, 1_c, x));
}
constexpr symbol bessel_i0e::derivative(symbol x, symbol y, symbol g) { return g * (xgrad::bessel_i1e(x) - xgrad::sign(x) * y); }
constexpr symbol bessel_i0::derivative(symbol x, symbol, symbol g) { return g * xgrad::bessel_i1(x); }
constexpr symbol bessel_i1e::derivative(symbol x, symbol y, symbol g) {
    symbol const near = xgrad::less(xgrad::abs(x), 0.5_c), small = xgrad::select(near, x, 0_c);
    symbol const series = xgrad::exp(-xgrad::abs(small)) * order_one_series(0.25_c * xgrad::square(small));
    return g * (xgrad::bessel_i0e(x) - xgrad::sign(x) * y - quotient_near_zero(x, y, near, series));
}
constexpr symbol bessel_i1::derivative(symbol x, symbol y, symbol g) {
    symbol const near = xgrad::less(xgrad::abs(x), 0.5_c), small = xgrad::select(near, x, 0_c);
    return g * (xgrad::bessel_i0(x) - quotient_near_zero(x, y, near, order_one_series(0.25_c * xgrad::square(small))));
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
