// SPDX-License-Identifier: MIT
// Matrix products: all tails against exact sums, accuracy, independence of the rows, edge values, static extents.
#include <xgrad/kernels/products/matmul.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace xgrad;
using kernels::matmul;

namespace {

template<class T>
struct problem {
    std::int64_t m, n, k;
    std::vector<T> a, b;   // op(A) is [m, k], op(B) is [k, n]; both stored as asked, with `gap` elements after each row
    std::int64_t lda, ldb;
};

template<class T, bool TransA, bool TransB, class F>
problem<T> make(std::int64_t m, std::int64_t n, std::int64_t k, F value, std::int64_t gap = 0) {
    problem<T> p{m, n, k, {}, {}, (TransA ? m : k) + gap, (TransB ? k : n) + gap};
    p.a.resize(static_cast<std::size_t>((TransA ? k : m) * p.lda));
    p.b.resize(static_cast<std::size_t>((TransB ? n : k) * p.ldb));
    for (auto& x : p.a) x = value();
    for (auto& x : p.b) x = value();
    return p;
}

template<class T, bool TransA>
T left(problem<T> const& p, std::int64_t i, std::int64_t k) {
    return p.a[static_cast<std::size_t>(TransA ? k * p.lda + i : i * p.lda + k)];
}
template<class T, bool TransB>
T right(problem<T> const& p, std::int64_t k, std::int64_t j) {
    return p.b[static_cast<std::size_t>(TransB ? j * p.ldb + k : k * p.ldb + j)];
}

template<class T, bool TransA, bool TransB, std::int64_t N = -1, std::int64_t K = -1, std::int64_t M = -1>
std::vector<T> product(problem<T> const& p, std::int64_t ldc, T fill) {
    std::vector<T> c(static_cast<std::size_t>(p.m * ldc), fill);
    std::vector<T> scratch(static_cast<std::size_t>(kernels::matmul_scratch<T>(p.m, p.n, p.k)));
    matmul<T, TransA, TransB, N, K, M>(
        p.a.data(), p.lda, p.b.data(), p.ldb, p.m, p.n, p.k, kernels::store_epilogue<T>{c.data(), ldc}, scratch.data());
    return c;
}

// Small integers: every sum is exact, whatever the order.
template<class T, bool TransA, bool TransB>
bool exact(std::int64_t m, std::int64_t n, std::int64_t k) {
    std::minstd_rand engine(static_cast<unsigned>(m * 10007 + n * 101 + k + 1));
    auto const p = make<T, TransA, TransB>(
        m, n, k, [&] { return static_cast<T>(static_cast<int>(engine() % 9) - 4); }, 1);
    std::int64_t const ldc = n + 3;
    T const fill = static_cast<T>(77);
    auto const c = product<T, TransA, TransB>(p, ldc, fill);
    std::vector<T> want(c.size(), fill);
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            T sum = 0;
            for (std::int64_t x = 0; x < k; ++x) sum += left<T, TransA>(p, i, x) * right<T, TransB>(p, x, j);
            want[static_cast<std::size_t>(i * ldc + j)] = sum;
        }
    }
    return c == want;   // the columns after n must be untouched as well
}

template<class T, bool TransA, bool TransB>
std::int64_t wrong_sizes() {
    std::int64_t const w = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const coarse[] = {0, 1, 2, w - 1, w + 1, 2 * w, 3 * w + 1};
    std::int64_t wrong = 0;
    for (std::int64_t s = 0; s <= 3 * w + 1; ++s) {
        for (std::int64_t p : coarse) {
            for (std::int64_t q : coarse) {
                wrong += !exact<T, TransA, TransB>(s, p, q);
                wrong += !exact<T, TransA, TransB>(p, s, q);
                wrong += !exact<T, TransA, TransB>(p, q, s);
            }
        }
    }
    return wrong;
}

template<class T, bool TransA, bool TransB>
bool accurate() {
    std::mt19937 engine(5);
    std::uniform_real_distribution<T> dist(-1, 1);
    for (auto [m, n, k] : {std::array<std::int64_t, 3>{7, 33, 129}, {9, 1, 301}, {64, 20, 1000}, {1, 200, 77}}) {
        auto const p = make<T, TransA, TransB>(m, n, k, [&] { return dist(engine); });
        auto const c = product<T, TransA, TransB>(p, n, T(0));
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                long double sum = 0, size = 0;
                for (std::int64_t x = 0; x < k; ++x) {
                    long double const term = static_cast<long double>(left<T, TransA>(p, i, x)) * right<T, TransB>(p, x, j);
                    sum += term;
                    size += std::fabs(term);
                }
                long double const bound = size * static_cast<long double>(k) * std::numeric_limits<T>::epsilon();
                if (!(std::fabs(c[static_cast<std::size_t>(i * n + j)] - sum) <= bound)) return false;
            }
        }
    }
    return true;
}

template<class T, bool TransA, bool TransB>
bool rows_depend_on_the_batch(std::int64_t k = 83) {
    std::mt19937 engine(6);
    std::uniform_real_distribution<T> dist(-1, 1);
    for (std::int64_t n : {1, 5, 16, 40, 70}) {
        auto const whole = make<T, TransA, TransB>(45, n, k, [&] { return dist(engine); });
        auto const all = product<T, TransA, TransB>(whole, n, T(0));
        for (std::int64_t m = 1; m <= 44; m += m < 17 ? 1 : 9) {
            auto part = whole;
            part.m = m;
            auto const some = product<T, TransA, TransB>(part, n, T(0));
            if (std::memcmp(all.data(), some.data(), some.size() * sizeof(T)) != 0) return true;
        }
    }
    return false;
}

/// The same of wide matrices, along whose rows one row runs, and of rows that share sets of a cache.
template<class T, bool TransA>
bool wide_rows_depend_on_the_batch() {
    std::mt19937 engine(11);
    std::uniform_real_distribution<T> dist(-1, 1);
    for (auto [n, gap, k] : {std::array<std::int64_t, 3>{1043, 0, 67}, {1024, 0, 70}, {130, 894, 69}, {300, 0, 1100}}) {
        auto const whole = make<T, TransA, false>(
            9, n, k, [&] { return dist(engine); }, gap);
        auto const all = product<T, TransA, false>(whole, n, T(0));
        for (std::int64_t m : {1, 2, 7}) {
            auto part = whole;
            part.m = m;
            auto const some = product<T, TransA, false>(part, n, T(0));
            if (std::memcmp(all.data(), some.data(), some.size() * sizeof(T)) != 0) return true;
        }
    }
    return false;
}

template<class T, bool TransA, bool TransB, std::int64_t N, std::int64_t K, std::int64_t M>
bool static_equals_dynamic() {
    std::mt19937 engine(7);
    std::uniform_real_distribution<T> dist(-1, 1);
    auto const p = make<T, TransA, TransB>(M, N, K, [&] { return dist(engine); });
    auto const want = product<T, TransA, TransB>(p, N, T(0));
    return product<T, TransA, TransB, N, K, -1>(p, N, T(0)) == want && product<T, TransA, TransB, N, -1, M>(p, N, T(0)) == want &&
           product<T, TransA, TransB, -1, K, M>(p, N, T(0)) == want && product<T, TransA, TransB, N, K, M>(p, N, T(0)) == want;
}

/// All extents up to 150 rows, 120 columns and a depth of 100 that run the code of M, N and K, which are passed at run time.
/// Returns how many were looked at, -1 where bits differ.
template<class T, bool TransA, bool TransB, std::int64_t N, std::int64_t K, std::int64_t M>
int told_equals_dynamic() {
    constexpr std::int64_t rows = kernels::detail::told_rows(M, N, TransA), columns = kernels::detail::told_columns<T>(N),
                           depth = kernels::detail::told_depth(K, M);
    std::mt19937 engine(8);
    std::uniform_real_distribution<T> dist(-1, 1);
    int seen = 0;
    for (std::int64_t m = 1; m <= 150; ++m)
        for (std::int64_t n = 1; n <= 120; n += n < 4 ? 1 : 3)
            for (std::int64_t k : {1, 3, 40, 65, 100})
                if (kernels::detail::told_rows(m, n, TransA) == rows && kernels::detail::told_columns<T>(n) == columns &&
                    kernels::detail::told_depth(k, m) == depth) {
                    auto const p = make<T, TransA, TransB>(m, n, k, [&] { return dist(engine); });
                    ++seen;
                    if (product<T, TransA, TransB, columns, depth, rows>(p, n, T(0)) != product<T, TransA, TransB>(p, n, T(0))) return -1;
                }
    return seen;
}

template<std::int64_t... M>
bool static_rows_equal_dynamic() {
    std::mt19937 engine(9);
    std::uniform_real_distribution<float> dist(-1, 1);
    auto const p = make<float, false, false>(20, 80, 9, [&] { return dist(engine); });
    auto const first_rows = [&](std::int64_t m) {
        auto q = p;
        q.m = m;
        return q;
    };
    auto const whole = product<float, false, false>(p, p.n, 0.0f);
    auto const equal = [&](auto const& rows) { return std::equal(rows.begin(), rows.end(), whole.begin()); };
    return (equal(product<float, false, false, -1, -1, M>(first_rows(M), p.n, 0.0f)) && ...);
}

/// The greatest relative error of products of `k` terms, which are all positive, against sums in double.
template<bool TransA, bool TransB, std::int64_t N = -1, std::int64_t M = -1, std::int64_t K = -1, class F>
double error_of_long_sums(std::int64_t m, std::int64_t n, std::int64_t k, F value) {
    auto const p = make<float, TransA, TransB>(m, n, k, value);
    auto const c = product<float, TransA, TransB, N, K, M>(p, n, 0.0f);
    double worst = 0;
    for (std::int64_t i = 0; i<m; i += m> 1 ? m - 1 : 1)
        for (std::int64_t j = 0; j<n; j += n> 1 ? n - 1 : 1) {
            double sum = 0;
            for (std::int64_t x = 0; x < k; ++x)
                sum += static_cast<double>(left<float, TransA>(p, i, x)) * static_cast<double>(right<float, TransB>(p, x, j));
            worst = std::max(worst, std::fabs(c[static_cast<std::size_t>(i * n + j)] - sum) / sum);
        }
    return worst;
}
template<bool TransA, bool TransB>
double error_of_long_sums(std::int64_t k) {
    std::mt19937 engine(10);
    std::uniform_real_distribution<float> dist(0.5f, 1.5f);
    auto const any = [&] { return dist(engine); };
    auto const same = [] { return 1 / 3.0f; };   // every addition rounds to the same side
    double worst = 0;
    for (auto [m, n] : {std::array<std::int64_t, 2>{1, 1}, {1, 40}, {2, 70}, {3, 1}, {7, 5}, {9, 33}, {20, 1}})
        worst = std::max({worst, error_of_long_sums<TransA, TransB>(m, n, k, any), error_of_long_sums<TransA, TransB>(m, n, k, same)});
    return std::max({worst, error_of_long_sums<TransA, TransB, 10, 5>(5, 10, k, same),
        error_of_long_sums<TransA, TransB, 1, 40>(40, 1, k, same), error_of_long_sums<TransA, TransB, 33, 1>(1, 33, k, same)});
}

template<bool TransA, bool TransB>
std::int64_t wrong_edges() {
    std::int64_t wrong = 0;
    float const inf = std::numeric_limits<float>::infinity();
    float const nan = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t n : {1, 3, 20, 37}) {
        for (float bad : {inf, -inf, nan}) {
            // Row 2 of op(A) holds `bad` where B is 0: 0 * inf is NaN there, and nowhere else.
            std::int64_t const m = 11, k = 21;
            auto p = make<float, TransA, TransB>(m, n, k, [] { return 1.0f; });
            p.a[static_cast<std::size_t>(TransA ? 20 * p.lda + 2 : 2 * p.lda + 20)] = bad;
            for (std::int64_t j = 0; j < n; ++j)
                p.b[static_cast<std::size_t>(TransB ? j * p.ldb + 20 : 20 * p.ldb + j)] = j % 2 == 0 ? 0.0f : 1.0f;
            auto const c = product<float, TransA, TransB>(p, n, 0.0f);
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    float const got = c[static_cast<std::size_t>(i * n + j)];
                    bool const even = j % 2 == 0;
                    if (i != 2) wrong += got != (even ? 20.0f : 21.0f);
                    else if (even || std::isnan(bad)) wrong += !std::isnan(got);
                    else wrong += got != bad;
                }
            }
        }
    }
    return wrong;
}

struct counting_epilogue {
    int* seen;   // [m, n]
    std::int64_t m, n;
    bool* outside;   // a macro of doctest here would be compiled in every tile
    template<class V>
    void tile(V, std::int64_t row, std::int64_t col) const {
        partial(V(0.0f), row, col, V::size);
    }
    template<class V>
    void partial(V, std::int64_t row, std::int64_t col, std::size_t count) const {
        if (row < 0 || row >= m || col < 0 || col + static_cast<std::int64_t>(count) > n) {
            *outside = true;
            return;
        }
        for (std::size_t j = 0; j < count; ++j) ++seen[row * n + col + static_cast<std::int64_t>(j)];
    }
};

}   // namespace

TEST_CASE("every tail of a product is exact on small integers") {
    CHECK(wrong_sizes<float, false, false>() == 0);
    CHECK(wrong_sizes<float, false, true>() == 0);
    CHECK(wrong_sizes<float, true, false>() == 0);
#if !XGRAD_SANITIZED   // they look at addresses, which are alike for all types; each product costs their compiler a second
    CHECK(wrong_sizes<double, false, false>() == 0);
    CHECK(wrong_sizes<double, false, true>() == 0);
    CHECK(wrong_sizes<double, true, false>() == 0);
#endif
}

TEST_CASE("large products, which CBLAS takes where it is switched on") {
    CHECK(exact<float, false, false>(130, 300, 200));
    CHECK(exact<float, false, true>(130, 300, 200));
    CHECK(exact<float, true, false>(130, 300, 200));
    CHECK(exact<float, false, false>(1, 1043, 67));
#if !XGRAD_SANITIZED
    CHECK(exact<double, false, false>(70, 257, 300));
    CHECK(exact<double, true, true>(70, 257, 300));
#endif
}

TEST_CASE("both operands transposed, and integers") {
    CHECK(wrong_sizes<double, true, true>() == 0);
#if !XGRAD_SANITIZED
    CHECK(wrong_sizes<std::int64_t, false, false>() == 0);
    CHECK(exact<std::int32_t, false, true>(13, 37, 29));
#endif
    CHECK(exact<std::int32_t, true, false>(13, 37, 29));
}

#if !XGRAD_SANITIZED
TEST_CASE("products stay within k epsilon of the exact sum") {
    CHECK(accurate<float, false, false>());
    CHECK(accurate<float, false, true>());
    CHECK(accurate<float, true, false>());
    CHECK(accurate<double, false, false>());
    CHECK(accurate<double, false, true>());
    CHECK(accurate<double, true, false>());
}

TEST_CASE("a long sum in float is as good as one in double, whatever the layout") {
    double const bound = XGRAD_USE_BLAS ? 1e-5 : 1.5e-6;   // OpenBLAS adds up hundreds of terms in order
    // 100,003: no multiple of a block; a sum in order is wrong by 1e-3
    CHECK(error_of_long_sums<false, false>(100003) < bound);
    CHECK(error_of_long_sums<false, true>(100003) < bound);
    CHECK(error_of_long_sums<true, false>(100003) < bound);
    CHECK(error_of_long_sums<true, true>(100003) < bound);
    for (std::int64_t k : {1024, 1025, 1087, 1088, 1089, 2048, 2049, 20480}) {   // about the ends of blocks, exact
        CHECK(exact<float, false, false>(9, 33, k));
        CHECK(exact<float, true, false>(3, 2, k));
        CHECK(exact<float, false, false>(17, 1, k));
        CHECK(exact<float, true, false>(17, 1, k));
    }
}

TEST_CASE("a row of a product does not change with the number of rows") {
    CHECK_FALSE(rows_depend_on_the_batch<float, false, false>());
    CHECK_FALSE(rows_depend_on_the_batch<float, false, true>());
    CHECK_FALSE(rows_depend_on_the_batch<double, false, false>());
    CHECK_FALSE(rows_depend_on_the_batch<double, false, true>());
    CHECK_FALSE(rows_depend_on_the_batch<float, true, false>());
    CHECK_FALSE(rows_depend_on_the_batch<float, false, false>(1200));
    CHECK_FALSE(rows_depend_on_the_batch<float, true, false>(1200));
    CHECK_FALSE(wide_rows_depend_on_the_batch<float, false>());
    CHECK_FALSE(wide_rows_depend_on_the_batch<float, true>());
    CHECK_FALSE(wide_rows_depend_on_the_batch<double, false>());
}

#endif

TEST_CASE("static extents give the bits of dynamic ones") {
    CHECK(static_equals_dynamic<float, false, false, 10, 128, 64>());
    CHECK(static_equals_dynamic<float, true, false, 1, 31, 50>());
#if !XGRAD_SANITIZED
    CHECK(static_equals_dynamic<float, false, true, 100, 50, 33>());
    CHECK(static_equals_dynamic<float, true, false, 100, 40, 69>());
    CHECK(static_equals_dynamic<float, false, false, 1, 50, 31>());
    CHECK(static_equals_dynamic<double, false, true, 1, 50, 31>());
    CHECK(static_equals_dynamic<double, false, false, 32, 16, 1>());
    CHECK(static_equals_dynamic<float, false, false, 205, 63, 1>());
    CHECK(static_equals_dynamic<double, true, false, 33, 1, 17>());
    // each number of rows that full tiles leave over, on one machine or another
    CHECK(static_rows_equal_dynamic<1, 2, 3, 5, 7, 9, 10, 14>());
#endif
}

TEST_CASE("extents that are told give the bits of dynamic ones, whichever they are") {
    CHECK(told_equals_dynamic<float, false, false, 96, 40, 40>() >= 4);
    CHECK(told_equals_dynamic<float, true, false, 97, 40, 129>() >= 4);
#if !XGRAD_SANITIZED
    CHECK(told_equals_dynamic<double, false, true, 97, 40, 131>() >= 4);
    CHECK(told_equals_dynamic<double, false, false, 103, 65, 35>() >= 4);
    CHECK(told_equals_dynamic<float, false, true, 100, 40, 5>() >= 4);
    CHECK(told_equals_dynamic<double, false, false, 1, 40, 50>() >= 4);
    CHECK(told_equals_dynamic<double, false, false, 100, 70, 1>() >= 4);
#endif
}

TEST_CASE("one row times a transposed matrix is read where it lies, whatever is known of its length") {
    std::mt19937 engine(8);
    std::uniform_real_distribution<double> dist(-1, 1);
    for (std::int64_t n : {2, 5, 8, 30}) {
        for (std::int64_t k : {4, 5, 16, 103}) {
            CAPTURE(n);
            CAPTURE(k);
            auto const p = make<double, false, true>(
                1, n, k, [&] { return dist(engine); }, 1);
            std::vector<double> c(static_cast<std::size_t>(n)), in_columns = c;
            std::vector<double> scratch(static_cast<std::size_t>(kernels::matmul_scratch<double>(1, n, k)), 77.0);
            matmul<double, false, true, -1, -1, 1>(
                p.a.data(), p.lda, p.b.data(), p.ldb, 1, n, k, kernels::store_epilogue<double>{c.data(), n}, scratch.data());
            CHECK(scratch == std::vector<double>(scratch.size(), 77.0));
            // the same numbers as a column
            matmul<double, false, false, 1>(
                p.b.data(), p.ldb, p.a.data(), 1, n, 1, k, kernels::store_epilogue<double>{in_columns.data(), 1}, scratch.data());
            CHECK(c == in_columns);
        }
    }
}

TEST_CASE("NaN and inf go the way of the naive sum") {
    CHECK(wrong_edges<false, false>() == 0);
    CHECK(wrong_edges<false, true>() == 0);
    CHECK(wrong_edges<true, false>() == 0);
}

TEST_CASE("the epilogue sees every element once") {
    for (std::int64_t m : {1, 7, 20}) {
        for (std::int64_t n : {1, 2, 16, 31, 50, 70}) {
            std::vector<float> a(static_cast<std::size_t>(m * 5), 1.0f), b(static_cast<std::size_t>(5 * n), 1.0f);
            std::vector<float> scratch(static_cast<std::size_t>(kernels::matmul_scratch<float>(m, n, 5)));
            std::vector<int> seen(static_cast<std::size_t>(m * n));
            bool outside = false;
            matmul<float, false, false>(a.data(), 5, b.data(), n, m, n, 5, counting_epilogue{seen.data(), m, n, &outside}, scratch.data());
            CHECK_FALSE(outside);
            CHECK(seen == std::vector<int>(seen.size(), 1));
        }
    }
}

TEST_CASE("accumulate adds to what is there, and an empty sum gives zero") {
    std::vector<float> a(3 * 4, 2.0f), b(4 * 5, 3.0f), c(3 * 5, 1.0f);
    std::vector<float> scratch(static_cast<std::size_t>(kernels::matmul_scratch<float>(3, 5, 4)));
    matmul<float, false, false>(a.data(), 4, b.data(), 5, 3, 5, 4, kernels::accumulate_epilogue<float>{c.data(), 5}, scratch.data());
    CHECK(c == std::vector<float>(15, 25.0f));
    matmul<float, false, false>(a.data(), 4, b.data(), 5, 3, 5, 0, kernels::store_epilogue<float>{c.data(), 5}, scratch.data());
    CHECK(c == std::vector<float>(15, 0.0f));
}

#if !XGRAD_SANITIZED
TEST_CASE("deep products, whose panels are copied part by part") {
    for (std::int64_t k : {32768, 32769, 36864, 36865}) {   // about the longest panel, and an end of a part
        CHECK(exact<float, false, false>(9, 33, k));
        CHECK(exact<float, true, true>(79, 5, k));   // more rows than are taken at a time, and fewer columns than a batch
        CHECK(exact<double, false, true>(5, 19, k));
        CHECK(exact<std::int32_t, true, false>(70, 9, k));
    }
    // some of these heights read B in place
    CHECK_FALSE(rows_depend_on_the_batch<float, false, false>(40000));
    CHECK_FALSE(rows_depend_on_the_batch<float, true, true>(40000));
    CHECK_FALSE(rows_depend_on_the_batch<double, false, false>(40000));
    CHECK((static_equals_dynamic<float, false, true, 40, 70, 33000>()));
    CHECK((static_equals_dynamic<double, false, true, 10, 9, 33000>()));
}
#endif

TEST_CASE("scratch is linear in k up to a longest panel, and independent of m") {
    static_assert(
        kernels::matmul_scratch<float>(9, 40, 20'000'000) == kernels::matmul_scratch<float>(9, 40, kernels::detail::longest_panel));
    static_assert(kernels::matmul_scratch<float>(9, 1, 1'000'000) >= 1'000'000);   // the column itself
    constexpr auto one = kernels::matmul_scratch<float>(1, 10, 100);
    static_assert(one == kernels::matmul_scratch<float>(1000, 10, 100));
    static_assert(kernels::matmul_scratch<float>(1, 10, 300) - one == 2 * (one - kernels::matmul_scratch<float>(1, 10, 0)));
}
