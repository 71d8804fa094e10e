// SPDX-License-Identifier: MIT
// AGN with tables, elements of 16 bits, state, and rules that need all of a gradient.
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto row = xg::input<"row", std::int64_t, 2>;
constexpr auto slices = xg::input<"slices", float, 2, 3>;
constexpr auto table = xg::variable<"table", float, 4, 3>;
constexpr auto lookup = xg::sum(xg::gather(table, row) * slices);
}   // namespace
TEST_CASE("slices count as dense gradients at the centre: all its rows move") {
    auto train = xg::minimize<xg::gating::graph>(lookup, xg::momentum{.learning_rate = 1.f, .momentum = .5f});
    xg::agn replicas(train, {.period = 2});
    typename decltype(replicas)::replay replay(replicas);
    float const one[2][3] = {{1, 2, 3}, {3, 2, 1}};
    auto const call = [&](std::int64_t a, std::int64_t b) {
        std::int64_t const rows[] = {a, b};
        replay.compute(0, row = rows, slices = one);
        replay.step(0);
    };
    call(1, 1);   // of one row twice
    call(3, 1);
    // sums: row 1 (4 + 3, 4 + 2, 4 + 1), row 3 (1, 2, 3); halved
    auto const value = [&](int r, int c) { return train.value(table)(r, c); };
    CHECK(value(1, 0) == -3.5);
    CHECK(value(1, 2) == -2.5);
    CHECK(value(3, 1) == -1);
    CHECK(value(0, 0) == 0);
    call(0, 0);
    call(0, 0);
    CHECK(value(0, 0) == -4);
    CHECK(value(1, 0) == -3.5 - 1.75);                                   // without a gradient, but by its momentum
    CHECK(replay.own(0).slot(table, "momentum")(1, 0) == 3 + .5f * 4);   // a row that does not occur keeps what it has in the worker
}
TEST_CASE("variables of 16 bits, and state that is assigned, whose mean comes to the centre") {
    constexpr auto x = xg::input<"x", float>;
    constexpr auto h = xg::variable<"h", xg::bfloat16, 3>;
    constexpr auto seen = xg::non_trainable<"seen", float>;
    for (auto form : {xg::agn_form::mean_gradient, xg::agn_form::mean_displacement}) {
        auto train = xg::minimize<xg::gating::graph>(
            xg::sum(xg::cast<float>(h)) * x, xg::gradient_descent{.learning_rate = 1.f}, xg::assign(seen, seen + x));
        xg::agn replicas(train, {.period = 2, .form = form});
        typename decltype(replicas)::replay replay(replicas);
        for (float f : {1.f, 2.f}) {
            replay.compute(0, x = f);
            replay.step(0);
        }
        CHECK(static_cast<float>(train.value(h)(2)) == -1.5f);
        CHECK(train.value(seen)() == (form == xg::agn_form::mean_gradient ? 2.f : 1.5f));   // (1 + 3) / 2; 3 / 2
    }
}

TEST_CASE(
    "with a period of 1 one worker is the trainer, to the bit, where rules have no scalars: norms, sums over rows and columns, matrices, tables") {
    static constexpr auto m = xg::variable<"m", float, 3, 5>;
    static constexpr auto n = xg::variable<"n", float, 4, 5>;
    static constexpr auto data = xg::input<"data", float, 5>;
    static constexpr auto both = lookup + xg::sum(xg::square(xg::sum<1>(m * data) - 1_c)) + xg::sum(xg::square(xg::sum<1>(n * data) - 1_c));
    auto const make = [] {
        auto train = xg::minimize<xg::gating::graph>(both, xg::param_group(xg::adafactor{.learning_rate = .125f}, m),
            xg::param_group(xg::shampoo{.learning_rate = .125f}, n), xg::param_group(xg::rowwise_adagrad{.learning_rate = .5f}, table));
        train.initialize(xg::random_uniform{.seed = 5});
        return train;
    };
    auto train = make(), alone = make();
    xg::agn replicas(train, {.period = 1});
    replicas.run([&](auto& worker) {
        for (int step = 0; step < 6; ++step) {
            float const values[2][3] = {{1, 2, static_cast<float>(step)}, {3, 2, 1}}, x[] = {.5f, 1, .25f, static_cast<float>(step), 2};
            std::int64_t const rows[] = {step % 4, 2};
            CHECK(worker(row = rows, slices = values, data = x) == alone(row = rows, slices = values, data = x));
        }
    });
    for (int i = 0; i < 15; ++i) CHECK(train.value(m)(i / 5, i % 5) == alone.value(m)(i / 5, i % 5));
    for (int i = 0; i < 20; ++i) CHECK(train.value(n)(i / 5, i % 5) == alone.value(n)(i / 5, i % 5));
    for (int i = 0; i < 12; ++i) CHECK(train.value(table)(i / 3, i % 3) == alone.value(table)(i / 3, i % 3));
    CHECK(train.global_step() == 6);
}
