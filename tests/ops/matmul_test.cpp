// SPDX-License-Identifier: MIT
// Matrix products with all transposes, stacks, and extents of 1 and 0; values and gradients of one program each against loops.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim m{"m"};
inline constexpr xg::dim n{"n"};
inline constexpr xg::dim k{"k"};

template<class T, bool TA, bool TB>
void check() {
    constexpr auto a = [] {
        if constexpr (TA) return xg::input<"a", T, k, m>;
        else return xg::input<"a", T, m, k>;
    }();
    constexpr auto b = [] {
        if constexpr (TB) return xg::input<"b", T, n, k>;
        else return xg::input<"b", T, k, n>;
    }();
    constexpr auto p = xg::matmul<TA, TB>(a, b);
    xg::function f{xg::outputs(p, xg::gradient_of(xg::square(p), a), xg::gradient_of(xg::square(p), b))};
    for (auto const& [M, N, K] : {std::array<std::int64_t, 3>{5, 7, 3}, {1, 7, 3}, {5, 1, 3}, {5, 7, 1}, {1, 1, 1}, {3, 1, 2}, {2, 3, 1},
             {33, 17, 40}, {0, 3, 2}, {3, 2, 0}}) {
        CAPTURE(M);
        CAPTURE(N);
        CAPTURE(K);
        auto const x = TA ? test::numbers<T>({K, M}) : test::numbers<T>({M, K});
        auto const y = TB ? test::numbers<T>({N, K}, -1, 1, 2) : test::numbers<T>({K, N}, -1, 1, 2);
        auto const [r, at_a, at_b] = f(a = x, b = y);
        auto const left = [&](std::int64_t i, std::int64_t l) -> long double { return TA ? x[l * M + i] : x[i * K + l]; };
        auto const right = [&](std::int64_t l, std::int64_t j) -> long double { return TB ? y[j * K + l] : y[l * N + j]; };
        auto const product = [&](std::int64_t i, std::int64_t j) {
            long double s = 0;
            for (std::int64_t l = 0; l < K; ++l) s += left(i, l) * right(l, j);
            return s;
        };
        REQUIRE(r.size() == M * N);
        REQUIRE(at_a.size() == M * K);
        REQUIRE(at_b.size() == K * N);
        double const tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
        test::check_near(
            "product", r, [&](std::int64_t i) { return product(i / N, i % N); }, tolerance);
        test::check_near(
            "gradient of a", at_a,
            [&](std::int64_t at) {
                auto const i = TA ? at % M : at / K, l = TA ? at / M : at % K;
                long double s = 0;
                for (std::int64_t j = 0; j < N; ++j) s += 2 * product(i, j) * right(l, j);
                return s;
            },
            4 * tolerance);
        test::check_near(
            "gradient of b", at_b,
            [&](std::int64_t at) {
                auto const l = TB ? at % K : at / N, j = TB ? at / K : at % N;
                long double s = 0;
                for (std::int64_t i = 0; i < M; ++i) s += 2 * product(i, j) * left(i, l);
                return s;
            },
            4 * tolerance);
    }
}
}

TEST_CASE("products, a and b as they are") { check<double, false, false>(); }
TEST_CASE("products, transposed a") { check<double, true, false>(); }
TEST_CASE("products, transposed b") { check<double, false, true>(); }
TEST_CASE("products, both transposed") { check<double, true, true>(); }
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
