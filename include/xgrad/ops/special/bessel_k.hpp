// SPDX-License-Identifier: MIT
// Modified Bessel functions of the second kind, of order 0 and 1.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/special/bessel.hpp>
#include <xgrad/ops/special/erfc.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Chebyshev coefficients. Up to 2, of x² / 2 − 1: K₀(x) + log(x/2) I₀(x) and x (K₁(x) − log(x/2) I₁(x)), as DLMF 10.31 splits
/// them. Beyond, of 4 / x − 1: the functions times √x eˣ. The series of I₀(x) and I₁(x) / x in x² / 4 are `first`.
template<class T>
struct bessel_k_tables;
template<>
struct bessel_k_tables<float> {
    static constexpr float small_0[] = {
        -0.2676636966f, 0.3442898999f, 0.03597993652f, 0.001264615411f, 2.286212103e-5f, 2.534791079e-7f, 1.904516377e-9f};
    static constexpr float large_0[] = {1.220151541f, -0.03144810131f, 0.001569883886f, -0.0001284954958f, 1.394981372e-5f,
        -1.831755523e-6f, 2.766813639e-7f, -4.660489898e-8f, 8.574034017e-9f};
    static constexpr float small_1[] = {
        0.7626501137f, -0.3531559608f, -0.1226111808f, -0.00697572386f, -0.0001730288958f, -2.433406142e-6f, -2.213387631e-8f};
    static constexpr float large_1[] = {1.360313095f, 0.1039237366f, -0.00285781686f, 0.0001952155185f, -1.936197974e-5f, 2.406484948e-6f,
        -3.501960603e-7f, 5.741084125e-8f, -1.034576247e-8f};
    static constexpr float first_0[] = {1.0f, 1.0f, 0.25f, 0.02777777778f, 0.001736111111f, 6.944444444e-5f, 1.929012346e-6f};
    static constexpr float first_1[] = {0.5f, 0.25f, 0.04166666667f, 0.003472222222f, 0.0001736111111f, 5.787037037e-6f, 1.377865961e-7f};
};
template<>
struct bessel_k_tables<double> {
    static constexpr double small_0[] = {-0.267663696616951384, 0.344289899924628487, 0.0359799365153615016, 0.00126461541144692592,
        2.28621210311945179e-5, 2.53479107902614946e-7, 1.90451637722020886e-9, 1.03496952576336246e-11, 4.25981614279108258e-14,
        1.3744654358807509e-16};
    static constexpr double large_0[] = {1.22015154103297773, -0.0314481013119645005, 0.00156988388573005337, -0.000128495495816278026,
        1.39498137188764994e-5, -1.83175552271911948e-6, 2.76681363944501508e-7, -4.66048989768794767e-8, 8.57403401741422609e-9,
        -1.69753450938906152e-9, 3.57739728140032845e-10, -7.95748924447739704e-11, 1.85594911495492655e-11, -4.51459788337451918e-12,
        1.14034058820734423e-12, -2.98009692314817835e-13, 8.03289077506837437e-14, -2.22751332674629636e-14, 6.34007647627664597e-15,
        -1.84859337792090717e-15, 5.51205599940433336e-16, -1.67823112575490064e-16, 5.21039177764355411e-17, -1.64758059398426328e-17};
    static constexpr double small_1[] = {0.762650113669473885, -0.353155960776544876, -0.122611180822657148, -0.00697572385963986435,
        -0.000173028895751305206, -2.43340614156596823e-6, -2.21338763073472586e-8, -1.41148839263352776e-10, -6.66690169419932901e-13,
        -2.42744985051936593e-15};
    static constexpr double large_1[] = {1.36031309524222133, 0.103923736576817238, -0.00285781685962277939, 0.000195215518471351631,
        -1.93619797416608296e-5, 2.40648494783721712e-6, -3.50196060308781254e-7, 5.74108412545004929e-8, -1.0345762465678097e-8,
        2.01504975519703462e-9, -4.19035475934192558e-10, 9.21831518760531413e-11, -2.12996783842779102e-11, 5.13963967348234354e-12,
        -1.28917396094982294e-12, 3.34841966605224312e-13, -8.97670518201014607e-14, 2.47715442421959868e-14, -7.01983708921476885e-15,
        2.03870316623986088e-15, -6.05704727064301782e-16, 1.83809357524304543e-16, -5.68946284919364837e-17, 1.79405104788635729e-17};
    static constexpr double first_0[] = {1.0, 1.0, 0.25, 0.0277777777777777778, 0.00173611111111111111, 6.94444444444444444e-5,
        1.92901234567901235e-6, 3.93675988914084152e-8, 6.15118732678256488e-10, 7.59405842812662331e-12, 7.59405842812662331e-14,
        6.27608134555919281e-16};
    static constexpr double first_1[] = {0.5, 0.25, 0.0416666666666666667, 0.00347222222222222222, 0.000173611111111111111,
        5.78703703703703704e-6, 1.37786596119929453e-7, 2.46047493071302595e-9, 3.41732629265698049e-11, 3.79702921406331165e-13,
        3.45184474005755605e-15, 2.61503389398299701e-17};
};
/// K(x) of order 0 or 1, times eˣ if it is scaled. By the method of Cephes: a logarithm and a series up to 2, a series in 1/x beyond.
template<int Order, bool Scaled, class V>
XGRAD_INLINE V bessel_k_of(V const& x) {
    using T = math::scalar_of<V>;
    using t = bessel_k_tables<T>;
    V const below = math::min(V(2), x), above = math::max(V(2), x), half = below * V(T(0.5)), square = half * half;
    V const near = math::fma(V(2), square, V(-1)), far = V(4) / above - V(1), logarithm = math::log(half);
    auto const [small, large] = [&] {
        struct both {
            V small, large;
        };
        if constexpr (Order == 0)
            return both{chebyshev_sum(near, t::small_0) - logarithm * horner(square, t::first_0), chebyshev_sum(far, t::large_0)};
        else
            return both{
                chebyshev_sum(near, t::small_1) / below + logarithm * below * horner(square, t::first_1), chebyshev_sum(far, t::large_1)};
    }();
    V const scaled = large / math::sqrt(above);
    V const r = Scaled ? math::where(math::less_equal(x, V(2)), small * math::exp(below), scaled)
                       : math::where(math::less_equal(x, V(2)), small, scaled * math::exp(-above));
    V const outside = math::where(math::equal(x, V(0)), V(std::numeric_limits<T>::infinity()), V(std::numeric_limits<T>::quiet_NaN()));
    return math::where(math::greater(x, V(0)), r, outside);
}

struct bessel_k0e : floating_function {
    static constexpr std::string_view name = "bessel_k0e";
    static constexpr int flops = 150;
    XGRAD_INLINE static auto value(auto x) { return bessel_k_of<0, true>(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
struct bessel_k1e : floating_function {
    static constexpr std::string_view name = "bessel_k1e";
    static constexpr int flops = 150;
    XGRAD_INLINE static auto value(auto x) { return bessel_k_of<1, true>(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
struct bessel_k0 : floating_function {
    static constexpr std::string_view name = "bessel_k0";
    static constexpr int flops = 150;
    XGRAD_INLINE static auto value(auto x) { return bessel_k_of<0, false>(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct bessel_k1 : floating_function {
    static constexpr std::string_view name = "bessel_k1";
    static constexpr int flops = 150;
    XGRAD_INLINE static auto value(auto x) { return bessel_k_of<1, false>(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
}

/// K₀(x), the modified Bessel function of the second kind of order 0. Error below 8 ULP in float, 2e-15 relative in double.
/// It is inf at 0, 0 at inf, and NaN for negative x as in SciPy, where TensorFlow has inf.
///
/// Gradient: −K₁(x), times g.
inline constexpr elementwise<op::bessel_k0> bessel_k0{};
/// eˣ K₀(x), with the modified Bessel function of the second kind of order 0. Precision and edges are those of bessel_k0, but it does
/// not underflow for large x.
///
/// Gradient: eˣ (K₀(x) − K₁(x)), times g. It is NaN at 0. For large x it loses digits, because the terms are nearly equal.
inline constexpr elementwise<op::bessel_k0e> bessel_k0e{};
/// K₁(x), the modified Bessel function of the second kind of order 1. Error below 8 ULP in float, 2e-15 relative in double.
/// It is inf at 0, 0 at inf, and NaN for negative x as in SciPy, where TensorFlow has inf.
///
/// Gradient: −K₀(x) − K₁(x) / x, times g.
inline constexpr elementwise<op::bessel_k1> bessel_k1{};
/// eˣ K₁(x), with the modified Bessel function of the second kind of order 1. Precision and edges are those of bessel_k1, but it does
/// not underflow for large x.
///
/// Gradient: eˣ (K₁(x) (1 − 1/x) − K₀(x)), times g. For large x it loses digits, because the terms are nearly equal.
inline constexpr elementwise<op::bessel_k1e> bessel_k1e{};

namespace op {
constexpr symbol bessel_k0e::derivative(symbol x, symbol y, symbol g) { return g * (y - xgrad::bessel_k1e(x)); }
constexpr symbol bessel_k1e::derivative(symbol x, symbol y, symbol g) { return g * (y * (1_c - 1_c / x) - xgrad::bessel_k0e(x)); }
constexpr symbol bessel_k0::derivative(symbol x, symbol, symbol g) { return -(g * xgrad::bessel_k1(x)); }
constexpr symbol bessel_k1::derivative(symbol x, symbol y, symbol g) { return -(g * (xgrad::bessel_k0(x) + y / x)); }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
