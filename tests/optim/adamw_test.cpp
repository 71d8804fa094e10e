// SPDX-License-Identifier: MIT
// AdamW against the numbered case: both forms of the decay.
#include <xgrad/optim/rules/adamw.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

static_assert(UpdateRule<adamw>);

TEST_CASE_TEMPLATE("B47 AdamW", T, float, double) {
    table<adamw, T> v({.weight_decay = 0.01}, {1});
    for (double expected : {0.9890000031622677, 0.9781100053672672, 0.9673289071402463}) {
        v.dense(T(0.1));
        CHECK(near(v.param[0], expected));
    }
    // The paper's form: 1 − η λ − η m̂ / (√v̂ + ε), with Adam's step of this library.
    table<adamw, T> paper({.weight_decay = 0.01, .decay_by_rate = true}, {1});
    paper.dense(T(0.1));
    CHECK(near(paper.param[0], 1 - 1e-5 - 0.0009999968377323));
}

TEST_CASE("AdamW sparse: rows that occur decay, every row gets the Adam part") {
    table<adamw> v({.learning_rate = 0.1, .weight_decay = 0.5}, {1, 2, 3});
    v.sparse({0, 0}, {0.05, 0.05});
    CHECK(near(v.param, {0.5 - (1 - 0.900000316226766), 2, 3}));
    v.sparse({2}, {0.1});
    CHECK(near(v.param[0], 0.5 - (1 - 0.8329947028094913)));
    CHECK(v.param[1] == 2);
    CHECK(near(v.param[2], 1.5 - (3 - 2.925586552959283)));
}

TEST_CASE("AdamW refuses a negative decay") {
    CHECK(check_of(adamw{.weight_decay = -1}) == "adamw: weight_decay must be positive or zero, found -1");
}
