// SPDX-License-Identifier: MIT
// Activations: values, first and second derivatives compared with JAX; kinks, limits, NaN; float in batches.
#include "ops/elementary_reference.hpp"
#include "ops/op_values.hpp"

#include <xgrad/ops/activations.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
namespace op = xg::op;
inline constexpr xg::dim batch{"batch"};
using real = long double;

constexpr auto of_jax = xg::input<"of_jax", double, batch>;
// Piecewise linear: the second derivative is none.
template<class F>
void check_slopes(std::string const& name, F const& f) {
    constexpr auto x = of_jax;
    auto const y = f(x);
    xg::function g{xg::outputs(y, xg::gradient_of(y, x))};
    auto const [values, slopes] = g(x = elementary::reference("x"));
    elementary::compare(name, values, 4e-15);
    elementary::compare(name + ".first", slopes, 1e-14);
}
template<class F>
void check_derivatives(std::string const& name, F const& f) {
    constexpr auto x = of_jax;
    auto const y = f(x);
    auto const first = xg::gradient_of(y, x);
    xg::function g{xg::outputs(y, first, xg::gradient_of(first, x))};
    auto const [values, slopes, second] = g(x = elementary::reference("x"));
    elementary::compare(name, values, 4e-15);
    elementary::compare(name + ".first", slopes, 1e-14);
    elementary::compare(name + ".second", second, 1e-13);
}
template<class T>
T const inf = std::numeric_limits<T>::infinity();
}

TEST_CASE("activations and their derivatives are JAX's") {
    check_slopes("relu6", [](auto x) { return xg::relu6(x); });
    check_slopes("hard_tanh", [](auto x) { return xg::hard_tanh(x); });
    check_slopes("hard_sigmoid", [](auto x) { return xg::hard_sigmoid(x); });
    check_derivatives("hard_swish", [](auto x) { return xg::hard_swish(x); });
    check_slopes("leaky_relu", [](auto x) { return xg::leaky_relu(x, 0.2_c); });
    check_derivatives("softsign", [](auto x) { return xg::softsign(x); });
    check_derivatives("elu", [](auto x) { return xg::elu(x, 1.5_c); });
    check_derivatives("celu", [](auto x) { return xg::celu(x, 0.75_c); });
}
TEST_CASE("smooth activations and their derivatives are JAX's") {
    check_derivatives("selu", [](auto x) { return xg::selu(x); });
    check_derivatives("gelu", [](auto x) { return xg::gelu(x); });
    check_derivatives("gelu_tanh", [](auto x) { return xg::gelu_tanh(x); });
    check_derivatives("silu", [](auto x) { return xg::silu(x); });
    check_derivatives("mish", [](auto x) { return xg::mish(x); });
    check_derivatives("log_sigmoid", [](auto x) { return xg::log_sigmoid(x); });
}

TEST_CASE_TEMPLATE("values of one element and of batches, with edges", T, float, double) {
    using op_values::check;
    T const nan = std::numeric_limits<T>::quiet_NaN();
    auto const x = test::list<T>({0, T(-0.0), 3, -3, 1, -1, 6, T(0.3), T(-0.7), 2, -2, T(5.5), -9, 9, T(1e-3), 40, -40, 1000, -1000});
    auto const steps = test::list<T>({inf<T>, -inf<T>, nan, 7, -7, T(-0.5)});
    for (auto const& v : {x, steps}) {
        check<op::relu6>([](real a) { return a < 0 ? 0 : a > 6 ? 6 : a; }, 0, v);
        check<op::hard_tanh>([](real a) { return a < -1 ? -1 : a > 1 ? 1 : a; }, 0, v);
        check<op::hard_sigmoid>([](real a) { return a < -3 ? 0 : a > 3 ? 1 : (a + 3) / 6; }, 4, v);
        check<op::log_sigmoid>([](real a) { return a < 0 ? a - std::log1p(std::exp(a)) : -std::log1p(std::exp(-a)); }, 8, v);
        auto alpha = test::tensor<T>({v.size()}, T(0.25));
        check<op::leaky_relu>([](real a, real b) { return a > 0 ? a : a * b; }, 0.51, v, &alpha);
        check<op::elu>([](real a, real b) { return a > 0 ? a : b * std::expm1(a); }, 8, v, &alpha);
        check<op::celu>([](real a, real b) { return a > 0 ? a : b * std::expm1(a / b); }, 8, v, &alpha);
        check<op::selu>([](real a) { return a > 0 ? real(op::selu::scale) * a : real(op::selu::scaled_alpha) * std::expm1(a); }, 8, v);
    }
    check<op::silu>([](real a) { return a / (1 + std::exp(-a)); }, 8, x);
    check<op::mish>([](real a) { return a * std::tanh(a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a))); }, 16, x);
    check<op::softsign>([](real a) { return a / (1 + std::abs(a)); }, 2, x);
    check<op::hard_swish>([](real a) { return a <= -3 ? 0 : a >= 3 ? a : a * (a + 3) / 6; }, 4, x);
}

TEST_CASE("gradients at kinks, of slopes and limits") {
    constexpr auto x = xg::input<"x", float, batch>;
    constexpr auto a = xg::input<"a", float>;
    constexpr auto b = xg::input<"b", float>;
    auto const [low, high] = xg::gradients(xg::threshold(x, a, b), x, b);
    xg::function f{
        xg::outputs(xg::gradient_of(xg::relu6(x), x), xg::gradient_of(xg::hard_tanh(x), x), xg::gradient_of(xg::hard_sigmoid(x), x),
            xg::gradient_of(xg::hard_swish(x), x), xg::gradient_of(xg::leaky_relu(x, a), x), xg::gradient_of(xg::leaky_relu(x, a), a),
            xg::gradient_of(xg::elu(x, a), a), xg::gradient_of(xg::celu(x, a), a), xg::threshold(x, a, b), low, high)};
    auto const [relu6, tanh, sigmoid, swish, leaky, slope, elu, celu, over, of_x, of_other] =
        f(x = test::list<float>({0, 6, -1, 1, -3, 3}), a = 0.5F, b = -7.0F);
    auto const are = [](auto const& found, std::initializer_list<double> expected) {
        REQUIRE(static_cast<std::size_t>(found.size()) == expected.size());
        std::int64_t i = 0;
        for (double const e : expected) CHECK(static_cast<double>(found[i++]) == doctest::Approx(e).epsilon(1e-6));
    };
    are(relu6, {0, 0, 0, 1, 0, 1});
    are(tanh, {1, 0, 0, 0, 0, 0});
    are(sigmoid, {1 / 6.0, 0, 1 / 6.0, 1 / 6.0, 0, 0});
    are(swish, {0.5, 1, 1 / 6.0, 5 / 6.0, 0, 1});
    are(leaky, {0.5, 1, 0.5, 1, 0.5, 1});
    CHECK(slope == -4);   // the sum of the negative elements
    CHECK(elu == doctest::Approx(std::expm1(-1.0) + std::expm1(-3.0)).epsilon(1e-6));
    double of_alpha = 0;
    for (double const z : {-2.0, -6.0}) of_alpha += std::expm1(z) - z * std::exp(z);
    CHECK(celu == doctest::Approx(of_alpha).epsilon(1e-6));
    are(over, {-7, 6, -7, 1, -7, 3});
    are(of_x, {0, 1, 0, 1, 0, 1});
    CHECK(of_other == 3);
}
