// SPDX-License-Identifier: MIT
// Corners where loops must not be joined, views must not be read in place, or updates must wait. Each is run with the planner on and off.
#include <support/copy.hpp>

#include <plan/on_and_off.hpp>

#include <xgrad/ops/arrange.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim other{"other"};
using test::copy;
using on_and_off::make;
}

TEST_CASE_TEMPLATE("comparisons keep the precision of their operands in loops of another type", On, std::true_type, std::false_type) {
    constexpr auto d = xg::input<"d", double, batch>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto f = xg::input<"f", float, batch>;
    constexpr auto closer = xg::select(xg::greater(d, 1_c), f, -f);
    constexpr auto same = xg::select(xg::equal(i, xg::constant<std::int32_t, 16777216>), f, -f);
    constexpr auto truth = xg::cast<float>(xg::cast<bool>(f));
    constexpr auto negated = xg::select(xg::logical_not(xg::cast<bool>(f)), f, -f);
    constexpr auto whole = xg::cast<float>(xg::constant<std::int32_t, 7> / xg::constant<std::int32_t, 2>) * f;
    auto fn = make<On::value>(xg::outputs(closer, same, truth, negated, whole));
    std::vector<double> const dv{1 + 1e-12, 1, 1 - 1e-12};
    std::vector<std::int32_t> const iv{16777217, 16777216, 16777215};
    std::vector<float> const fv{2, 3, 0};
    auto const [a, b, c, e, g] = fn(d = dv, i = iv, f = fv);
    CHECK(copy<double>(a) == std::vector<double>{2, -3, 0});
    CHECK(copy<double>(b) == std::vector<double>{-2, 3, 0});
    CHECK(copy<double>(c) == std::vector<double>{1, 1, 0});
    CHECK(copy<double>(e) == std::vector<double>{-2, -3, 0});
    CHECK(copy<double>(g) == std::vector<double>{6, 9, 0});
}

TEST_CASE_TEMPLATE("an operand twice in one concatenation", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto h = xg::square(x);
    auto fn = make<On::value>(xg::outputs(xg::concat<1>(h, x, h)));
    std::vector<double> const v{1, 2, 3, 4};
    CHECK(copy<double>(fn(x = xg::array(v.data(), 2, 2))) == std::vector<double>{1, 4, 1, 2, 1, 4, 9, 16, 3, 4, 9, 16});
}

TEST_CASE_TEMPLATE("concatenations of concatenations, which others read too", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 2, 2>;
    constexpr auto w = xg::input<"w", double, 4, 1>;
    constexpr auto inner = xg::concat<1>(xg::square(x), x);
    constexpr auto middle = xg::concat<0>(xg::slice<0, 1, 2>(inner) * 2_c, inner);
    constexpr auto outer = xg::concat<1>(xg::sum<1>(middle, xg::keep_dims), middle, xg::concat<0>(x, xg::slice<0, 0, 1>(x)));
    auto fn = make<On::value>(xg::outputs(outer, xg::sum<1>(inner), xg::matmul(inner, w), xg::reshape<8>(inner),
        xg::pad<1, 1, 0>(xg::pad<1, 0, 1>(x)), xg::gradient_of(xg::sum(outer * outer), x)));
    std::vector<double> const v{1, 2, 3, 4}, u{1, 10, 100, 1000};
    auto const [all, sums, product, flat, padded, of_x] = fn(x = xg::array(v.data(), 2, 2), w = xg::array(u.data(), 4, 1));
    CHECK(copy<double>(all) == std::vector<double>{64, 18, 32, 6, 8, 1, 2, 8, 1, 4, 1, 2, 3, 4, 32, 9, 16, 3, 4, 1, 2});
    CHECK(copy<double>(sums) == std::vector<double>{8, 32});
    CHECK(copy<double>(product) == std::vector<double>{2141, 4469});
    CHECK(copy<double>(flat) == std::vector<double>{1, 4, 1, 2, 9, 16, 3, 4});
    CHECK(copy<double>(padded) == std::vector<double>{0, 0, 0, 0, 1, 2, 0, 3, 4, 0, 0, 0});
    auto const loss = [](std::vector<double> const& y) {
        double const a = y[0], b = y[1], c = y[2], d = y[3], p = a * a + b * b + a + b, q = c * c + d * d + c + d;
        double const top = a * a * a * a + b * b * b * b + a * a + b * b, low = c * c * c * c + d * d * d * d + c * c + d * d;
        return 4 * q * q + 4 * low + p * p + top + q * q + low + 2 * (a * a + b * b) + c * c + d * d;
    };
    for (std::size_t k = 0; k < 4; ++k) {
        auto high = v, less = v;
        high[k] += 1e-5;
        less[k] -= 1e-5;
        CHECK(of_x.data()[k] == doctest::Approx((loss(high) - loss(less)) / 2e-5).epsilon(1e-7));
    }
}

TEST_CASE_TEMPLATE("a stack of products reads an operand of a concatenation", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2, 2>;
    constexpr auto w = xg::input<"w", double, 2, 1>;
    constexpr auto h = xg::square(x);
    auto fn = make<On::value>(xg::outputs(xg::concat<1>(h, x), xg::matmul(h, w)));
    std::vector<double> const v{1, 2, 3, 4, 5, 6, 7, 8}, u{1, 10};
    auto const [all, product] = fn(x = xg::array(v.data(), 2, 2, 2), w = xg::array(u.data(), 2, 1));
    CHECK(copy<double>(all) == std::vector<double>{1, 4, 9, 16, 1, 2, 3, 4, 25, 36, 49, 64, 5, 6, 7, 8});
    CHECK(copy<double>(product) == std::vector<double>{41, 169, 385, 689});
}

TEST_CASE_TEMPLATE("a product of a matrix whose rows and columns both lie with strides", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2, 3>;
    constexpr auto w = xg::input<"w", double, 2, 1>;
    constexpr auto strided = xg::squeeze<2>(xg::slice<2, 1, 2>(x));
    auto fn = make<On::value>(xg::outputs(xg::matmul(strided, w), xg::matmul<true, false>(strided, strided)));
    std::vector<double> const v{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, u{1, 10};
    auto const [a, b] = fn(x = xg::array(v.data(), 2, 2, 3), w = xg::array(u.data(), 2, 1));
    CHECK(copy<double>(a) == std::vector<double>{41, 107});
    CHECK(copy<double>(b) == std::vector<double>{50, 74, 74, 116});
}

TEST_CASE_TEMPLATE("reductions of an empty named dimension write nothing beyond their result", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 3, 4>;
    constexpr auto y = xg::exp(x);
    auto fn = make<On::value>(xg::outputs(xg::sum<1>(y), xg::max<1>(y), xg::sum<0>(y), xg::max<0>(y), xg::sum(y), xg::mean(y)));
    double const none[1]{};
    auto const [a, b, c, d, e, f] = fn(x = xg::array(none, 0, 3, 4));
    CHECK(a.size() == 0);
    CHECK(b.size() == 0);
    CHECK(copy<double>(c) == std::vector<double>(12, 0.0));
    CHECK(copy<double>(d) == std::vector<double>(12, -std::numeric_limits<double>::infinity()));
    CHECK(e == 0);
    CHECK(std::isnan(f));
}

TEST_CASE_TEMPLATE("concatenation along a named dimension has gradients", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto y = xg::input<"y", double, other, 2>;
    constexpr auto z = xg::input<"z", double, 3, 2>;
    constexpr auto c = xg::concat<0>(x, y, z, xg::square(x));
    constexpr auto slopes = xg::gradients(xg::square(c), x, y, z);
    constexpr auto gx = std::get<0>(slopes);
    constexpr auto gy = std::get<1>(slopes);
    constexpr auto gz = std::get<2>(slopes);
    auto fn = make<On::value>(xg::outputs(c, gx, gy, gz));
    std::vector<double> const xv{1, 2}, yv{3, 4, 5, 6}, zv{7, 8, 9, 10, 11, 12};
    auto const [value, a, b, d] = fn(x = xg::array(xv.data(), 1, 2), y = xg::array(yv.data(), 2, 2), z = xg::array(zv.data(), 3, 2));
    CHECK(copy<double>(value) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 4});
    CHECK(copy<double>(a) == std::vector<double>{2 + 4, 4 + 32});
    CHECK(copy<double>(b) == std::vector<double>{6, 8, 10, 12});
    CHECK(copy<double>(d) == std::vector<double>{14, 16, 18, 20, 22, 24});
    // once more: the gradient of a slice by named extents
    constexpr auto again = xg::gradient_of(xg::square(gx) + 0_c * x, x);
    auto second = make<On::value>(xg::outputs(again));
    CHECK(copy<double>(second(x = xg::array(xv.data(), 1, 2), y = xg::array(yv.data(), 2, 2), z = xg::array(zv.data(), 3, 2))) ==
          std::vector<double>{2 * 6 * 14, 2 * 36 * 50});
}

TEST_CASE_TEMPLATE("slices, transposes and reshapes of repeated numbers", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto ones = xg::broadcast_to<3, 2>(xg::constant<double, 1>);
    constexpr auto mean = xg::gradient_of(xg::mean(xg::concat<1>(x, xg::square(x))), x);
    auto fn = make<On::value>(xg::outputs(
        xg::gradient_of(xg::concat<1>(x, x), x), xg::slice<0, 1, 2>(ones), xg::transpose(ones) * 2_c, xg::reshape<6>(ones), mean));
    std::vector<double> const v{1, 2, 3, 4};
    auto const [a, b, c, d, e] = fn(x = xg::array(v.data(), 2, 2));
    CHECK(copy<double>(a) == std::vector<double>(4, 2.0));
    CHECK(copy<double>(b) == std::vector<double>(2, 1.0));
    CHECK(copy<double>(c) == std::vector<double>(6, 2.0));
    CHECK(copy<double>(d) == std::vector<double>(6, 1.0));
    CHECK(copy<double>(e) == std::vector<double>{0.375, 0.625, 0.875, 1.125});
}

TEST_CASE("an update waits for the copy of the variable that is asked for") {
    constexpr auto w = xg::variable<"w", double, 2>;
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto loss = w * x;
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1.0}, w, xg::with_variable(xg::gradient_of(loss, w), w));
    std::vector<double> const start{5, 6}, xv{1, 2};
    train.assign(w, start);
    CHECK(copy<double>(train(x = xv)) == start);
    CHECK(copy<double>(train.value(w)) == std::vector<double>{4, 4});
}

TEST_CASE_TEMPLATE("results that are inputs, views of inputs, constants, and twice the same", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto k = xg::input<"k", std::int64_t, batch>;
    constexpr auto b = xg::input<"b", bool, batch>;
    constexpr auto e = xg::square(x);
    auto fn = make<On::value>(xg::outputs(
        x, xg::transpose(x), e, e, xg::slice<1, 1, 2>(x), xg::constant<double, 3>, k, xg::broadcast_to<2, batch>(k), b, xg::transpose(e)));
    std::vector<double> const v{1, 2, 3, 4};
    std::vector<std::int64_t> const big{std::int64_t{1} << 60, (std::int64_t{1} << 60) + 1};
    bool const flags[]{true, false};
    auto const [same, turned, one, two, part, three, ids, repeated, truths, squares] =
        fn(x = xg::array(v.data(), 2, 2), k = big, b = xg::array(flags, 2));
    CHECK(copy<double>(same) == v);
    CHECK(copy<double>(turned) == std::vector<double>{1, 3, 2, 4});
    CHECK(copy<double>(one) == std::vector<double>{1, 4, 9, 16});
    CHECK(copy<double>(two) == copy<double>(one));
    CHECK(copy<double>(part) == std::vector<double>{2, 4});
    CHECK(three == 3);
    CHECK((ids[0] == big[0] && ids[1] == big[1] && repeated[1] == big[1] && repeated[2] == big[0]));
    CHECK((truths[0] && !truths[1]));
    CHECK(copy<double>(squares) == std::vector<double>{1, 9, 4, 16});
}

TEST_CASE_TEMPLATE("random numbers in a chain over rows", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, batch, 5>;
    constexpr auto p = xg::softmax<1>(xg::dropout<"d">(x, 0.5_c));
    constexpr auto loss = xg::mean(xg::square(p) * xg::uniform_like<"d">(x));
    auto fn = make<On::value>(xg::outputs(loss, xg::gradient_of(loss, x), xg::dropout<"d">(x, 0.5_c), xg::uniform_like<"d">(x), p));
    std::vector<double> v(15);
    for (std::size_t i = 0; i < 15; ++i) v[i] = static_cast<double>(i) / 8 + 0.1;
    auto const [value, slope, dropped, u, soft] = fn(x = xg::array(v.data(), 3, 5));
    double sum = 0;
    for (std::int64_t i = 0; i < 15; ++i) {
        CHECK(dropped[i] == (u[i] >= 0.5 ? v[static_cast<std::size_t>(i)] / 0.5 : 0));
        sum += soft[i] * soft[i] * u[i];
        if (u[i] < 0.5) CHECK(slope[i] == 0);
    }
    CHECK(value == doctest::Approx(sum / 15));
}

TEST_CASE_TEMPLATE("copied views of values that nobody else stores", On, std::true_type, std::false_type) {
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto y = xg::input<"y", double, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
    constexpr auto v = xg::input<"v", double, 2, 3>;
    constexpr auto outer = xg::expand_dims<1>(x) * y;
    constexpr auto best = xg::top_k<2>(xg::transpose(outer));
    auto fn = make<On::value>(xg::outputs(xg::transpose(outer), xg::transpose(xg::one_hot<3>(ids)),
        xg::cast<double>(xg::slice<1, 0, 1>(v > 0_c)), xg::slice<1, 1, 2>(v - xg::expand_dims<1>(x)), std::get<0>(best)));
    std::vector<double> const xv{1, 2}, yv{1, 10, 100}, vv{-1, 5, 6, 4, 2, -3};
    std::vector<std::int32_t> const id{2, 0};
    auto const [turned, hot, positive, column, largest] = fn(x = xv, y = yv, ids = id, v = xg::array(vv.data(), 2, 3));
    CHECK(copy<double>(turned) == std::vector<double>{1, 2, 10, 20, 100, 200});
    CHECK(copy<double>(hot) == std::vector<double>{0, 1, 0, 0, 1, 0});
    CHECK(copy<double>(positive) == std::vector<double>{0, 1});
    CHECK(copy<double>(column) == std::vector<double>{4, 0});
    CHECK(copy<double>(largest) == std::vector<double>{2, 1, 20, 10, 200, 100});
}

TEST_CASE("an update from a product with a copied view") {
    constexpr auto w = xg::variable<"w", double, 3, 2>;
    constexpr auto x = xg::input<"x", double, 2>;
    constexpr auto y = xg::input<"y", double, 3>;
    auto train = xg::minimize(xg::sum(xg::transpose(w) * (xg::expand_dims<1>(x) * y)), xg::gradient_descent{.learning_rate = 1.0});
    std::vector<double> const xv{1, 2}, yv{1, 10, 100};
    std::vector<double> const ones(6, 1.0);
    train.assign(w, xg::array(ones.data(), 3, 2));
    CHECK(train(x = xv, y = yv) == 333);
    CHECK(copy<double>(train.value(w)) == std::vector<double>{0, -1, -9, -19, -99, -199});
}
