// SPDX-License-Identifier: MIT
// At the edges: batches of nothing, functions of the step that throw, sizes that no memory holds, results after a call that was refused.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
using list = std::vector<double>;
template<class View>
list values(View const& view) {
    return list(view.begin(), view.end());
}

}   // namespace

// The gradient of a root or a logarithm of a mean is not finite where nothing is averaged. As in TensorFlow that number meets no element.
TEST_CASE("a batch of nothing leaves variables as they are") {
    constexpr auto x = xg::input<"x", double, batch, 4>;
    constexpr auto y = xg::input<"y", double, batch>;
    constexpr auto w = xg::variable<"w", double, 4, 1>;
    constexpr auto b = xg::variable<"b", double>;
    constexpr auto root = xg::sqrt(xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, w)) + b, y)));
    list const none, start{1, 2, 3, 4};
    auto const step = [&](auto train) {
        train.assign(w, xg::array(start.data(), 4, 1));
        train(x = xg::array(none.data(), 0, 4), y = none);
        CHECK(values(train.value(w)) == start);
        CHECK(train.value(b)() == 0);
        // and one row counts as ever: the gradient of |3 - 0| by b is 1
        list const row{0, 0, 0, 0}, target{-3};
        train(x = xg::array(row.data(), 1, 4), y = target);
        CHECK(train.value(b)() == doctest::Approx(-0.5));
    };
    step(xg::minimize(root, xg::gradient_descent{.learning_rate = 0.5}));
    step(xg::minimize<xg::gating::graph, false>(root, xg::gradient_descent{.learning_rate = 0.5}));

    // second derivatives pass through the guard
    constexpr auto s = xg::input<"s", double>;
    constexpr auto slope = xg::gradient_of(xg::square(xg::mean(y * s)), s);   // 2 s m², m the mean of y
    xg::function f{xg::outputs(slope, xg::gradient_of(slope, s))};
    list const two{1, 3};
    auto const [first, second] = f(y = two, s = 0.5);
    CHECK(first == doctest::Approx(4));
    CHECK(second == doctest::Approx(8));
    CHECK(std::get<0>(f(y = none, s = 0.5)) == 0);
}

namespace {
struct beta {
    int* calls_left;
    double operator()(std::int64_t) const {
        if ((*calls_left)-- == 0) throw std::runtime_error("beta");
        return 0.9;
    }
};
}

TEST_CASE("a function of the step that throws, whenever it does, has changed nothing") {
    constexpr auto w = xg::variable<"w", double, 2>;
    int calls_left = 1000;
    auto train = xg::minimize(xg::sum(xg::square(w - 1_c)), xg::adam{.learning_rate = 0.1, .beta1 = beta{&calls_left}});
    train();
    int const before = calls_left;
    train();
    int const calls = before - calls_left;
    REQUIRE(calls == 1);   // for scalars and powers
    list const now = values(train.value(w)), powers(train.optimizer().powers.begin(), train.optimizer().powers.end());
    for (int k = 0; k < calls; ++k) {
        calls_left = k;
        CHECK_THROWS_AS(train(), std::runtime_error);
        CHECK(values(train.value(w)) == now);
        CHECK(std::ranges::equal(train.optimizer().powers, powers));
        CHECK(train.global_step() == 2);
    }
    calls_left = 1000;
    train();
    CHECK(train.global_step() == 3);
    CHECK(values(train.value(w)) != now);
}

TEST_CASE("sizes that no memory holds, and rows that cannot be counted") {
    constexpr auto table = xg::variable<"table", float, features, 8>;
    constexpr auto ids = xg::input<"ids", std::int64_t, batch>;
    constexpr auto loss = xg::sum(xg::gather(table, ids));
    xg::gradient_descent const rule{.learning_rate = 1.0};
    std::int64_t const many = std::int64_t{1} << 61;
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(loss, rule, features = many + 3)), xg::shape_error);   // times 8: 24
    auto train = xg::minimize(loss, rule, features = 3);
    CHECK_THROWS_AS(train.grow(features = many + 3, xg::random_uniform{.range = 0}), xg::shape_error);
    std::vector<std::int64_t> const rows{1, 1};
    train(ids = rows);
    CHECK(values(train.value(table)) == [] {
        list v(24);
        for (int k = 8; k < 16; ++k) v[static_cast<std::size_t>(k)] = -2;
        return v;
    }());

    constexpr auto empty_rows = xg::variable<"empty_rows", float, features, 0>;
    auto counted = xg::minimize(xg::sum(xg::gather(empty_rows, ids)), rule, features = std::int64_t{1} << 31);
    CHECK_THROWS_AS(counted(ids = rows), xg::shape_error);
    CHECK(counted.try_step(ids = rows).code == xg::status_code::too_many_rows);
}

TEST_CASE("a result stays what it was when a later call is refused, also after the variables have grown") {
    constexpr auto table = xg::variable<"table", double, features, 2>;
    xg::variables v{table, features = 2};
    xg::function f{xg::exp(table), v};
    f.reserve();
    REQUIRE(f.try_call());
    v.grow(features = 5000, xg::random_uniform{.range = 0});
    CHECK(f.try_call().code == xg::status_code::capacity_exceeded);
    CHECK(values(f.result()) == list{1, 1, 1, 1});
    f.reserve();
    REQUIRE(f.try_call());
    CHECK(f.result().size() == 10000);
}

TEST_CASE("integers wrap around, whatever else is computed beside them") {
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    std::vector<std::int32_t> const v{std::numeric_limits<std::int32_t>::max(), 1};
    xg::function alone{xg::greater(i + 1_c, i)};
    xg::function beside{xg::outputs(i + 1_c, xg::greater(i + 1_c, i), -(-i - 2_c), i * i)};
    CHECK(values(alone(i = v)) == list{0, 1});
    auto const [next, larger, negative, squares] = beside(i = v);
    CHECK(values(next) == list{-2147483648.0, 2});
    CHECK(values(larger) == list{0, 1});
    CHECK(values(negative) == list{-2147483647.0, 3});
    CHECK(values(squares) == list{1, 1});
}

TEST_CASE("what a function given as a hyper-parameter throws leaves results, powers and slots as they were") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto w = xg::variable<"w", double, 3>;
    constexpr auto scores = xg::expand_dims<1>(x) * w;
    bool wrong = false;
    auto const decay = [flag = &wrong](std::int64_t step) -> double {
        if (*flag) throw std::domain_error("no decay");
        return step == 0 ? 0.5 : 0.25;
    };
    constexpr auto loss = xg::sum(xg::square(scores - 1_c));
    auto train = xg::apply_gradients(xg::adam{.beta1 = 0.9, .beta2 = decay}, scores, xg::with_variable(xg::gradient_of(loss, w), w));
    list const few{1, 2}, many(20, 0.5);
    for (int k = 0; k < 3; ++k) train(x = few);
    auto const state = [&] {
        auto const& powers = train.optimizer().powers;
        return std::tuple(values(train.result()), values(train.value(w)), values(train.slot(w, "m")), list(powers.begin(), powers.end()),
            train.global_step());
    };
    auto const before = state();
    wrong = true;
    CHECK_THROWS_AS(train(x = many), std::domain_error);
    CHECK(state() == before);
    CHECK_THROWS_AS(train.reset_optimizer(), std::domain_error);
    CHECK(state() == before);
    wrong = false;
    train.reset_optimizer();
    CHECK(train.global_step() == 0);
    CHECK(train.optimizer().powers[0] == 0.9);
    CHECK(values(train.slot(w, "m")) == list(3, 0));
}

TEST_CASE("what knows all its sizes when it is made needs no reserve") {
    constexpr auto four = xg::input<"four", float, 4>;
    constexpr auto v = xg::variable<"v", float, 4>;
    std::vector<float> const numbers{1, 2, 3, 4};
    auto train = xg::minimize(xg::sum(xg::square(xg::exp(v) * four)), xg::gradient_descent{.learning_rate = 0.0});
    REQUIRE(train.try_step(four = numbers));
    CHECK(train.result() == 30);
    xg::function f{xg::sum(xg::square(xg::exp(v) * four)), train};
    REQUIRE(f.try_call(four = numbers));
    CHECK(f.result() == 30);
}
