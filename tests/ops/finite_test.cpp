// SPDX-License-Identifier: MIT
// Derivatives that are finite where mathematics is: the branch of a select that is not taken, roots of sums of squares at 0, powers of 0, infinite logits.
#include <support/tensor.hpp>

#include <xgrad/ops/no_nan.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
template<class T>
inline constexpr auto x = xg::input<"x", T, batch>;

template<class R>
void all_are(char const* what, R const& r, std::initializer_list<double> expected, double tolerance = 1e-6) {
    CAPTURE(what);
    REQUIRE(static_cast<std::size_t>(r.size()) == expected.size());
    std::int64_t i = 0;
    for (double const e : expected) {
        CAPTURE(i);
        double const v = static_cast<double>(r[i++]);
        CHECK((v == e || std::abs(v - e) <= tolerance * std::abs(e)));
    }
}
}

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

TEST_CASE_TEMPLATE("norms and standard deviations have the gradient 0 at 0", T, float, double) {
    constexpr auto m = xg::input<"m", T, batch, 3>;
    constexpr auto w = xg::input<"w", T, 3>;
    constexpr auto gradient = [](auto y) { return xg::gradient_of(y, xg::input<"m", T, batch, 3>); };
    constexpr auto n = xg::norm<1>(m);
    constexpr auto deviation = xg::sqrt(std::get<1>(xg::moments<1>(m)));
    constexpr auto weighted = xg::sqrt(0.25_c * xg::sum<1>(m * m) + xg::mean<1>(xg::square(m)));
    constexpr auto masked = xg::sqrt(xg::sum<1>(xg::cast<T>(w > 0_c) * xg::square(m) + xg::select(w > 2_c, m * m, 0_c)));
    xg::function f{xg::outputs(n, gradient(n), gradient(gradient(n)), gradient(deviation), gradient(weighted), gradient(masked),
        xg::norm(m), xg::norm<0>(m, xg::keep_dims), gradient(xg::sqrt(xg::abs(m))))};
    auto const at = test::tensor<T>({2, 3}, T(0));
    auto a = at;
    a[3] = 3, a[4] = 4;
    auto const [value, slope, twice, spread, both, part, all, columns, plain] = f(m = a, w = test::list<T>({1, -1, 1}));
    all_are("norm", value, {0, 5});
    all_are("its gradient", slope, {0, 0, 0, 0.6, 0.8, 0});
    all_are("of a sum and a mean", both, {0, 0, 0, 3 * std::sqrt(7.0 / 12) / 5, 4 * std::sqrt(7.0 / 12) / 5, 0});
    all_are("of what a mask leaves", part, {0, 0, 0, 1, 0, 0});
    for (int i = 0; i < 3; ++i) {
        CHECK(twice[i] == 0);
        CHECK(spread[i] == 0);
        CHECK((std::isnan(plain[i]) || plain[i] == 0));   // |x|' is 0 at 0, and the root's is infinite
    }
    CHECK(all == 5);
    CHECK((columns.shape() == std::array<std::int64_t, 2>{1, 3}));
    all_are("of columns", columns, {3, 4, 0});
    constexpr auto r = xg::input<"r", T, batch>;
    CHECK(std::isinf(xg::function{xg::gradient_of(xg::sqrt(r), r)}(r = test::list<T>({0}))[0]));   // TensorFlow's
    if constexpr (sizeof(T) == 8) {
        auto const b = test::numbers<T>({3, 3}, -2, 2);
        auto const good = xg::check_gradients(
            xg::sum(xg::square(gradient(n)) * m) + xg::sum(deviation) + xg::norm(m) * xg::sum(xg::norm<0>(m)), xg::wrt(m), m = b);
        CHECK_MESSAGE(good.ok, good.message);
    }
}

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

TEST_CASE_TEMPLATE("cross entropies of infinite logits", T, float, double) {
    constexpr auto m = xg::input<"m", T, batch, 3>;
    constexpr auto z = xg::input<"z", T, batch, 3>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    T const inf = std::numeric_limits<T>::infinity();
    auto logits = test::tensor<T>({2, 3}, -inf), labels = test::tensor<T>({2, 3}, T(0));
    logits[0] = 1, logits[2] = 2, logits[3] = 0;
    labels[0] = labels[2] = T(0.5), labels[3] = 1;
    constexpr auto dense = xg::softmax_cross_entropy(m, z);
    constexpr auto sparse = xg::sparse_softmax_cross_entropy(m, y);
    xg::function f{xg::outputs(dense, xg::gradient_of(dense, m), sparse, xg::gradient_of(sparse, m))};
    auto const [d, dm, s, sm] = f(m = logits, z = labels, y = test::list<std::int32_t>({2, 0}));
    double const e = std::log1p(std::exp(-1.0)), q = 1 / (1 + std::exp(1.0));
    all_are("dense", d, {e + 0.5, 0});
    all_are("its gradient", dm, {q - 0.5, 0, 0.5 - q, 0, 0, 0});
    all_are("sparse", s, {e, 0});
    all_are("its gradient", sm, {q, 0, -q, 0, 0, 0});
}

TEST_CASE("log_softmax over any axes, xlogy and products without NaN against finite differences") {
    constexpr auto t = xg::input<"t", double, batch, 3, 2>;
    constexpr auto u = xg::input<"u", double, batch, 3, 2>;
    constexpr auto entropy = -xg::sum(xg::xlogy(xg::softmax<1, 2>(t), xg::softmax<1, 2>(t)));
    constexpr auto loss = xg::sum(u * xg::log_softmax(t)) + xg::sum(xg::square(u * xg::log_softmax<0, 1>(t))) + entropy +
                          xg::sum(xg::multiply_no_nan(xg::exp(t), u) + xg::divide_no_nan(t, u) + xg::xlogy(u, xg::exp(t)));
    auto const a = test::numbers<double>({2, 3, 2}, -2, 2), b = test::numbers<double>({2, 3, 2}, 0.5, 2, 3);
    auto const r = xg::check_gradients(loss, xg::wrt(t, u), t = a, u = b);
    CHECK_MESSAGE(r.ok, r.message);
    auto const s = xg::check_gradients(xg::sum(xg::square(xg::gradient_of(loss, t))), xg::wrt(t, u), t = a, u = b);
    CHECK_MESSAGE(s.ok, s.message);
    constexpr auto p = xg::input<"p", double, batch>;
    constexpr auto q = xg::input<"q", double, batch>;
    xg::function f{xg::outputs(xg::gradient_of(xg::xlogy(p, q), p), xg::gradient_of(xg::xlogy(p, q), q))};
    auto const [dp, dq] = f(p = test::list<double>({0, 0, 2}), q = test::list<double>({0, 3, 4}));
    all_are("of x", dp, {0, std::log(3.0), std::log(4.0)});
    all_are("of y", dq, {0, 0, 0.5});
}
