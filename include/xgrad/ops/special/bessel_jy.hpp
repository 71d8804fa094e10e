// SPDX-License-Identifier: MIT
// Bessel functions of the first and second kind, of order 0 and 1. bessel.hpp has the modified ones.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/special/bessel.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Coefficients of Chebyshev polynomials. Those of `near` are for x² / 32 − 1 up to 8: of J0, J1 / x, and of both Y without the terms that
/// have a logarithm or 1 / x. Those of `far` are for 128 / x² − 1 beyond: Hankel's P, and Q times x / 8.
template<class T>
struct bessel_jy_tables;
template<>
struct bessel_jy_tables<float> {
    static constexpr float near_j0[] = {0.1577279715f, -0.008723442353f, 0.2651786132f, -0.3700949939f, 0.1580671023f, -0.03489376941f,
        0.004819180069f, -0.0004606261662f, 3.246032882e-5f, -1.761946908e-6f, 7.608163592e-8f, -2.679253531e-9f};
    static constexpr float near_j1[] = {0.08104484633f, -0.1489751451f, 0.1609992624f, -0.08268049177f, 0.02221363965f, -0.003646940601f,
        0.0004050337728f, -3.255554867e-5f, 1.985877405e-6f, -9.521984757e-8f, 3.687133759e-9f};
    static constexpr float near_y0[] = {-0.0331461132f, -0.2744743055f, 0.1790343141f, 0.2615673463f, -0.1773020128f, 0.0471966896f,
        -0.00728796248f, 0.0007531135933f, -5.632079141e-5f, 3.206532538e-6f, -1.440723327e-7f, 5.248794787e-9f};
    static constexpr float near_y1[] = {0.002538013236f, -0.01608717305f, -0.09591204536f, 0.0844519726f, -0.02832812394f, 0.005289897544f,
        -0.0006414551451f, 5.505982873e-5f, -3.538080019e-6f, 1.770780456e-7f, -7.11055005e-9f};
    static constexpr float far_p0[] = {0.9994603493f, -0.0005365220468f, 3.075184788e-6f, -5.170594538e-8f};
    static constexpr float far_q0[] = {-0.01555585461f, 6.838519943e-5f, -7.414498411e-7f, 1.797245725e-8f, -7.271915937e-10f};
    static constexpr float far_p1[] = {1.000903041f, 0.0008989898331f, -3.9872843e-6f, 6.177633961e-8f};
    static constexpr float far_q1[] = {0.04677778707f, -9.627723549e-5f, 9.138615258e-7f, -2.095978138e-8f, 8.229193328e-10f};
};
template<>
struct bessel_jy_tables<double> {
    static constexpr double near_j0[] = {0.157727971474890122, -0.00872344235285222105, 0.265178613203336799, -0.370094993872649769,
        0.158067102332097253, -0.0348937694114088842, 0.00481918006946760458, -0.000460626166206275038, 0.0000324603288210050832,
        -1.76194690776215074e-6, 7.60816359241878206e-8, -2.6792535305576728e-9, 7.84869631447946477e-11, -1.94383468673701645e-12,
        4.12532059563437413e-14, -7.5885081254475459e-16, 1.22185158739614113e-17};
    static constexpr double near_j1[] = {0.0810448463256581153, -0.148975145067652109, 0.16099926235720971, -0.0826804917668179096,
        0.0222136396549660366, -0.0036469406007692759, 0.000405033772835482198, -0.0000325555486685725868, 1.98587740499151654e-6,
        -9.52198475675043612e-8, 3.68713375909714814e-9, -1.17802662269588496e-10, 3.1601545803480032e-12, -7.22175523965177339e-14,
        1.42321440035139425e-15, -2.44419729161904644e-17};
    static constexpr double near_y0[] = {-0.0331461132032849423, -0.274474305529745277, 0.179034314077182649, 0.261567346255046629,
        -0.177302012781143575, 0.04719668959576339, -0.00728796247955207886, 0.000753113593257774203, -0.0000563207914105698731,
        3.20653253765480083e-6, -1.44072332740187002e-7, 5.24879478733051576e-9, -1.58375525418120149e-10, 4.0263308183061204e-12,
        -8.74734120331076935e-14, 1.64348987149194683e-15, -2.69778811525668365e-17};
    static constexpr double near_y1[] = {0.00253801323574178155, -0.0160871730476687506, -0.0959120453608307416, 0.0844519725965234558,
        -0.0283281239445943647, 0.00528989754416711328, -0.000641455145132635595, 0.0000550598287333874388, -3.53808001868934992e-6,
        1.77078045561544036e-7, -7.11055004989927963e-9, 2.34433790591151619e-10, -6.46515184141159456e-12, 1.51429151205002002e-13,
        -3.05118596944732535e-15, 5.34668038572867029e-17, -8.22491137202158505e-19};
    static constexpr double far_p0[] = {0.999460349347518706, -0.000536522046813211724, 3.07518478751947449e-6, -5.17059453760609752e-8,
        1.63064646351513824e-9, -7.86409137723706975e-11, 5.16826238734919281e-12, -4.30457886992539141e-13, 4.32659574315494036e-14,
        -5.06903409593523593e-15, 6.74807221573387337e-16, -1.00115137234677864e-16, 1.63059192337441859e-17};
    static constexpr double far_q0[] = {-0.0155558546053370089, 0.0000683851994261164931, -7.41449841106064689e-7, 1.79724572479689917e-8,
        -7.27191593686632009e-10, 4.22012190466873852e-11, -3.20674742099663483e-12, 3.00614512535170623e-13, -3.33632818532242671e-14,
        4.2552250402454608e-15, -6.09993013164004959e-16, 9.66212897030325674e-17, -1.66860652143781459e-17, 3.10824404867381433e-18,
        -6.19111578735814458e-19, 1.30914487172201218e-19};
    static constexpr double far_p1[] = {1.00090304086001369, 0.00089898983308594083, -3.98728430048890841e-6, 6.17763396064429884e-8,
        -1.87189074910630669e-9, 8.81689865958233914e-11, -5.70486364039564476e-12, 4.69919551523054203e-13, -4.6842237839904895e-14,
        5.45267489604471711e-15, -7.22118084227401795e-16, 1.06676891143354124e-16, -1.73123132161163349e-17};
    static constexpr double far_q1[] = {0.0467777870695353232, -0.0000962772354915707965, 9.13861525795545446e-7, -2.0959781384083424e-8,
        8.22919332765055409e-10, -4.68636368817694525e-11, 3.51521879496860824e-12, -3.2643156743279e-13, 3.59677658291652939e-14,
        -4.5612523950772974e-15, 6.50828295778338367e-16, -1.02691475318232434e-16, 1.76763554877647908e-17, -3.28345198729816136e-18,
        6.52408114958926067e-19};
};
/// J and Y of |x| beyond 8 by their amplitude and phase: P (a + b) − Q (a − b) of the right signs.
template<int Order, bool Second, class V>
XGRAD_INLINE V bessel_far(V const& x) {
    using T = math::scalar_of<V>;
    using t = bessel_jy_tables<T>;
    V const u = V(128) / (x * x) - V(1), s = math::sin(x), c = math::cos(x), sum = s + c, rest = s - c;
    auto const [p, q] = [&] {
        struct both {
            V p, q;
        };
        if constexpr (Order == 0) return both{chebyshev_sum(u, t::far_p0), V(8) / x * chebyshev_sum(u, t::far_q0)};
        else return both{chebyshev_sum(u, t::far_p1), V(8) / x * chebyshev_sum(u, t::far_q1)};
    }();
    V const scale = V(static_cast<T>(0.56418958354775628695)) / math::sqrt(x);   // 1 / √(πx)
    // The cosine and the sine of x − π/4 − order π/2, times √2.
    V const cosine = Order == 0 ? sum : rest, sine = Order == 0 ? rest : -sum;
    V const r = scale * (Second ? p * sine + q * cosine : p * cosine - q * sine);
    return math::where(math::equal(x, V(std::numeric_limits<T>::infinity())), V(0), r);
}
/// J of x from 0 to 8, where u is x² / 32 − 1.
template<int Order, class V>
XGRAD_INLINE V bessel_near(V const& x, V const& u) {
    using t = bessel_jy_tables<math::scalar_of<V>>;
    if constexpr (Order == 0) return chebyshev_sum(u, t::near_j0);
    else return x * chebyshev_sum(u, t::near_j1);
}
template<int Order, class V>
XGRAD_INLINE V bessel_j_of(V const& x) {
    V const size = math::abs(x), below = math::min(V(8), size), above = math::max(V(8), size);
    V const u = below * below * V(math::scalar_of<V>(0.03125)) - V(1);
    return math::where(math::less_equal(size, V(8)), bessel_near<Order>(below, u), bessel_far<Order, false>(above));
}
template<int Order, class V>
XGRAD_INLINE V bessel_y_of(V const& x) {
    using T = math::scalar_of<V>;
    using t = bessel_jy_tables<T>;
    constexpr T inf = std::numeric_limits<T>::infinity();
    V const below = math::min(V(8), math::abs(x)), above = math::max(V(8), x);
    V const u = below * below * V(T(0.03125)) - V(1), j = bessel_near<Order>(below, u);
    V const factor(static_cast<T>(0.63661977236758134308));   // 2 / π
    V near(0);
    if constexpr (Order == 0) near = chebyshev_sum(u, t::near_y0) + factor * math::log(below) * j;
    else near = below * chebyshev_sum(u, t::near_y1) + factor * (math::log(below) * j - V(1) / below);
    V const positive = math::where(math::less_equal(x, V(8)), near, bessel_far<Order, true>(above));
    V const edge = math::where(math::less(x, V(0)), V(std::numeric_limits<T>::quiet_NaN()), V(-inf));
    return math::where(math::less_equal(x, V(0)), edge, positive);
}

struct bessel_j0 : floating_function {
    static constexpr std::string_view name = "bessel_j0";
    static constexpr int flops = 160;
    XGRAD_INLINE static auto value(auto x) { return bessel_j_of<0>(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct bessel_j1 : floating_function {
    static constexpr std::string_view name = "bessel_j1";
    static constexpr int flops = 160;
    XGRAD_INLINE static auto value(auto x) { return math::where(math::less(x, decltype(x)(0)), -bessel_j_of<1>(x), bessel_j_of<1>(x)); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
struct bessel_y0 : floating_function {
    static constexpr std::string_view name = "bessel_y0";
    static constexpr int flops = 200;
    XGRAD_INLINE static auto value(auto x) { return bessel_y_of<0>(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct bessel_y1 : floating_function {
    static constexpr std::string_view name = "bessel_y1";
    static constexpr int flops = 200;
    XGRAD_INLINE static auto value(auto x) { return bessel_y_of<1>(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g);
};
}

/// J₀(x), the Bessel function of the first kind of order 0 (SciPy's j0). It is 0 for infinite x. Near its zeros the absolute error is
/// that of numbers of size 1.
inline constexpr elementwise<op::bessel_j0> bessel_j0{};
/// J₁(x), the Bessel function of the first kind of order 1 (SciPy's j1), as bessel_j0.
/// Gradient: J₀(x) − J₁(x) / x, times g.
inline constexpr elementwise<op::bessel_j1> bessel_j1{};
/// Y₀(x), the Bessel function of the second kind of order 0 (SciPy's y0). It is −inf at 0, NaN for negative x and 0 for infinite x. Near
/// its zeros the absolute error is that of numbers of size 1.
inline constexpr elementwise<op::bessel_y0> bessel_y0{};
/// Y₁(x), the Bessel function of the second kind of order 1 (SciPy's y1), as bessel_y0.
inline constexpr elementwise<op::bessel_y1> bessel_y1{};

namespace op {
constexpr symbol bessel_j0::derivative(symbol x, symbol, symbol g) { return -(g * xgrad::bessel_j1(x)); }
constexpr symbol bessel_j1::derivative(symbol x, symbol y, symbol g) {
    symbol const near = xgrad::less(xgrad::abs(x), 0.5_c), small = xgrad::select(near, x, 0_c);
    return g * (xgrad::bessel_j0(x) - quotient_near_zero(x, y, near, order_one_series(-0.25_c * xgrad::square(small))));
}
constexpr symbol bessel_y0::derivative(symbol x, symbol, symbol g) { return -(g * xgrad::bessel_y1(x)); }
constexpr symbol bessel_y1::derivative(symbol x, symbol y, symbol g) { return g * (xgrad::bessel_y0(x) - y / x); }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
