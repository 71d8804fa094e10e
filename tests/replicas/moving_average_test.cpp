// SPDX-License-Identifier: MIT
// Averages of what several workers train.
#include <support/message_of.hpp>
#include <support/near.hpp>
#include <support/temporary_folder.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/moving_average.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto v = xg::variable<"v", double, 2>;
constexpr auto loss = xg::sum(v) * g;
auto start() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 2.});
    train.assign(v, std::vector<double>{1, 2});
    return train;
}
using test::near;
}   // namespace

namespace {
constexpr auto one = xg::variable<"one", float>;
constexpr auto two = xg::variable<"two", float>;
constexpr auto slope = xg::input<"slope", float>;
}   // namespace
TEST_CASE("some variables are averaged: variables_to_average") {
    auto train = xg::minimize<xg::gating::graph>((one + two) * slope, xg::gradient_descent{.learning_rate = 1});
    xg::moving_average averages(train, {.decay = 0.5}, two);
    xg::sync_replicas replicas(train, {.initial_tokens = 0, .on_update = std::ref(averages)});
    replicas.run([](auto& worker) { worker(slope = 4.f); });
    CHECK(averages.value(two)() == -2);
    CHECK(
        test::message_of<xg::binding_error>([&] { averages.value(one); }) == "xgrad: moving_average: the variable \"one\" is not averaged");
}
TEST_CASE("G5: the average behind the update of two workers") {
    auto train = start();
    xg::moving_average averages(train, {.decay = .5});
    CHECK(averages.value(v)(1) == 2);
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0, .on_update = std::ref(averages)});
    replicas.run([&](auto& worker) { worker(g = .1); });
    CHECK(train.value(v)(0) == near(.8));
    CHECK(train.value(v)(1) == near(1.8));
    CHECK(averages.value(v)(0) == near(.9));
    CHECK(averages.value(v)(1) == near(1.9));
}
TEST_CASE("averages of a centre; the first ones forget faster where this is wanted, by the step behind the update") {
    auto train = start();
    xg::moving_average averages(train, {.decay = .9, .num_updates = true});
    xg::agn replicas(train, {.workers = 1, .period = 1, .on_update = std::ref(averages)});
    double expected = 1;
    replicas.run([&](auto& worker) {
        for (int n = 1; n <= 100; ++n) {
            worker(g = .25);
            double const decay = std::min(.9, (1. + n) / (10. + n));
            expected -= (1 - decay) * (expected - (1 - .5 * n));
            CHECK(averages.value(v)(0) == near(expected));
        }
    });
}
TEST_CASE("stopped, restored and gone on with: the same bits, averages too") {
    temporary_folder const folder;
    std::string const path = (folder.path / "averages.safetensors").string();
    auto const go_on = [](auto& train, auto& averages, int from, int to, auto const& then) {
        xg::agn replicas(train, {.workers = 1, .period = 1, .on_update = [&](std::int64_t step) {
                                     averages(step);
                                     then(step);
                                 }});
        replicas.run([&](auto& worker) {
            for (int n = from; n < to; ++n) worker(g = 1. / (n + 3));
        });
        return std::vector<double>{
            averages.value(v)(0), averages.value(v)(1), train.value(v)(0), train.value(v)(1), static_cast<double>(train.global_step())};
    };
    xg::moving_average_options const options{.decay = .9, .num_updates = true};
    auto train = start();
    xg::moving_average averages(train, options);
    auto const whole = go_on(train, averages, 0, 20, [&](std::int64_t step) {
        if (step == 7) xg::save(train, path);
    });
    auto other = start();
    CHECK(test::message_of<xg::checkpoint_error>([&] { xg::restore(other, path); }).find("\"v/ExponentialMovingAverage\"") !=
          std::string::npos);
    xg::moving_average restored(other, options);
    xg::restore(other, path);
    CHECK(go_on(other, restored, 7, 20, [](std::int64_t) {}) == whole);
}
TEST_CASE("averages are copied to where they are evaluated or saved, and back") {
    constexpr auto h = xg::variable<"h", xg::bfloat16, 3>;
    constexpr auto seen = xg::non_trainable<"seen", float>;
    constexpr auto x = xg::input<"x", float>;
    auto train = xg::minimize<xg::gating::graph>(
        xg::sum(xg::cast<float>(h)) * x, xg::gradient_descent{.learning_rate = 1.f}, xg::assign(seen, seen + x));
    xg::moving_average averages(train, {.decay = .75});
    train(x = 2.f);
    averages(1);
    averages(2);
    CHECK(averages.value(h)(2) == -.875f);   // −.5, −.5 − .25 · 1.5
    xg::variables evaluated{xg::sum(xg::cast<float>(h))};
    averages.copy_to(evaluated);
    CHECK(static_cast<float>(evaluated.value(h)(0)) == -.875f);
    averages(3);
    averages.copy_from(evaluated);
    CHECK(averages.value(h)(2) == -.875f);
    CHECK(test::message_of<xg::binding_error>([&] { averages.value(seen); }) ==
          "xgrad: moving_average: the variable \"seen\" is not averaged");
    xg::variables others{xg::sum(v)};
    CHECK(test::message_of<xg::binding_error>([&] { averages.copy_to(others); }) ==
          "xgrad: moving_average: the owner has no variable \"h\" of the size that this was made for");
    CHECK(test::message_of<xg::value_error>([&] { xg::moving_average(train, {.decay = 1.5}); }) ==
          "xgrad: moving_average: decay is outside of [0, 1]; write a number such as 0.99");
}
TEST_CASE("a variable that has grown has no average any more, neither to be moved nor to be read") {
    constexpr xg::dim n{"n"};
    constexpr auto u = xg::variable<"u", float, n>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(u)), xg::gradient_descent{.learning_rate = .1f}, n = 5);
    xg::moving_average averages(train, {.decay = .5});
    CHECK(averages.value(u).size() == 5);
    for (std::int64_t const size : {6, 700}) {
        train.grow(n = size, xg::random_uniform{.seed = 2});
        std::string const grown = "xgrad: moving_average: the variable \"u\" has grown since this was made";
        CHECK(test::message_of<xg::binding_error>([&] { averages(1); }) == grown);
        CHECK(test::message_of<xg::binding_error>([&] { averages.value(u); }) == grown);
    }
}
TEST_CASE("distributed apply: gradients summed over replicas with the loss divided by their number are those of the mean") {
    auto mean = start(), sum = start();
    xg::sync_replicas replicas(mean, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    double total = 0;
    for (int k : {0, 1}) {
        replay.compute(k, g = .1 + k);
        replay.push(k);
        sum.compute_gradients(g = (.1 + k) / 2);
        total += sum.gradient(v)(0);
    }
    replay.update();
    for (std::int64_t i = 0; i < 2; ++i) sum.gradient(v)(i) = total;
    sum.apply_gradients();
    CHECK(sum.value(v)(0) == near(mean.value(v)(0)));
    CHECK(sum.value(v)(1) == near(mean.value(v)(1)));
}
