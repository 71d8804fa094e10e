// SPDX-License-Identifier: MIT
// Bessel functions, log_ndtr and erfcx of one number and of batches compared with mpmath and SciPy
// (tests/reference/signals.py). Their derivatives.
#include "ops/op_values.hpp"
#include "ops/signals_reference.hpp"

#include <xgrad/ops/special/bessel_jy.hpp>
#include <xgrad/ops/special/integrals.hpp>
#include <xgrad/ops/special/log_ndtr.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
namespace op = xg::op;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch>;

/// `units` of the last place: of the value, or of 1 if that is more and `absolute`.
template<class Op, class T>
void check_table(double units, bool absolute, double sensitivity = 0) {
    std::string const name(Op::name);
    auto const &all = signals::numbers(name + ".x"), &values = signals::numbers(name);
    for (std::size_t i = 0; i < all.size(); ++i) {
        T const at = static_cast<T>(all[i]);
        std::vector<T> lanes(static_cast<std::size_t>(test::width<T>), T(0.75));
        lanes[i % lanes.size()] = at;
        T const in_batch = Op::value(xg::simd::load(lanes.data()))[i % lanes.size()], one = Op::value(at);
        double const size = std::abs(values[i]), epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
        double const error = epsilon * ((absolute ? std::max(1.0, size) : size) * units + sensitivity * size * all[i] * all[i]);
        for (T const found : {in_batch, one}) {
            CAPTURE(name);
            CAPTURE(at);
            CAPTURE(found);
            CAPTURE(values[i]);
            CHECK((found == static_cast<T>(values[i]) || std::abs(static_cast<double>(found) - values[i]) <= error));
        }
    }
}
}

TEST_CASE_TEMPLATE("special functions of one number and of batches", T, float, double) {
    check_table<op::bessel_j0, T>(8, true);
    check_table<op::bessel_j1, T>(8, true);
    check_table<op::bessel_y0, T>(8, true);
    check_table<op::bessel_y1, T>(8, true);
    check_table<op::log_ndtr, T>(8, false, 1);
    check_table<op::erfcx, T>(8, false, 1);
    T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(op::bessel_j0::value(inf) == 0);
    CHECK(op::bessel_j1::value(-inf) == 0);
    CHECK(op::bessel_y0::value(inf) == 0);
    CHECK(op::bessel_y1::value(inf) == 0);
    CHECK(std::isnan(op::bessel_y0::value(T(-1))));
    CHECK(std::isnan(op::bessel_y1::value(-inf)));
    CHECK(op::log_ndtr::value(-inf) == -inf);
    CHECK(op::log_ndtr::value(inf) == 0);
    CHECK(op::erfcx::value(-inf) == inf);
    CHECK(op::erfcx::value(inf) == 0);
    CHECK(op::bessel_i0::value(-inf) == inf);
    CHECK(op::bessel_i1::value(-inf) == -inf);
    for (T const e : {op::bessel_j0::value(nan), op::bessel_j1::value(nan), op::bessel_y0::value(nan), op::bessel_y1::value(nan),
             op::log_ndtr::value(nan), op::erfcx::value(nan)})
        CHECK(std::isnan(e));
}

TEST_CASE("derivatives of first and second order") {
    auto const all = [](auto const& f) {
        auto const first = xg::gradient_of(xg::sum(f), x);
        return xg::sum(xg::sin(f)) + xg::sum(xg::sin(first));
    };
    auto const loss = all(xg::bessel_j0(x)) + all(xg::bessel_j1(x)) + all(xg::bessel_y0(xg::abs(x) + 0.5_c)) +
                      all(xg::bessel_y1(xg::abs(x) + 0.5_c)) + all(xg::log_ndtr(x)) + all(xg::erfcx(0.125_c * x));
    test::tensor<double> X({7});
    double const numbers[]{-9.5, -2.25, -0.75, 0.5, 1.5, 6.25, 12.5};
    std::copy(std::begin(numbers), std::end(numbers), X.data());
    auto const r = xg::check_gradients(loss, xg::wrt(x), {.tolerance = 1e-6}, x = X);
    CHECK_MESSAGE(r.ok, r.message);
    xg::function f{xg::outputs(xg::gradient_of(xg::sum(xg::log_ndtr(x)), x), xg::gradient_of(xg::sum(xg::bessel_j1(x)), x),
        xg::gradient_of(xg::sum(xg::gradient_of(xg::sum(xg::log_ndtr(x)), x)), x))};
    double const edges[]{-1000, -40, 0, 3, 60};
    test::tensor<double> E({5});
    std::copy(std::begin(edges), std::end(edges), E.data());
    auto const [slopes, of_bessel, second] = f(x = E);
    CHECK(slopes[0] == doctest::Approx(1000.000999998).epsilon(1e-12));
    CHECK(slopes[1] == doctest::Approx(40.02496886).epsilon(1e-9));
    CHECK(slopes[2] == doctest::Approx(0.7978845608028654).epsilon(1e-14));
    CHECK(slopes[4] == 0);
    CHECK(of_bessel[2] == doctest::Approx(0.5).epsilon(1e-14));
    CHECK(second[2] == doctest::Approx(-0.6366197723675814).epsilon(1e-14));
    CHECK(second[0] == doctest::Approx(-0.999999000006).epsilon(1e-12));
    CHECK(second[4] == 0);
}

TEST_CASE("derivatives keep their digits near 0 and far from it") {
    auto const slopes = [](auto const& f) {
        auto const first = xg::gradient_of(f, x);
        return xg::outputs(first, xg::gradient_of(first, x));
    };
    test::tensor<double> X({4});
    double const numbers[]{1e-20, 1e-3, 40, 1e9};   // slopes by mpmath
    std::copy(std::begin(numbers), std::end(numbers), X.data());
    auto const check = [&](auto const& r, std::initializer_list<double> first, std::initializer_list<double> second) {
        for (int i = 0; double const e : first) CHECK(std::get<0>(r)[i++] == doctest::Approx(e).epsilon(2e-13).scale(0));
        for (int i = 0; double const e : second) CHECK(std::get<1>(r)[i++] == doctest::Approx(e).epsilon(2e-13).scale(0));
    };
    xg::function of_j1{slopes(xg::bessel_j1(x))};
    xg::function of_i1{slopes(xg::bessel_i1(x))};
    xg::function of_dawson{slopes(xg::dawson(x))};
    xg::function of_erfcx{slopes(xg::erfcx(x))};
    check(of_j1(x = X), {0.5, 0.49999981250001302}, {-3.75e-21, -0.00037499994791666895});
    check(of_i1(x = X), {0.5, 0.50000018750001302, 14527089889338416.0}, {3.75e-21, 0.00037500005208333562, 14353411038627929.0});
    check(of_dawson(x = X), {1, 0.99999800000133333, -0.00031279342751785595, -5e-19},
        {-4e-20, -0.0039999946666698667, 1.5654365740529386e-5, 1e-27});
    check(of_erfcx(x = X), {-1.1283791670955126, -1.1263814218553503, -0.00035228842528748392, -5.6418958354775629e-19},
        {2, 1.9954924773185921, 1.7597943756913901e-5, 1.1283791670955126e-27});
}
