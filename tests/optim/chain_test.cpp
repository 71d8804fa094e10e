// SPDX-License-Identifier: MIT
// Chains on arrays: compared with optax (tests/reference/chains.py) and with the rules that they are written out to; the numbered cases of
// wrappers.
#include <xgrad/optim/optim.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "optim/chain_reference.hpp"
#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::table;

namespace {
using list = std::vector<double>;
using xgrad_test::chain_case;

constexpr auto sgd_with_momentum = [] { return momentum{.learning_rate = 0.5, .momentum = 0.75}; };

template<class Rule>
void follows_optax(std::string const& name, Rule const& rule) {
    chain_case const expected(name);
    REQUIRE_FALSE(expected.empty());
    table<Rule> matrix(rule, 3, chain_case::start("matrix")), vector(rule, chain_case::start("vector"));
    for (int step = 1; step <= chain_case::steps; ++step) {
        matrix.dense(chain_case::gradient("matrix", step));
        vector.dense(chain_case::gradient("vector", step));
        INFO(name << ", step " << step);
        if (!expected.has(step, "matrix")) continue;
        CHECK(near(matrix.param, expected.at(step, "matrix")));
        CHECK(near(vector.param, expected.at(step, "vector")));
        if (expected.has(step, "slow")) CHECK(near(matrix.slots[1], expected.at(step, "slow")));
    }
}
double norm_of(list const& v) {
    double sum = 0;
    for (double x : v) sum += x * x;
    return std::sqrt(sum);
}
using xgrad_test::random_numbers;
}   // namespace

using clipped = decltype(chain(clip_by_value(-1, 1), decoupled_decay{}, adam{}));
using averaged = decltype(chain(clip_by_value(-1, 1), decoupled_decay{}, adam{}, ema{}));
static_assert(
    bytes_per_parameter<adam, float> == 28 && bytes_per_parameter<clipped, float> == 28 && bytes_per_parameter<averaged, float> == 36);
static_assert(bytes_per_parameter<adam, double> == 56 && bytes_per_parameter<rowwise_adagrad, float> == 12);

TEST_CASE("chains of optax") {
    follows_optax("clip_momentum", chain(clip_by_value(-0.25, 0.25), sgd_with_momentum()));
    follows_optax("l2_momentum", chain(l2_regularization{.strength = 0.125}, sgd_with_momentum()));
    follows_optax("adaptive_clip", chain(adaptive_clip{.clip_factor = 0.25, .epsilon = 0.125}, sgd_with_momentum()));
    follows_optax("centralize", chain(centralize_gradient{}, sgd_with_momentum()));
    follows_optax("lookahead", chain(sgd_with_momentum(), lookahead{.period = 3, .alpha = 0.25}));
}

TEST_CASE("B48 MomentumW is a chain") {
    table v(chain(decoupled_decay{.weight_decay = 0.01}, momentum{.learning_rate = 0.001, .momentum = 0.9}), {1});
    for (double expected : {0.9899, 0.979811, 0.96974189}) {
        v.dense(0.1);
        CHECK(near(v.param[0], expected));
    }
}

TEST_CASE("decay and Adam in a chain are AdamW, to the bit, also on rows that do not occur") {
    table whole(adamw{.learning_rate = 0.05}, 3, random_numbers(1, 30));
    table chained(chain(decoupled_decay{.weight_decay = 0.01}, adam{.learning_rate = 0.05}), 3, random_numbers(1, 30));
    for (int step = 0; step < 4; ++step) {
        std::vector<std::int32_t> const rows{(3 * step) % 10, 7, (3 * step) % 10};
        whole.sparse(rows, random_numbers(step, 9));
        chained.sparse(rows, random_numbers(step, 9));
        CHECK(whole.param == chained.param);
        CHECK(whole.slots == chained.slots);
    }
    // a norm that is never reached makes it a rule with reductions
    table plain(adamw{.learning_rate = 0.05}, 3, random_numbers(1, 30));
    table reduced(
        chain(clip_by_norm(1048576), decoupled_decay{.weight_decay = 0.01}, adam{.learning_rate = 0.05}), 3, random_numbers(1, 30));
    plain.sparse({4, 1}, random_numbers(2, 6));
    reduced.sparse({4, 1}, random_numbers(2, 6));
    CHECK(plain.param == reduced.param);
    whole.dense(random_numbers(9, 30));
    chained.dense(random_numbers(9, 30));
    CHECK(whole.param == chained.param);
}

TEST_CASE("lazy links leave rows alone that do not occur, exact ones do not") {
    table v(chain(momentum{.learning_rate = 1, .momentum = 0.5}, ema{.decay = 0.5}), {1, 1});
    v.dense(1.0);           // velocity 1, value 0, average 0.5
    v.sparse({1}, {1.0});   // row 0: only the average moves
    CHECK(v.slots[0] == list{1, 1.5});
    CHECK(v.param == list{0, -1.5});
    CHECK(v.slots[1] == list{0.25, -0.5});
    table lazily(lazy{chain(momentum{.learning_rate = 1, .momentum = 0.5}, ema{.decay = 0.5})}, {1, 1});
    lazily.dense(1.0);
    lazily.sparse({1}, {1.0});
    CHECK(lazily.slots[1] == list{0.5, -0.5});
}

TEST_CASE("numbers per row of lazy links stay on rows that do not occur") {
    table v(chain(counted{gradient_descent{.learning_rate = 1}}, ema{.decay = 0.5}), {1, 1});
    v.sparse({1}, {1.0});
    v.sparse({1}, {1.0});
    CHECK(v.slots[0] == list{0, 2});
    CHECK(v.param == list{1, -1});
}

TEST_CASE("bounds hold on all rows that an exact rule moves") {
    adam const rule{.learning_rate = 0.5};
    table bare(rule, {0.25, 0.5});
    table within(chain(rule, box{.min = 0}), {0.25, 0.5});
    table norms(chain(rule, max_row_norm{.max_norm = 0.125}), {0.25, 0.5});
    bare.dense(1.0), bare.sparse({1}, {1.0});
    within.dense(1.0), within.sparse({1}, {1.0});
    norms.dense(1.0);
    norms.sparse({1}, {1.0});
    CHECK(bare.param[0] < -0.5);
    CHECK(within.param == list{0, 0});
    CHECK(near(norms.param, {-0.125, -0.125}));   // momentum alone takes the row that does not occur over the bound
}

TEST_CASE("averages of rows that come late begin at their values") {
    auto const rule = chain(gradient_descent{.learning_rate = 1}, ema{.decay = 0.75, .zero_debias = true});
    table v(lazy{rule}, {8, 8, 8});
    v.sparse({0}, {4.0});
    CHECK(v.slots[0][0] == 4);
    v.sparse({1}, {4.0});   // step 2: the weight of the new value is 0.25 / (1 - 0.75^2)
    CHECK(near(v.slots[0][1], 8 - 4 * 0.25 / 0.4375));
    CHECK(std::isnan(v.slots[0][2]));
    begin_averages(v.slots[0], v.param);
    CHECK(v.slots[0][0] == 4);
    CHECK(v.slots[0][2] == 8);
    CHECK_THROWS_WITH_AS(begin_averages(v.slots[0], list{1, 2}), "begin_averages: 3 averages of 2 values", shape_error);
}

TEST_CASE("a transform changes what the links behind it see, and nothing before") {
    list const theta = random_numbers(2, 17), g = random_numbers(3, 17);
    list bounded = g;
    for (double& x : bounded) x = std::fmin(std::fmax(x, -0.5), 0.25);
    table plain(adam{}, theta);
    table clipped(chain(clip_by_value(-0.5, 0.25), adam{}), theta);
    plain.dense(bounded);
    clipped.dense(g);
    CHECK(plain.param == clipped.param);
    CHECK(plain.slots == clipped.slots);
}

TEST_CASE("A3 bounds of the new values") {
    gradient_descent const rule{.learning_rate = 3};
    table a(chain(rule, box{.min = -0.1, .max = 0}), {1, 2}), b(chain(rule, box{.min = 0, .max = 1}), {3, 4});
    a.dense(5);
    b.dense(3);
    CHECK(near(a.param, {-0.1, -0.1}));
    CHECK(b.param == list{0, 0});
}

TEST_CASE("G13 clipping by value, of rows and of what is not finite") {
    gradient_descent const one{.learning_rate = 1};
    table rows(chain(clip_by_value(1, 2), one), {0, 0, 0, 0});
    rows.sparse({3, 0, 2}, {-3, 4, 0});
    CHECK(rows.param == list{-2, 0, -1, -1});
    double const infinite = std::numeric_limits<double>::infinity();
    table wrong(chain(clip_by_value(-4, 4), one), {0, 0, 0});
    wrong.dense({std::nan(""), infinite, -infinite});
    CHECK(std::isnan(wrong.param[0]));
    CHECK(wrong.param[1] == -4);
    CHECK(wrong.param[2] == 4);
}

TEST_CASE("G5 MovingAverage") {
    table v(chain(gradient_descent{.learning_rate = 2}, ema{.decay = 0.5}), {1, 2});
    v.dense(0.1);
    CHECK(near(v.param, {0.8, 1.8}));
    CHECK(near(v.slots[0], {0.9, 1.9}));
}

TEST_CASE("H10 and H11 averages: num_updates, zero_debias") {
    // a step of -1 · g with g = θ − value sets the parameter to the value
    auto const set = [](auto& v, double value) { v.dense(v.param[0] - value); };
    gradient_descent const one{.learning_rate = 1};
    table plain(chain(one, ema{.decay = 0.25}), {10});
    set(plain, 20);
    CHECK(near(plain.slots[0][0], 17.5));
    table counted(chain(one, ema{.decay = 0.25, .num_updates = true}), {10});
    set(counted, 20);   // d = 2 / 11
    CHECK(near(counted.slots[0][0], 20 - 10 * 0.18181818181818182));
    table debiased(chain(one, ema{.decay = 0.25, .zero_debias = true}), {10});
    for (int step = 0; step < 3; ++step) {
        set(debiased, 40);
        CHECK(near(debiased.slots[0][0], 40));
    }
    set(debiased, 8);   // biased: 39.375 · 0.25 + 8 · 0.75 over 1 − 0.25⁴
    CHECK(near(debiased.slots[0][0], (39.375 * 0.25 + 6) / (1 - 0.00390625)));
}

TEST_CASE("means of values from a step on") {
    gradient_descent const one{.learning_rate = 1};
    table v(chain(one, polyak_average{.start = 2, .every = 2}), {0});
    double const averages[] = {
        -1, -2, -3, -3, -4, -4, -5};   // the values are -1, -2, ...; those after steps 2, 4 and 6 are taken: -3, -5, -7
    for (double expected : averages) {
        v.dense(1.0);
        CHECK(near(v.slots[0][0], expected));
    }
}

TEST_CASE("what is not finite is left out") {
    table v(chain(zero_nonfinite{}, gradient_descent{.learning_rate = 1}), {1, 1, 1, 1});
    v.dense({std::nan(""), HUGE_VAL, -HUGE_VAL, 1});
    CHECK(v.param == list{1, 1, 1, 0});
}

TEST_CASE("gradients of several steps, then one step with their mean") {
    table v(chain(multi_steps{3}, decoupled_decay{.weight_decay = 0.5}, adam{.learning_rate = exponential_decay{0.5, 1, 0.5}},
                ema{.decay = 0.5}),
        {1, 2});
    table by_hand(
        chain(decoupled_decay{.weight_decay = 0.5}, adam{.learning_rate = exponential_decay{0.5, 1, 0.5}}, ema{.decay = 0.5}), {1, 2});
    for (int update = 0; update < 3; ++update) {
        list const before = v.param;
        v.dense({1, 2}), v.dense({3, -1});
        CHECK(v.param == before);
        CHECK(v.slots[0] == list{4, 1});
        v.dense({2, 5});
        by_hand.dense({2, 2});
        CHECK(near(v.param, by_hand.param, 1e-15));
        CHECK(v.slots[0] == list{0, 0});
        for (std::size_t k = 0; k < 3; ++k) CHECK(near(v.slots[k + 1], by_hand.slots[k], 1e-15));
        for (std::size_t k = 0; k < 2; ++k) CHECK(v.powers[k] == by_hand.powers[k]);
    }
    // a row of an earlier step moves with the mean, though it does not occur in the last one
    table rows(chain(multi_steps{2}, gradient_descent{.learning_rate = 1}), {1, 1, 1});
    rows.sparse({0}, {4.0});
    rows.sparse({2}, {2.0});
    CHECK(rows.param == list{-1, 1, 0});
}

TEST_CASE("numbers per row behind a transform of elements") {
    table chained(chain(multi_steps{2}, clip_by_value(-1, 1), rowwise_adagrad{.learning_rate = 0.5}), 2, {1, 2, 3, 4});
    table plain(rowwise_adagrad{.learning_rate = 0.5}, 2, {1, 2, 3, 4});
    for (int step = 0; step < 3; ++step) {
        chained.dense({3, 0.5, -0.25, -8});
        chained.dense({3, 0.5, -0.25, -8});
        plain.dense({1, 0.5, -0.25, -1});
        CHECK(chained.param == plain.param);
        CHECK(chained.slots[1] == plain.slots[0]);
    }
}

TEST_CASE("numbers per row in front of reductions") {
    counted const rule{adagrad{.learning_rate = 0.5}, 0.5};
    list const theta = random_numbers(6, 12), g = random_numbers(7, 12);
    table plain(rule, 3, theta);
    table rows(chain(rule, max_row_norm{.max_norm = 0.75}), 3, theta);
    table columns(chain(clip_by_value(-9, 9), rule, max_column_norm{.max_norm = 0.75}), 3, theta);
    auto const norm = [](list const& v, std::size_t first, std::size_t step, std::size_t end) {
        double sum = 0;
        for (std::size_t i = first; i < end; i += step) sum += v[i] * v[i];
        return std::sqrt(sum);
    };
    for (int step = 0; step < 3; ++step) {
        plain.param = rows.param;
        plain.dense(g), rows.dense(g);
        for (std::size_t i = 0; i < 12; ++i)
            CHECK(near(rows.param[i], plain.param[i] * 0.75 / std::fmax(0.75, norm(plain.param, i / 3 * 3, 1, i / 3 * 3 + 3)), 1e-12, 1));
        CHECK(rows.slots[1] == list(4, step + 1));
    }
    table again(rule, 3, theta);
    again.dense(g), columns.dense(g);
    for (std::size_t i = 0; i < 12; ++i)
        CHECK(near(columns.param[i], again.param[i] * 0.75 / std::fmax(0.75, norm(again.param, i % 3, 3, 12)), 1e-12, 1));
    CHECK(columns.slots == again.slots);
}

TEST_CASE("gradients of other size") {
    table v(chain(multiply_gradient{.factor = exponential_decay{4, 1, 0.5}}, gradient_descent{.learning_rate = 1}), {0, 0});
    v.sparse({1}, {1.0}), v.dense({1, -1});
    CHECK(v.param == list{-2, -2});
}

TEST_CASE("frozen steps change nothing and do not count") {
    momentum const rule{.learning_rate = exponential_decay{1, 1, 0.5}, .momentum = 0.5};
    table v(chain(freeze{piecewise_constant({1}, {1.0, 0.0})}, rule, ema{.decay = 0.5}), {1, 2});
    table late(chain(rule, ema{.decay = 0.5}), {1, 2});
    v.dense(3.0), v.dense(5.0);
    CHECK(v.param == list{1, 2});
    CHECK(v.slots[0] == list{0, 0});
    CHECK(v.slots[1] == list{1, 2});   // has begun
    for (double g : {1.0, -2.0, 0.5}) {
        v.dense(g), late.dense(g);
        CHECK(v.param == late.param);
        CHECK(v.slots == late.slots);
    }
    CHECK(v.powers[0] == 3);
    CHECK(v.powers[1] == late.powers[0]);
}

TEST_CASE("bounds that change") {
    exponential_decay const half{1, 1, 0.5};
    table v(chain(gradient_descent{.learning_rate = 1}, box{.max = half}, max_column_norm{.max_norm = half}), {0.5, 4});
    v.dense(0.0);
    CHECK(near(v.param, {0.5 / std::sqrt(1.25), 1 / std::sqrt(1.25)}));
    v.dense(0.0);
    CHECK(near(norm_of(v.param), 0.5));
}

TEST_CASE("names, checks and numbers of links") {
    auto rule = chain(clip_by_value(-1, 1), chain(adam{}, ema{}), ema{.decay = 0.5});
    using type = decltype(rule);
    CHECK(type::name == "chain(clip_by_value,chain(adam,ema),ema)");
    CHECK(tf_slot_name<type>("w", 1) == "w/Adam_1");
    list const starts{0, 0, HUGE_VAL, HUGE_VAL, 0.9, 0.999, 1, 1};
    std::vector<std::string_view> const names{
        "m", "v", "average", "average_1", "beta1_power", "beta2_power", "average_power", "average_power_1"};
    REQUIRE(type::slots.size() == names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
        CHECK(type::slots[k].name == names[k]);
        double const start = rule.slot_init(static_cast<int>(k));
        CHECK((std::isnan(start) ? HUGE_VAL : start) == starts[k]);
    }
    CHECK(check_of(rule).empty());
    rule.get<ema>().decay = 1.5;
    CHECK(check_of(rule) == "ema: decay must be in [0, 1], found 1.5");
    rule.get<0>() = clip_by_value(2, 1);
    CHECK(check_of(rule) == "clip_by_value: min must be at most max, found 2 and 1");
    CHECK(check_of(chain(clip_by_norm(0), adam{})) == "clip_by_norm: max_norm must be positive, found 0");
    CHECK(
        check_of(chain(decoupled_decay{.weight_decay = -1}, adam{})) == "decoupled_decay: weight_decay must be positive or zero, found -1");
    CHECK(check_of(chain(adam{}, lookahead{.period = 0})) == "lookahead: period must be at least 1, found 0");
    CHECK(check_of(chain(adam{}, polyak_average{.start = -2})) == "polyak_average: start must be positive or zero, found -2");
    CHECK(check_of(chain(multi_steps{0}, adam{})) == "multi_steps: steps must be at least 1, found 0");
    CHECK(check_of(chain(adam{}, box{.min = 2, .max = 1})) == "box: min must be at most max, found 2 and 1");
    CHECK(check_of(chain(adam{.beta1 = 2}, ema{})) == "adam: beta1 must be in [0, 1), found 2");
}

TEST_CASE("functions among the links are called for the step that each sees") {
    auto const rule = chain(multi_steps{3}, adam{.learning_rate = exponential_decay{0.5, 1, -1}});   // -0.5 in each other update
    CHECK(has_functions(rule));
    double powers[]{0.9, 0.999};
    auto now = rule;
    CHECK(settle(now, rule, 2, powers).empty());   // the first update
    CHECK_FALSE(has_functions(now));
    auto none = rule;
    none.get<multi_steps>().steps = 0;
    CHECK(settle(now, none, 2, powers) == "multi_steps: steps must be at least 1, found 0");
    CHECK(settle(now, rule, 3, powers) == "adam: learning_rate must be positive or zero, found -0.5 in step 1");
}
