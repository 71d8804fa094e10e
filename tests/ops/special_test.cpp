// SPDX-License-Identifier: MIT
// Special functions of one number and of batches: values of mpmath, edges as in SciPy and TensorFlow. No program is compiled here.
#include "ops/op_values.hpp"
#include "ops/special_values.hpp"

#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/special/bessel.hpp>
#include <xgrad/ops/special/special.hpp>

namespace {
namespace xg = xgrad;
namespace op = xg::op;
using op_values::real;
using special::check_table;
using special::is;
}

TEST_CASE_TEMPLATE("special functions are those of mpmath", T, float, double) {
    check_table<op::erfc, T>(8);
    check_table<op::ndtr, T>(8);
    check_table<op::gelu, T>(9);
    check_table<op::erfinv, T>(6);
    check_table<op::ndtri, T>(6);
    check_table<op::lgamma, T>(6);
    check_table<op::digamma, T>(12, true);
    check_table<op::sinc, T>(4);
    check_table<op::bessel_i0e, T>(6);
    check_table<op::bessel_i1e, T>(6);
    check_table<op::bessel_i0, T>(8);
    check_table<op::bessel_i1, T>(8);
    check_table<op::zeta, T>(16);
    check_table<op::polygamma, T>(24);
    // in double the power of a large number loses digits
    double const of_power = sizeof(T) == 4 ? 2 : 800;
    check_table<op::igamma, T>(of_power);
    check_table<op::igammac, T>(of_power);
    check_table<op::betainc, T>(of_power);
    check_table<op::igamma_slope, T>(of_power, true);
}

TEST_CASE_TEMPLATE("edges of special functions", T, float, double) {
    double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    is<op::erfc, T>(0, inf);
    is<op::erfc, T>(2, -inf);
    is<op::erfc, T>(nan, nan);
    is<op::ndtr, T>(1, inf);
    is<op::ndtr, T>(0, -inf);
    is<op::erfinv, T>(inf, 1);
    is<op::erfinv, T>(-inf, -1);
    is<op::erfinv, T>(nan, 1.5);
    is<op::erfinv, T>(nan, nan);
    is<op::ndtri, T>(-inf, 0);
    is<op::ndtri, T>(inf, 1);
    is<op::ndtri, T>(nan, -0.5);
    is<op::ndtri, T>(nan, 1.5);
    is<op::lgamma, T>(inf, 0);
    is<op::lgamma, T>(inf, -3);
    is<op::lgamma, T>(inf, inf);
    is<op::digamma, T>(nan, 0);
    is<op::digamma, T>(nan, -4);
    is<op::digamma, T>(inf, inf);
    is<op::polygamma, T>(nan, 1.5, 2);
    is<op::polygamma, T>(nan, -1, 2);
    is<op::polygamma, T>(inf, 1, 0);
    is<op::polygamma, T>(0, 1, inf);
    is<op::polygamma, T>(1e-20, 1, 1e20);
    is<op::zeta, T>(inf, 1, 3);
    is<op::zeta, T>(nan, 0.5, 3);
    is<op::zeta, T>(inf, 2, -3);
    is<op::zeta, T>(nan, 2, -2.5);
    is<op::igamma, T>(0, 2, 0);
    is<op::igamma, T>(1, 2, inf);
    is<op::igamma, T>(1, 0, 2);
    is<op::igamma, T>(nan, 0, 0);
    is<op::igamma, T>(nan, -1, 2);
    is<op::igamma, T>(nan, 1, -2);
    is<op::igammac, T>(1, 2, 0);
    is<op::igamma_slope, T>(0, 2, inf);
    is<op::igamma_slope, T>(nan, 0, 2);
    is<op::igamma_slope, T>(nan, 2, -1);
    is<op::igamma_slope, T>(nan, nan, 2);
    is<op::igammac, T>(0, 2, inf);
    is<op::igammac, T>(nan, nan, 2);
    is<op::betainc, T>(0, 2, 3, 0);
    is<op::betainc, T>(1, 2, 3, 1);
    is<op::betainc, T>(nan, 0, 3, 0.5);
    is<op::betainc, T>(nan, 2, 3, 1.5);
    is<op::bessel_i0e, T>(1, 0);
    is<op::bessel_i1e, T>(0, 0);
    is<op::bessel_i0e, T>(nan, nan);
}

TEST_CASE_TEMPLATE("small functions and their edges", T, float, double) {
    using op_values::check;
    using limits = std::numeric_limits<T>;
    T const inf = limits::infinity(), nan = limits::quiet_NaN(), most = limits::max();
    auto const x = test::numbers<T>({37}, -3, 3), y = test::numbers<T>({37}, -2, 2, 5), p = test::numbers<T>({37}, 0.1, 5, 2);
    auto const a = test::list<T>({0, 3, inf, -inf, inf, nan, most, 0, -5, inf, 2, nan}),
               b = test::list<T>({0, T(-0.0), 1, 2, -inf, 1, most / 2, nan, 12, nan, -inf, inf});
    auto const hypotenuse = [](real v, real w) { return std::hypot(v, w); };
    check<op::hypot>(hypotenuse, 2, x, &y);
    check<op::hypot>(hypotenuse, 2, a, &b);
    check<op::reciprocal>([](real v) { return 1 / v; }, 0.51, x);
    check<op::reciprocal>([](real v) { return 1 / v; }, 0.51, a);
    check<op::rsqrt>([](real v) { return 1 / std::sqrt(v); }, 1.6, p);
    check<op::rsqrt>([](real v) { return 1 / std::sqrt(v); }, 1.6, a);
    check<op::copysign>([](real v, real w) { return std::copysign(v, w); }, 0, x, &y);
    check<op::copysign>([](real v, real w) { return std::copysign(v, w); }, 0, b, &b);
    check<op::heaviside>([](real v, real w) -> real { return std::isnan(v) ? v : v == 0 ? w : v > 0; }, 0, x, &y);
    check<op::heaviside>([](real v, real w) -> real { return std::isnan(v) ? v : v == 0 ? w : v > 0; }, 0, a, &b);
    check<op::deg2rad>([](real v) { return v * 0.017453292519943295769L; }, 1.1, x);
    check<op::rad2deg>([](real v) { return v * 57.295779513082320877L; }, 1.1, x);
    auto const sum_of_exponentials = [](real v, real w) {
        return v == w ? v + std::log(2.0L) : std::max(v, w) + std::log1p(std::exp(-std::abs(v - w)));
    };
    auto const sum_of_powers = [](real v, real w) { return v == w ? v + 1 : std::max(v, w) + std::log2(1 + std::exp2(-std::abs(v - w))); };
    auto const u = test::list<T>({0, inf, -inf, inf, -inf, nan, 1000, -1000, 3, 2}),
               v = test::list<T>({0, inf, -inf, -inf, 1, 2, 1001, 5, nan, 7});
    check<op::logaddexp>([&](real c, real d) { return std::isnan(c + d) && c != -d ? c + d : sum_of_exponentials(c, d); }, 4, u, &v);
    check<op::logaddexp>(sum_of_exponentials, 4, p, &p);
    check<op::logaddexp2>([&](real c, real d) { return std::isnan(c + d) && c != -d ? c + d : sum_of_powers(c, d); }, 4, u, &v);
    auto const product = [](real c, real d) { return c == 0 ? 0 : c * std::log1p(d); };
    check<op::xlog1py>(product, 8, x, &p);
    auto const none = test::list<T>({0, 0, 0, 2, 0}), out = test::list<T>({-1, nan, inf, -1, -7});
    check<op::xlog1py>(product, 1, none, &out);
    auto const whole = test::list<T>({inf, -inf, nan, 3, -8, 0});
    check<op::sinc>([](real w) -> real { return w == 0 ? 1 : std::isnan(w) ? w : 0; }, 0, whole);
}
