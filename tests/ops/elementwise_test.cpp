// SPDX-License-Identifier: MIT
// Element-wise arithmetic and functions as programs: all sizes around the SIMD width, derivatives against <cmath> in long double.
// values_test.cpp checks their values.
#include <ops/elementwise.hpp>

#include <cmath>

using namespace elementwise;

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
        CHECK(leak[i] == 0);
        CHECK(masked[i] == 0);
    }
    xg::function ties{xg::outputs(xg::gradient_of(xg::maximum(x, y), x), xg::gradient_of(xg::maximum(x, y), y),
        xg::gradient_of(xg::minimum(x, y), x), xg::gradient_of(xg::minimum(x, y), y))};
    auto const [a, b, c, d] = ties(x = one, y = one);
    CHECK((a[0] == 1 && b[0] == 0 && c[0] == 1 && d[0] == 0));
    xg::function powers{xg::outputs(xg::gradient_of(xg::pow(x, y), x), xg::gradient_of(xg::pow(x, y), y))};
    auto const [at_zero, log_zero] = powers(x = zero, y = zero);
    CHECK(at_zero[0] == 0);   // of 0^0, where TensorFlow has NaN
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
