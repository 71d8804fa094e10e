// SPDX-License-Identifier: MIT
// Rules of PyTorch, optax and papers: their numbers.
#include <xgrad/optim/adabelief.hpp>
#include <xgrad/optim/adan.hpp>
#include <xgrad/optim/asgd.hpp>
#include <xgrad/optim/lion.hpp>
#include <xgrad/optim/pytorch_adagrad.hpp>
#include <xgrad/optim/pytorch_rms_prop.hpp>
#include <xgrad/optim/qhadam.hpp>
#include <xgrad/optim/radam.hpp>
#include <xgrad/optim/rprop.hpp>
#include <xgrad/optim/schedule_free_adamw.hpp>
#include <xgrad/optim/schedules.hpp>
#include <xgrad/optim/signum.hpp>
#include <xgrad/optim/yogi.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::as_the_tool;
using xgrad_test::held_to;
using xgrad_test::near;
using xgrad_test::table;

TEST_CASE("RMSProp in PyTorch's form") {
    held_to("pytorch_rms_prop", pytorch_rms_prop{.learning_rate = 0.05, .decay = 0.75, .momentum = 0.5, .epsilon = 1e-3});
    held_to("pytorch_centered_rms_prop", pytorch_centered_rms_prop{.learning_rate = 0.05, .decay = 0.75, .momentum = 0.5, .epsilon = 1e-3});
}
TEST_CASE("Adagrad in PyTorch's form, its lr_decay by a schedule") {
    held_to("pytorch_adagrad",
        pytorch_adagrad{.learning_rate = inverse_time_decay{0.3, 1, 0.125}, .epsilon = 1e-3, .initial_accumulator = 0.25});
}
TEST_CASE("Lion as optax") { held_to("lion", lion{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .weight_decay = 0.125}); }
TEST_CASE("B54 Lion") {
    table<lion> v({.learning_rate = .01, .weight_decay = .1}, {1, -2});
    v.dense({.5, -.1});
    CHECK(near(v.param, {.989, -1.988}));
    v.dense({-.2, .3});
    CHECK(near(v.param, {.998011, -1.996012}));
    CHECK(near(v.slots[0], {.00295, .00201}));
}
TEST_CASE("RAdam as PyTorch, on both sides of its threshold") {
    radam const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.9375, .epsilon = 1e-3};
    CHECK(!rule.prepare<double>(4, std::array{.75, 0.7241}.data()).adapts);
    CHECK(rule.prepare<double>(19, std::array{.75, 0.2751}.data()).adapts);
    held_to("radam", rule);
    as_the_tool<float>("radam", rule, 1e-5);
}
TEST_CASE("AdaBelief and Yogi as optax") {
    adabelief const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3, .epsilon_root = 1e-4};
    held_to("adabelief", rule);
    as_the_tool<float>("adabelief", rule, 1e-5);
    held_to("yogi", yogi{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-2});
}
TEST_CASE("Adan as optax") {
    held_to("adan", adan{.learning_rate = 0.05, .beta1 = 0.875, .beta2 = 0.75, .beta3 = 0.9375, .epsilon = 1e-3, .weight_decay = 0.125});
}
TEST_CASE("QHAdam as torch_optimizer") {
    held_to("qhadam", qhadam{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .nu1 = 0.75, .nu2 = 0.5, .epsilon = 1e-3});
}
TEST_CASE("Rprop and averaged descent as PyTorch") {
    held_to("rprop", rprop{.learning_rate = 0.05, .shrink = 0.25, .grow = 1.5, .least = 1e-2, .most = 0.25});
    held_to("asgd", asgd{.learning_rate = 0.3, .lambda = 0.125, .alpha = 0.5, .start = 3});
}
TEST_CASE("Signum as pytorch_optimizer") { held_to("signum", signum{.learning_rate = 0.05, .beta = 0.75}); }

namespace {
template<class Rule>
void averages(std::string const& name, Rule const& rule, double beta) {
    held_to(name, rule);
    table<Rule> v(rule, 3, xgrad_test::reference_start<double>());
    for (int step = 1; step <= 20; ++step) xgrad_test::reference_step(v, step, false);
    std::vector<double> x;
    for (std::size_t i = 0; i < v.param.size(); ++i) x.push_back(Rule::average(v.param[i], v.slots[0][i], beta));
    xgrad_test::catalogue().compare(name + ".dense 20 average", x, 1e-12);
}
}   // namespace
TEST_CASE("schedule-free descent as pytorch_optimizer, and what is evaluated") {
    averages("schedule_free_sgd", schedule_free_sgd{.learning_rate = 0.3, .momentum = 0.75, .weight_decay = 0.125}, .75);
    schedule_free_adamw const rule{.learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .epsilon = 1e-3, .weight_decay = 0.125};
    averages("schedule_free_adamw", rule, .75);
    as_the_tool<float>("schedule_free_adamw", rule, 1e-5);
}
