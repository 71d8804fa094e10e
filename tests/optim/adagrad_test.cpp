// SPDX-License-Identifier: MIT
// Adagrad against the numbered cases.
#include <xgrad/optim/adagrad.hpp>

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
