// SPDX-License-Identifier: MIT
// Adagrad against the numbered cases.
#include <xgrad/optim/rules/adagrad.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<adagrad>);

TEST_CASE_TEMPLATE("A5 duplicates are summed before they are squared", T, float, double) {
    table<adagrad, T> v({.learning_rate = 3}, {2});
    v.sparse({0, 0}, {T(0.1), T(0.1)});
    CHECK(near(v.param[0], 0.3964325485254536));
    CHECK(near(v.slots[0][0], 0.14));
}

TEST_CASE_TEMPLATE("B6 Adagrad dense", T, float, double) {
    table<adagrad, T> v({.learning_rate = 3}, {1, 2});
    v.dense(T(0.1));
    CHECK(near(v.param[0], 0.09546596626670911, sizeof(T) == 8 ? 1e-12 : 3e-6));   // 1 − 0.905: float loses a digit
    v.dense(T(0.1));
    v.dense(T(0.1));
    CHECK(near(v.param, {-1.6026097318555732, -0.6026097318555731}));
    CHECK(near(v.slots[0], {0.13, 0.13}));
}

TEST_CASE_TEMPLATE("B7 Adagrad sparse", T, float, double) {
    table<adagrad, T> v({.learning_rate = 3}, {1, 2});
    for (int i = 0; i < 3; ++i) v.sparse({0}, {T(0.1)});
    CHECK(near(v.param, {-1.6026097318555732, 2}));
    CHECK(near(v.slots[0], {0.13, 0.1}));
}

TEST_CASE("Adagrad's accumulator must start above zero") {
    CHECK(check_of(adagrad{}).empty());
    CHECK(check_of(adagrad{.initial_accumulator = 0}) == "adagrad: initial_accumulator must be positive, found 0");
    CHECK(!check_of(adagrad{.initial_accumulator = std::nan("")}).empty());
}

TEST_CASE("the fast form is the exact one within the error of its root, and in double the same") {
    std::vector<float> start, g;
    for (int i = 0; i < 1003; ++i) {
        start.push_back(std::sin(static_cast<float>(i)));
        g.push_back(std::ldexp(std::sin(1.7f * static_cast<float>(i)), i % 60 - 30));
    }
    xgrad_test::table<xgrad::adagrad, float> exact({.learning_rate = 0.1}, start);
    xgrad_test::table<xgrad::fast_adagrad, float> fast({{.learning_rate = 0.1}}, start);
    for (int step = 0; step < 5; ++step) {
        std::vector<float> const before = fast.param;
        exact.param = before;
        exact.dense(g);
        fast.dense(g);
        CHECK(exact.slots[0] == fast.slots[0]);
        for (std::size_t i = 0; i < g.size(); ++i)   // an ULP of the parameter, and three of the step
            CHECK(std::abs(exact.param[i] - fast.param[i]) <=
                  0x1p-23f * std::abs(before[i]) + 4 * 0x1p-23f * std::abs(exact.param[i] - before[i]));
    }
    xgrad_test::table<xgrad::adagrad> a({.learning_rate = 0.1}, {1, 2, 3, 4, 5});
    xgrad_test::table<xgrad::fast_adagrad> b({{.learning_rate = 0.1}}, {1, 2, 3, 4, 5});
    a.dense(0.5);
    b.dense(0.5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(a.param[i] == doctest::Approx(b.param[i]).epsilon(1e-15));
}
