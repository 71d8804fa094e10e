// SPDX-License-Identifier: MIT
// Adam against the numbered cases.
#include <xgrad/optim/rules/adam.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<adam> && slot_count<adam> == 2 && power_count<adam> == 2);
static_assert(adam{.learning_rate = 0.5f}.learning_rate.is_number());   // usable in constant expressions
static_assert(adam::slots[0] == "m" && adam::slots[1] == "v" && tf_name_of<adam>() == "Adam");

TEST_CASE("A8 slots of Adam and their TensorFlow names") {
    CHECK(tf_slot_name<adam>("v", 0) == "v/Adam");
    CHECK(tf_slot_name<adam>("w", 1) == "w/Adam_1");
}

TEST_CASE_TEMPLATE("B15 Adam defaults", T, float, double) {
    table<adam, T> v({}, {1, 2});
    for (double expected : {0.9990000031622677, 0.9980000053988899, 0.9970000072255417}) {
        v.dense(T(0.1));
        CHECK(near(v.param[0], expected));
        CHECK(near(v.param[1], expected + 1));
    }
    CHECK(near(v.powers[0], 0.6561));
    CHECK(near(v.powers[1], 0.996005996001));
}

TEST_CASE_TEMPLATE("B16 Adam defaults, small gradient", T, float, double) {
    table<adam, T> v({}, {3});
    for (double expected : {2.9990000316217764, 2.9980000539875484, 2.997000072253766}) {
        v.dense(T(0.01));
        CHECK(near(v.param[0], expected));
    }
}

TEST_CASE_TEMPLATE("B18 Adam sparse moves every row", T, float, double) {
    table<adam, T> v({.learning_rate = 0.1}, {1, 2, 3});
    v.sparse({0}, {T(0.1)});
    CHECK(near(v.param, {0.900000316226766, 2, 3}));
    v.sparse({2}, {T(0.1)});
    CHECK(near(v.param, {0.8329947028094913, 2, 2.925586552959283}));
    CHECK(near(v.slots[0], {0.009, 0, 0.01}));
}

TEST_CASE("an empty sparse gradient still decays m and v and moves theta") {
    table<adam> v({.learning_rate = 0.1}, {1, 2, 3}), d({.learning_rate = 0.1}, {1, 2, 3});
    v.dense(0.1);
    d.dense(0.1);
    v.sparse<std::int32_t>({}, {});
    d.dense(0.0);
    CHECK(v.param == d.param);
    CHECK(v.slots == d.slots);
}

TEST_CASE("Adam refuses a beta of one") {
    CHECK(check_of(adam{}).empty());
    CHECK(check_of(adam{.beta2 = 1}) == "adam: beta2 must be in [0, 1), found 1");
}
