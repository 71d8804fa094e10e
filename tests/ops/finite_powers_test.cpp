// SPDX-License-Identifier: MIT
// Derivatives of powers at 0, to every order and in every order.
#include "ops/finite.hpp"

using namespace finite_derivatives;

TEST_CASE_TEMPLATE("powers at 0: derivatives of all orders", T, float, double) {
    constexpr auto v = x<T>;
    constexpr auto p = xg::input<"p", T, batch>;
    constexpr auto next = [](auto y) { return xg::gradient_of(y, x<T>); };
    constexpr auto sum = v + xg::pow(v, 2_c) + xg::pow(v, 3_c) + xg::pow(v, 0_c);
    constexpr auto power = xg::pow(v, p);
    auto const at = test::list<T>({-1, 0, 1});
    xg::function f{xg::outputs(next(sum), next(next(sum)), next(next(next(sum))), next(next(next(next(sum)))))};
    auto const [a, b, c, d] = f(v = at);
    all_are("first", a, {2, 1, 6});
    all_are("second", b, {-4, 2, 8});
    all_are("third", c, {6, 6, 6});
    all_are("fourth", d, {0, 0, 0});
    xg::function g{xg::outputs(next(power), next(next(power)), next(next(next(power))), xg::gradient_of(power, p))};
    auto const [g1, g2, g3, gp] = g(v = test::list<T>({0, 0, 0, 0, 0}), p = test::list<T>({0, 1, 2, 3, -1}));
    for (std::int64_t i = 0; i < 4; ++i) {
        double const first[]{0, 1, 0, 0}, second[]{0, 0, 2, 0}, third[]{0, 0, 0, 6};
        CHECK(g1[i] == first[i]);
        CHECK(g2[i] == second[i]);
        CHECK(g3[i] == third[i]);
    }
    for (std::int64_t i = 0; i < 5; ++i) CHECK(gp[i] == 0);
}

TEST_CASE("mixed second derivatives do not depend on the order, also where a factor, an exponent or a count is 0") {
    constexpr auto v = x<double>;
    constexpr auto z = xg::input<"z", double, batch>;
    constexpr auto both = [](auto y) {
        constexpr auto other = xg::input<"z", double, batch>;
        return xg::outputs(xg::gradient_of(xg::gradient_of(y, x<double>), other), xg::gradient_of(xg::gradient_of(y, other), x<double>));
    };
    auto const at = test::list<double>({4, 4, 1}), factors = test::list<double>({0, 1, 0});
    auto const compare = [&](char const* what, auto const& y, std::initializer_list<double> expected) {
        xg::function f{both(y)};
        auto const [xz, zx] = f(v = at, z = factors);
        all_are(what, xz, expected);
        all_are(what, zx, expected);
    };
    double const log4 = std::log(4.0);
    compare("root", xg::sqrt(v) * z, {0.25, 0.25, 0.5});
    compare("power", xg::pow(v, z), {0.25, 1 + log4, 1});
    compare("x log y", xg::xlogy(z, v), {0.25, 0.25, 1});
    constexpr auto power = xg::pow(v, z);
    xg::function g{xg::outputs(xg::gradient_of(power, v), xg::gradient_of(xg::gradient_of(power, v), z))};
    auto const [first, mixed] = g(v = test::list<double>({0, 1e-310}), z = test::list<double>({0, 0}));
    for (std::int64_t i = 0; i < 2; ++i) {
        CHECK(first[i] == 0);
        CHECK(std::isfinite(mixed[i]));
    }
    double const nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto terms = xg::xlogy(z, v);
    xg::function h{xg::outputs(xg::gradient_of(terms, z), xg::gradient_of(terms, v))};
    auto const [of_count, of_share] = h(z = test::list<double>({0, 0}), v = test::list<double>({nan, -1}));
    all_are("of what does not count", of_count, {0, 0});
    all_are("of what does not count", of_share, {0, 0});
}
