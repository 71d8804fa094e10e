// SPDX-License-Identifier: MIT
// Element-wise arithmetic and functions as programs: all sizes around the SIMD width, derivatives against <cmath> in long double. Their values
// are the matter of values_test.cpp.
#include <support/tensor.hpp>

namespace {
using namespace xgrad::literals;
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};

using real = long double;
template<class F>
real slope(F const& f, real x) {   // finite difference in long double
    real const h = 1e-5L * std::max(1.0L, std::abs(x));
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

struct reference {
    char const* name;
    real (*f)(real);
};
struct unary {   // x in (-3, 3), p in (0.1, 5)
    static constexpr auto x = xg::input<"x", double, batch>;
    static constexpr auto p = xg::input<"p", double, batch>;
    static constexpr auto first = std::tuple(xg::exp(x), xg::expm1(x), xg::sin(x), xg::cos(x), xg::tanh(x), xg::sigmoid(x), xg::softplus(x),
        xg::square(x), xg::relu(x), xg::abs(x), -x);
    static constexpr auto second = std::tuple(xg::log(p), xg::log1p(p), xg::sqrt(p), xg::log_or_zero(p));
    static constexpr reference first_expected[]{{"exp", [](real v) { return std::exp(v); }},
        {"expm1", [](real v) { return std::expm1(v); }}, {"sin", [](real v) { return std::sin(v); }},
        {"cos", [](real v) { return std::cos(v); }}, {"tanh", [](real v) { return std::tanh(v); }},
        {"sigmoid", [](real v) { return 1 / (1 + std::exp(-v)); }}, {"softplus", [](real v) { return std::log1p(std::exp(v)); }},
        {"square", [](real v) { return v * v; }}, {"relu", [](real v) { return v < 0 ? 0 : v; }},
        {"abs", [](real v) { return std::abs(v); }}, {"neg", [](real v) { return -v; }}};
    static constexpr reference second_expected[]{{"log", [](real v) { return std::log(v); }},
        {"log1p", [](real v) { return std::log1p(v); }}, {"sqrt", [](real v) { return std::sqrt(v); }},
        {"log_or_zero", [](real v) { return v > 0 ? std::log(v) : 0; }}};
    template<class... E>
    static constexpr auto slopes(std::tuple<E...>, auto const& wrt) {
        return std::tuple(xg::gradient_of(E{}, std::remove_cvref_t<decltype(wrt)>{})...);
    }
};
template<class R, class F>
void each(R const& results, F const& f) {
    std::size_t k = 0;
    std::apply([&](auto const&... r) { (f(k++, r), ...); }, results);
}
template<class... E>
constexpr auto outputs_of(std::tuple<E...> const&) {
    return xg::outputs(E{}...);
}
}

TEST_CASE_TEMPLATE("a program of several functions gives every size the same bits", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    xg::function f{xg::outputs(xg::tanh(x), xg::log(y) * x, xg::pow(y, x))};
    auto const a = test::numbers<T>({3 * test::width<T> + 1}, -3, 3), b = test::numbers<T>({a.size()}, 0.1, 5, 2);
    real (*const expected[])(real, real){[](real v, real) { return std::tanh(v); }, [](real v, real w) { return std::log(w) * v; },
        [](real v, real w) { return std::pow(w, v); }};
    std::vector<std::vector<T>> full;
    each(f(x = a, y = b), [&](std::size_t k, auto const& r) {
        full.emplace_back(r.begin(), r.end());
        test::check_each(
            "program", r, [&](std::int64_t i) { return expected[k](a[i], b[i]); }, 16);
    });
    int differing = 0;
    for (std::int64_t n = 0; n <= a.size(); ++n)
        each(f(x = xg::array(a.data(), n), y = xg::array(b.data(), n)), [&](std::size_t k, auto const& r) {
            REQUIRE(r.size() == n);
            for (std::int64_t i = 0; i < n; ++i) differing += !test::same_bits(static_cast<T>(r[i]), full[k][static_cast<std::size_t>(i)]);
        });
    CHECK(differing == 0);
}

TEST_CASE("slopes of functions of one operand") {
    using U = unary;
    auto const x = test::numbers<double>({35}, -3, 3), p = test::numbers<double>({35}, 0.1, 5, 2);
    xg::function f{outputs_of(std::tuple_cat(U::slopes(U::first, U::x), U::slopes(U::second, U::p)))};
    constexpr std::size_t of_x = std::size(U::first_expected);
    each(f(U::x = x, U::p = p), [&](std::size_t k, auto const& r) {
        reference const& e = k < of_x ? U::first_expected[k] : U::second_expected[k - of_x];
        test::check_near(
            e.name, r, [&](std::int64_t i) { return slope(e.f, k < of_x ? x[i] : p[i]); }, 1e-12);
    });
}

TEST_CASE("slopes of functions of two operands") {
    constexpr auto a = xg::input<"a", double, batch>;
    constexpr auto b = xg::input<"b", double, batch>;
    constexpr auto all =
        std::tuple(a + b, a - b, a * b, a / b, xg::pow(a, b), xg::maximum(a, b), xg::minimum(a, b), xg::squared_error(a, b));
    struct two {
        char const* name;
        real (*f)(real, real);
    };
    constexpr two expected[]{{"add", [](real x, real y) { return x + y; }}, {"sub", [](real x, real y) { return x - y; }},
        {"mul", [](real x, real y) { return x * y; }}, {"div", [](real x, real y) { return x / y; }},
        {"pow", [](real x, real y) { return std::pow(x, y); }}, {"maximum", [](real x, real y) { return std::max(x, y); }},
        {"minimum", [](real x, real y) { return std::min(x, y); }}, {"squared_error", [](real x, real y) { return (x - y) * (x - y); }}};
    auto const x = test::numbers<double>({19}, 0.2, 3), y = test::numbers<double>({19}, 0.3, 2, 5);
    xg::function g{std::apply([&](auto... e) { return xg::outputs(e..., xg::gradient_of(e, a)..., xg::gradient_of(e, b)...); }, all)};
    each(g(a = x, b = y), [&](std::size_t k, auto const& r) {
        two const& e = expected[k % 8];
        test::check_near(
            e.name, r,
            [&](std::int64_t i) {
                if (k < 8) return e.f(x[i], y[i]);
                return k < 16 ? slope([&](real v) { return e.f(v, y[i]); }, x[i]) : slope([&](real v) { return e.f(x[i], v); }, y[i]);
            },
            1e-12);
    });
}

TEST_CASE("second derivatives against second differences in long double") {
    using U = unary;
    real const h = 1e-4L;
    auto const x = test::numbers<double>({19}, -3, 3, 11), p = test::numbers<double>({19}, 0.1, 5, 12),
               q = test::numbers<double>({19}, 0.3, 2, 13);
    auto const curved = [h](auto const& f, real v) { return (f(v + h) - 2 * f(v) + f(v - h)) / (h * h); };
    xg::function f{std::apply(
        [](auto... e) { return xg::outputs(xg::gradient_of(xg::gradient_of(e, U::x), xg::unconnected_zeros, U::x)...); }, U::first)};
    xg::function g{std::apply(
        [](auto... e) { return xg::outputs(xg::gradient_of(xg::gradient_of(e, U::p), xg::unconnected_zeros, U::p)...); }, U::second)};
    each(f(U::x = x), [&](std::size_t k, auto const& r) {
        test::check_near(
            U::first_expected[k].name, r, [&](std::int64_t i) { return curved(U::first_expected[k].f, x[i]); }, 1e-6);
    });
    each(g(U::p = p), [&](std::size_t k, auto const& r) {
        test::check_near(
            U::second_expected[k].name, r, [&](std::int64_t i) { return curved(U::second_expected[k].f, p[i]); }, 1e-5);
    });
    // of two operands: both, and mixed
    constexpr auto a = xg::input<"a", double, batch>;
    constexpr auto b = xg::input<"b", double, batch>;
    constexpr auto quotient = a / b;
    constexpr auto power = xg::pow(a, b);
    constexpr auto product = xg::squared_error(a * b, a - b);
    xg::function two{std::apply(
        [&](auto... e) {
            return xg::outputs(xg::gradient_of(xg::gradient_of(e, a), b)...,
                xg::gradient_of(xg::gradient_of(e, a), xg::unconnected_zeros, a)..., xg::gradient_of(xg::gradient_of(e, b), b)...);
        },
        std::tuple(quotient, power, product))};
    real (*const reference[])(real, real){[](real v, real w) { return v / w; }, [](real v, real w) { return std::pow(v, w); },
        [](real v, real w) { return (v * w - v + w) * (v * w - v + w); }};
    char const* const names[]{"div", "pow", "squared_error"};
    each(two(a = p, b = q), [&](std::size_t k, auto const& r) {
        auto const e = reference[k % 3];
        test::check_near(
            names[k % 3], r,
            [&](std::int64_t i) {
                real const v = p[i], w = q[i];
                if (k >= 6) return curved([&](real t) { return e(v, t); }, w);
                if (k >= 3) return curved([&](real t) { return e(t, w); }, v);
                return (e(v + h, w + h) - e(v + h, w - h) - e(v - h, w + h) + e(v - h, w - h)) / (4 * h * h);
            },
            1e-5);
    });
}

TEST_CASE("3.10 slopes at ties, kinks and zeros") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    auto const zero = test::list({0.0, -0.0}), one = test::list({1.0, 1.0}), half = test::list({0.5, 0.5});
    double const inf = std::numeric_limits<double>::infinity();
    xg::function kinks{xg::outputs(xg::gradient_of(xg::abs(x), x), xg::gradient_of(xg::relu(x), x), xg::gradient_of(xg::sign(x), x),
        xg::gradient_of(xg::sqrt(x), x), xg::gradient_of(0_c * xg::sqrt(x), x),
        xg::gradient_of(xg::select(xg::greater(x, 0_c), xg::log(x), 0_c), x), xg::gradient_of(xg::log_or_zero(x), x))};
    auto const [abs, relu, sign, sqrt, unused, leak, masked] = kinks(x = zero);
    for (int i = 0; i < 2; ++i) {
        CHECK(abs[i] == 0);
        CHECK(relu[i] == 0);
        CHECK(sign[i] == 0);
        CHECK(std::abs(sqrt[i]) == inf);
        CHECK(unused[i] == 0);
        CHECK(std::isnan(leak[i]));
        CHECK(masked[i] == 0);
    }
    xg::function ties{xg::outputs(xg::gradient_of(xg::maximum(x, y), x), xg::gradient_of(xg::maximum(x, y), y),
        xg::gradient_of(xg::minimum(x, y), x), xg::gradient_of(xg::minimum(x, y), y))};
    auto const [a, b, c, d] = ties(x = one, y = one);
    CHECK((a[0] == 1 && b[0] == 0 && c[0] == 1 && d[0] == 0));
    xg::function powers{xg::outputs(xg::gradient_of(xg::pow(x, y), x), xg::gradient_of(xg::pow(x, y), y))};
    auto const [at_zero, log_zero] = powers(x = zero, y = zero);
    CHECK(std::isnan(at_zero[0]));
    CHECK(log_zero[0] == 0);
    auto const [root, unused_log] = powers(x = zero, y = half);
    CHECK(root[0] == inf);
    CHECK(unused_log[0] == 0);
}

TEST_CASE_TEMPLATE("slopes keep their digits far from zero", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    xg::function f{xg::outputs(xg::gradient_of(xg::expm1(x), x), xg::gradient_of(xg::sigmoid(x), x), xg::gradient_of(xg::softplus(x), x),
        xg::gradient_of(xg::log1p(x), x))};
    auto const far = test::list<T>({-5, -12, -17, -30, -60, 60});
    auto const [expm1, sigmoid, softplus, log1p] = f(x = far);
    double const tolerance = 8 * std::numeric_limits<T>::epsilon();
    for (int i = 0; i < 6; ++i) {
        real const e = std::exp(static_cast<real>(far[i]));
        CHECK(static_cast<real>(expm1[i]) == doctest::Approx(static_cast<double>(e)).epsilon(tolerance).scale(0));
        if (i < 5)
            CHECK(
                static_cast<real>(sigmoid[i]) == doctest::Approx(static_cast<double>(e / ((1 + e) * (1 + e)))).epsilon(tolerance).scale(0));
        else CHECK(sigmoid[i] == 0);
        CHECK(static_cast<real>(softplus[i]) == doctest::Approx(static_cast<double>(e / (1 + e))).epsilon(tolerance).scale(0));
    }
    CHECK(log1p[5] == doctest::Approx(1.0 / 61).epsilon(tolerance));
}

TEST_CASE_TEMPLATE("expressions of literals take the element type of what they meet", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 3>;
    constexpr auto number = 2_c * 3_c;
    constexpr auto root = xg::sqrt(2_c) + 1_c;
    // one expression beside double and beside float, through functions, casts, comparisons and repeated
    constexpr auto list = xg::outputs(root * x, xg::cast<float>(number * x) * number, xg::cast<float>(xg::sqrt(2_c)) * xg::cast<float>(x),
        xg::select(xg::greater(xg::sqrt(2_c), 1.5_c), number, x), x * xg::broadcast_to<3>(root));
    using list_type = std::remove_const_t<decltype(list)>;
    xg::function<list_type, xg::program<list_type, xg::no_updates, xg::gating::none, On::value>> f{list};
    auto const a = test::list({1.0, 2.0, -3.0});
    auto const [scaled, twice, narrow, chosen, repeated] = f(x = a);
    for (int i = 0; i < 3; ++i) {
        CHECK(scaled[i] == (std::sqrt(2.0) + 1) * a[i]);
        CHECK(twice[i] == static_cast<float>(6 * a[i]) * 6);
        CHECK(narrow[i] == std::sqrt(2.0f) * static_cast<float>(a[i]));
        CHECK(chosen[i] == a[i]);
        CHECK(repeated[i] == scaled[i]);
    }
}

namespace {
// Names decide nothing: operations of a user's own may be called as the library's are.
struct own_neg : xg::elementwise_op {
    static constexpr std::string_view name = "neg";
    static auto value(auto a) { return a + a; }
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
};
struct own_cast : xg::elementwise_op {
    static constexpr std::string_view name = "cast";
    static auto value(auto a) { return a * a; }
};
struct reciprocal : xg::elementwise_op {
    static constexpr std::string_view name = "reciprocal";
    static constexpr bool self_inverse = true;
    static auto value(auto a) { return decltype(a)(1) / a; }
};
}
TEST_CASE("operations of one's own with names of the library's, and one that is its own inverse") {
    constexpr auto x = xg::input<"x", double, 3>;
    constexpr xg::elementwise<own_neg> twice{};
    constexpr xg::elementwise<own_cast> squared{};
    constexpr xg::elementwise<reciprocal> inverse{};
    xg::function f{xg::outputs(twice(twice(x)), squared(x), -twice(-x), xg::gradient_of(twice(twice(x)), x), inverse(inverse(x)))};
    auto const [four, square, two, slope, same] = f(x = test::list({0.3, -2.0, 5.0}));
    double const a[]{0.3, -2.0, 5.0};
    for (int i = 0; i < 3; ++i) {
        CHECK(four[i] == 4 * a[i]);
        CHECK(square[i] == a[i] * a[i]);
        CHECK(two[i] == 2 * a[i]);
        CHECK(slope[i] == 4);
        CHECK(same[i] == a[i]);   // also where 1 / (1 / x) rounds
    }
}
