// SPDX-License-Identifier: MIT
// Rules of PyTorch, optax and papers: their numbers.
#include <xgrad/optim/rules/adabelief.hpp>
#include <xgrad/optim/rules/adan.hpp>
#include <xgrad/optim/rules/ademamix.hpp>
#include <xgrad/optim/rules/asgd.hpp>
#include <xgrad/optim/rules/lion.hpp>
#include <xgrad/optim/rules/madgrad.hpp>
#include <xgrad/optim/rules/muon.hpp>
#include <xgrad/optim/rules/optimistic_gradient_descent.hpp>
#include <xgrad/optim/rules/pytorch_adagrad.hpp>
#include <xgrad/optim/rules/pytorch_momentum.hpp>
#include <xgrad/optim/rules/pytorch_rms_prop.hpp>
#include <xgrad/optim/rules/qhadam.hpp>
#include <xgrad/optim/rules/radam.hpp>
#include <xgrad/optim/rules/rprop.hpp>
#include <xgrad/optim/rules/schedule_free_adamw.hpp>
#include <xgrad/optim/schedules/schedules.hpp>
#include <xgrad/optim/rules/contrib_shampoo.hpp>
#include <xgrad/optim/rules/shampoo.hpp>
#include <xgrad/optim/rules/signum.hpp>
#include <xgrad/optim/rules/yogi.hpp>

#include <doctest/doctest.h>

#include "optim/catalogue.hpp"

using namespace xgrad;
using xgrad_test::as_the_tool;
using xgrad_test::held_to;
using xgrad_test::near;
using xgrad_test::table;

namespace {

/// The recorded steps of twenty of a tall, a wide and a square matrix.
template<class T, class Rule>
void matrices_as_the_tool(std::string const& name, Rule const& rule, double tolerance) {
    static xgrad_test::reference const numbers(XGRAD_TEST_DATA "/matrix_rules.txt", 0);
    struct {
        char const* kind;
        int rows, columns;
    } const shapes[]{{".tall", 7, 3}, {".wide", 3, 7}, {".square", 5, 5}};
    for (auto const& s : shapes) {
        table<Rule, T> v(rule, s.columns, xgrad_test::reference_start<T>(s.rows * s.columns));
        for (int step = 1; step <= 20; ++step) {
            v.dense(xgrad_test::reference_gradient<T>(step, s.rows, s.columns));
            if (step != 1 && step != 2 && step != 5 && step != 20) continue;
            std::string const which = name + s.kind + " " + std::to_string(step) + " ";
            numbers.compare(which + "theta", xgrad_test::as_doubles(v.param), tolerance);
            for (std::size_t k = 0; k < v.slots.size(); ++k)
                numbers.compare(which + std::string(xgrad::rule_slots<Rule>[k].name), xgrad_test::as_doubles(v.slots[k]), tolerance);
        }
    }
}

}   // namespace

TEST_CASE("Muon as PyTorch, whose code ran in float64") {
    muon rule{.learning_rate = .05, .momentum = .75, .weight_decay = .25};
    CHECK(check_of(rule).empty());
    matrices_as_the_tool<double>("muon", rule, 1e-12);
    matrices_as_the_tool<float>("muon", rule, 2e-5);
    rule.use_nesterov = false;
    rule.match_rms_adamw = true;
    rule.a = 2;
    rule.b = -1.5;
    rule.c = .5;
    rule.epsilon = 2;
    rule.iterations = 3;
    matrices_as_the_tool<double>("muon_plain", rule, 1e-12);
    rule.iterations = 0;
    CHECK(check_of(rule) == "muon: iterations must be at least 1, found 0");
}
TEST_CASE("Muon moves each singular value by itself, of matrices of many tiles, of one row and of one column") {
    muon const rule{.learning_rate = 1, .momentum = 0, .weight_decay = 0};
    auto const moved = [](double s) {
        for (int k = 0; k < 5; ++k) s = 3.4445 * s - 4.775 * s * s * s + 2.0315 * s * s * s * s * s;
        return s;
    };
    std::int64_t const shapes[][2]{{70, 43}, {43, 70}, {64, 64}, {9, 1}, {1, 9}, {1, 1}};
    for (auto const [rows, columns] : shapes) {
        std::int64_t const n = std::min(rows, columns);
        std::vector<double> g(static_cast<std::size_t>(rows * columns)), expected = g;
        double squares = 0;
        auto const value = [](std::int64_t i) { return static_cast<double>(i % 7 + 1) / 4; };
        for (std::int64_t i = 0; i < n; ++i) squares += value(i) * value(i);
        for (std::int64_t i = 0; i < n; ++i) {   // row i has its value in column n − 1 − i
            auto const at = static_cast<std::size_t>(i * columns + n - 1 - i);
            g[at] = value(i);
            expected[at] =
                -moved(value(i) / std::sqrt(squares)) * std::sqrt(std::max(1.0, static_cast<double>(rows) / static_cast<double>(columns)));
        }
        table<muon> v(rule, columns, std::vector<double>(g.size()));
        v.dense(g);
        for (std::size_t i = 0; i < g.size(); ++i) CHECK(near(v.param[i], expected[i], 1e-12, .1));
    }
}
TEST_CASE("Muon of outputs in columns is that of the transposed matrix") {
    muon rule{.learning_rate = .05};
    table<muon> rows(rule, 3, std::vector<double>(21));
    rule.outputs_in_columns = true;
    table<muon> columns(rule, 7, std::vector<double>(21));
    for (int step = 1; step <= 3; ++step) {
        std::vector<double> const g = xgrad_test::reference_gradient<double>(step, 7);
        std::vector<double> transposed(21);
        for (std::size_t i = 0; i < 21; ++i) transposed[i % 3 * 7 + i / 3] = g[i];
        rows.dense(g);
        columns.dense(transposed);
        for (std::size_t i = 0; i < 21; ++i) CHECK(near(columns.param[i % 3 * 7 + i / 3], rows.param[i], 1e-12, .1));
    }
}
TEST_CASE("Muon without a gradient decays alone, and NaN stays") {
    table<muon> v({.learning_rate = .5, .weight_decay = .5}, 3, {1, -2, 4, 8, 0, .5});
    v.dense(0.0);
    CHECK(v.param == std::vector<double>{.75, -1.5, 3, 6, 0, .375});
    v.dense({0, 0, NAN, 0, 0, 0});
    for (double const x : v.param) CHECK(std::isnan(x));
    table<muon> empty({}, 3, {});
    empty.dense(0.0);
    CHECK(empty.param.empty());
}
TEST_CASE("Shampoo as pytorch_optimizer, with roots in each step and in each third, and as contrib with matrices that forget") {
    shampoo rule{.learning_rate = .25, .epsilon = .0625};
    CHECK(check_of(rule).empty());
    matrices_as_the_tool<double>("shampoo", rule, 1e-11);
    matrices_as_the_tool<float>("shampoo", rule, 2e-5);
    rule.momentum = .75;
    rule.weight_decay = .125;
    rule.update_every = 3;
    matrices_as_the_tool<double>("shampoo_seldom", rule, 1e-11);
    matrices_as_the_tool<double>(
        "shampoo_decays", shampoo{.learning_rate = .25, .epsilon = .1, .matrix_decay = .75, .matrix_weight = .5}, 1e-11);
    rule.epsilon = 0;
    CHECK(check_of(rule) == "shampoo: epsilon must be positive, found 0");
}
TEST_CASE("contrib's Shampoo: the average of gradients between the roots, taken in each step and in each third; B51") {
    contrib_shampoo rule{
        .learning_rate = .25, .gradient_decay = .75, .gradient_weight = .5, .matrix_decay = .875, .matrix_weight = .25, .epsilon = .0625};
    CHECK(check_of(rule).empty());
    matrices_as_the_tool<double>("contrib_shampoo_1", rule, 1e-11);
    matrices_as_the_tool<float>("contrib_shampoo_1", rule, 2e-5);
    rule.update_every = 3;
    matrices_as_the_tool<double>("contrib_shampoo_3", rule, 1e-11);
    rule.gradient_decay = 1.5;
    CHECK(!check_of(rule).empty());
    table<contrib_shampoo> v({}, 2, std::vector<double>(6));   // numbers of TensorFlow 1.15.5
    v.dense({.1, .2, .3, -.1, .2, .05});
    double const expected[] = {
        -0.4179134912437992, -1.3628770358024436, -1.2537404737313962, 0.6814385179012215, -0.8358269824875963, -0.3407192589506111};
    for (std::size_t i = 0; i < 6; ++i) CHECK(near(v.param[i], expected[i], 1e-6));
}
TEST_CASE("Shampoo takes the inverse fourth root of each eigenvalue, however far apart they are, and NaN stays") {
    for (std::int64_t const n : {1, 2, 37}) {
        shampoo const rule{.learning_rate = 1, .epsilon = 1e-6};
        std::vector<double> g(static_cast<std::size_t>(n * n));
        auto const at = [n](std::int64_t i) { return static_cast<std::size_t>(i * n + n - 1 - i); };
        auto const value = [](std::int64_t i) {
            return i % 5 == 4 ? 0.0 : std::pow(10.0, static_cast<double>(i % 7) - 3);
        };   // squares: 1e-6 to 1e6
        for (std::int64_t i = 0; i < n; ++i) g[at(i)] = value(i);
        table<shampoo> v(rule, n, std::vector<double>(g.size()));
        v.dense(g);
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(near(v.param[at(i)], -value(i) / std::sqrt(value(i) * value(i) + 1e-6), 1e-9, 1e-9));
            CHECK(near(v.slots[3][static_cast<std::size_t>(i * n + i)], std::pow(value(i) * value(i) + 1e-6, -.25), 1e-9));
        }
        g[0] = NAN;
        v.dense(g);
        for (double const x : v.param) CHECK(std::isnan(x));
    }
}
TEST_CASE("Shampoo stays finite where epsilon is below the rounding of its matrices") {
    for (double const size : {1.0, 1e3, 1e5, 1e9, 1e30}) {
        std::vector<double> g;   // of rank 1
        for (int i = 0; i < 12; ++i) g.push_back(size * (1 + i / 3) * (1 + .5 * (i % 3)));
        table<shampoo> v(shampoo{.learning_rate = .1}, 3, std::vector<double>(12, 1));
        for (int step = 1; step <= 300; ++step) {
            v.dense(g);
            CAPTURE(step);
            double all = 0;   // g / √(n ‖g‖²) after n steps
            for (double const x : g) all += x * x;
            if (step == 300)
                for (std::size_t i = 0; i < 12; ++i) {
                    double expected = 1;
                    for (int n = 1; n <= step; ++n) expected -= .1 * g[i] / std::sqrt(n * all);
                    CHECK(near(v.param[i], expected, 1e-6, 1e-6));
                }
        }
    }
}
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
    adan const rule{.learning_rate = 0.05,
        .beta1 = 0.875,
        .beta2 = 0.75,
        .beta3 = 0.9375,
        .epsilon = 1e-3,
        .epsilon_root = 0.0625,
        .weight_decay = 0.125};
    held_to("adan", rule);
    as_the_tool<float>("adan", rule, 1e-5);
    table<adan> tiny({}, {0});
    tiny.dense(1e-5);
    CHECK(near(tiny.param[0], -1e-3 * 1e-5 / (std::sqrt(1e-10 + 1e-8) + 1e-8)));
}
TEST_CASE("AdEMAMix and optimistic gradient descent as optax") {
    held_to("ademamix",
        ademamix{
            .learning_rate = 0.05, .beta1 = 0.75, .beta2 = 0.875, .beta3 = 0.9375, .alpha = 2, .epsilon = 1e-3, .weight_decay = 0.125});
    held_to("optimistic_gradient_descent", optimistic_gradient_descent{.learning_rate = 0.3, .alpha = 0.75, .beta = 0.5});
}
TEST_CASE("momentum with dampening as PyTorch") {
    held_to("pytorch_momentum", pytorch_momentum{.learning_rate = 0.1, .momentum = 0.75, .dampening = 0.25});
}
TEST_CASE("MADGRAD as its authors' code, and from where it starts") {
    madgrad const rule{.learning_rate = 0.05, .momentum = 0.75, .epsilon = 1e-3};
    held_to("madgrad", rule, 1e-13);
    as_the_tool<float>("madgrad", rule, 1e-5);
    table<madgrad> still({.learning_rate = 0}, {1, -2});   // no gradient counts, and the mean of start and start is the start
    for (int step = 0; step < 3; ++step) still.dense({5, -7});
    CHECK(near(still.param, {1, -2}));
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
