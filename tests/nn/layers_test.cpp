// SPDX-License-Identifier: MIT
// Layers compared with what they expand to: names and shapes of their variables, values, gradients; blocks are transparent.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 3>;
constexpr auto ids = xg::input<"ids", std::int64_t, batch, 2>;

struct step_of_five {
    constexpr auto operator()(auto v) const { return xg::tanh(xg::nn::dense<"five", 3>(v)); }
};

template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}

/// Both give the same numbers and the same gradients with respect to `v`, on the same variables and arrays.
template<class A, class B, class V, class... Bindings>
void check_same(A layer, B written, V v, Bindings const&... in) {
    xg::variables owner{layer, written};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    constexpr auto da = xg::gradient_of(xg::sum(xg::square(layer)), v);
    constexpr auto db = xg::gradient_of(xg::sum(xg::square(written)), v);
    xg::function f{xg::outputs(layer, written, da, db), owner};
    auto const [a, b, ga, gb] = f(in...);
    REQUIRE(a.shape() == b.shape());
    bool moved = false;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK(a[i] == b[i]);
        moved = moved || a[i] != 0;
    }
    for (std::int64_t i = 0; i < ga.size(); ++i) CHECK(ga[i] == gb[i]);
    CHECK(moved);
}

std::vector<double> const points{0.5, -1, 2, 1, 0, -0.25};

}   // namespace

TEST_CASE("dense is a product and a sum, with variables of its name") {
    constexpr auto layer = xg::nn::dense<"layer", 4>(x);
    static_assert(same(layer.w, xg::variable<"layer/w", double, 3, 4>));
    static_assert(same(layer.b, xg::variable<"layer/b", double, 4>));
    constexpr auto w = xg::variable<"layer/w", double, 3, 4>;
    constexpr auto b = xg::variable<"layer/b", double, 4>;
    check_same(layer, xg::matmul(x, w) + b, w, x = xg::array(points.data(), 2, 3));
}

TEST_CASE("layers of one name share their variables where they say so, and a layer that is written twice is one") {
    constexpr auto first = xg::nn::dense<"layer", 4>(x);
    constexpr auto second = xg::nn::dense<"layer", 4>(-x, xg::nn::shared);
    static_assert(same(second.w, first.w));
    xg::variables owner{first, second};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    xg::function f{xg::outputs(first, xg::nn::dense<"layer", 4>(x), second), owner};
    auto const [a, again, b] = f(x = xg::array(points.data(), 2, 3));
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK(a[i] == again[i]);
        CHECK(a[i] + b[i] == doctest::Approx(2 * owner.value(first.b)[i % 4]));
    }
}

TEST_CASE("a model in training and as it predicts are one model") {
    constexpr auto hidden = xg::nn::dense<"hidden", 4>(x);
    constexpr auto y = xg::nn::dense<"out", 1>(xg::dropout<"drop">(hidden, 0.5_c));
    auto train = xg::minimize(xg::outputs(xg::mean(y), xg::sum(xg::eval(y))), xg::gradient_descent{});
    xg::function written{xg::sum(xg::matmul(hidden, xg::variable<"out/w", double, 4, 1>) + xg::variable<"out/b", double, 1>), train};
    train.initialize(xg::random_uniform{.seed = 3, .range = 1});
    double const expected = written(x = xg::array(points.data(), 2, 3));
    CHECK(std::get<1>(train(x = xg::array(points.data(), 2, 3))) == doctest::Approx(expected));
}

TEST_CASE("a layer keeps the leading axes of its input") {
    constexpr auto deep = xg::input<"deep", float, 5, batch, 3>;
    static_assert(
        xg::value_of<decltype(xg::nn::dense<"layer", 4>(deep))>.dims == xg::value_of<decltype(xg::input<"same", float, 5, batch, 4>)>.dims);
    static_assert(xg::value_of<decltype(xg::nn::dense<"layer", 4>(deep))>.type == xg::dtype::float32);
}

TEST_CASE("embedding is a lookup in a table of its name") {
    constexpr auto layer = xg::nn::embedding<"words", 7, 4, double>(ids);
    static_assert(same(layer.table, xg::variable<"words/table", double, 7, 4>));
    static_assert(same(xg::nn::embedding<"words", 7, 4>(ids).table, xg::variable<"words/table", float, 7, 4>));
    static_assert(xg::SparseGradient<decltype(xg::gradient_of(xg::sum(layer), layer.table))>);
    xg::variables owner{layer};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    xg::function f{layer, owner};
    std::vector<std::int64_t> const some{6, 0, 0, 3};
    auto const rows = f(ids = xg::array(some.data(), 2, 2));
    REQUIRE(rows.shape() == std::array<std::int64_t, 3>{2, 2, 4});
    auto const table = owner.value(layer.table);
    for (std::int64_t k = 0; k < 4; ++k)
        for (std::int64_t j = 0; j < 4; ++j) CHECK(rows(k / 2, k % 2, j) == table(some[static_cast<std::size_t>(k)], j));
}

TEST_CASE("residual blocks are x + f(x)") {
    constexpr auto w = xg::variable<"five/w", double, 3, 3>;
    constexpr auto b = xg::variable<"five/b", double, 3>;
    constexpr auto written = x + xg::tanh(xg::matmul(x, w) + b);
    check_same(xg::nn::residual(x, step_of_five{}), written, w, x = xg::array(points.data(), 2, 3));
    check_same(
        xg::nn::residual(x, [](auto v) { return xg::tanh(xg::nn::dense<"five", 3>(v)); }), written, b, x = xg::array(points.data(), 2, 3));
    check_same(xg::nn::residual_dense<"five", xg::op::tanh>(x), written, x, x = xg::array(points.data(), 2, 3));
}
