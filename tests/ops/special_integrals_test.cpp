// SPDX-License-Identifier: MIT
// Bessel functions K and functions that are integrals: values and derivatives of mpmath, edges of SciPy.
#include "ops/special_values.hpp"

#include <xgrad/ops/special/bessel_k.hpp>
#include <xgrad/ops/special/integrals.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
namespace op = xg::op;
using namespace xg::literals;
using special::batch;
using special::compare;
using special::reference;

/// Values in float and double, and edges with the sign of a zero.
template<class Op>
void check(double units_of_float, double units_of_double) {
    special::check_table<Op, float>(units_of_float);
    special::check_table<Op, double>(units_of_double);
    std::string const name(Op::name);
    auto const &x = reference(name + ".edge.x"), &values = reference(name + ".edge");
    for (std::size_t i = 0; i < x.size(); ++i) {
        special::is<Op, float>(values[i], x[i]);
        special::is<Op, double>(values[i], x[i]);
        // SciPy's integrals of Fresnel are 0 at -0.
        if (values[i] == 0 && (std::signbit(values[i]) || x[i] > 0))
            special::check_near(name, x[i], values[i], Op::value(x[i]), std::signbit(Op::value(x[i])) == std::signbit(values[i]));
    }
}
/// First and second derivative at the points of the table `name`.
template<class F>
void check_slopes(std::string const& name, F const& f, double absolute) {
    constexpr auto x = xg::input<"x", double, batch>;
    auto const first = xg::gradient_of(f(x), x);
    xg::function g{xg::outputs(first, xg::gradient_of(first, x))};
    auto const [slopes, second] = g(x = reference(name + ".at0"));
    compare(name + ".first", slopes, 1e-14, absolute);
    compare(name + ".second", second, 4e-14, 50 * absolute);
}
}

TEST_CASE("values and edges of Bessel functions K and of integrals") {
    check<op::bessel_k0>(8, 8);
    check<op::bessel_k0e>(8, 8);
    check<op::bessel_k1>(8, 8);
    check<op::bessel_k1e>(8, 8);
    check<op::dawson>(8, 8);
    check<op::expint>(8, 8);
    check<op::fresnel_sin>(8, 8);
    check<op::fresnel_cos>(8, 8);
    check<op::spence>(8, 8);
    CHECK(std::isfinite(op::expint::value(712.0)));   // where its power overflows
}

TEST_CASE("first and second derivatives of Bessel functions K and of integrals") {
    // The scaled functions and Dawson's subtract numbers that are nearly equal.
    check_slopes(
        "bessel_k0", [](auto x) { return xg::bessel_k0(x); }, 0);
    check_slopes(
        "bessel_k1e", [](auto x) { return xg::bessel_k1e(x); }, 2e-15);
    check_slopes(
        "dawson", [](auto x) { return xg::dawson(x); }, 4e-15);
    check_slopes(
        "expint", [](auto x) { return xg::expint(x); }, 0);
    check_slopes(
        "fresnel_sin", [](auto x) { return xg::fresnel_sin(x); }, 1e-13);
    check_slopes(
        "spence", [](auto x) { return xg::spence(x); }, 1e-15);
}

TEST_CASE("gradients and second order by finite differences, in vectors and their tail") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto f = xg::sum(xg::bessel_k0e(x) * xg::fresnel_cos(x) + xg::bessel_k1(x) * xg::spence(x) * xg::expint(x));
    auto const r = xg::check_gradients(xg::sum(xg::square(xg::gradient_of(f, x))), xg::wrt(x), x = test::numbers<double>({11}, 0.4, 2.6));
    CHECK_MESSAGE(r.ok, r.message);
}
