// SPDX-License-Identifier: MIT
// A product of two matrices and its gradients in one program, against loops.
#pragma once

#include <support/tensor.hpp>

namespace products {
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

}   // namespace products
