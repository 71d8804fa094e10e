// SPDX-License-Identifier: MIT
// Counters of rows around other rules.
#include <xgrad/optim/rules/adagrad.hpp>
#include <xgrad/optim/rules/adamw.hpp>
#include <xgrad/optim/links/counted.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

using counted_adamw = counted<adamw>;
static_assert(UpdateRule<counted_adamw> && slot_count<counted_adamw> == 3 && power_count<counted_adamw> == 2);
static_assert(counted_adamw::slots[2] == "count" && counted_adamw::slots[2].scope == per::row && counted_adamw::slots[3] == "beta1_power");

TEST_CASE("a counter that only counts changes nothing, and the rule is lazy") {
    table<counted_adamw> v(counted{adamw{.weight_decay = .125}}, 3, xgrad_test::reference_start<double>());
    table<lazy<adamw>> plain(lazy{adamw{.weight_decay = .125}}, 3, v.param);
    std::vector<double> seen(5, 0);
    for (int step = 1; step <= 6; ++step) {
        xgrad_test::reference_step(v, step, true);
        xgrad_test::reference_step(plain, step, true);
        ++seen[static_cast<std::size_t>(step % 5)];
        if (step % 5 != (3 * step + 1) % 5) ++seen[static_cast<std::size_t>((3 * step + 1) % 5)];
    }
    CHECK(v.slots[2] == seen);
    CHECK(v.param == plain.param);
    CHECK(v.slots[0] == plain.slots[0]);
    v.dense(.5);
    for (double& n : seen) ++n;
    CHECK(v.slots[2] == seen);
}
TEST_CASE("rows that occur often take shorter steps, rare ones decay more") {
    auto const rule = counted{adagrad{.learning_rate = .5, .initial_accumulator = .25}, .5, .125};
    table<std::remove_const_t<decltype(rule)>> v(rule, 2, {1, -2, 3, 4});
    double x = 1, y = 4, a = .25, b = .25;
    for (int n = 1; n <= 3; ++n) {
        v.sparse({0}, {.5, 1});
        a += .25;
        x = x - x * .125 / n;
        x -= .5 * .5 / std::sqrt(a) / std::sqrt(static_cast<double>(n));
    }
    v.sparse({1}, {1, -.5});
    b += .25;
    y = y - y * .125 + .5 * .5 / std::sqrt(b);
    CHECK(near(v.param[0], x));
    CHECK(near(v.param[3], y));
    CHECK(v.slots[1] == std::vector<double>{3, 1});
    xgrad_test::rows_as_sums(rule);
}
TEST_CASE("what the rule and the counter may be is looked at") {
    CHECK(check_of(counted{adagrad{}, .5}).empty());
    CHECK(check_of(counted{adagrad{.learning_rate = -1}}) == "adagrad: learning_rate must be positive or zero, found -1");
    CHECK(check_of(counted{adagrad{}, -1}) == "adagrad: frequency_power must be positive or zero, found -1");
}
