// SPDX-License-Identifier: MIT
// Rules with norms of variables and rows, and what else Ftrl can: their numbers.
#include <xgrad/optim/rules/adafactor.hpp>
#include <xgrad/optim/rules/adamw.hpp>
#include <xgrad/optim/links/averaged_steps.hpp>
#include <xgrad/optim/links/averages.hpp>
#include <xgrad/optim/links/chain.hpp>
#include <xgrad/optim/links/clip_gradients.hpp>
#include <xgrad/optim/rules/fromage.hpp>
#include <xgrad/optim/rules/ftrl.hpp>
#include <xgrad/optim/rules/group_adagrad.hpp>
#include <xgrad/optim/rules/group_ftrl.hpp>
#include <xgrad/optim/rules/lars.hpp>
#include <xgrad/optim/rules/novograd.hpp>
#include <xgrad/optim/rules/partial_rowwise_adam.hpp>
#include <xgrad/optim/rules/rowwise_adagrad.hpp>
#include <xgrad/optim/rules/adagrad.hpp>
#include <xgrad/optim/rules/rowwise_rms_prop.hpp>
#include <xgrad/optim/rules/sgd.hpp>
#include <xgrad/optim/rules/sm3.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::as_the_tool;
using xgrad_test::held_to;
using xgrad_test::near;
using xgrad_test::table;

TEST_CASE("Ftrl with a rate that changes: the linear term times the rate, and beta") {
    auto const rate = [](std::int64_t step) { return .3 / static_cast<double>(1 + step); };
    ftrl rule{
        .learning_rate = rate, .initial_accumulator = .25, .l1 = .125, .l2 = .5, .l2_shrinkage = .25, .multiply_linear_by_rate = true};
    held_to("ftrl_linear_by_rate", rule);
    rule.learning_rate_power = -.75;
    held_to("ftrl_linear_by_rate_power", rule, 1e-13);
    held_to("ftrl_beta", ftrl{.learning_rate = rate, .initial_accumulator = .25, .l1 = .125, .l2 = .5, .l2_shrinkage = .25, .beta = .75});
}
TEST_CASE("LARS by its formula, plain and Nesterov") {
    lars rule{.learning_rate = .3, .momentum = .75, .weight_decay = .125, .trust = .5, .epsilon = 1e-3};
    held_to("lars", rule);
    as_the_tool<float>("lars", rule, 1e-5);
    rule.use_nesterov = true;
    as_the_tool<double>("lars_nesterov", rule, 1e-12);
}
TEST_CASE("B46 LARS") {
    table<lars> v({.learning_rate = .1, .momentum = .9, .weight_decay = .1, .trust = .1, .epsilon = 1e-5}, 3, std::vector<double>(9, 1));
    double const x[]{0.9900000303029385, 0.971100087299761};
    for (int k = 0; k < 2; ++k) {
        v.dense(1);
        CHECK(near(v.param[4], x[k], 1e-8));
        if (k == 0) CHECK(near(v.slots[0][8], 0.009999969697061527, 1e-8));
    }
    table<lars> zero({.learning_rate = .1}, 1, {0, 0});   // no norm: the quotient is 1
    zero.dense(.5);
    CHECK(near(zero.param, {-.05, -.05}));
}
TEST_CASE("NovoGrad as optax") {
    held_to("novograd",
        novograd{.learning_rate = .05, .beta1 = .75, .beta2 = .5, .epsilon = 1e-3, .epsilon_root = .0625, .weight_decay = .125});
}
TEST_CASE("Fromage as optax, of norms that may be 0") {
    held_to("fromage", fromage{.learning_rate = .05, .min_norm = .5});
    table<fromage> zero({.learning_rate = .75, .min_norm = .5}, {0, 0});
    zero.dense({3, 4});
    CHECK(near(zero.param, {-.18, -.24}));   // 0.75 / 1.25 · 0.5 · g / 5
    zero.dense(0.0);
    CHECK(near(zero.param, {-.144, -.192}));
}
TEST_CASE("Adafactor with a moment of each element, and with an average of its steps, as optax") {
    unfactored_adafactor rule{.learning_rate = .05, .decay_rate = .5, .clipping_threshold = .5, .weight_decay = .125};
    held_to("unfactored_adafactor", rule);
    rule.weight_decay = 0;
    as_the_tool<double>("averaged_steps", averaged_steps{rule, .75}, 1e-12, 1);
    as_the_tool<float>("averaged_steps", averaged_steps{rule, .75}, 1e-5, 1);
    xgrad_test::rows_as_sums(averaged_steps{rule, .75});
}
TEST_CASE("steps of any rule are averaged, those of rows that do not occur as the rule moves them") {
    table<averaged_steps<gradient_descent>> v({{.learning_rate = 1}, .5}, {0, 8, 1});
    v.sparse({0, 2}, {-4, 2});
    v.sparse({0}, {-4});
    CHECK(v.param == std::vector<double>{2 + 3, 8, 0});   // half a step, then a half and a quarter
    averaged_steps const decayed{adamw{.learning_rate = 0, .weight_decay = .125}, .5};
    table<averaged_steps<adamw>> w(decayed, {8, 8});
    w.sparse({0}, {1});
    w.sparse({0}, {1});
    CHECK(w.param == std::vector<double>{8 - .5 - .75 + .03125, 8});   // decay of rows that occur alone
    xgrad_test::lanes_as_elements(decayed, 0);
    CHECK(slot_count<averaged_steps<adamw>> == 3);
    CHECK(slot_init_of(decayed, 3) == .9);
}
TEST_CASE("rules with a number for each row") {
    held_to("rowwise_rms_prop", rowwise_rms_prop{.learning_rate = .05, .decay = .75, .epsilon = 1e-3});
    held_to("partial_rowwise_adam",
        partial_rowwise_adam{.learning_rate = .05, .beta1 = .75, .beta2 = .875, .epsilon = 1e-3, .weight_decay = .125});
}
TEST_CASE("SM3 as optax") {
    sm3 const rule{.learning_rate = .3, .momentum = .75, .epsilon = 1e-3};
    held_to("sm3", rule);
    as_the_tool<float>("sm3", rule, 1e-5);
}
TEST_CASE("SM3 of a vector is Adagrad, its accumulators of rows that occur are those of a dense gradient, and NaN stays in them") {
    sm3 const rule{.learning_rate = .25, .momentum = 0, .epsilon = 0};
    std::vector<double> const start = xgrad_test::reference_start<double>();
    table<sm3> v(rule, 1, start), lazy(rule, 3, start), dense(rule, 3, start);
    table<adagrad> a({.learning_rate = .25, .initial_accumulator = 0}, 1, start);
    for (int step = 1; step < 6; ++step) {
        std::vector<double> u(15);
        for (std::size_t i = 0; i < 15; ++i)
            u[i] = static_cast<double>((7 * i + 5 * static_cast<std::size_t>(step)) % 16) / 16 - .53125;   // never 0
        v.dense(u);
        a.dense(u);
        CHECK(near(v.param, a.param, 1e-14));
        auto const first = static_cast<double>(step) / 8;
        lazy.sparse({step % 5, 4}, {first, -.5, 0, .25, 2, -1});
        std::vector<double> g(15);
        for (int k = 0; k < 3; ++k) {
            g[static_cast<std::size_t>(step % 5 * 3 + k)] += std::vector{first, -.5, 0.}[static_cast<std::size_t>(k)];
            g[static_cast<std::size_t>(12 + k)] += std::vector{.25, 2., -1.}[static_cast<std::size_t>(k)];
        }
        dense.dense(g);
        CHECK(lazy.slots[1] == dense.slots[1]);
        CHECK(lazy.slots[2] == dense.slots[2]);
        CHECK(lazy.param == dense.param);
    }
    dense.dense(std::vector<double>{0, 1, 0, 1, NAN, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2});
    for (std::size_t k = 0; k < 5; ++k) CHECK(std::isnan(dense.slots[1][k]) == (k == 1));
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::isnan(dense.slots[2][k]) == (k == 1));
    CHECK(std::isnan(dense.param[4]));
    CHECK(dense.param[3] == dense.param[3]);
}
TEST_CASE("SM3 in a chain: accumulators of what the links in front let through") {
    auto const clipped = chain(clip_by_value(-.25, .25), sm3{}, ema{.5});
    sm3 const rule{};
    table<std::remove_const_t<decltype(clipped)>> a(clipped, 3, xgrad_test::reference_start<double>());
    table<sm3> b(rule, 3, a.param);
    for (double const scale : {1., -.5, 2.}) {
        std::vector<double> g(15), small(15);
        for (std::size_t i = 0; i < 15; ++i) {
            g[i] = scale * static_cast<double>(7 * i % 16) / 16 - .375;
            small[i] = std::fmin(.25, std::fmax(-.25, g[i]));
        }
        a.dense(g);
        b.dense(small);
    }
    CHECK(a.param == b.param);
    CHECK(a.slots[1] == b.slots[1]);
    CHECK(a.slots[2] == b.slots[2]);
}
TEST_CASE("rules with a group lasso on rows") {
    held_to("group_adagrad", group_adagrad{.learning_rate = .3, .epsilon = 1e-3, .l21 = .125, .l2 = .25, .initial_accumulator = .25});
    group_ftrl const rule{.learning_rate = .3, .initial_accumulator = .25, .l1 = .125, .l2 = .5, .l21 = .25};
    held_to("group_ftrl", rule);
    as_the_tool<float>("group_ftrl", rule, 1e-5);
}
TEST_CASE("a group lasso takes whole rows away, without it the rules are those that they are made of") {
    table<group_adagrad> v({.learning_rate = .1, .l21 = 1}, 2, {3, 4, .01, -.01});
    v.sparse({0, 1}, {1, 1, .5, -.5});
    CHECK(v.param[2] == 0);
    CHECK(v.param[3] == 0);
    CHECK(v.param[0] > 2);
    group_adagrad const plain{.learning_rate = .3, .epsilon = 1e-3, .initial_accumulator = .25};
    table<group_adagrad> a(plain, 3, xgrad_test::reference_start<double>());
    table<rowwise_adagrad> b({.learning_rate = .3, .epsilon = 1e-3, .initial_accumulator = .25}, 3, a.param);
    table<group_ftrl> c({.learning_rate = .3, .l1 = .125, .l2 = .5}, 3, a.param);
    table<ftrl> d({.learning_rate = .3, .l1 = .125, .l2 = .5}, 3, a.param);
    for (int step = 1; step < 5; ++step) {
        for (bool sparse : {false, true}) {
            xgrad_test::reference_step(a, step, sparse);
            xgrad_test::reference_step(b, step, sparse);
            xgrad_test::reference_step(c, step, sparse);
            xgrad_test::reference_step(d, step, sparse);
        }
    }
    CHECK(near(a.param, b.param));
    CHECK(near(c.param, d.param));
    table<group_adagrad> empty(plain, 2, {0, 0});   // a row of zeros without a gradient
    empty.dense(0.0);
    CHECK(empty.param == std::vector<double>{0, 0});
}
