// SPDX-License-Identifier: MIT
// Products over axes against loops in long double; gradients with no, one and several zeros, and gradients of gradients.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim rows{"rows"};

/// A row with `zeros` of its elements 0.
template<class T>
test::tensor<T> row_with_zeros(std::int64_t n, std::int64_t zeros) {
    auto r = test::numbers<T>({n}, 0.5, 2);
    for (std::int64_t i = 0; i < zeros; ++i) r[(1 + 3 * i) % n] = 0;
    return r;
}
long double product(auto const& x, std::int64_t without) {
    long double p = 1;
    for (std::int64_t i = 0; i < x.size(); ++i)
        if (i != without) p *= static_cast<long double>(x[i]);
    return p;
}
}

TEST_CASE_TEMPLATE("prod over every set of axes", T, float, double, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, batch, 3, rows>;
    xg::function f{
        xg::outputs(xg::prod<0>(x), xg::prod<1>(x), xg::prod<2>(x), xg::prod<0, -1>(x), xg::prod(x), xg::prod<1, 2>(x, xg::keep_dims))};
    for (std::int64_t b : {1, 4})
        for (std::int64_t n : {1, 2, 7, 19}) {
            auto const a = std::is_integral_v<T> ? test::numbers<T>({b, 3, n}, -2, 3) : test::numbers<T>({b, 3, n}, 0.7, 1.4);
            auto const expected = [&](int axes, std::int64_t at) {   // bits; `at` counts the elements of the others
                long double p = 1;
                for (std::int64_t i = 0; i < a.size(); ++i) {
                    std::int64_t const index[]{i / (3 * n), i / n % 3, i % n}, size[]{b, 3, n};
                    std::int64_t to = 0;
                    for (int k = 0; k < 3; ++k)
                        if ((axes >> k & 1) == 0) to = to * size[k] + index[k];
                    if (to == at) p *= static_cast<long double>(a[i]);
                }
                return static_cast<long double>(static_cast<T>(p));
            };
            auto const [first, middle, last, outer, all, kept] = f(x = a);
            CHECK((kept.shape() == std::array<std::int64_t, 3>{b, 1, 1}));
            CHECK((middle.shape() == std::array<std::int64_t, 2>{b, n}));
            if (std::is_integral_v<T> && a.size() > 40) continue;   // wraps around
            test::check_each(
                "first", first, [&](std::int64_t i) { return expected(1, i); }, 40);
            test::check_each(
                "middle", middle, [&](std::int64_t i) { return expected(2, i); }, 40);
            test::check_each(
                "last", last, [&](std::int64_t i) { return expected(4, i); }, 40);
            test::check_each(
                "outer", outer, [&](std::int64_t i) { return expected(5, i); }, 200);
            CHECK(test::ulps(static_cast<T>(all), expected(7, 0)) <= 400);
            test::check_each(
                "kept", kept, [&](std::int64_t i) { return expected(6, i); }, 100);
        }
}

TEST_CASE("prod of no elements, of a number, of integers that wrap around, of NaN and infinity") {
    constexpr auto x = xg::input<"x", float, batch, rows>;
    constexpr auto s = xg::input<"s", float>;
    constexpr auto k = xg::input<"k", std::int32_t, rows>;
    xg::function f{xg::prod<1>(x)};
    auto const none = f(x = test::tensor<float>({2, 0}));
    CHECK(none.size() == 2);
    CHECK(none[1] == 1);
    CHECK(f(x = test::tensor<float>({0, 3})).size() == 0);
    CHECK(xg::function{xg::prod(s) + xg::prod(2_c * s)}(s = 3.0F) == 9);
    CHECK(xg::function{xg::prod(k)}(k = test::list<std::int32_t>({1 << 20, 1 << 20, 3, 5})) == 0);
    float const inf = std::numeric_limits<float>::infinity();
    CHECK(std::isnan(xg::function{xg::prod(x)}(x = test::tensor<float>({1, 3}, std::numeric_limits<float>::quiet_NaN()))));
    test::tensor<float> a({1, 2}, inf);
    CHECK(f(x = a)[0] == inf);
    a[1] = 0;
    CHECK(std::isnan(f(x = a)[0]));
}

TEST_CASE_TEMPLATE("the gradient of an element is the product of the others, whatever is zero", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    xg::function g{xg::gradient_of(3_c * xg::prod(x), x)};
    for (std::int64_t n : {1, 2, 5, 16, 33})
        for (std::int64_t zeros = 0; zeros <= std::min<std::int64_t>(n, 3); ++zeros) {
            auto const a = row_with_zeros<T>(n, zeros);
            CAPTURE(zeros);
            test::check_each(
                "slope", g(x = a), [&](std::int64_t i) { return 3 * product(a, i); }, 64);
        }
}

TEST_CASE("gradients of prod over inner axes and of its gradients, at zeros too") {
    constexpr auto x = xg::input<"x", double, batch, 3, 4>;
    constexpr auto w = xg::input<"w", double, 3>;
    auto const loss = xg::sum(xg::prod<0, 2>(x * xg::expand_dims<1>(w)) * w);
    auto const twice = loss + xg::sum(xg::square(xg::gradient_of(loss, x)));
    auto const thrice = xg::sum(xg::gradient_of(xg::sum(xg::gradient_of(xg::sum(xg::prod<1>(x)), x) * xg::sin(x)), x) * x);
    auto a = test::numbers<double>({2, 3, 4}, 0.5, 1.5);
    auto const b = test::numbers<double>({3}, 0.5, 1.5);
    for (std::int64_t zeros = 0; zeros < 4; ++zeros) {
        for (std::int64_t i = 0; i < zeros; ++i) a[5 * i] = 0;
        CAPTURE(zeros);
        auto const r = xg::check_gradients(loss, xg::wrt(x, w), x = a, w = b), s = xg::check_gradients(twice, xg::wrt(x, w), x = a, w = b),
                   t = xg::check_gradients(thrice, xg::wrt(x), x = a);
        CHECK_MESSAGE(r.ok, r.message);
        CHECK_MESSAGE(s.ok, s.message);
        CHECK_MESSAGE(t.ok, t.message);
    }
}
