// SPDX-License-Identifier: MIT
// Gradient descent against the numbered cases.
#include <xgrad/optim/rules/sgd.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

#include <cmath>

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<gradient_descent> && slot_count<gradient_descent> == 0 && power_count<gradient_descent> == 0);

TEST_CASE_TEMPLATE("A4 gradient descent adds duplicates", T, float, double) {
    table<gradient_descent, T> v({.learning_rate = 3}, {1, 2});
    v.sparse({1, 1}, {T(0.1), T(0.1)});
    CHECK(near(v.param, {1, 1.4}));
}

TEST_CASE("A17 hyper-parameters stay double") {
    // TensorFlow rounds the Python float 0.1 to float32 first and gives 0.94999999925494194.
    table<gradient_descent> v({.learning_rate = 0.1}, {1});
    v.dense(0.5);
    CHECK(v.param[0] == 1.0 - 0.5 * 0.1);
    table<gradient_descent> as_float({.learning_rate = 0.1f}, {1});
    as_float.dense(0.5);
    CHECK(as_float.param[0] == 0.94999999925494194);
}

TEST_CASE("gradient descent reads a schedule once per apply") {
    struct halving {
        double start;
        double operator()(std::int64_t step) const { return std::ldexp(start, -static_cast<int>(step)); }
    };
    table<gradient_descent> v({.learning_rate = halving{1.0}}, {0, 0, 0});
    v.dense(1.0);
    v.dense(1.0);
    v.dense(1.0);
    CHECK(v.param == std::vector<double>(3, -1.75));
}
