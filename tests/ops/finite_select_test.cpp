// SPDX-License-Identifier: MIT
// The branch of a select that is not taken has no say in a derivative.
#include "ops/finite.hpp"

using namespace finite_derivatives;

TEST_CASE_TEMPLATE("select: no derivative of the branch that is not taken comes through, however it is made", T, float, double) {
    constexpr auto v = x<T>;
    constexpr auto positive = v > 0_c;
    constexpr auto elu = xg::select(positive, v, xg::exp(v) - 1_c);
    constexpr auto logarithm = xg::select(positive, 3_c * xg::log(xg::sqrt(v)) + v, v);
    constexpr auto inverse = xg::select(xg::not_equal(v, 0_c), 2_c / v, 0_c);
    constexpr auto product = xg::select(v < 3_c, v * xg::exp(v), 5_c * v);
    constexpr auto several = xg::select(v < 3_c, xg::exp(v) * xg::exp(v) + xg::exp(v), 5_c * v);
    constexpr auto nested = xg::select(v > 1_c, xg::select(v < 3_c, -xg::exp(v), xg::log(v)), xg::pow(v, 3_c));
    constexpr auto bounded = xg::maximum(1_c - xg::exp(v), -1_c);
    constexpr auto outer = xg::select(v < 3_c, 2_c * xg::square(xg::exp(v)), v);
    constexpr auto first = [](auto y) { return xg::gradient_of(y, x<T>); };
    constexpr auto second = [](auto y) { return xg::gradient_of(xg::gradient_of(y, x<T>), x<T>); };
    auto const at = test::list<T>({-2, 0, 2, 1000});
    double const e2 = std::exp(2.0), m2 = std::exp(-2.0);
    xg::function f{xg::outputs(
        first(elu), first(logarithm), first(inverse), first(product), first(several), first(nested), first(bounded), first(outer))};
    auto const [a, b, c, d, e, g, h, k] = f(v = at);
    all_are("elu", a, {m2, 1, 1, 1});
    all_are("log", b, {1, 1, 1.75, 1.0015});
    all_are("1/x", c, {-0.5, 0, -0.5, -2e-6});
    all_are("x exp x", d, {-m2, 1, 3 * e2, 5});
    all_are("several uses", e, {2 * m2 * m2 + m2, 3, 2 * e2 * e2 + e2, 5});
    all_are("nested", g, {12, 0, -e2, 1e-3});
    all_are("maximum", h, {-m2, -1, 0, 0});
    all_are("factors", k, {4 * m2 * m2, 4, 4 * e2 * e2, 1});
    xg::function s{xg::outputs(second(elu), second(logarithm), second(inverse), second(product), second(several), second(nested))};
    auto const [aa, bb, cc, dd, ee, gg] = s(v = at);
    all_are("elu twice", aa, {m2, 1, 0, 0});
    all_are("log twice", bb, {0, 0, -0.375, -1.5e-6});
    all_are("1/x twice", cc, {-0.5, 0, 0.5, 4e-9});
    all_are("x exp x twice", dd, {0, 2, 4 * e2, 0});
    all_are("several uses twice", ee, {4 * m2 * m2 + m2, 5, 4 * e2 * e2 + e2, 0});
    all_are("nested twice", gg, {-12, 0, -e2, -1e-6});
    constexpr auto roots = xg::select(positive, xg::sqrt(xg::sqrt(v)), 0_c);
    all_are("a root of a root, three times", xg::function{xg::gradient_of(second(roots), x<T>)}(v = test::list<T>({-2, 0, 1, 16})),
        {0, 0, 21.0 / 64, 21.0 / 64 / 2048});
}

TEST_CASE("select: masks that broadcast, and gradients of factors that are numbers") {
    constexpr auto m = xg::input<"m", double, batch, 2>;
    constexpr auto s = xg::input<"s", double>;
    constexpr auto size = xg::norm<1>(m, xg::keep_dims);
    constexpr auto unit = xg::select(size > 0_c, m / size, 0_c);   // the mask has one column
    constexpr auto scaled = xg::sum(xg::select(m > 0_c, s * xg::log(m), 0_c));
    xg::function f{xg::outputs(xg::gradient_of(xg::sum(unit * m), m), xg::gradient_of(scaled, s), xg::gradient_of(scaled, m))};
    auto const [u, ds, dm] = f(m = test::tensor<double>({2, 2}, 0.0), s = 2.0);
    all_are("zeros", u, {0, 0, 0, 0});
    CHECK(ds == 0);
    all_are("zeros", dm, {0, 0, 0, 0});
    auto const a = test::numbers<double>({4, 2}, -2, 2);
    auto const r = xg::check_gradients(xg::sum(unit * xg::square(m)) + xg::square(scaled) + xg::sum(xg::square(xg::gradient_of(scaled, m))),
        xg::wrt(m, s), m = a, s = 1.5);
    CHECK_MESSAGE(r.ok, r.message);
}
