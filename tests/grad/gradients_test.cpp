// SPDX-License-Identifier: MIT
// The numbered cases of gradients, fan-out, slices, second derivatives.
#include <support/copy.hpp>
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto p = xg::input<"p", double, 3>;
constexpr auto i = xg::input<"i", std::int32_t, 2>;
}

TEST_CASE("C1 several ys are summed, C4 total derivatives, C27 a y by itself and an x twice") {
    constexpr auto x = xg::input<"x", double>;
    constexpr auto y = xg::square(x);
    constexpr auto y1 = xg::square(y);
    constexpr auto y2 = xg::square(y1);
    xg::function f{xg::outputs(xg::gradient_of(xg::ys(y, y2), x), xg::gradient_of(y + y2, x))};
    auto const [a, b] = f(x = 3.0);
    CHECK(a == 17502);
    CHECK(b == 17502);
    constexpr auto twice = 2_c * x;
    constexpr auto six = xg::gradients(3_c * twice, x, twice);
    xg::function g{xg::outputs(std::get<0>(six), std::get<1>(six))};
    auto const [total, partial] = g(x = 1.0);
    CHECK(total == 6);
    CHECK(partial == 3);
    constexpr auto self = xg::gradients(y, y);
    constexpr auto both = xg::gradients(y, x, x);
    xg::function h{xg::outputs(std::get<0>(self), std::get<0>(both), std::get<1>(both))};
    auto const [one, first, second] = h(x = 3.0);
    CHECK(one == 1);
    CHECK(first == 6);
    CHECK(second == 6);
    static_assert(!std::is_same_v<std::tuple_element_t<0, decltype(xg::gradients(y, x, y))>, xg::none>);
}

TEST_CASE("with respect to inner expressions that simplification would look through") {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto v = xg::input<"v", double, 2>;
    auto const a = test::numbers<double>({3, 2});
    auto const b = test::numbers<double>({2}, -1, 1, 2);
    // a repeated row, a shape under a shape, a transposed factor, a negation of a negation
    constexpr auto repeated = xg::broadcast_to<batch, 2>(v);
    constexpr auto shaped = xg::reshape<2, batch>(x);
    constexpr auto turned = xg::transpose(x);
    constexpr auto negative = -x;
    constexpr auto product = xg::sum(xg::matmul(turned, x));
    xg::function f{xg::outputs(xg::gradient_of(xg::sum(repeated * x), repeated),
        xg::gradient_of(xg::sum(xg::square(xg::reshape<batch, 1, 2>(shaped))), shaped), xg::gradient_of(product, turned),
        xg::gradient_of(xg::sum(xg::square(-negative)), negative), product)};
    auto const [row, under, factor, minus, whole] = f(x = a, v = b);
    CHECK(test::copy<double>(row) == test::copy<double>(a));
    REQUIRE(under.shape() == std::array<std::int64_t, 2>{2, 3});
    for (int k = 0; k < 6; ++k) {
        CHECK(under[k] == 2 * a[k]);
        CHECK(minus[k] == -2 * a[k]);
        CHECK(factor[k] == a[2 * (k % 3)] + a[2 * (k % 3) + 1]);   // row sums of x
    }
    // the same value by two types: each of them is one x
    constexpr auto same = x * 1_c;
    constexpr auto slopes = xg::gradients(xg::sum(xg::square(x) + 3_c * same), x, same);
    xg::function g{xg::outputs(std::get<0>(slopes), std::get<1>(slopes))};
    auto const [total, partial] = g(x = a);
    for (int k = 0; k < 6; ++k) {
        CHECK(total[k] == 2 * a[k] + 3);
        CHECK(partial[k] == 3);
    }
    // a second derivative, and in a step
    constexpr auto second = xg::gradient_of(xg::sum(xg::square(xg::gradient_of(xg::sum(xg::square(-negative)), negative))), negative);
    xg::function h{second};
    auto const r = h(x = a);
    for (int k = 0; k < 6; ++k) CHECK(r[k] == -8 * a[k]);
    constexpr auto w = xg::variable<"w", double, 2>;
    constexpr auto wide = xg::broadcast_to<batch, 2>(w);
    auto train = xg::minimize(
        xg::sum(xg::square(xg::gradient_of(xg::sum(xg::square(wide) * x), wide))), xg::gradient_descent{.learning_rate = 0.125});
    train.assign(w, b);
    train(x = a);
    for (int k = 0; k < 2; ++k) {   // sum of (2 w x)²: its gradient is 8 w x²
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += a[2 * i + k] * a[2 * i + k];
        CHECK(train.value(w)[k] == doctest::Approx(b[k] - b[k] * sum).epsilon(1e-14));
    }
}

TEST_CASE("shapes and element types of slices are known to the expressions made of them") {
    constexpr auto table = xg::input<"table", double, 6, 2>;
    constexpr auto ids = xg::input<"ids", std::int64_t, batch>;
    constexpr auto weight = xg::input<"weight", double, batch, 1>;
    constexpr auto g = xg::gradient_of(xg::sum(xg::square(xg::gather(table, ids))), table);
    static_assert(xg::value_of<decltype(g.values)>.dims == xg::make_shape<batch, 2>());
    static_assert(xg::value_of<decltype(g.indices)>.dims == xg::make_shape<batch>());
    static_assert(xg::value_of<decltype(g.indices)>.type == xg::dtype::int64);
    auto const rows = test::numbers<double>({6, 2});
    xg::function f{xg::outputs(g.values * weight, xg::gather(table, g.indices))};
    auto const [weighted, read] = f(table = rows, ids = test::list<std::int64_t>({5, 1, 5}), weight = test::tensor<double>({3, 1}, 0.5));
    int const expected[]{5, 1, 5};
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 2; ++j) {
            CHECK(read(k, j) == rows[2 * expected[k] + j]);
            CHECK(weighted(k, j) == rows[2 * expected[k] + j]);
        }
}

TEST_CASE("C3 ten uses of one value") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = 2_c * x;
    constexpr auto z = y + y + y + y + y + y + y + y + y + y;
    constexpr auto g = xg::gradients(z, x, y);
    xg::function f{xg::outputs(std::get<0>(g), std::get<1>(g))};
    auto const [gx, gy] = f(x = test::list({1.0, 5.0}));
    CHECK(test::copy<double>(gx) == std::vector<double>{20, 20});
    CHECK(test::copy<double>(gy) == std::vector<double>{10, 10});
}

TEST_CASE("C5 C8 C9 what is not connected is none") {
    constexpr auto x = xg::input<"x", double, 2, 2>;
    constexpr auto y = xg::input<"y", double, 2, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, 2, 2>;
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::square(y), x)), xg::none>);
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::stop_gradient(x), x)), xg::none>);
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cast<double>(i), i)), xg::none>);
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cast<double>(xg::greater(x, 0_c)), x)), xg::none>);
    // zeros, not none: the sign depends on x
    xg::function f{xg::gradient_of(xg::sign(x) + y, x)};
    auto const r = f(x = test::numbers<double>({2, 2}), y = test::numbers<double>({2, 2}));
    for (auto v : r) CHECK(v == 0);
}

TEST_CASE("C7 pieces of one tensor") {
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto a = xg::slice<0, 0, 1>(x);
    constexpr auto b = xg::slice<0, 1, 2>(x);
    constexpr auto y = 2_c * b;
    static_assert(std::is_same_v<decltype(xg::gradient_of(y, a)), xg::none>);
    xg::function f{xg::outputs(xg::gradient_of(y, b), xg::gradient_of(y, x))};
    auto const [piece, whole] = f(x = test::list({1.0, 2.0}));
    CHECK(test::copy<double>(piece) == std::vector<double>{2});
    CHECK(test::copy<double>(whole) == std::vector<double>{0, 2});
}

TEST_CASE("C21 only the branch that is taken, C23 a function applied to itself") {
    constexpr auto x = xg::input<"x", double>;
    constexpr auto c = xg::input<"c", double>;
    xg::function branch{xg::gradient_of(xg::select(c < 2_c, 42_c * x, 3_c * x), x)};
    CHECK(branch(x = 10.0, c = 1.0) == 42);
    CHECK(branch(x = 10.0, c = 3.0) == 3);
    constexpr auto inner = xg::input<"inner", double>;
    constexpr auto outer = xg::input<"outer", double>;
    constexpr auto f = [](auto u, auto v) { return xg::square(u) + v; };
    constexpr auto g = xg::gradients(f(f(x, inner), outer), x, inner);
    xg::function both{xg::outputs(std::get<0>(g), std::get<1>(g))};
    auto const [of_x, of_inner] = both(x = 2.0, inner = 1.0, outer = 1.0);
    CHECK(of_x == 40);
    CHECK(of_inner == 10);
}

namespace {
struct tripling_op : xg::elementwise_op {   // the identity, with three times its gradient
    static constexpr std::string_view name = "tripling";
    static auto value(auto u) { return u; }
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return 3_c * g; }
};
struct crossed_op : xg::elementwise_op {   // a product that gives each operand its own value as derivative
    static constexpr std::string_view name = "crossed";
    static auto value(auto u, auto v) { return u * v; }
    static constexpr xg::symbols derivative(xg::symbol u, xg::symbol v, xg::symbol, xg::symbol g) { return {{g * u, g * v}}; }
};
inline constexpr xg::elementwise<tripling_op> tripling{};
inline constexpr xg::elementwise<crossed_op> crossed{};
}

TEST_CASE("C24 derivatives that the user declares are the ones that are taken") {
    constexpr auto x = xg::input<"x", double>;
    constexpr auto y = xg::input<"y", double>;
    xg::function twice{xg::outputs(tripling(tripling(x)), xg::gradient_of(tripling(tripling(x)), x))};
    auto const [same, nine] = twice(x = 5.0);
    CHECK(same == 5);
    CHECK(nine == 9);
    constexpr auto g = xg::gradients(crossed(x, y), x, y);
    xg::function f{xg::outputs(crossed(x, y), std::get<0>(g), std::get<1>(g))};
    auto const [product, of_x, of_y] = f(x = 3.0, y = 5.0);
    CHECK(product == 15);
    CHECK(of_x == 3);
    CHECK(of_y == 5);
}

TEST_CASE("C29 clipping by value lets the gradient through at the limits") {
    constexpr auto x = xg::input<"x", double, 5>;
    xg::function f{xg::gradient_of(xg::maximum(xg::minimum(x, 1_c), -1_c), x)};
    CHECK(test::copy<double>(f(x = test::list({-2.0, -1.0, 0.0, 1.0, 2.0}))) == std::vector<double>{0, 1, 1, 1, 0});
}

TEST_CASE("C11 defaults of several ys") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::square(x);
    xg::function f{xg::outputs(xg::gradient_of(xg::ys(y, y), x), xg::gradient_of(y * xg::input<"up", double, batch>, x))};
    auto const [twice, weighted] = f(x = test::list({3.0, 4.0}), xg::input<"up", double, batch> = test::list({1.0, 10.0}));
    CHECK(test::copy<double>(twice) == std::vector<double>{12, 16});
    CHECK(test::copy<double>(weighted) == std::vector<double>{6, 80});
}

TEST_CASE("C12 C13 gradients of lookups are slices, not merged") {
    constexpr auto p = xg::input<"p", double, 4, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto j = xg::input<"j", std::int32_t, xg::dim{"other"}>;
    constexpr auto g = xg::gradient_of(xg::sum(xg::gather(p, i)), p);
    auto const ones = test::tensor<double>({4, 2}, 1);
    xg::function f{xg::outputs(g.values, g.indices, g.dense)};
    auto const [values, indices, dense] = f(p = ones, i = test::list<std::int32_t>({1, 3, 1}));
    CHECK(test::copy<double>(indices) == std::vector<double>{1, 3, 1});
    CHECK(test::copy<double>(values) == std::vector<double>(6, 1.0));
    CHECK(test::copy<double>(dense) == std::vector<double>{0, 0, 2, 2, 0, 0, 1, 1});
    constexpr auto h = xg::gradient_of(xg::ys(xg::sum(xg::gather(p, i)), xg::sum(xg::gather(p, j))), p);
    xg::function k{xg::outputs(h.values, h.indices, h.dense)};
    auto const [rows, at, whole] = k(p = ones, i = test::list<std::int32_t>({1}), j = test::list<std::int32_t>({2, 1}));
    auto sorted = test::copy<double>(at);
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == std::vector<double>{1, 1, 2});
    CHECK(test::copy<double>(rows) == std::vector<double>(6, 1.0));
    CHECK(test::copy<double>(whole) == std::vector<double>{0, 0, 2, 2, 1, 1, 0, 0});
    // with a dense contribution all is dense
    constexpr auto mixed = xg::gradient_of(xg::sum(xg::gather(p, i)) + xg::sum(xg::square(p)), p);
    static_assert(xg::Expr<decltype(mixed)>);
    xg::function m{mixed};
    CHECK(test::copy<double>(m(p = ones, i = test::list<std::int32_t>({1, 1}))) == std::vector<double>{2, 2, 4, 4, 2, 2, 2, 2});
}

TEST_CASE("more lookups of one table than one concatenation takes") {
    constexpr auto loss = []<int... K>(std::integer_sequence<int, K...>) {
        return (xg::sum(xg::gather(p, i + xg::constant<std::int32_t, K % 2>)) + ...);
    }(std::make_integer_sequence<int, 2>{});
    constexpr auto many = []<int... K>(std::integer_sequence<int, K...>) {
        return (xg::sum(xg::gather(p, xg::slice<0, K % 2, K % 2 + 1>(i)) * xg::constant<double, K>) + ...);
    }(std::make_integer_sequence<int, 40>{});
    xg::function f{xg::outputs(xg::gradient_of(loss, p).dense, xg::gradient_of(many, p).dense)};
    auto const [few, all] = f(p = test::list({1.0, 2.0, 3.0}), i = test::list<std::int32_t>({0, 1}));
    CHECK(test::copy<double>(few) == std::vector<double>{1, 2, 1});
    CHECK(test::copy<double>(all) == std::vector<double>{380, 400, 0});
}

TEST_CASE("products of Hessian and vector against finite differences of the gradient") {
    constexpr auto x = xg::input<"x", double, batch, 3>;
    constexpr auto w = xg::variable<"w", double, 3, 4>;
    constexpr auto b = xg::variable<"b", double, 4>;
    constexpr auto v = xg::input<"v", double, 3, 4>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    constexpr auto loss =
        xg::mean(xg::sparse_softmax_cross_entropy(xg::tanh(xg::matmul(x, w) + b), y)) + 0.1_c * xg::sum(xg::square(xg::log_sum_exp<0>(w)));
    constexpr auto product = xg::sum(xg::gradient_of(loss, w) * v);   // its gradient is H v
    xg::variables vars{loss};
    vars.initialize(xg::random_uniform{.seed = 4, .range = 1});
    auto const a = test::numbers<double>({5, 3}), direction = test::numbers<double>({3, 4}, -1, 1, 8);
    auto const labels = test::list<std::int32_t>({0, 1, 2, 3, 1});
    auto const r = xg::check_gradients(product, xg::wrt(w, b, x), vars, x = a, y = labels, v = direction);
    CHECK_MESSAGE(r.ok, r.message);
    CHECK(r.checked == 12 + 4 + 15);
}

TEST_CASE("C25 a Hessian by products with unit vectors; third derivatives") {
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto a = xg::input<"a", double, 2, 2>;
    constexpr auto e = xg::input<"e", double, 2>;
    constexpr auto column = xg::expand_dims<1>(x);
    constexpr auto form = xg::sum(column * xg::matmul(a, column));
    xg::function f{xg::gradient_of(xg::sum(xg::gradient_of(form, x) * e), x)};
    auto const m = test::tensor<double>({2, 2}, 1);
    auto n = m;
    n[1] = 2;
    n[2] = 3;
    n[3] = 4;
    auto const z = test::list({0.3, -2.0});
    CHECK(test::copy<double>(f(x = z, a = n, e = test::list({1.0, 0.0}))) == std::vector<double>{2, 5});
    CHECK(test::copy<double>(f(x = z, a = n, e = test::list({0.0, 1.0}))) == std::vector<double>{5, 8});
    constexpr auto s = xg::input<"s", double>;
    constexpr auto fourth = xg::square(xg::square(s));
    constexpr auto third = xg::gradient_of(xg::gradient_of(xg::gradient_of(fourth, s), s), s);
    xg::function g{xg::outputs(third, xg::gradient_of(third, s))};
    auto const [d3, d4] = g(s = 2.0);
    CHECK(d3 == 48);
    CHECK(d4 == 24);
}
