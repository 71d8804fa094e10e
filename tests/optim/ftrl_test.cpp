// SPDX-License-Identifier: MIT
// Ftrl against the numbered cases.
#include <xgrad/optim/rules/adagrad.hpp>
#include <xgrad/optim/rules/ftrl.hpp>
#include <xgrad/optim/rules/sgd.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

#include <cmath>

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<ftrl>);

namespace {
template<class T>
table<ftrl, T> run(ftrl rule, std::vector<T> theta, std::vector<T> const& grad, int steps) {
    table<ftrl, T> v(rule, theta);
    for (int i = 0; i < steps; ++i) v.dense(grad);
    return v;
}
template<class T>
std::vector<T> const g{T(0.1), T(0.2)};
// the sums of Ftrl cancel: float keeps about a digit less than the single operations
template<class T>
constexpr double tolerance = sizeof(T) == 8 ? 1e-12 : 3e-6;
}   // namespace

TEST_CASE_TEMPLATE("B27 Ftrl from zero is Adagrad", T, float, double) {
    auto const v = run<T>({.learning_rate = 3}, {0, 0}, g<T>, 3);
    CHECK(near(v.param, {-2.602609731855573, -4.296985311981304}, tolerance<T>));
}

TEST_CASE_TEMPLATE("B28 Ftrl from a value", T, float, double) {
    auto const v = run<T>({.learning_rate = 3}, {1, 2}, g<T>, 3);
    CHECK(near(v.param, {-2.556072321101165, -3.9872938214383367}, tolerance<T>));
    CHECK(near(v.slots[1], {0.3072016605841502, 0.6234021926373654}, tolerance<T>));
}

TEST_CASE_TEMPLATE("B30 Ftrl with l1 and l2", T, float, double) {
    auto const v = run<T>({.learning_rate = 3, .l1 = 0.001, .l2 = 2}, {1, 2}, g<T>, 10);
    CHECK(near(v.param, {-0.24059934786402737, -0.4682935006112225}, tolerance<T>));
}

TEST_CASE_TEMPLATE("B31 Ftrl with shrinkage", T, float, double) {
    auto const v = run<T>({.learning_rate = 3, .l1 = 0.001, .l2 = 2, .l2_shrinkage = 0.1}, {1, 2}, g<T>, 10);
    CHECK(near(v.param, {-0.22578995753358178, -0.44345795494374035}, tolerance<T>));
    CHECK(near(v.slots[0], {0.2, 0.5}));
}

TEST_CASE_TEMPLATE("B32 Ftrl with shrinkage, small gradients", T, float, double) {
    auto const v = run<T>({.learning_rate = 3, .l1 = 0.001, .l2 = 2, .l2_shrinkage = 0.1}, {4, 3}, {T(0.01), T(0.02)}, 10);
    CHECK(near(v.param, {-0.14378493720553873, -0.1322947411321359}, sizeof(T) == 8 ? 1e-12 : 2e-5));
}

TEST_CASE_TEMPLATE("B34 Ftrl with power 0 is gradient descent", T, float, double) {
    auto const v = run<T>({.learning_rate = 3, .learning_rate_power = 0}, {0, 0}, g<T>, 5);
    CHECK(near(v.param, {-1.5, -3}));
}

TEST_CASE_TEMPLATE("B35 Ftrl with power -1", T, float, double) {
    auto const v = run<T>({.learning_rate = 3, .learning_rate_power = -1}, {1, 2}, g<T>, 2);
    CHECK(near(v.param, {-5.136363636363635, -7.0476190476190474}, tolerance<T>));
}

TEST_CASE_TEMPLATE("B36 Ftrl with accumulator 0", T, float, double) {
    auto const v = run<T>({.learning_rate = 0.1, .initial_accumulator = 0}, {1}, {T(0.5)}, 1);
    CHECK(near(v.param[0], 0.9));
}

TEST_CASE_TEMPLATE("Ftrl with accumulator 0 and gradient 0 gives 0, not NaN", T, float, double) {
    for (double power : {-0.5, -0.7, -1.0}) {
        auto const v = run<T>({.learning_rate = 0.1, .learning_rate_power = power, .initial_accumulator = 0}, {1, 2}, {0, T(0.5)}, 1);
        CHECK(v.param[0] == 0);
        CHECK(std::isfinite(v.param[1]));
    }
}

TEST_CASE("Ftrl lets a NaN gradient show") {
    auto const v = run<double>({.learning_rate = 0.1, .l1 = 0.1}, {1}, {std::nan("")}, 1);
    CHECK(std::isnan(v.param[0]));
}

TEST_CASE("Ftrl's hyper-parameters are checked") {
    CHECK(check_of(ftrl{}).empty());
    CHECK(check_of(ftrl{.learning_rate = 0}) == "ftrl: learning_rate must be positive, found 0");
    CHECK(check_of(ftrl{.learning_rate_power = 0.5}) == "ftrl: learning_rate_power must be negative or zero, found 0.5");
    CHECK(check_of(ftrl{.initial_accumulator = -1}) == "ftrl: initial_accumulator must be positive or zero, found -1");
    CHECK(check_of(ftrl{.l1 = -1}) == "ftrl: l1 must be positive or zero, found -1");
    CHECK(check_of(ftrl{.l2 = -1}) == "ftrl: l2 must be positive or zero, found -1");
    CHECK(check_of(ftrl{.l2_shrinkage = -1}) == "ftrl: l2_shrinkage must be positive or zero, found -1");
}
