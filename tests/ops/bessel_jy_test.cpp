// SPDX-License-Identifier: MIT
// Bessel functions, log_ndtr and erfcx of one number and of batches compared with mpmath and SciPy
// (tests/reference/signals.py). Their derivatives.
#include "ops/op_values.hpp"
#include "ops/signals_reference.hpp"

#include <xgrad/ops/special/bessel_jy.hpp>
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
    CHECK(std::isfinite(second[0]));
    CHECK(second[4] == 0);
}
