// SPDX-License-Identifier: MIT
// State that a step changes besides what it trains: averages, counters, the state of an input.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <io/temporary_folder.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<double>;
constexpr auto w = xg::variable<"w", double, 2>;
constexpr auto average = xg::non_trainable<"average", double, 2>;
constexpr auto other = xg::non_trainable<"other", double, 2>;
constexpr auto count = xg::non_trainable<"count", std::int64_t>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto loss = xg::sum(w * x);   // the gradient of w is x

template<class View>
list values(View view) {
    return list(view.begin(), view.end());
}

}   // namespace

TEST_CASE("H10 H11 an exponential average of a variable and of an input") {
    // the average of the variable takes its value before the update: 10, then 20
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 1}, xg::assign(average, 0.25_c * average + 0.75_c * w),
        xg::assign(other, 0.25_c * other + 0.75_c * x));
    train.assign(w, list{10, 10});
    train.assign(average, list{10, 10});
    train(x = list{-10, -10});
    CHECK(values(train.value(average)) == list{10, 10});
    CHECK(values(train.value(w)) == list{20, 20});
    train(x = list{0, 0});
    CHECK(values(train.value(average)) == list{17.5, 17.5});
    train.assign(other, list{0, 0});
    for (double const expected : {30.0, 37.5, 39.375}) {
        train(x = list{40, 40});
        CHECK(values(train.value(other)) == list{expected, expected});
    }
}

TEST_CASE("H12 an average by weights: one variable for weighted values, one for weights") {
    constexpr auto weighted = xg::non_trainable<"weighted", double>;
    constexpr auto weights = xg::non_trainable<"weights", double>;
    constexpr auto value = xg::input<"value", double>;
    constexpr auto weight = xg::input<"weight", double>;
    constexpr auto v = xg::variable<"v", double>;
    auto train = xg::minimize(v, xg::gradient_descent{}, xg::assign(weighted, 0.5_c * weighted + 0.5_c * value * weight),
        xg::assign(weights, 0.5_c * weights + 0.5_c * weight));
    train(value = 3.0, weight = 4.0);
    CHECK(train.value(weighted)() / train.value(weights)() == 3);
    train(value = 11.0, weight = 22.0);
    CHECK(train.value(weighted)() / train.value(weights)() == doctest::Approx(10.333333333333334).epsilon(1e-15));
}

TEST_CASE("assignments read what was there before the step, in every gating and without fusion") {
    auto const run = [](auto train) {
        train.assign(w, list{1, 2});
        train.assign(average, list{3, 4});
        train.assign(other, list{5, 6});
        // average and other change places, and both are read by each other and by the loss
        CHECK(train(x = list{1, 1}) == 1 * 3 + 2 * 4);
        CHECK(values(train.value(average)) == list{5 + 1, 6 + 2});
        CHECK(values(train.value(other)) == list{3, 4});
        CHECK(values(train.value(w)) == list{1 - 3, 2 - 4});
        CHECK(train.value(count)[0] == 7);
        train(x = list{1, 1});
        CHECK(values(train.value(average)) == list{3 - 2, 4 - 2});
        CHECK(values(train.value(other)) == list{6, 8});
        CHECK(values(train.value(w)) == list{-2 - 6, -2 - 8});
        CHECK(train.value(count)[0] == 14);
    };
    constexpr auto l = xg::sum(w * average * x);
    xg::gradient_descent const rule{.learning_rate = 1};
    auto const a = xg::assign(average, other + w);
    auto const b = xg::assign(other, average);
    auto const c = xg::assign(count, count + 7_c);
    run(xg::minimize(l, rule, a, b, c));
    run(xg::minimize(l, a, c, rule, b));
    run(xg::minimize<xg::gating::op>(l, rule, a, b, c));
    run(xg::minimize<xg::gating::graph>(l, rule, a, b, c));
    run(xg::minimize<xg::gating::graph, false>(l, rule, a, b, c));
}

TEST_CASE("truth values are state too") {
    constexpr auto grown = xg::non_trainable<"grown", bool, 2>;
    constexpr auto ever = xg::non_trainable<"ever", bool, 2>;
    auto const run = [=](auto train) {
        train.assign(w, list{1, 2});
        train(x = list{-1, 1});
        train(x = list{0, 0});
        CHECK(!train.value(grown)[0]);
        CHECK(train.value(ever)[0]);
        CHECK(!train.value(ever)[1]);
    };
    auto const a = xg::assign(grown, xg::updated(w) > w);
    auto const b = xg::assign(ever, xg::logical_or(ever, xg::updated(grown)));
    run(xg::minimize(loss, xg::gradient_descent{}, a, b));
    run(xg::minimize<xg::gating::op>(loss, xg::gradient_descent{}, a, b));
    run(xg::minimize<xg::gating::graph, false>(loss, xg::gradient_descent{}, a, b));
}

TEST_CASE("state is in checkpoints, with its rule") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    auto const make = [] {
        return xg::minimize(loss, xg::gradient_descent{}, xg::assign(average, average + w), xg::assign(count, count + 1_c));
    };
    auto train = make();
    train.assign(w, list{1, 2});
    for (int i = 0; i < 3; ++i) train(x = list{0, 0});
    xg::save(train, path);
    auto again = make();
    xg::restore(again, path);
    CHECK(again.value(count)[0] == 3);
    CHECK(values(again.value(average)) == list{3, 6});
    CHECK(xg::safetensors_file(path).find("average")->shape == std::vector<std::int64_t>{2});
    auto without = xg::minimize(loss + xg::sum(average) + xg::cast<double>(count), xg::gradient_descent{});
    CHECK_THROWS_AS(xg::restore(without, path), xg::checkpoint_error);   // here nothing moves average
    CHECK_NOTHROW(xg::restore(without, path, xg::variables_only));
}
