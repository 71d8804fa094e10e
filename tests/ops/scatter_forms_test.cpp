// SPDX-License-Identifier: MIT
// The forms of scatter: along axes, single elements, coordinates, numbers in place of updates; gradients of gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/scatter.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::combine;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE("updates along axes, of elements, at coordinates") {
    constexpr auto x = xg::input<"x", float, batch, 3, 2>;
    constexpr auto i = xg::input<"i", std::int64_t, 2>;
    constexpr auto u = xg::input<"u", float, batch, 2, 2>;
    constexpr auto e = xg::input<"e", std::int32_t, batch, 1, 2>;
    constexpr auto c = xg::input<"c", std::int32_t, 4, 2>;
    constexpr auto v = xg::input<"v", float, 4, 2>;
    xg::function f{xg::outputs(xg::index_add<1>(x, i, u), xg::index_copy<-2>(x, i, 7_c), xg::index_reduce<1, combine::max>(x, i, u),
        xg::scatter_elements<1>(x, e, -1_c), xg::put_along_axis<1>(xg::greater(x, 0_c), e, xg::less(xg::take_along_axis<1>(x, e), 0_c)),
        xg::scatter_elements<1, combine::mul>(x, e, 2_c), xg::scatter_nd<2, 3, 2>(c, v), xg::scatter_nd_add(x, c, v),
        xg::scatter_nd_update(x, c, v), xg::scatter_nd_max(x, c, 0_c), xg::scatter_nd_min(x, c, v),
        xg::scatter_nd<4>(xg::expand_dims<-1>(i * 0_c), i))};
    auto const a = test::numbers<float>({2, 3, 2}), b = test::numbers<float>({2, 2, 2}, -1, 1, 2),
               d = test::numbers<float>({4, 2}, -1, 1, 3);
    auto const rows = test::list<std::int64_t>({2, 2});
    test::tensor<std::int32_t> one({2, 1, 2}), pairs({4, 2});
    for (int k = 0; k < 4; ++k) one[k] = k == 1 ? 2 : k / 2;
    for (int k = 0; k < 8; ++k) pairs[k] = std::initializer_list<int>{1, 2, 0, 1, 1, 2, 0, 0}.begin()[k];
    auto const call = [&](auto const& coordinates) { return f(x = a, i = rows, u = b, e = one, c = coordinates, v = d); };
    auto const [sums, copies, largest, elements, truths, products, alone, added, put, high, low, counts] = call(pairs);
    for (std::int64_t q = 0; q < 12; ++q) {
        std::int64_t const n = q / 6, k = q / 2 % 3, j = q % 2;
        float const first = b[n * 4 + j], second = b[n * 4 + 2 + j];
        CHECK(sums[q] == (k == 2 ? a[q] + first + second : a[q]));
        CHECK(copies[q] == (k == 2 ? 7 : a[q]));
        CHECK(largest[q] == (k == 2 ? std::max({a[q], first, second}) : a[q]));
        bool const here = one[n * 2 + j] == k;
        CHECK(elements[q] == (here ? -1 : a[q]));
        CHECK(truths[q] == (here ? a[q] < 0 : a[q] > 0));
        CHECK(products[q] == (here ? 2 * a[q] : a[q]));
        float sum = 0, written = a[q], minimum = a[q];
        bool any = false;
        for (std::int64_t r = 0; r < 4; ++r)
            if (pairs[2 * r] == n && pairs[2 * r + 1] == k) {
                sum += d[2 * r + j];
                written = d[2 * r + j];
                minimum = std::min(minimum, d[2 * r + j]);
                any = true;
            }
        CHECK(alone[q] == sum);
        CHECK(added[q] == doctest::Approx(a[q] + sum));
        CHECK(put[q] == written);
        CHECK(high[q] == (any ? std::max(a[q], 0.0F) : a[q]));
        CHECK(low[q] == minimum);
    }
    for (std::int64_t q = 0; q < 4; ++q) CHECK(counts[q] == (q == 0 ? 4 : 0));
    for (int const bad : {-1, 3}) {
        auto wrong = pairs;
        wrong[3] = bad;   // a row of x, but not of its axis
        CHECK_THROWS_AS(call(wrong), xg::value_error);
    }
}
TEST_CASE("a trainer that finds an id out of range has changed nothing") {
    constexpr auto w = xg::variable<"w", float, 3, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    auto train = xg::minimize(xg::sum(xg::square(xg::scatter_update(w, i + 1_c, 2_c) - 1_c)), xg::gradient_descent{.learning_rate = 0.25});
    CHECK(train(i = test::list<std::int32_t>({0, 0})) == doctest::Approx(4 + 2));
    auto const once = train.value(w);
    CHECK(once(0, 0) == 0.5F);
    CHECK(once(1, 0) == 0);   // replaced, so without a gradient
    CHECK_THROWS_AS(train(i = test::list<std::int32_t>({0, 2})), xg::value_error);
    CHECK(train.value(w)(0, 0) == 0.5F);
}
TEST_CASE("gradients of updates, and gradients of them, at zeros too") {
    constexpr auto x = xg::input<"x", double, 3, 2>;
    constexpr auto u = xg::input<"u", double, 5, 2>;
    constexpr auto v = xg::input<"v", double, 3, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, 5>;
    constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::scatter_mul(x, i, u)) + all(xg::scatter_update(x, i, u)) + all(xg::scatter_add(x, i, u)) +
                          all(xg::scatter_elements<1, combine::mul>(x, e, v)) + all(xg::scatter_nd<2, 2, 2>(e, v));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, x))) + xg::sum(xg::square(xg::gradient_of(loss, u)));
    auto a = test::numbers<double>({3, 2}, -2, 2), b = test::numbers<double>({5, 2}, -2, 2, 2);
    auto const d = test::numbers<double>({3, 2}, -2, 2, 3);
    auto const rows = test::list<std::int32_t>({1, 0, 1, 1, 0});
    auto const of_elements = test::list<std::int32_t>({1, 1, 0, 1, 0, 0});
    for (int zeros = 0; zeros < 4; ++zeros) {   // of three updates of row 1
        if (zeros > 0) b[std::initializer_list<int>{0, 4, 6}.begin()[zeros - 1]] = 0;
        auto const r =
            xg::check_gradients(loss + twice, xg::wrt(x, u, v), x = a, u = b, v = d, i = rows, e = xg::array(of_elements.data(), 3, 2));
        CHECK_MESSAGE(r.ok, r.message);
    }
    a[2] = 0;
    auto const r =
        xg::check_gradients(loss + twice, xg::wrt(x, u, v), x = a, u = b, v = d, i = rows, e = xg::array(of_elements.data(), 3, 2));
    CHECK_MESSAGE(r.ok, r.message);
}
TEST_CASE("gradients of extrema, and gradients of them") {
    constexpr auto x = xg::input<"x", double, 3, 2>;
    constexpr auto u = xg::input<"u", double, 5, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, 5>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::scatter_max(x, i, u)) + all(xg::scatter_min(x, i, u));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, x))) + xg::sum(xg::square(xg::gradient_of(loss, u)));
    auto const r = xg::check_gradients(loss + twice, xg::wrt(x, u), x = test::numbers<double>({3, 2}, -2, 2),
        u = test::numbers<double>({5, 2}, -2, 2, 2), i = test::list<std::int32_t>({1, 0, 1, 1, 0}));
    CHECK_MESSAGE(r.ok, r.message);
}
