// SPDX-License-Identifier: MIT
// Expressions that were planned wrong once, found by random graphs (random_graphs/kept.hpp). Each is run with the planner on and off.
#include <support/copy.hpp>

#include <plan/on_and_off.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
using test::copy;
using on_and_off::make;
}

TEST_CASE_TEMPLATE("a transpose that is copied reads what is computed in each loop otherwise", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto y = xg::input<"y", double, 3>;
    auto fn = make<On::value>(xg::outputs(xg::transpose(xg::expand_dims<1>(x) * y), xg::transpose(xg::expand_dims<1>(x) > y)));
    std::vector<double> const xv{1, 2}, yv{1, 1.5, 3};
    auto const [products, larger] = fn(x = xv, y = yv);
    CHECK(copy<double>(products) == std::vector<double>{1, 2, 1.5, 3, 3, 6});
    CHECK(copy<double>(larger) == std::vector<double>{0, 1, 0, 1, 0, 0});
}

TEST_CASE_TEMPLATE("fractions made of constants are no part of a loop over integers", On, std::true_type, std::false_type) {
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto two = xg::cast<std::int32_t>(xg::constant<double, 1> / xg::constant<double, 2> * xg::constant<double, 4>);
    auto fn = make<On::value>(xg::outputs(i + two, i + xg::cast<std::int32_t>(xg::cast<float>(2.75_c))));
    std::vector<std::int32_t> const v{1, 2};
    auto const [a, b] = fn(i = v);
    CHECK(copy<double>(a) == std::vector<double>{3, 4});
    CHECK(copy<double>(b) == std::vector<double>{3, 4});
}

TEST_CASE_TEMPLATE("lookups whose result has rows that are no rows of the table, in a concatenation", On, std::true_type, std::false_type) {
    constexpr auto table = xg::input<"table", double, 2, 2, 2>;
    constexpr auto vector = xg::input<"vector", double, 4>;
    constexpr auto x = xg::input<"x", double, 2, 2>;
    constexpr auto bag = xg::input<"bag", std::int32_t, 2>;
    constexpr auto one = xg::input<"one", std::int32_t>;
    constexpr auto pairs = xg::input<"pairs", std::int32_t, 2, 2>;
    auto fn = make<On::value>(xg::outputs(xg::concat<1>(xg::embedding_bag(table, bag), x), xg::concat<1>(xg::gather(table, one), x),
        xg::concat<1>(x, xg::gather(vector, pairs)), xg::concat<1>(x, xg::embedding_bag(vector, xg::expand_dims<1>(pairs)))));
    std::vector<double> const t{1, 2, 3, 4, 5, 6, 7, 8}, v{10, 20, 30, 40}, xv{-1, -2, -3, -4};
    std::vector<std::int32_t> const bv{0, 1}, ov{1}, pv{3, 0, 1, 2};
    auto const [a, b, c, d] = fn(table = xg::array(t.data(), 2, 2, 2), vector = v, x = xg::array(xv.data(), 2, 2), bag = bv, one = 1,
        pairs = xg::array(pv.data(), 2, 2));
    CHECK(copy<double>(a) == std::vector<double>{6, 8, -1, -2, 10, 12, -3, -4});
    CHECK(copy<double>(b) == std::vector<double>{5, 6, -1, -2, 7, 8, -3, -4});
    CHECK(copy<double>(c) == std::vector<double>{-1, -2, 40, 10, -3, -4, 20, 30});
    CHECK(copy<double>(d) == std::vector<double>{-1, -2, 50, -3, -4, 50});
}

TEST_CASE_TEMPLATE("positions in rows that are summed for each", On, std::true_type, std::false_type) {
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto k = xg::input<"k", std::int32_t, batch>;
    auto fn = make<On::value>(xg::outputs(xg::sparse_softmax_cross_entropy(xg::one_hot<4, double>(i), k)));
    std::vector<std::int32_t> const iv{0, 3, 2}, kv{0, 1, 2};
    auto const r = fn(i = iv, k = kv);
    double const all = std::log(std::exp(1.0) + 3);
    for (std::int64_t n = 0; n < 3; ++n) CHECK(r[n] == doctest::Approx(all - (n == 1 ? 0 : 1)));
}

TEST_CASE("an update waits for a concatenation that compares the old value") {
    constexpr auto w = xg::variable<"w", float, 2>;
    constexpr auto x = xg::input<"x", float, 2>;
    constexpr auto g = xg::input<"g", float, 2>;
    constexpr auto larger = x > w;
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1.0}, xg::concat<0>(larger, larger), xg::with_variable(g, w));
    std::vector<float> const start{5, 6}, xv{7, 3}, gv{-10, 10};
    train.assign(w, start);
    CHECK(copy<double>(train(x = xv, g = gv)) == std::vector<double>{1, 0, 1, 0});
    CHECK(copy<double>(train.value(w)) == std::vector<double>{15, -4});
}

TEST_CASE("two variables with one gradient are both updated") {
    constexpr auto x = xg::input<"x", double, 2, 2>;
    constexpr auto w = xg::variable<"w", double, 2, 2>;
    constexpr auto v = xg::variable<"v", double, 2, 2>;
    auto train = xg::minimize(xg::sum(xg::matmul(x, w + v)), xg::gradient_descent{.learning_rate = 1.0});
    std::vector<double> const xv{1, 2, 3, 4}, zero(4);
    train.assign(w, xg::array(zero.data(), 2, 2));
    train.assign(v, xg::array(zero.data(), 2, 2));
    train(x = xg::array(xv.data(), 2, 2));
    CHECK(copy<double>(train.value(w)) == std::vector<double>{-4, -4, -6, -6});
    CHECK(copy<double>(train.value(v)) == std::vector<double>{-4, -4, -6, -6});
}

TEST_CASE_TEMPLATE("a product times positions", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto w = xg::input<"w", double, 2, 3>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    auto fn = make<On::value>(xg::outputs(xg::matmul(x, w) * xg::one_hot<3, double>(i)));
    std::vector<double> const xv{1, 10, 2, 20}, wv{1, 2, 3, 4, 5, 6};
    std::vector<std::int32_t> const iv{2, 0};
    CHECK(copy<double>(fn(x = xg::array(xv.data(), 2, 2), w = xg::array(wv.data(), 2, 3), i = iv)) ==
          std::vector<double>{0, 0, 63, 82, 0, 0});
}

TEST_CASE("a variable that is its own gradient, copied for lanes") {
    constexpr auto w = xg::variable<"w", double, 64, 2>;
    constexpr auto x = xg::input<"x", double, 4, 2>;
    constexpr auto grid = xg::sum<2>(xg::tanh(xg::expand_dims<1>(w) * x));
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.5}, xg::max(grid), xg::with_variable(w, w));
    std::vector<double> start(128), xv(8, 1.0);
    for (std::size_t k = 0; k < 128; ++k) start[k] = static_cast<double>(k);
    train.assign(w, xg::array(start.data(), 64, 2));
    train(x = xg::array(xv.data(), 4, 2));
    for (std::int64_t k = 0; k < 128; ++k) CHECK(train.value(w)[k] == 0.5 * static_cast<double>(k));
}

TEST_CASE_TEMPLATE("a part of a concatenation beside what is computed in it", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 4>;
    constexpr auto a = x * 2_c;
    auto fn = make<On::value>(xg::outputs(xg::slice<0, 2, 6>(xg::concat<0>(xg::square(a), xg::tanh(a))) * xg::square(a)));
    std::vector<double> const v{0, 1, 2, 3};
    std::vector<double> const r = copy<double>(fn(x = v));
    CHECK(r[0] == 0);
    CHECK(r[1] == doctest::Approx(36 * 4));
    CHECK(r[2] == 0);
    CHECK(r[3] == doctest::Approx(std::tanh(2) * 36));
}

TEST_CASE_TEMPLATE("a view of a view that is copied for another reader", On, std::true_type, std::false_type) {
    constexpr auto w = xg::input<"w", double, 4, 2>;
    constexpr auto turned = xg::transpose(w);
    constexpr auto part = xg::slice<1, 0, 4, 2>(turned);   // columns 0 and 2
    auto fn = make<On::value>(xg::outputs(xg::matmul<false, true>(part, part), xg::reshape<8>(turned)));
    std::vector<double> const v{1, 2, 3, 4, 5, 6, 7, 8};
    auto const [products, all] = fn(w = xg::array(v.data(), 4, 2));
    CHECK(copy<double>(products) == std::vector<double>{26, 32, 32, 40});
    CHECK(copy<double>(all) == std::vector<double>{1, 3, 5, 7, 2, 4, 6, 8});
}

TEST_CASE_TEMPLATE("rows named by a variable that the same step changes", On, std::true_type, std::false_type) {
    constexpr auto table = xg::variable<"table", double, 3, 2>;
    constexpr auto rows = xg::non_trainable<"rows", std::int32_t, 2>;
    constexpr auto next = xg::input<"next", std::int32_t, 2>;
    auto train = xg::minimize<xg::gating::none, On::value>(
        xg::sum(xg::gather(table, rows)), xg::gradient_descent{.learning_rate = 1.0}, xg::assign(rows, next));
    std::vector<double> const zeros(6);
    std::vector<std::int32_t> const first{0, 1}, second{2, 2};
    train.assign(table, xg::array(zeros.data(), 3, 2));
    train.assign(rows, first);
    train(next = second);
    CHECK(copy<double>(train.value(table)) == std::vector<double>{-1, -1, -1, -1, 0, 0});
    CHECK(copy<double>(train.value(rows)) == std::vector<double>{2, 2});
}

TEST_CASE_TEMPLATE("a product is assigned after another assignment to the same variable", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 2, batch>;
    constexpr auto y = xg::input<"y", double, batch, 2>;
    constexpr auto w = xg::variable<"w", double, 2, 2>;
    constexpr auto v = xg::non_trainable<"v", double, 2, 2>;
    constexpr auto once = xg::updated(v);
    constexpr auto product = xg::gradient_of(xg::sum(once * xg::matmul(x, y)), once);   // which is matmul(x, y)
    auto train = xg::minimize<xg::gating::none, On::value>(
        xg::sum(w), xg::gradient_descent{.learning_rate = 1.0}, xg::assign(v, xg::updated(w)), xg::assign(v, product));
    std::vector<double> const start{5, 6, 7, 8}, xv{1, 2, 3, 4}, yv{1, 0, 0, 1};
    train.assign(w, xg::array(start.data(), 2, 2));
    train(x = xg::array(xv.data(), 2, 2), y = xg::array(yv.data(), 2, 2));
    CHECK(copy<double>(train.value(w)) == std::vector<double>{4, 5, 6, 7});
    CHECK(copy<double>(train.value(v)) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE_TEMPLATE("sums in lanes, read by a loop that leaves its lanes", On, std::true_type, std::false_type) {
    static constexpr xg::dim count{"count"};
    constexpr auto x = xg::input<"x", float, 64, 2>;
    constexpr auto y = xg::input<"y", float, batch, 2>;
    constexpr auto z = xg::input<"z", float, count>;
    constexpr auto sums = xg::sum<2>(x + xg::expand_dims<1>(y));   // [batch, 64]
    auto fn = make<On::value>(xg::outputs(xg::sum<0, 1>(xg::maximum(xg::expand_dims<1>(xg::expand_dims<1>(z)), sums))));
    std::vector<float> xv(128), yv(38);
    for (std::size_t k = 0; k < 128; ++k) xv[k] = static_cast<float>(k % 13) - 6;
    for (std::size_t k = 0; k < 38; ++k) yv[k] = static_cast<float>(k % 7) - 3;
    std::vector<float> const zv{-1, 0, 1};
    auto const r = fn(x = xg::array(xv.data(), 64, 2), y = xg::array(yv.data(), 19, 2), z = zv);
    for (std::size_t j = 0; j < 64; ++j) {
        float expected = 0;
        for (float least : zv)
            for (std::size_t i = 0; i < 38; i += 2) expected += std::fmax(least, xv[2 * j] + xv[2 * j + 1] + yv[i] + yv[i + 1]);
        CHECK(r[static_cast<std::int64_t>(j)] == expected);
    }
}
