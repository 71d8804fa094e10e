// SPDX-License-Identifier: MIT
// RMSProp against the numbered cases.
#include <xgrad/optim/rules/rms_prop.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

TEST_CASE("B11 RMSProp without momentum") {
    table<rms_prop> v({.learning_rate = 2, .decay = .9, .momentum = 0, .epsilon = 1}, {1});
    double const rms[]{.901, .8119}, x[]{0.8549429178729161, 0.7063620526007386};
    for (int k = 0; k < 2; ++k) {
        v.dense(.1);
        CHECK(near(v.slots[0][0], rms[k]));
        CHECK(near(v.param[0], x[k]));
    }
}
TEST_CASE("B12 RMSProp with momentum") {
    table<rms_prop> v({.learning_rate = 2, .decay = .9, .momentum = .5, .epsilon = 1e-5}, {1});
    double const b[]{0.21070031753904994, 0.3273108406963359}, x[]{0.7892996824609501, 0.46198884176461413};
    for (int k = 0; k < 2; ++k) {
        v.dense(.1);
        CHECK(near(v.slots[1][0], b[k]));
        CHECK(near(v.param[0], x[k]));
    }
}
TEST_CASE("B14 RMSProp defaults") {
    table<rms_prop> v({}, {1, 2});
    v.dense({.1, .2});
    CHECK(near(v.param, {0.9998946492566089, 1.9997896484190558}));
}
TEST_CASE("B55 RMSProp without a memory") {
    table<rms_prop> v({.learning_rate = 1, .decay = 0, .epsilon = 0}, {1, 2});
    v.dense({112, 140});
    CHECK(near(v.param, {0, 1}));
    CHECK(check_of(rms_prop{.decay = 1.5}) == "rms_prop: decay must be in [0, 1], found 1.5");
    CHECK(check_of(centered_rms_prop{.epsilon = -1}) == "centered_rms_prop: epsilon must be positive or zero, found -1");
}
