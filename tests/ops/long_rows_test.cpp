// SPDX-License-Identifier: MIT
// Rows that are long enough for the loops with registers and digits: sort, top_k, cummax, and copies with the last axis in another place.
#include <xgrad/all.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {
namespace xg = xgrad;

/// Numbers with ties, zeros of both signs, infinities and, if asked, NaN.
template<class T>
std::vector<T> numbers(std::size_t n, unsigned seed, bool with_nan) {
    std::mt19937 engine(seed);
    std::vector<T> x(n);
    for (T& e : x) e = static_cast<T>(static_cast<int>(engine() % 200) - 100);
    if constexpr (std::is_floating_point_v<T>) {
        T const inf = std::numeric_limits<T>::infinity();
        T const special[]{T(-0.0), T(0), inf, -inf, std::numeric_limits<T>::denorm_min(), T(0.5)};
        for (std::size_t k = 0; k < n / 4; ++k) x[engine() % n] = special[k % 6];
        for (std::size_t k = 0; with_nan && k < n / 20 + 1; ++k) x[engine() % n] = std::numeric_limits<T>::quiet_NaN();
    } else if (n > 1) {
        x[0] = std::numeric_limits<T>::max();
        x[n - 1] = std::numeric_limits<T>::lowest();
    }
    return x;
}
template<class T>
bool less(T a, T b) {   // NaN comes last
    return a < b || (a == a && b != b);
}
template<class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}
template<class T>
std::vector<std::int32_t> sorted_positions(std::vector<T> const& x, bool descending) {
    std::vector<std::int32_t> at(x.size());
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](std::int32_t i, std::int32_t k) {
        T const a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(k)];
        return descending ? less(b, a) : less(a, b);
    });
    return at;
}

template<class T>
void check_sort() {
    for (std::size_t const n : {1u, 63u, 64u, 65u, 1000u, 2048u, 2049u})
        for (unsigned const seed : {1u, 2u}) {
            std::vector<T> const x = numbers<T>(n, seed, seed == 2);
            std::vector<T> values(n);
            std::vector<std::int32_t> at(n);
            xg::op::sort::row(std::span<T const>(x), std::span<T>(values), std::span<std::int32_t>(at));
            CHECK(at == sorted_positions(x, false));
            bool equal = true;
            for (std::size_t j = 0; j < n; ++j) equal = equal && same(values[j], x[static_cast<std::size_t>(at[j])]);
            CHECK(equal);
        }
}
template<bool Smallest, class T>
void check_best() {
    for (std::size_t const n : {1u, 17u, 100u, 1000u})
        for (std::size_t const k : {1u, 8u, 16u, 17u, 40u}) {
            if (k > n) continue;
            for (unsigned const seed : {1u, 2u}) {
                std::vector<T> const x = numbers<T>(n, seed, seed == 2);
                std::vector<T> values(k);
                std::vector<std::int32_t> at(k), expected = sorted_positions(x, !Smallest);
                xg::op::k_of_row<Smallest>::row(std::span<T const>(x), std::span<T>(values), std::span<std::int32_t>(at));
                expected.resize(k);
                CHECK(at == expected);
            }
        }
}
template<bool Largest, class T>
void check_extrema_so_far() {
    using op = xg::op::cumulative_row<xg::op::cumulative_extremum<Largest>, xg::cumulative::inclusive>;
    for (std::size_t const n : {0u, 1u, 7u, 8u, 9u, 40u, 103u})
        for (std::size_t nan_at = 0; nan_at <= n; nan_at += n < 10 ? 1 : 13) {
            std::vector<T> x = numbers<T>(n, 3, false), y(n);
            if constexpr (std::is_floating_point_v<T>)
                if (nan_at < n) x[nan_at] = std::numeric_limits<T>::quiet_NaN();
            op::row(std::span<T const>(x), std::span<T>(y));
            bool equal = true;
            for (std::size_t j = 0; j < n; ++j) {
                T best = x[0];
                for (std::size_t k = 1; k <= j; ++k)
                    if (best == best && (x[k] != x[k] || (Largest ? x[k] > best : x[k] < best))) best = x[k];
                equal = equal && (y[j] == best || (y[j] != y[j] && best != best));
            }
            CHECK(equal);
        }
}
template<class M>
void check_transposed() {
    for (std::int64_t const m : {1, 7, 8, 16, 17, 33})
        for (std::int64_t const n : {1, 4, 8, 13, 32}) {
            std::int64_t const from_step = m + 3, to_step = n + 2;
            std::vector<M> x(static_cast<std::size_t>(n * from_step)), y(static_cast<std::size_t>(m * to_step), M(-1));
            std::iota(x.begin(), x.end(), M(0));
            xg::kernels::detail::copy_transposed(x.data(), from_step, y.data(), to_step, m, n);
            bool equal = true;
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < to_step; ++j)
                    equal = equal && y[static_cast<std::size_t>(i * to_step + j)] ==
                                         (j < n ? x[static_cast<std::size_t>(i + j * from_step)] : M(-1));
            CHECK(equal);
        }
}
}   // namespace

TEST_CASE("rows of any length are sorted as by a stable sort") {
    check_sort<float>();
    check_sort<double>();
    check_sort<std::int32_t>();
    check_sort<std::uint32_t>();
}
TEST_CASE("the first of equal elements comes first among the largest and the smallest ones") {
    check_best<false, float>();
    check_best<true, float>();
    check_best<false, double>();
    check_best<true, std::int32_t>();
}
TEST_CASE("a NaN remains the extremum so far at any place of a long row") {
    check_extrema_so_far<true, float>();
    check_extrema_so_far<false, float>();
    check_extrema_so_far<true, double>();
    check_extrema_so_far<false, std::int32_t>();
}
TEST_CASE("a transposed copy writes all elements and no others") {
    check_transposed<float>();
    check_transposed<double>();
    check_transposed<std::int32_t>();
}
