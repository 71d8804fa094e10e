// SPDX-License-Identifier: MIT
// Products of float, of stacks of matrices, and of explicit transposes.
#include <ops/products.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

using namespace products;

TEST_CASE("products of float") {
    check<float, false, false>();
    check<float, true, true>();
}

TEST_CASE("a stack of products") {
    constexpr auto a = xg::input<"a", double, n, 3, 4>;
    constexpr auto w = xg::input<"w", double, 4, 2>;
    constexpr auto v = xg::input<"v", double, 2, 4>;
    xg::function f{xg::outputs(xg::matmul(a, w), xg::matmul<false, true>(xg::exp(a), v))};
    for (std::int64_t N : {0, 1, 5}) {
        auto const x = test::numbers<double>({N, 3, 4}), y = test::numbers<double>({4, 2}), z = test::numbers<double>({2, 4});
        auto const [p, q] = f(a = x, w = y, v = z);
        REQUIRE(p.shape() == std::array<std::int64_t, 3>{N, 3, 2});
        test::check_near(
            "stack", p,
            [&](std::int64_t i) {
                long double s = 0;
                for (std::int64_t l = 0; l < 4; ++l)
                    s += static_cast<long double>(x[i / 2 * 4 + l]) * static_cast<long double>(y[l * 2 + i % 2]);
                return s;
            },
            1e-14);
        test::check_near(
            "stack, transposed", q,
            [&](std::int64_t i) {
                long double s = 0;
                for (std::int64_t l = 0; l < 4; ++l)
                    s += std::exp(static_cast<long double>(x[i / 2 * 4 + l])) * static_cast<long double>(z[i % 2 * 4 + l]);
                return s;
            },
            1e-14);
        auto const r =
            xg::check_gradients(xg::square(xg::matmul(a, w)) + xg::matmul<false, true>(a, v), xg::wrt(a, w, v), a = x, w = y, v = z);
        CHECK_MESSAGE(r.ok, r.message);
    }
}

TEST_CASE("explicit transposes go into the product") {
    constexpr auto a = xg::input<"a", double, 3, 4>;
    constexpr auto b = xg::input<"b", double, 3, 2>;
    auto const x = test::numbers<double>({3, 4}), y = test::numbers<double>({3, 2}, -1, 1, 2);
    xg::function f{
        xg::outputs(xg::matmul(xg::transpose(a), b), xg::matmul<true, false>(a, b), xg::matmul<true, true>(b, xg::transpose(a)))};
    auto const [p, q, r] = f(a = x, b = y);
    for (std::int64_t i = 0; i < 8; ++i) CHECK(p[i] == q[i]);
    for (std::int64_t i = 0; i < 8; ++i) CHECK(r[i % 2 * 4 + i / 2] == doctest::Approx(p[i]));
}
