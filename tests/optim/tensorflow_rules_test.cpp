// SPDX-License-Identifier: MIT
// The rules of TensorFlow's core and contrib: its kernels' numbers, and the numbered cases.
#include <xgrad/optim/rules/adadelta.hpp>
#include <xgrad/optim/rules/adagrad_da.hpp>
#include <xgrad/optim/rules/add_sign.hpp>
#include <xgrad/optim/rules/momentum_w.hpp>
#include <xgrad/optim/rules/power_sign.hpp>
#include <xgrad/optim/rules/proximal_adagrad.hpp>
#include <xgrad/optim/rules/reg_adagrad.hpp>
#include <xgrad/optim/schedules/sign_decays.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::as_the_tool;
using xgrad_test::held_to;
using xgrad_test::near;
using xgrad_test::table;

TEST_CASE("Adadelta as TensorFlow's kernels") {
    adadelta const rule{.learning_rate = 0.5, .rho = 0.75, .epsilon = 1e-3};
    held_to("adadelta", rule);
    as_the_tool<float>("adadelta", rule, 1e-5);
}
TEST_CASE("B10 B55 Adadelta") {
    table<adadelta> v({.learning_rate = 0.5}, {1});
    for (int k = 0; k < 4; ++k) v.dense(.1);
    CHECK(near(v.param[0], 0.9990917118080549));
    table<adadelta> one({.learning_rate = 1, .rho = 1, .epsilon = 1}, {1, 2});
    one.dense({112, 140});
    CHECK(near(one.param, {-111, -138}));
}
TEST_CASE("dual averaging as TensorFlow's kernels") {
    held_to("adagrad_da", adagrad_da{.learning_rate = 0.3, .initial_accumulator = 0.25, .l1 = 0.0625, .l2 = 0.125});
}
TEST_CASE("B42 B55 AdagradDA") {
    table<adagrad_da> v({.learning_rate = 3, .l1 = 0.001, .l2 = 2}, {1, 2});
    for (int k = 0; k < 3; ++k) v.dense({.1, .2});
    CHECK(near(v.param, {-0.04852794448808522, -0.09697308832360131}));
    table<adagrad_da> one({.learning_rate = 1}, {1, 2});
    one.dense({112, 140});
    CHECK(near(one.param, {-1, -1}, 1e-5));
}
TEST_CASE("proximal steps as TensorFlow's kernels") {
    held_to("proximal_gradient_descent", proximal_gradient_descent{.learning_rate = 0.3, .l1 = 0.125, .l2 = 0.25});
    held_to("proximal_adagrad", proximal_adagrad{.learning_rate = 0.3, .initial_accumulator = 0.25, .l1 = 0.125, .l2 = 0.25});
}
TEST_CASE("B38 B39 B55 proximal gradient descent") {
    table<proximal_gradient_descent> v({.learning_rate = 3}, {1, 2});
    for (int k = 0; k < 3; ++k) v.dense({.1, .2});
    CHECK(near(v.param, {.1, .2}, 1e-14 / .1));
    table<proximal_gradient_descent> shrunk({.learning_rate = 3, .l1 = 0.001, .l2 = 2}, {1, 2});
    for (int k = 0; k < 10; ++k) shrunk.dense({.1, .2});
    CHECK(near(shrunk.param, {-0.04949999630587104, -0.09949999258873121}));
    table<proximal_gradient_descent> zero({.learning_rate = .5, .l1 = .2, .l2 = 1}, {.3, -.3, .05});
    zero.dense(.1);
    CHECK(near(zero.param[0], .1));
    CHECK(near(zero.param[1], -0.16666666666666666));
    CHECK(zero.param[2] == 0);
    table<proximal_gradient_descent> one({.learning_rate = 1}, {1, 2});
    one.dense({112, 140});
    CHECK(one.param == std::vector<double>{-111, -138});
}
TEST_CASE("a NaN is seen behind a proximal step") {
    table<proximal_gradient_descent> v({}, {1});
    table<proximal_adagrad> w({}, {1});
    table<adagrad_da> d({}, {1});
    v.dense(NAN);
    w.dense(NAN);
    d.dense(NAN);
    CHECK((std::isnan(v.param[0]) && std::isnan(w.param[0]) && std::isnan(d.param[0])));
}
TEST_CASE("B40 proximal Adagrad") {
    table<proximal_adagrad> v({.learning_rate = 3, .l1 = 0.001}, {1, 2}), w({.learning_rate = 3, .l1 = 0.001, .l2 = 2}, {1, 2});
    for (int k = 0; k < 10; ++k) {
        v.dense({.1, .2});
        w.dense({.1, .2});
    }
    CHECK(near(v.param, {-6.6636343448862485, -9.190330687852974}));
    CHECK(near(w.param, {-0.049499999999258124, -0.0994999999669504}));
}
TEST_CASE("B8 Adagrad with held slots, and slots that go on") {
    reg_adagrad const rule{.learning_rate = 0.3, .initial_accumulator = 0.25, .freeze_slots = true};
    held_to("reg_adagrad_frozen", rule);
    table<reg_adagrad> v({.learning_rate = 3, .initial_accumulator = 0.130005, .freeze_slots = true}, {1});
    for (int k = 0; k < 3; ++k) v.dense(.1);
    CHECK(near(v.param[0], -1.4961028814965895));
    CHECK(v.slots[0][0] == 0.130005);
    v.rule.freeze_slots = false;
    v.dense(.1);
    CHECK(near(v.slots[0][0], 0.140005));
}
TEST_CASE("signs as TensorFlow's kernels, with a decay of the sign") {
    held_to("add_sign", add_sign{.learning_rate = 0.05, .alpha = 1.5, .beta = 0.75, .sign_decay = linear_sign_decay{10}});
    held_to("power_sign", power_sign{.learning_rate = 0.05, .base = 2.5, .beta = 0.75, .sign_decay = linear_sign_decay{10}}, 1e-14);
}
TEST_CASE("signs that agree, do not, are of zeros or NaN") {
    // the means after the second gradient: 0, 0.25, -2 and NaN
    std::vector<double> const first{2, 2, -2, NAN}, second{-1, -0.5, -1, 1};
    table<add_sign> v({.learning_rate = 1, .alpha = 0.5, .beta = 0.5, .sign_decay = 0.25}, {0, 0, 0, 0});
    table<power_sign> w({.learning_rate = 1, .base = 4, .beta = 0.5, .sign_decay = 0.5}, {0, 0, 0, 0});
    v.dense(first);
    w.dense(first);
    for (std::size_t i : {0, 1, 2}) {
        CHECK(v.param[i] == -0.75 * first[i]);
        CHECK(near(w.param[i], -2 * first[i]));
        v.param[i] = w.param[i] = 0;
    }
    v.param[3] = w.param[3] = 0;
    v.dense(second);
    w.dense(second);
    CHECK(v.param[0] == 0.5);
    CHECK(v.param[1] == 0.25 * 0.5);
    CHECK(v.param[2] == 0.75);
    CHECK(near(w.param[0], 1));
    CHECK(near(w.param[1], 0.5 * 0.5));
    CHECK(near(w.param[2], 2));
    CHECK((std::isnan(v.param[3]) && std::isnan(w.param[3])));
    table<power_sign> huge({.base = 1e300, .sign_decay = 2}, {1, 1});
    huge.dense({1, 0});
    CHECK(huge.param[0] < -1e300);
    CHECK(huge.param[1] == 1);
}
TEST_CASE("B43 B44 AddSign") {
    for (bool decays : {false, true}) {
        add_sign rule;
        if (decays) rule.sign_decay = linear_sign_decay{10};
        table<add_sign> v(rule, {1});
        for (double const x : {.98, .96, .94, .92, .92, .92, .94}) {
            v.dense(v.step < 4 ? .1 : -.1);
            if (!decays) CHECK(near(v.param[0], x));
        }
        if (decays) CHECK(near(v.param[0], .949));
    }
}
TEST_CASE("decays of the sign") {
    linear_sign_decay const linear{10};
    CHECK(linear(0) == 1);
    CHECK(near(linear(3), .7));
    CHECK(linear(11) == 0);
    cosine_sign_decay const cosine{10};
    CHECK(near(cosine(5), .5));
    CHECK(near(cosine(2), .5 + .5 * std::cos(.2 * 3.141592653589793)));
    CHECK(cosine(20) < 1e-15);
    cosine_sign_decay const waves{10, 2, 1};   // two waves, of which one counts
    CHECK(near(waves(4), .5 + .5 * std::cos(1.6 * 3.141592653589793)));
    CHECK(waves(5) == 0);
    restart_sign_decay const restart{10, 2};
    CHECK(near(restart(4), .5 + .5 * std::cos(.8 * 3.141592653589793)));
    CHECK(restart(5) == 1);   // begins anew
    CHECK(restart_sign_decay{10, 2, 1}(5) == 0);
}
TEST_CASE("B48 momentum with decoupled decay") {
    held_to("momentum_w", momentum_w{.learning_rate = 0.1, .momentum = 0.75, .weight_decay = 0.125});
    table<momentum_w> v({.learning_rate = .001, .momentum = .9, .weight_decay = .01}, {1});
    for (double const x : {.9899, .979811, .96974189}) {
        v.dense(.1);
        CHECK(near(v.param[0], x));
    }
}
