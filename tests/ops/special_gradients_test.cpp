// SPDX-License-Identifier: MIT
// First and second derivatives of special functions, compared with mpmath; where they have a kink or an edge.
#include "ops/special_reference.hpp"

#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/special/bessel.hpp>
#include <xgrad/ops/special/special.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using special::batch;
using special::check_derivatives;
using special::compare;
using special::reference;

template<class A>
void are(A const& found, std::initializer_list<double> expected) {
    REQUIRE(static_cast<std::size_t>(found.size()) == expected.size());
    std::int64_t i = 0;
    for (double const e : expected) {
        CAPTURE(i);
        double const value = static_cast<double>(found[i++]);
        CHECK((value == e || value == doctest::Approx(e).epsilon(1e-12)));
    }
}
}

TEST_CASE("derivatives of functions of one operand") {
    check_derivatives("erfc", [](auto x) { return xg::erfc(x); });
    check_derivatives(
        "gelu", [](auto x) { return xg::gelu(x); }, 4e-15, 1e-15);
    check_derivatives(
        "erfinv", [](auto x) { return xg::erfinv(x); }, 2e-14);
    check_derivatives(
        "ndtri", [](auto x) { return xg::ndtri(x); }, 4e-14, 1e-15);
    check_derivatives(
        "lgamma", [](auto x) { return xg::lgamma(x); }, 1e-14);
    check_derivatives(
        "bessel_i0e", [](auto x) { return xg::bessel_i0e(x); }, 1e-14, 1e-15);
    check_derivatives(
        "bessel_i1", [](auto x) { return xg::bessel_i1(x); }, 1e-14, 1e-15);
    check_derivatives(
        "sinc", [](auto x) { return xg::sinc(x); }, 1e-14, 4e-15);
}

TEST_CASE("derivatives of the last operand of incomplete functions") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    constexpr auto z = xg::input<"z", double, batch>;
    auto const check = [&](std::string const& name, auto const& of_f) {
        auto const first = xg::gradient_of(of_f(x, y), y);
        xg::function g{xg::outputs(first, xg::gradient_of(first, y))};
        auto const [slopes, second] = g(x = reference(name + ".at0"), y = reference(name + ".at1"));
        compare(name + ".first", slopes, 2e-14, 1e-15);
        compare(name + ".second", second, 2e-14, 1e-14);
    };
    check("igamma", [](auto a, auto b) { return xg::igamma(a, b); });
    check("igammac", [](auto a, auto b) { return xg::igammac(a, b); });
    check("igamma_slope", [](auto a, auto b) { return xg::gradient_of(xg::igamma(a, b), a); });
    check("igamma_slope", [](auto a, auto b) { return -xg::gradient_of(xg::igammac(a, b), a); });
    check("polygamma", [](auto a, auto b) { return xg::polygamma(a, b); });
    constexpr auto first = xg::gradient_of(xg::betainc(x, y, z), z);
    xg::function g{xg::outputs(first, xg::gradient_of(first, z))};
    auto const [slopes, second] = g(x = reference("betainc.at0"), y = reference("betainc.at1"), z = reference("betainc.at2"));
    compare("betainc.first", slopes, 2e-14);
    compare("betainc.second", second, 4e-14, 1e-14);
}

TEST_CASE("derivatives of small functions, at kinks and at infinity too") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    double const inf = std::numeric_limits<double>::infinity();
    auto const [sum_x, sum_y] = xg::gradients(xg::logaddexp(x, y), x, y);
    auto const [long_x, long_y] = xg::gradients(xg::hypot(x, y), x, y);
    auto const [step_x, step_y] = xg::gradients(xg::heaviside(x, y), x, y);
    auto const [sign_x, sign_y] = xg::gradients(xg::copysign(x, y), x, y);
    auto const [log_x, log_y] = xg::gradients(xg::xlog1py(x, y), x, y);
    xg::function f{xg::outputs(sum_x, sum_y, long_x, long_y, step_x, step_y, sign_x, sign_y, log_x, log_y)};
    auto const [a, b, c, d, e, h, i, j, k, l] = f(x = test::list<double>({0, 3, -3, inf, 0}), y = test::list<double>({0, 4, 4, inf, -2}));
    are(a, {0.5, 1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(7.0)), 0.5, 1 / (1 + std::exp(-2.0))});
    are(b, {0.5, 1 / (1 + std::exp(-1.0)), 1 / (1 + std::exp(-7.0)), 0.5, 1 / (1 + std::exp(2.0))});
    for (std::int64_t n = 0; n < 3; ++n) {
        CHECK(c[n] == doctest::Approx(std::initializer_list<double>{0, 0.6, -0.6}.begin()[n]));
        CHECK(d[n] == doctest::Approx(std::initializer_list<double>{0, 0.8, 0.8}.begin()[n]));
    }
    are(e, {0, 0, 0, 0, 0});
    are(h, {1, 0, 0, 0, 1});
    are(i, {0, 1, -1, 1, 0});
    are(j, {0, 0, 0, 0, 0});
    are(k, {0, std::log(5.0), std::log(5.0), inf, 0});
    CHECK(l[1] == doctest::Approx(0.6));
    CHECK(l[4] == 0);
    auto const r =
        xg::check_gradients(xg::sum(xg::hypot(x, y) * xg::logaddexp2(x, y) + xg::xlog1py(x, xg::square(y)) + xg::copysign(x, y)) +
                                xg::sum(xg::lbeta(xg::square(x))) + xg::sum(xg::deg2rad(x) * xg::rad2deg(xg::square(y))),
            xg::wrt(x, y), x = test::list<double>({1.75, -3.3, 5.1, 0.4}), y = test::list<double>({1.3, 0.9, -2.2, 0.7}));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE_TEMPLATE("programs in vectors and their tails", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch, 2>;
    xg::function f{xg::outputs(xg::lbeta(x), xg::ndtri(xg::ndtr(x)), xg::erfinv(xg::erfc(x) - 1_c), xg::gradient_of(xg::lbeta(x), x))};
    auto const v = test::numbers<T>({19, 2}, 0.5, 3);
    auto const [beta, same, back, slope] = f(x = v);
    double const tolerance = sizeof(T) == 4 ? 2e-3 : 1e-10;
    for (std::int64_t i = 0; i < 19; ++i) {
        double const a = static_cast<double>(v[2 * i]), b = static_cast<double>(v[2 * i + 1]);
        CHECK(static_cast<double>(beta[i]) == doctest::Approx(std::log(std::beta(a, b))).epsilon(1e-5));
        for (int k = 0; k < 2; ++k) {
            CHECK(static_cast<double>(same(i, k)) == doctest::Approx(k == 0 ? a : b).epsilon(tolerance));
            if ((k == 0 ? a : b) < 2) CHECK(static_cast<double>(back(i, k)) == doctest::Approx(k == 0 ? -a : -b).epsilon(tolerance));
        }
        double const h = 1e-5, of_a = (std::log(std::beta(a + h, b)) - std::log(std::beta(a - h, b))) / (2 * h);
        CHECK(static_cast<double>(slope(i, 0)) == doctest::Approx(of_a).epsilon(1e-4));
    }
}
