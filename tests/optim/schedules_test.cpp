// SPDX-License-Identifier: MIT
// Schedules against the numbered cases.
#include <xgrad/optim/schedules/more_schedules.hpp>

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

TEST_CASE("noisy linear cosine: numbers of TensorFlow 2.21 without noise, and its statistics") {
    noisy_linear_cosine_decay const quiet{.learning_rate = 0.5, .decay_steps = 1000, .initial_variance = 0};
    noisy_linear_cosine_decay const waves{
        .learning_rate = 0.5, .decay_steps = 1000, .initial_variance = 0, .num_periods = 2, .alpha = 0.25, .beta = 0.125};
    double const falls[] = {0.5005, 0.32058254, 0.1255, 0.018805826, 0.0005, 0.0005, 0.0005};
    double const swings[] = {0.6875, 0.0625, 0.4375, 0.0625, 0.1875, 0.1875, 0.1875};
    for (int i = 0; i < 7; ++i) {
        CHECK(near(quiet(250 * i), falls[i], 1e-6));
        CHECK(near(waves(250 * i), swings[i], 1e-6));
    }
    // the factor of the cosine is 1 where it has no period, so only the noise is left
    auto const noise = [](noisy_linear_cosine_decay s, std::int64_t step) {
        s.num_periods = s.beta = 0;
        return s(step) - (1 - std::fmin(static_cast<double>(step) / s.decay_steps, 1.0));
    };
    noisy_linear_cosine_decay const even{.learning_rate = 1, .decay_steps = 1e9, .initial_variance = 0.25, .variance_decay = 0, .seed = 3};
    constexpr int n = 40000;
    double sum = 0, squares = 0, fourth = 0;
    for (int t = 0; t < n; ++t) {
        double const x = noise(even, t);
        sum += x, squares += x * x, fourth += x * x * x * x;
    }
    CHECK(std::fabs(sum / n) < 0.01);
    CHECK(near(squares / n, 0.25, 0.03));
    CHECK(near(fourth / n, 3 * 0.25 * 0.25, 0.06));   // of a normal distribution
    // the same draw in a step, another one for another seed; its variance falls with the step until D
    noisy_linear_cosine_decay falling = even, other = even;
    falling.variance_decay = 1, falling.decay_steps = 99, other.seed = 4;
    CHECK(near(noise(falling, 15), noise(even, 15) / 4, 1e-6));
    CHECK(near(noise(falling, 500), noise(even, 500) / 10, 1e-6));
    CHECK(even(7) == even(7));
    CHECK(even(7) != other(7));
    CHECK(noise(even, 7) != noise(even, 8));
}

TEST_CASE("noise that is annealed: numbers of optax.add_noise") {
    // sqrt(eta / count ** gamma), counts from 1 on
    for (auto [step, expected] : {std::pair(0, 0.10000000000000002), {1, 0.08264503181542117}, {99, 0.028183829312644536}})
        CHECK(near(annealed_noise{.eta = 0.01}(step), expected));
    CHECK(near(annealed_noise{.eta = 0.25, .gamma = 1}(3), 0.25));
}

TEST_CASE("manual stepping is closed on the left") {
    piecewise_constant const p = manual_stepping({100, 200}, {1.0, 0.5, 0.1});
    CHECK(p(99) == 1.0);
    CHECK(p(100) == 0.5);
    CHECK(p(199) == 0.5);
    CHECK(p(200) == 0.1);
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

TEST_CASE("schedules of others: numbers of optax 0.2.8") {
    warmup const up{cosine_decay{0.5, 80}, 20, 0.1};
    for (auto [step, rate] : {std::pair(0, 0.1), {10, 0.3}, {20, 0.5}, {60, 0.25}, {99, 0.00019274093981927476}, {100, 0.0}})
        CHECK(near(up(step), rate, 1e-12, 1e-3));
    one_cycle const cycle{.peak = 0.5, .steps = 100};
    for (auto [step, rate] : {std::pair(0, 0.02), {10, 0.14}, {29, 0.4986852548883856}, {30, 0.5}, {60, 0.30563101096814466},
             {99, 0.00025373235773789394}, {100, 2e-6}, {150, 2e-6}})
        CHECK(near(cycle(step), rate, 1e-12, 1e-3));
}

TEST_CASE("a schedule whose number of steps is not positive gives no rate, and a rule says so") {
    auto const no_rate = [](auto const& schedule) { CHECK(std::isnan(schedule(3))); };
    for (double const d : {0.0, -5.0}) {
        no_rate(exponential_decay{0.5, d, 0.5});
        no_rate(natural_exp_decay{0.5, d, 0.5});
        no_rate(inverse_time_decay{0.5, d, 0.5});
        no_rate(polynomial_decay{0.5, d});
        no_rate(cosine_decay{0.5, d});
        no_rate(cosine_decay_restarts{0.5, d});
        no_rate(linear_cosine_decay{0.5, d});
        no_rate(noisy_linear_cosine_decay{0.5, d});
        no_rate(one_cycle{0.5, d});
        no_rate(inverse_sqrt_decay{0.5, d});
    }
    no_rate(warmup(cosine_decay{0.5, 10}, -5));
    no_rate(hold(cosine_decay{0.5, 10}, -5));
    CHECK(warmup(cosine_decay{0.5, 10}, 0)(0) == 0.5);
    hyper rate = cosine_decay{0.5, 0};
    hyper_info list[] = {{"learning_rate", rate, allow::zero_or_more}};
    list[0].settle(7);
    CHECK(detail::check_hypers("rule", list, 1, 7)
              .view()
              .ends_with("found nan in step 7; a schedule gives NaN where its number of steps is not positive"));
}
TEST_CASE("schedules one behind the other") {
    joined_schedules const both{exponential_decay{0.5, 1, 0.5}, piecewise_constant({2}, {0.25, 0.125}), 3};
    double const rates[] = {0.5, 0.25, 0.125, 0.25, 0.25, 0.25, 0.125};
    for (int i = 0; i < 7; ++i) CHECK(both(i) == rates[i]);
    inverse_sqrt_decay const root{.learning_rate = 0.5, .warmup_steps = 4};
    CHECK(root(0) == 0.125);
    CHECK(root(3) == 0.5);
    CHECK(root(15) == 0.25);
    exponential_decay_with_burnin const burn{
        .learning_rate = 0.5, .decay_steps = 10, .decay_rate = 0.5, .burnin_steps = 4, .burnin_rate = 0.1, .min_rate = 0.2};
    CHECK(near(burn(2), 0.3));
    CHECK(burn(4) == 0.5);
    CHECK(burn(13) == 0.5);
    CHECK(burn(14) == 0.25);
    CHECK(burn(24) == 0.2);
    CHECK(burn(0) == 0.2);
    hold const held{cosine_decay{0.5, 80}, 20};
    CHECK(held(0) == 0.5);
    CHECK(held(20) == 0.5);
    CHECK(held(60) == cosine_decay{0.5, 80}(40));
    hyper const held_behind = warmup{held, 10};
    CHECK(held_behind(5) == 0.25);
    CHECK(held_behind(30) == 0.5);
    CHECK(near(held_behind(70), 0.25));
    hyper const nested = warmup{joined_schedules{cosine_decay{0.5, 80}, inverse_sqrt_decay{0.1}, 50}, 10};
    CHECK(nested(10) == 0.5);
    CHECK(nested(60) == 0.1);
}

TEST_CASE("a plateau: numbers of PyTorch 2.13") {
    reduce_on_plateau plateau{.learning_rate = 0.1, .factor = 0.5, .patience = 2, .threshold = 0.01, .cooldown = 1, .min_rate = 0.02};
    hyper const rate = plateau.schedule();
    double const seen[] = {1, 0.9, 0.895, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double const rates[] = {0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.025, 0.025, 0.025, 0.025, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02};
    for (int i = 0; i < 18; ++i) {
        plateau.observe(seen[i]);
        CHECK(rate(i) == rates[i]);
    }
    CHECK_THROWS_AS(plateau.observe(std::nan("")), value_error);
    CHECK(rate(0) == 0.02);
}
