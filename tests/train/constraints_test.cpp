// SPDX-License-Identifier: MIT
// A second update of a variable in one step: constraints on what the rule leaves, Keras' numbers, the value of each stage.
#include <support/copy.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "train/in_all_ways.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<double>;

using test::in_all_ways;

constexpr auto w = xg::variable<"w", double, 4, 3>;
constexpr auto g = xg::input<"g", double, 4, 3>;

// Ten steps of `constrained`, an expression of updated(w), against the lines of tests/reference/constraints.txt that begin with `name`.
template<class E>
void follow_keras(std::string const& name, E constrained) {
    in_all_ways([&]<xg::gating Gate, bool Fuse>() {
        auto train =
            xg::minimize<Gate, Fuse>(xg::sum(w * g), xg::momentum{.learning_rate = .125, .momentum = .5}, xg::assign(w, constrained));
        list start(12), gradient(12), expected(12);
        for (std::size_t i = 0; i < 12; ++i) start[i] = (static_cast<double>((3 * i) % 8) - 4) / 4;
        train.assign(w, xg::array(start.data(), 4, 3));
        std::ifstream file(XGRAD_TEST_DATA "/constraints.txt");
        std::size_t lines = 0, step = 0;
        for (std::string found; file >> found >> step;) {
            for (double& e : expected) file >> e;
            if (found != name) continue;
            CHECK(step == ++lines);
            for (std::size_t i = 0; i < 12; ++i) gradient[i] = (static_cast<double>((7 * i + 5 * step + 3) % 16) - 8) / 16;
            train(g = xg::array(gradient.data(), 4, 3));
            for (std::size_t i = 0; i < 12; ++i)
                CHECK(train.value(w)[static_cast<std::int64_t>(i)] == doctest::Approx(expected[i]).epsilon(1e-13));
        }
        CHECK(lines == 10);
    });
}

}   // namespace

TEST_CASE("Keras' constraints behind momentum, and optax' simplex") {
    constexpr auto now = xg::updated(w);
    follow_keras("non_neg", xg::nn::non_neg(now));
    follow_keras("max_norm_columns", xg::nn::max_norm<0>(now, 0.75_c));
    follow_keras("max_norm_rows", xg::nn::max_norm<1>(now, 0.75_c));
    follow_keras("max_norm_all", xg::nn::max_norm<>(now, 1.5_c));
    follow_keras("unit_norm_columns", xg::nn::unit_norm<0>(now));
    follow_keras("simplex_rows", xg::nn::simplex(now));
    follow_keras("min_max_norm_rows", xg::nn::min_max_norm<1>(now, 0.5_c, 0.75_c, 0.25_c));
}

TEST_CASE("a unit norm leaves zeros alone") {
    auto train = xg::minimize(xg::sum(w * g), xg::gradient_descent{}, xg::assign(w, xg::nn::unit_norm<1>(xg::updated(w))));
    list const zeros(12);
    train.assign(w, xg::array(zeros.data(), 4, 3));
    train(g = xg::array(zeros.data(), 4, 3));
    CHECK(test::copy(train.value(w)) == zeros);
}

namespace {
constexpr auto v = xg::variable<"v", double, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto loss = xg::sum(v * x);   // the gradient of v is x
constexpr auto average = xg::non_trainable<"average", double, 2>;
constexpr auto other = xg::non_trainable<"other", double, 2>;
}

TEST_CASE("each value has its name: before, between, behind") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        constexpr auto between = xg::updated(v);
        constexpr auto behind = xg::updated(between);
        auto train = xg::minimize<Gate, Fuse>(loss, xg::gradient_descent{.learning_rate = 1}, xg::assign(average, between),
            xg::assign(v, xg::maximum(between, 0_c)), xg::assign(other, 100_c * v + 10_c * between + behind));
        train.assign(v, list{1, 2});
        CHECK(train(x = list{4, -1}) == 2);
        CHECK(test::copy(train.value(v)) == list{0, 3});
        CHECK(test::copy(train.value(average)) == list{-3, 3});
        CHECK(test::copy(train.value(other)) == list{100 - 30 + 0, 200 + 30 + 3});
        train(x = list{-5, 1});
        CHECK(test::copy(train.value(v)) == list{5, 2});
        CHECK(test::copy(train.value(average)) == list{5, 2});
        CHECK(test::copy(train.value(other)) == list{0 + 50 + 5, 300 + 20 + 2});
    });
}

TEST_CASE("old and new value beside each other: no element goes further than 0.5") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        auto train = xg::minimize<Gate, Fuse>(
            loss, xg::gradient_descent{.learning_rate = 1}, xg::assign(v, v + xg::maximum(xg::minimum(xg::updated(v) - v, 0.5_c), -0.5_c)));
        train.assign(v, list{1, 2});
        train(x = list{4, -0.25});
        CHECK(test::copy(train.value(v)) == list{.5, 2.25});
    });
}

TEST_CASE("a third update, a target that is clamped behind its own, an assignment that is the value itself") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        constexpr auto once = xg::updated(v);
        constexpr auto twice = xg::updated(once);
        auto train = xg::minimize<Gate, Fuse>(loss, xg::gradient_descent{.learning_rate = 1}, xg::assign(v, 2_c * twice + once),
            xg::assign(v, xg::maximum(once, 0_c)), xg::assign(average, 0.5_c * average + 0.5_c * xg::updated(twice)),
            xg::assign(average, xg::minimum(xg::updated(average), 4_c)), xg::assign(other, other + 1_c),
            xg::assign(other, xg::updated(other)));
        train.assign(v, list{1, 2});
        train(x = list{4, -1});   // -3, 3; 0, 3; -3, 9
        CHECK(test::copy(train.value(v)) == list{-3, 9});
        CHECK(test::copy(train.value(average)) == list{-1.5, 4});
        CHECK(test::copy(train.value(other)) == list{1, 1});
    });
}

TEST_CASE("assignments and constraints beside gradients that the user has made; results read the values of both updates") {
    in_all_ways([]<xg::gating Gate, bool Fuse>() {
        constexpr auto once = xg::updated(v);
        constexpr auto gradient = 0.5_c * xg::gradient_of(loss, v);
        auto train = xg::apply_gradients<Gate>(xg::momentum{.learning_rate = 2, .momentum = .5}, xg::concat<0>(once, xg::updated(once)),
            xg::assign(average, average + once), xg::with_variable(gradient, v), xg::assign(v, xg::maximum(once, 0_c)));
        train.assign(v, list{1, 2});
        CHECK(test::copy(train(x = list{4, -1})) == list{-3, 3, 0, 3});
        CHECK(test::copy(train.value(v)) == list{0, 3});
        CHECK(test::copy(train.slot(v, "momentum")) == list{2, -.5});
        CHECK(test::copy(train(x = list{0, 0})) == list{-2, 3.5, 0, 3.5});   // by what is left of the momentum
        CHECK(test::copy(train.value(average)) == list{-5, 6.5});
    });
}

namespace {
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim users{"users"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto people = xg::variable<"people", float, users, 2>;
}
TEST_CASE("a table that grows between steps is constrained in all its rows") {
    constexpr auto far = xg::sum(xg::square(xg::gather(people, ids)));
    auto train =
        xg::minimize(far, xg::adagrad{.learning_rate = .1}, xg::assign(people, xg::nn::unit_norm<1>(xg::updated(people))), users = 3);
    auto const norms_are_one = [&] {
        auto const now = train.value(people);
        for (std::int64_t r = 0; r < now.size() / 2; ++r) CHECK(std::hypot(now(r, 0), now(r, 1)) == doctest::Approx(1).epsilon(1e-5));
    };
    for (float& e : train.value(people)) e = 3;
    train(ids = std::vector<std::int32_t>{0, 2, 0});
    norms_are_one();
    train.grow(users = 5, xg::random_uniform{.seed = 1});
    for (float& e : train.value(people)) e += .5f;
    train(ids = std::vector<std::int32_t>{4});
    CHECK(train.value(people).size() == 10);
    norms_are_one();
}
