// SPDX-License-Identifier: MIT
// Functions that are integrals: Dawson's, the exponential one, Fresnel's, the dilogarithm.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/special/bessel.hpp>
#include <xgrad/ops/special/erfc.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Chebyshev coefficients of (2x + 1/x) times Dawson's function: of x² / 8 − 1 up to 4, of 32 / x² − 1 beyond.
template<class T>
struct dawson_tables;
template<>
struct dawson_tables<float> {
    static constexpr float small[] = {1.221556615f, -0.1931137091f, 0.005613167523f, 0.09204238924f, -0.1135277641f, 0.09283522845f,
        -0.06062684524f, 0.03362533655f, -0.01632907145f, 0.00707419655f, -0.002770006251f, 0.0009900423189f, -0.0003255393787f,
        9.911487541e-5f, -2.809524957e-5f, 7.449505658e-6f, -1.855254359e-6f, 4.355432689e-7f, -9.669588755e-8f, 2.036036314e-8f,
        -4.07655123e-9f};
    static constexpr float large[] = {
        1.032929671f, 0.03353078342f, 0.0006284233852f, 2.942328089e-5f, 2.36541517e-6f, 2.928787667e-7f, 4.626621959e-8f, 6.159869612e-9f};
};
template<>
struct dawson_tables<double> {
    static constexpr double small[] = {1.22155661541221752, -0.193113709098927591, 0.00561316752339925478, 0.0920423892423408535,
        -0.113527764090992803, 0.0928352284497120191, -0.060626845239141715, 0.0336253365483669384, -0.0163290714547824361,
        0.00707419655002349106, -0.00277000625110388965, 0.000990042318928686088, -0.000325539378651503433, 9.91148754132396012e-5,
        -2.80952495739712417e-5, 7.44950565769206634e-6, -1.8552543593143633e-6, 4.35543268876802439e-7, -9.66958875495206642e-8,
        2.03603631435978348e-8, -4.07655123047498302e-9, 7.77954025833465173e-10, -1.41808214627971041e-10, 2.47393797045905349e-11,
        -4.13809267228725813e-12, 6.64749956282371827e-13, -1.02714425251578882e-13, 1.52876038589378714e-14, -2.19461677702313365e-15,
        3.04247267478098516e-16, -4.07798493970543471e-17};
    static constexpr double large[] = {1.03292967057540804, 0.0335307834214813023, 0.000628423385216140403, 2.94232808906391363e-5,
        2.36541516996732777e-6, 2.92878766726272014e-7, 4.62662195864275934e-8, 6.15986961189309042e-9, -3.46252197751560723e-10,
        -6.33815959750733556e-10, -2.14037996775728124e-10, -1.41910108568445215e-11, 1.73434361461977303e-11, 6.29072874869689422e-12,
        -4.71797708124831172e-13, -8.59914618432437972e-13, -9.58192414289963157e-14, 9.92596954507803659e-14, 2.57802575702885924e-14,
        -1.16009293241269114e-14, -4.71529760285737152e-15, 1.52164646463645261e-15, 7.92403612840267751e-16, -2.3870463192518816e-16,
        -1.29766695330563177e-16, 4.46606482827187306e-17, 2.05647638952398709e-17};
};
/// The zero of Ei in two parts, and Chebyshev coefficients. small: (Ei(x) − log(x / zero)) / (x − zero) for x / 3 − 1, x in [0, 6].
/// middle and large: x e^−x Ei(x) for 18 / x − 2, x in [6, 18], and for 36 / x − 1, x above 18. With a = −x, below is
/// (E₁(a) + log a + γ) / a for 2a − 1, a in [0, 1], and far_below a eᵃ E₁(a) for 6 / (a + 2) − 1, a above 1.
template<class T>
struct expint_tables;
template<>
struct expint_tables<float> {
    static constexpr float root = 0.3725074232f;
    static constexpr float rest_of_root = -1.238109369e-8f;
    static constexpr float small[] = {5.257958227f, 6.004639396f, 2.469688171f, 0.790295603f, 0.2071548492f, 0.04602682604f,
        0.008880237057f, 0.001514691109f, 0.0002315913497f, 3.209248512e-5f, 4.06692131e-6f, 4.748419513e-7f, 5.140302085e-8f};
    static constexpr float middle[] = {1.162351799f, 0.1086525866f, 0.009089546566f, -0.0007648151121f, -0.0004785166535f, 1.31634198e-5f,
        2.365444666e-5f, -2.967177658e-6f, -8.98956528e-7f, 3.390682932e-7f, -2.024725045e-8f, -1.573412895e-8f, 5.497961687e-9f};
    static constexpr float large[] = {
        1.030500304f, 0.03148654897f, 0.001038593289f, 5.651885431e-5f, 4.652500375e-6f, 5.57892369e-7f, 8.867222848e-8f, 1.460707543e-8f};
    static constexpr float below[] = {
        0.8929826882f, -0.1014608883f, 0.005307811196f, -0.0002389959769f, 9.290769396e-6f, -3.158173883e-7f, 9.510775521e-9f};
    static constexpr float far_below[] = {0.8121695479f, -0.1987794821f, -0.01358963413f, -0.002949891638f, -0.0003907636762f,
        -9.295514456e-5f, -1.479505289e-5f, -3.800568278e-6f, -6.424367331e-7f, -1.794013017e-7f, -2.997531758e-8f, -9.367192725e-9f};
};
template<>
struct expint_tables<double> {
    static constexpr double root = 0.37250741078136662132;
    static constexpr double rest_of_root = 1.31401834143860282e-17;
    static constexpr double small[] = {5.25795822694348199, 6.00463939566162929, 2.46968817094823085, 0.790295602993262571,
        0.207154849153263917, 0.0460268260440732107, 0.00888023705734432257, 0.00151469110948857206, 0.000231591349687344744,
        3.20924851240274279e-5, 4.06692131032062432e-6, 4.74841951267994112e-7, 5.14030208470339068e-8, 5.18711064984218106e-9,
        4.90214821669798489e-10, 4.35655808635559394e-11, 3.65392444991960143e-12, 2.90150531538580711e-13, 2.18764735553245772e-14,
        1.57014403602305162e-15, 1.07527996063711694e-16};
    static constexpr double middle[] = {1.16235179944019288, 0.108652586624997337, 0.00908954656555572844, -0.000764815112141512335,
        -0.000478516653510396757, 1.31634198010097937e-5, 2.36544466553154665e-5, -2.96717765834490224e-6, -8.9895652797336378e-7,
        3.39068293224297479e-7, -2.02472504547960949e-8, -1.57341289492170015e-8, 5.49796168706473968e-9, -5.99706201006884102e-10,
        -1.66823454626031036e-10, 9.24162800157162843e-11, -2.01612970650009685e-11, 9.48444395976158358e-13, 9.90239659042167554e-13,
        -4.26784842860751138e-13, 9.44523410637851027e-14, -7.66370830817335123e-15, -3.35588094471493703e-15, 1.85009900185287671e-15,
        -5.18580987870334454e-16, 8.62330556095258731e-17};
    static constexpr double large[] = {1.03050030434308459, 0.031486548965258712, 0.00103859328886759009, 5.65188543093961469e-5,
        4.65250037474668359e-6, 5.57892368954025086e-7, 8.86722284847174371e-8, 1.46070754253558221e-8, 1.20327954759114504e-9,
        -5.82923143298716524e-10, -3.52888513643171214e-10, -8.36394355503539694e-11, 5.3912428049052963e-12, 1.05510099197138181e-11,
        2.44274104672407771e-12, -6.05969808053389521e-13, -4.38810052453467707e-13, -1.11209042679147518e-14, 5.64491790064749878e-14,
        1.00669683634045843e-14, -6.77682266227612968e-15, -2.19165376385938e-15, 8.47485133525133686e-16, 3.9429920472638038e-16,
        -1.19481747354835864e-16, -6.74029079118243957e-17, 1.98850155619227407e-17, 1.12995383381425311e-17};
    static constexpr double below[] = {0.892982688166343667, -0.101460888300298993, 0.00530781119573653044, -0.000238995976947100218,
        9.29076939638383148e-6, -3.1581738828230065e-7, 9.5107755213240081e-9, -2.56699122405599603e-10, 6.27159499700903025e-12,
        -1.39880534166353279e-13, 2.86887026808481842e-15, -5.44440453850005177e-17};
    static constexpr double far_below[] = {0.812169547929170112, -0.198779482149470155, -0.0135896341278675922, -0.00294989163755370051,
        -0.000390763676226659369, -9.29551445605918249e-5, -1.47950528921023349e-5, -3.80056827802469237e-6, -6.42436733099017454e-7,
        -1.7940130173068852e-7, -2.99753175815637522e-8, -9.36719272473665184e-9, -1.43099011021830687e-9, -5.34036095105355257e-10,
        -6.52588195038335528e-11, -3.34489111661080513e-11, -2.33060554885482407e-12, -2.3503376379304491e-12, 1.92163189696090504e-14,
        -1.90349837842074334e-13, 1.99768037349729116e-14, -1.80613052023310171e-14, 3.64706061387521303e-15, -1.99214881501343499e-15,
        5.57546076435788566e-16, -2.48566482205344323e-16, 8.26315384669117269e-17, -3.40250009120220502e-17, 1.24079030977266665e-17};
};
/// Chebyshev coefficients. sine and cosine: S(x) / x³ and C(x) / x for 2 (x / 1.6)⁴ − 1, x up to 1.6. f and g: the auxiliary functions
/// of DLMF 7.2(iv), divided by the first terms of their asymptotic series, for 2 (1.6 / x)² − 1.
template<class T>
struct fresnel_tables;
template<>
struct fresnel_tables<float> {
    static constexpr float sine[] = {0.3142743195f, -0.1818858785f, 0.02542455774f, -0.00192145821f, 8.966525955e-5f, -2.830802868e-6f,
        6.442546963e-8f, -1.106823511e-9f};
    static constexpr float cosine[] = {0.5282931312f, -0.3767622025f, 0.0853737755f, -0.009010259972f, 0.000539312772f, -2.075044935e-5f,
        5.564687021e-7f, -1.099981284e-8f};
    static constexpr float f[] = {0.9863363201f, -0.01743471194f, -0.00328433233f, 0.0004791760002f, -1.86196198e-5f, -8.15091854e-6f,
        2.587726789e-6f, -3.925293499e-7f, -2.151243192e-9f, 2.283687675e-8f, -8.499726763e-9f};
    static constexpr float g[] = {0.9409999567f, -0.07323801496f, -0.01108088216f, 0.002944899483f, -0.0002789951794f, -3.806033431e-5f,
        2.313477496e-5f, -5.402791752e-6f, 5.174171446e-7f, 1.65761374e-7f, -1.066444758e-7f, 3.316459683e-8f, -5.963027554e-9f};
};
template<>
struct fresnel_tables<double> {
    static constexpr double sine[] = {0.314274319534783568, -0.181885878501061165, 0.0254245577428762576, -0.00192145820984506391,
        8.96652595474510131e-5, -2.83080286818157212e-6, 6.44254696260440541e-8, -1.10682351060360582e-9, 1.48623384856091422e-11,
        -1.60281095548244751e-13, 1.41880085174489649e-15, -1.04942703450382383e-17};
    static constexpr double cosine[] = {0.528293131170855694, -0.376762202501618251, 0.085373775496569059, -0.00901025997206255177,
        0.000539312772040821517, -2.0750449346056231e-5, 5.56468702128388264e-7, -1.09998128431144441e-8, 1.66965103962080757e-10,
        -2.00773053966069016e-12, 1.96015997494209571e-14, -1.58490944211089137e-16};
    static constexpr double f[] = {0.986336320144089252, -0.0174347119356677728, -0.00328433232959908333, 0.000479176000178838336,
        -1.86196198023794657e-5, -8.15091854003240254e-6, 2.58772678901341527e-6, -3.92529349922320163e-7, -2.15124319193642453e-9,
        2.28368767545847422e-8, -8.49972676329101455e-9, 1.84215187687322785e-9, -1.40950816817226279e-10, -8.8829619051906718e-11,
        5.47658925553488661e-11, -1.87430194405173437e-11, 4.16381795930385206e-12, -2.414655884484344e-13, -3.27802740957945591e-13,
        2.13413313338632254e-13, -8.45906254938056504e-14, 2.37276309293249705e-14, -3.51653535651594458e-15, -9.83259117080869639e-16,
        1.10981836694112213e-15, -5.78993611629972197e-16, 2.19637307437667734e-16, -6.04797000483546032e-17};
    static constexpr double g[] = {0.940999956696428659, -0.073238014959653415, -0.0110808821638528465, 0.00294489948324837852,
        -0.000278995179386833573, -3.8060334305126759e-5, 2.3134774956082101e-5, -5.40279175210213543e-6, 5.17417144611713376e-7,
        1.65761374046691976e-7, -1.06644475787888849e-7, 3.31645968268846719e-8, -5.96302755440336415e-9, -2.1851665767503923e-10,
        7.01203957732022772e-10, -3.43459362598091378e-10, 1.08495883319526861e-10, -2.09417449187019212e-11, -1.01735338947862153e-12,
        3.21505543243597192e-12, -1.80902939351226562e-12, 6.86353383631442253e-13, -1.82723725999345861e-13, 1.97670253125107786e-14,
        1.38187405690789115e-14, -1.21916724411674352e-14, 6.13549907264009242e-15, -2.29985411899350349e-15, 6.16161760182046786e-16,
        -5.70326611521396969e-17, -6.29022043056565849e-17, 5.55920848375344042e-17, -2.99389325225274833e-17, 1.23997180861357409e-17};
};
/// B₂ / 3!, B₄ / 5!, ... with the numbers of Bernoulli.
template<class T>
struct spence_tables;
template<>
struct spence_tables<float> {
    static constexpr float bernoulli[] = {0.02777777778f, -0.0002777777778f, 4.724111867e-6f, -9.185773075e-8f};
};
template<>
struct spence_tables<double> {
    static constexpr double bernoulli[] = {0.0277777777777777778, -0.000277777777777777778, 4.72411186696900983e-6, -9.18577307466196355e-8,
        1.89788699889709991e-9, -4.06476164514422553e-11, 8.92169102045645256e-13, -1.99392958607210757e-14};
};

template<class V>
XGRAD_INLINE V dawson_of(V const& x) {
    using T = math::scalar_of<V>;
    using t = dawson_tables<T>;
    V const square = x * x, below = math::min(V(16), square), above = math::max(V(16), square);
    V const small = chebyshev_sum(math::fma(below, V(T(0.125)), V(-1)), t::small), large = chebyshev_sum(V(32) / above - V(1), t::large);
    return math::where(math::less_equal(square, V(16)), small, large) / (x + x + V(1) / x);
}
template<class V>
XGRAD_INLINE V expint_of(V const& x) {
    using T = math::scalar_of<V>;
    using t = expint_tables<T>;
    V const zero(0), one(1), size = math::min(V(800), math::abs(x));   // e⁸⁰⁰ overflows and e^−800 underflows
    V const root(t::root), from_root = (size - root) - V(t::rest_of_root), negative = math::less(x, zero);
    // eˣ in two factors, because Ei(x) is finite for some x whose power is not.
    V const power = math::exp(V(T(0.5)) * math::where(negative, -size, size));

    V const low = math::min(V(6), size), inner = math::min(V(18), math::max(V(6), size)), high = math::max(V(18), size);
    V const logarithm = math::log(math::where(negative, size, size / root));
    V const near_root = math::where(math::less(math::abs(from_root), V(T(0.1))), from_root, zero);
    V const precise = math::where(math::equal(near_root, zero), logarithm, math::log1p(near_root / root));
    V const small = math::fma(from_root, chebyshev_sum(low / V(3) - one, t::small), precise);
    V const middle = chebyshev_sum(V(18) / inner - V(2), t::middle), large = chebyshev_sum(V(36) / high - one, t::large);

    V const close = math::min(one, size), far = math::max(one, size);
    V const below = logarithm + V(static_cast<T>(0.57721566490153286061)) - close * chebyshev_sum(close + close - one, t::below);
    V const far_below = -chebyshev_sum(V(6) / (far + V(2)) - one, t::far_below);

    V const factor = math::where(negative, far_below, math::where(math::less(size, V(18)), middle, large));
    V const asymptotic = power * (factor / size) * power;
    V const by_series = math::where(negative, math::less_equal(size, one), math::less_equal(size, V(6)));
    V const r = math::where(by_series, math::where(negative, below, small), asymptotic);
    return math::where(math::equal(x, x), r, x);
}
template<class V>
struct fresnel_values {
    V sine, cosine;
};
/// By series in x⁴ up to 1.6. Beyond, the waves of x² have the auxiliary functions as amplitudes, DLMF 7.5.
template<class V>
XGRAD_INLINE fresnel_values<V> fresnel_of(V const& x) {
    using T = math::scalar_of<V>;
    using t = fresnel_tables<T>;
    constexpr T cut = T(1.6), pi = static_cast<T>(3.14159265358979323846);
    // Above 1e17 the amplitudes are too small to change 1/2.
    V const half(T(0.5)), size = math::abs(x), below = math::min(V(cut), size), above = math::min(V(T(1e17)), math::max(V(cut), size));
    V const low = below * below, fourth = low * low, near = math::fma(fourth, V(T(2) / (cut * cut * cut * cut)), V(-1));
    V const inverse = V(1) / above, ratio = V(cut) * inverse, far = math::fma(V(2) * ratio, ratio, V(-1));

    // The square in two parts, each without its multiples of 4, which are whole turns.
    auto const rest = [](V const& a) { return a - V(4) * math::round(a * V(T(0.25))); };
    V const square = above * above, angle = V(pi / 2) * (rest(square) + rest(rest_of_square(above, square)));
    V const sine = math::sin(angle), cosine = math::cos(angle), short_ = inverse * V(1 / pi);
    V const f = short_ * chebyshev_sum(far, t::f), g = short_ * short_ * inverse * chebyshev_sum(far, t::g);
    V const small = math::less_equal(size, V(cut));
    V const s = math::where(small, below * low * chebyshev_sum(near, t::sine), half - f * cosine - g * sine);
    V const c = math::where(small, below * chebyshev_sum(near, t::cosine), half + f * sine - g * cosine);
    return {math::where(math::equal(x, x), math::copysign(s, x), x), math::where(math::equal(x, x), math::copysign(c, x), x)};
}
/// In [1/2, 2] by the series in u = −log x with the numbers of Bernoulli. Elsewhere by inversion and reflection, DLMF 25.12.4 and
/// 25.12.6.
template<class V>
XGRAD_INLINE V spence_of(V const& x) {
    using T = math::scalar_of<V>;
    V const one(1), large = math::greater(x, V(2)), z = math::where(large, one / x, x), small = math::less(z, V(T(0.5)));
    V const logarithm = math::log(x), u = math::where(small, -math::log1p(-math::min(V(T(0.5)), z)), V(0) - logarithm), square = u * u;
    V const series = math::fma(u * square, horner(square, spence_tables<T>::bernoulli), math::fma(V(T(-0.25)), square, u));
    V const product = math::where(math::equal(z, V(0)), z, math::where(large, -logarithm, logarithm) * u);
    V const reflected = V(static_cast<T>(1.64493406684822643647)) + product - series;
    V const inverted = V(T(-0.5)) * logarithm * logarithm - reflected;
    V const r = math::where(large, inverted, math::where(small, reflected, series));
    V const inside = math::greater_equal(x, V(0)) * math::less(x, V(std::numeric_limits<T>::infinity()));
    return math::where(inside, r, V(std::numeric_limits<T>::quiet_NaN()));
}

struct dawson : floating_function {
    static constexpr std::string_view name = "dawson";
    static constexpr int flops = 130;
    XGRAD_INLINE static auto value(auto x) { return dawson_of(x); }
    static constexpr symbol derivative(symbol x, symbol y, symbol g) {
        symbol const far = xgrad::greater(xgrad::abs(x), 16_c), near = xgrad::select(far, 0_c, x);
        symbol const part = xgrad::square(1_c / xgrad::select(far, x, 16_c));
        return g * xgrad::select(far, -rest_of_series(part), 1_c - 2_c * near * y);
    }
};
struct expint : floating_function {
    static constexpr std::string_view name = "expint";
    static constexpr int flops = 350;
    XGRAD_INLINE static auto value(auto x) { return expint_of(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * (xgrad::exp(x) / x); }
};
struct fresnel_sin : floating_function {
    static constexpr std::string_view name = "fresnel_sin";
    static constexpr int flops = 250;
    XGRAD_INLINE static auto value(auto x) { return fresnel_of(x).sine; }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * xgrad::sin(1.5707963267948966_c * xgrad::square(x)); }
};
struct fresnel_cos : floating_function {
    static constexpr std::string_view name = "fresnel_cos";
    static constexpr int flops = 250;
    XGRAD_INLINE static auto value(auto x) { return fresnel_of(x).cosine; }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * xgrad::cos(1.5707963267948966_c * xgrad::square(x)); }
};
struct spence : floating_function {
    static constexpr std::string_view name = "spence";
    static constexpr int flops = 80;
    XGRAD_INLINE static auto value(auto x) { return spence_of(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        // Near 1 by the series, so that the next derivatives are right there too.
        symbol const w = x - 1_c, near = xgrad::less(xgrad::abs(w), 0.01_c);
        symbol const c = w * (-0.2_c + w * (0.16666666666666667_c + w * (-0.14285714285714285_c + w * 0.125_c)));
        symbol const series = -1_c + w * (0.5_c + w * (-0.33333333333333333_c + w * (0.25_c + c)));
        symbol const quotient = -(xgrad::log(x) / xgrad::select(near, 1_c, w));
        return g * xgrad::select(near, series, quotient);
    }
};
}

/// Dawson's function: e^(−x²) times the integral of e^(t²) from 0 to x (TensorFlow's Dawsn). Error below 8 ULP in float, 2e-15
/// relative in double. It is odd and near 1 / (2x) for large x. It is 0 at 0 and at ±inf, with the sign of x, as in SciPy.
///
/// Gradient: 1 − 2x dawson(x), times g. Up to 16 its absolute error is that of numbers of size 1. Beyond a series is used.
inline constexpr elementwise<op::dawson> dawson{};
/// The exponential integral Ei(x): the principal value of the integral of eᵗ / t from −inf to x (TensorFlow's Expint, SciPy's expi).
/// Error below 8 ULP in float, 2e-15 relative in double, near its zero 0.3725 too. It is −inf at 0, inf at inf, −0 at −inf. For
/// negative x it is −E₁(−x) as in SciPy, where TensorFlow has NaN. It overflows in float above 93, in double above 716.
///
/// Gradient: eˣ / x, times g.
inline constexpr elementwise<op::expint> expint{};
/// The sine integral of Fresnel: the integral of sin(π t² / 2) from 0 to x. Error below 8 ULP in float, 2e-15 relative in double.
/// It is odd, and ±1/2 at ±inf.
///
/// Gradient: sin(π x² / 2), times g. The rounding of x² is an error of its angle, as in TensorFlow. NaN for infinite x.
inline constexpr elementwise<op::fresnel_sin> fresnel_sin{};
/// The cosine integral of Fresnel: the integral of cos(π t² / 2) from 0 to x. Error below 8 ULP in float, 2e-15 relative in double.
/// It is odd, and ±1/2 at ±inf.
///
/// Gradient: cos(π x² / 2), times g. The rounding of x² is an error of its angle, as in TensorFlow. NaN for infinite x.
inline constexpr elementwise<op::fresnel_cos> fresnel_cos{};
/// Spence's function as in SciPy: the integral of −log(t) / (t − 1) from 1 to x, the dilogarithm of 1 − x. Error below 8 ULP in float,
/// 2e-15 relative in double, near its zero 1 too. It is π² / 6 at 0, and NaN for negative x and at inf.
///
/// Gradient: −log(x) / (x − 1), times g. At 1 it is −1, and −inf at 0.
inline constexpr elementwise<op::spence> spence{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
