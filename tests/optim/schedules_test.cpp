// SPDX-License-Identifier: MIT
// Schedules against the numbered cases.
#include <xgrad/optim/schedules.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

#include <cmath>

using namespace xgrad;
using xgrad_test::near;

TEST_CASE("H2 natural exponential and inverse time") {
    CHECK(near(natural_exp_decay{0.1, 10, 0.96}(3), 0.07497615922390413));
    CHECK(near(inverse_time_decay{0.1, 10, 0.96}(3), 0.07763975155279504));
}

TEST_CASE("H3 polynomial") {
    CHECK(near(polynomial_decay{0.05, 10, 0.001}(5), 0.0255));
    CHECK(near(polynomial_decay{0.05, 10, 0.001}(15), 0.001));
    CHECK(near(polynomial_decay{0.05, 10, 0.001, 1, true}(15), 0.01325));
    CHECK(near(polynomial_decay{0.05, 10, 0.001, 0.5, true}(15), 0.0255));
    CHECK(near(polynomial_decay{0.001, 10, 1e-4, 1, true}(0), 0.001));
}

TEST_CASE("H4 polynomial with cycle at multiples of the period") {
    CHECK(near(polynomial_decay{0.05, 10, 0.001, 1, true}(10), 0.001));
    CHECK(near(polynomial_decay{0.05, 10, 0.001, 1, true}(20), 0.001));
}

TEST_CASE("H6 cosine") {
    double const plain[] = {1, 0.8535533905932737, 0.5, 0.14644660940672627, 0, 0};
    double const raised[] = {1, 0.8681980515339464, 0.55, 0.23180194846605365, 0.1, 0.1};
    for (int i = 0; i < 6; ++i) {
        CHECK(near(cosine_decay{1, 1000}(250 * i), plain[i], 1e-12, 1e-3));
        CHECK(near(cosine_decay{1, 1000, 0.1}(250 * i), raised[i]));
    }
}

TEST_CASE("H7 cosine with restarts") {
    double const expected[] = {1, 0.5, 1, 0.8535533905932737, 0.5, 0.14644660940672627, 1};
    for (int i = 0; i < 7; ++i) CHECK(near(cosine_decay_restarts{1, 1000}(500 * i), expected[i]));
}

TEST_CASE("H8 cosine restarts with falling peaks") {
    cosine_decay_restarts const growing{1, 1000, 2, 0.9}, equal{1, 1000, 1, 0.9};
    CHECK(near(growing(1000), 0.9));
    CHECK(near(growing(2000), 0.45));
    CHECK(near(growing(3000), 0.81));
    CHECK(near(equal(500), 0.5));
    CHECK(near(equal(1500), 0.45));
    CHECK(near(equal(2500), 0.405));
}

TEST_CASE("cosine restarts fall in the right period at every restart") {
    for (double t_mul : {1.1, 1.5, 2.0, 3.0}) {
        double start = 0, length = 1000;
        for (int i = 0; i < 12; ++i) {
            if (start == std::floor(start)) CHECK(near(cosine_decay_restarts{1, 1000, t_mul}(static_cast<std::int64_t>(start)), 1.0, 1e-9));
            start += length;
            length *= t_mul;
        }
    }
}

TEST_CASE("exponential, staircase, linear cosine") {
    CHECK(near(exponential_decay{0.1, 10, 0.96}(3), 0.1 * std::pow(0.96, 0.3)));
    CHECK(near(exponential_decay{0.1, 10, 0.96, true}(19), 0.096));
    CHECK(near(linear_cosine_decay{1, 1000}(0), 1.001));
    CHECK(near(linear_cosine_decay{1, 1000}(500), 0.25 + 0.001));
    CHECK(near(linear_cosine_decay{1, 1000}(2000), 0.001));
}

TEST_CASE("piecewise constant is closed on the right") {
    piecewise_constant const p({100, 200}, {1.0, 0.5, 0.1});
    CHECK(p(0) == 1.0);
    CHECK(p(100) == 1.0);
    CHECK(p(101) == 0.5);
    CHECK(p(200) == 0.5);
    CHECK(p(201) == 0.1);
    CHECK_THROWS_AS(piecewise_constant({200, 200}, {1.0, 0.5, 0.1}), value_error);
}
