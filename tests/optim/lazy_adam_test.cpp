// SPDX-License-Identifier: MIT
// Lazy Adam against the numbered case, and any rule made lazy.
#include <xgrad/optim/rules/adamw.hpp>
#include <xgrad/optim/rules/lazy_adam.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<lazy_adam> && UpdateRule<lazy<adamw>>);

TEST_CASE_TEMPLATE("B19 lazy Adam moves the rows that occur", T, float, double) {
    table<lazy_adam, T> v({.learning_rate = 0.1}, {1, 2, 3});
    v.sparse({0}, {T(0.1)});
    v.sparse({2}, {T(0.1)});
    CHECK(near(v.param, {0.900000316226766, 2, 2.925586552959283}));
    CHECK(near(v.slots[0], {0.01, 0, 0.01}));
}

TEST_CASE("lazy{adam} is lazy_adam") {
    table<lazy_adam> a({.learning_rate = 0.1}, {1, 2, 3});
    table<lazy<adam>> b(lazy{adam{.learning_rate = 0.1}}, {1, 2, 3});
    for (int step = 0; step < 3; ++step) {
        a.sparse({step, 0}, {0.5, 0.25});
        b.sparse({step, 0}, {0.5, 0.25});
    }
    CHECK(a.param == b.param);
}
