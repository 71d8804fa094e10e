// SPDX-License-Identifier: MIT
// Second derivatives of element-wise functions, literals in them, and users' operations.
#include <ops/elementwise.hpp>

#include <cmath>

using namespace elementwise;

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

TEST_CASE_TEMPLATE("expressions of literals take the element type of what they meet", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 3>;
    constexpr auto number = 2_c * 3_c;
    constexpr auto root = xg::sqrt(2_c) + 1_c;
    // one expression with double and with float, through functions, casts, comparisons and repeated
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
