// SPDX-License-Identifier: MIT
// Values of the element-wise operations, straight from Op::value of one element and of a batch: compared with <cmath> in long double, at
// edges, and with the same bits in every lane. elementwise_test.cpp checks programs of them.
#include "ops/op_values.hpp"

#include <xgrad/ops/no_nan.hpp>

using namespace op_values;

TEST_CASE_TEMPLATE("functions of one operand", T, float, double) {
    namespace op = xg::op;
    auto const x = test::numbers<T>({37}, -3, 3), p = test::numbers<T>({37}, 0.1, 5, 2);
    check<op::exp>([](real v) { return std::exp(v); }, 4, x);
    check<op::expm1>([](real v) { return std::expm1(v); }, 6, x);
    check<op::sin>([](real v) { return std::sin(v); }, 8, x);
    check<op::cos>([](real v) { return std::cos(v); }, 8, x);
    check<op::tanh>([](real v) { return std::tanh(v); }, 8, x);
    check<op::sigmoid>([](real v) { return 1 / (1 + std::exp(-v)); }, 6, x);
    check<op::erf>([](real v) { return std::erf(v); }, 4, x);
    check<op::softplus>([](real v) { return std::log1p(std::exp(v)); }, 8, x);
    check<op::square>([](real v) { return v * v; }, 0.51, x);
    check<op::relu>([](real v) { return v < 0 ? 0 : v; }, 0, x);
    check<op::abs>([](real v) { return std::abs(v); }, 0, x);
    check<op::neg>([](real v) { return -v; }, 0, x);
    check<op::sign>([](real v) { return real((v > 0) - (v < 0)); }, 0, x);
    check<op::log>([](real v) { return std::log(v); }, 4, p);
    check<op::log1p>([](real v) { return std::log1p(v); }, 4, p);
    check<op::sqrt>([](real v) { return std::sqrt(v); }, 0.51, p);
    check<op::log_or_zero>([](real v) { return v > 0 ? std::log(v) : 0; }, 4, x);
}

TEST_CASE_TEMPLATE("functions of two operands", T, float, double) {
    namespace op = xg::op;
    auto const x = test::numbers<T>({37}, 0.2, 3), y = test::numbers<T>({37}, 0.3, 2, 5);
    check<op::add>([](real v, real w) { return v + w; }, 0.51, x, &y);
    check<op::sub>([](real v, real w) { return v - w; }, 0.51, x, &y);
    check<op::mul>([](real v, real w) { return v * w; }, 0.51, x, &y);
    check<op::div>([](real v, real w) { return v / w; }, 0.51, x, &y);
    check<op::pow>([](real v, real w) { return std::pow(v, w); }, 16, x, &y);
    check<op::maximum>([](real v, real w) { return std::max(v, w); }, 0, x, &y);
    check<op::minimum>([](real v, real w) { return std::min(v, w); }, 0, x, &y);
}

TEST_CASE_TEMPLATE("edge values", T, float, double) {
    namespace op = xg::op;
    T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(), most = std::numeric_limits<T>::max();
    auto const v = test::list<T>({0, T(-0.0), 1, -1, inf, -inf, nan, 200, -200, most});
    auto const p = test::list<T>({0, 1, inf, nan, 200, most});
    check<op::exp>([](real a) { return std::exp(a); }, 8, v);
    check<op::tanh>([](real a) { return std::tanh(a); }, 8, v);
    check<op::sigmoid>([](real a) { return 1 / (1 + std::exp(-a)); }, 8, v);
    check<op::erf>([](real a) { return std::erf(a); }, 4, v);
    check<op::softplus>([](real a) { return std::isnan(a) ? a : std::max(a, 0.0L) + std::log1p(std::exp(-std::abs(a))); }, 8, v);
    check<op::relu>([](real a) { return a < 0 ? 0 : a; }, 8, v);
    check<op::sign>([](real a) -> real { return std::isnan(a) ? a : (a > 0) - (a < 0); }, 8, v);   // as tf.sign
    check<op::log_or_zero>([](real a) { return a > 0 ? std::log(a) : 0; }, 8, v);
    check<op::expm1>([](real a) { return std::expm1(a); }, 8, v);
    check<op::log>([](real a) { return std::log(a); }, 8, p);
    check<op::sqrt>([](real a) { return std::sqrt(a); }, 8, p);
    check<op::log1p>([](real a) { return std::log1p(a); }, 8, p);
    // NaN of either side passes through extrema
    auto const n = test::list<T>({nan, 1, nan, -inf}), m = test::list<T>({1, nan, nan, inf});
    auto const larger = [](real a, real b) {
        return std::isnan(a) || std::isnan(b) ? std::numeric_limits<real>::quiet_NaN() : std::max(a, b);
    };
    auto const smaller = [](real a, real b) {
        return std::isnan(a) || std::isnan(b) ? std::numeric_limits<real>::quiet_NaN() : std::min(a, b);
    };
    check<op::maximum>(larger, 0, n, &m);
    check<op::minimum>(smaller, 0, n, &m);
    // a zero wins over what is infinite or NaN
    auto const a = test::list<T>({inf, nan, -inf, 2, 0, 3}), z = test::list<T>({0, 0, T(-0.0), 0, 2, 4});
    check<op::multiply_no_nan>([](real x, real y) { return y == 0 ? 0 : x * y; }, 0, a, &z);
    check<op::divide_no_nan>([](real x, real y) { return y == 0 ? 0 : x / y; }, 0, a, &z);
    auto const x = test::list<T>({0, T(-0.0), 0, 0, 2, 2, -1, nan}), y = test::list<T>({0, -1, nan, inf, 3, 0, 2, 1});
    check<op::xlogy>([](real s, real t) { return s == 0 ? 0 : s * std::log(t); }, 8, x, &y);
    check<op::xdivy>([](real s, real t) { return s == 0 ? 0 : s / t; }, 0, x, &y);
    // infinite logits: what the label agrees with costs nothing
    auto const logits = test::list<T>({-inf, inf, -inf, inf, nan, 0, 3, -3}), labels = test::list<T>({0, 1, 1, 0, 0, 1, T(0.5), T(0.25)});
    check<op::sigmoid_cross_entropy>(
        [](real s, real t) {
            if (std::isnan(s)) return s;
            real const missed = s > 0 ? 1 - t : t;
            return (missed == 0 ? 0 : std::abs(s) * missed) + std::log1p(std::exp(-std::abs(s)));
        },
        8, logits, &labels);
}
