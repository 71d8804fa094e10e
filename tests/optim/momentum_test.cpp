// SPDX-License-Identifier: MIT
// Momentum against the numbered cases.
#include <xgrad/optim/rules/momentum.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using xgrad_test::near;
using xgrad_test::table;
using rule = xgrad::momentum;

static_assert(xgrad::UpdateRule<rule> && xgrad::slot_count<rule> == 1);

TEST_CASE_TEMPLATE("A9 two applies of one momentum optimizer share its state", T, float, double) {
    table<rule, T> v({.learning_rate = 2, .momentum = 0.9}, {1, 2});
    v.dense(T(0.1));
    v.dense(T(0.1));
    CHECK(near(v.param, {0.42, 1.42}));
    CHECK(near(v.slots[0], {0.19, 0.19}));
}

TEST_CASE_TEMPLATE("B2 Nesterov with g = 10 theta", T, float, double) {
    table<rule, T> v({.learning_rate = 2, .momentum = 0.9, .use_nesterov = true}, {1});
    double const theta[] = {-37, 1352.8, -49468.78, 1808955.838}, velocity[] = {10, -361, 13203.1, -482805.01};
    for (int i = 0; i < 4; ++i) {
        v.dense(10 * v.param[0]);
        CHECK(near(v.param[0], theta[i]));
        CHECK(near(v.slots[0][0], velocity[i]));
    }
}

TEST_CASE_TEMPLATE("B3 Nesterov with a constant gradient", T, float, double) {
    table<rule, T> v({.learning_rate = 2, .momentum = 0.9, .use_nesterov = true}, {3});
    for (double expected : {-8.4, -24.66, -45.294, -69.8646}) {
        v.dense(T(3));
        CHECK(near(v.param[0], expected));
    }
}

TEST_CASE_TEMPLATE("B4 Nesterov with a small rate", T, float, double) {
    table<rule, T> v({.learning_rate = 0.1, .momentum = 0.9, .use_nesterov = true}, {1});
    for (double expected : {0.905, 0.7695, 0.59755}) {
        v.dense(T(0.5));
        CHECK(near(v.param[0], expected));
    }
}

TEST_CASE("sparse momentum leaves the velocity of absent rows alone") {
    table<rule> v({.learning_rate = 1, .momentum = 0.5}, {0, 0});
    v.dense(1.0);
    v.sparse({1}, {1.0});
    CHECK(v.slots[0] == std::vector<double>{1, 1.5});
    CHECK(v.param == std::vector<double>{-1, -2.5});
}
