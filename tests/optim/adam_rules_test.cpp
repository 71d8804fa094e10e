// SPDX-License-Identifier: MIT
// Adam's relatives of TensorFlow and PyTorch: their numbers, and the numbered cases.
#include <xgrad/optim/rules/adam_gs.hpp>
#include <xgrad/optim/rules/adamax.hpp>
#include <xgrad/optim/rules/amsgrad.hpp>
#include <xgrad/optim/rules/nadam.hpp>
#include <xgrad/optim/rules/pytorch_adam.hpp>
#include <xgrad/optim/rules/pytorch_adamw.hpp>
#include <xgrad/optim/rules/pytorch_nadam.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::as_the_tool;
using xgrad_test::held_to;
using xgrad_test::near;
using xgrad_test::table;

TEST_CASE("AdaMax as TensorFlow's kernel and as PyTorch") {
    held_to("adamax", adamax{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3});
    held_to("pytorch_adamax", pytorch_adamax{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3});
}
TEST_CASE("B23 B24 AdaMax") {
    table<adamax> v({}, {1});
    for (double const x : {0.9990000001, 0.9980000002, 0.9970000003}) {
        v.dense(.1);
        CHECK(near(v.param[0], x));
    }
    table<adamax> w({.learning_rate = .01, .beta2 = .99}, {1});
    double const g[]{1, -.5, .25}, x[]{0.9900000001, 0.9878734716791622, 0.9855768463488297}, u[]{1, .99, .9801};
    for (int k = 0; k < 3; ++k) {
        w.dense(g[k]);
        CHECK(near(w.param[0], x[k]));
        CHECK(near(w.slots[1][0], u[k]));
    }
}
TEST_CASE("Nadam as TensorFlow's kernel: idle rows decay and stay") {
    nadam const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3};
    held_to("nadam", rule);
    as_the_tool<float>("nadam", rule, 1e-5);
}
TEST_CASE("B20 B22 Nadam") {
    table<nadam> v({}, {1});
    for (double const x : {0.9981000060083085, 0.9966736934089644, 0.9954046920369554}) {
        v.dense(.1);
        CHECK(near(v.param[0], x));
    }
    table<nadam> rows({.learning_rate = .1}, {1, 2, 3});
    rows.sparse({0}, {.1});
    CHECK(near(rows.param, {0.8100006008308555, 2, 3}));
    rows.sparse({2}, {.1});
    CHECK(near(rows.param, {0.8100006008308555, 2, 2.8586144506226376}));
    CHECK(near(rows.slots[0], {.009, 0, .01}));
    nadam const without{.epsilon = 0};   // 0 / 0 of a row that never had a gradient stays away
    table<nadam> idle(without, {1, 2});
    idle.sparse({0}, {.1});
    CHECK(idle.param[1] == 2);
}
TEST_CASE("AMSGrad as TensorFlow's kernel") {
    held_to("amsgrad", amsgrad{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3});
}
TEST_CASE("B26 AMSGrad") {
    table<amsgrad> v({.learning_rate = .1, .beta2 = .99}, {1});
    double const g[]{1, .1, .1}, x[]{0.900000009999999, 0.8257540385842493, 0.7621600299377514};
    for (int k = 0; k < 3; ++k) {
        v.dense(g[k]);
        CHECK(near(v.param[0], x[k], k == 0 ? 2e-9 : 1e-6));
        CHECK(near(v.slots[2][0], .01));
    }
}
TEST_CASE("Adam with powers of the global step") {
    adam_gs const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3};
    held_to("adam_gs", rule);
    table<adam_gs> again(rule, {1}), once(rule, {1});   // applied twice in one step, both with the same correction
    again.dense(.5);
    again.step = 0;
    again.dense(.5);
    once.dense(.5);
    double const v = .125 * .25 * (1 + .875), m = .25 * .5 * 1.75;
    CHECK(near(again.param[0], once.param[0] - .05 * std::sqrt(.125) / .25 * m / (std::sqrt(v) + 1e-3)));
}
TEST_CASE("Adam in PyTorch's form") {
    pytorch_adam const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3};
    held_to("pytorch_adam", rule);
    as_the_tool<float>("pytorch_adam", rule, 1e-5);
    held_to("pytorch_amsgrad", pytorch_amsgrad{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3});
    held_to("pytorch_adamw", pytorch_adamw{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3, .weight_decay = 0.125});
    held_to("pytorch_nadam", pytorch_nadam{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3, .momentum_decay = 0.25});
}
