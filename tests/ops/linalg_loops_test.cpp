// SPDX-License-Identifier: MIT
// Loops of linear algebra on plain arrays: residuals for all sizes up to 40, float against double, edges.
#include <support/tensor.hpp>

#include <xgrad/ops/linalg.hpp>

namespace {
namespace xg = xgrad;
namespace loops = xg::detail::loops;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

template<class T>
using matrix = std::vector<T>;

/// a [m, k] times b [k, n] in double.
template<class T>
matrix<double> times(matrix<T> const& a, matrix<T> const& b, std::size_t m, std::size_t k, std::size_t n) {
    matrix<double> r(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t p = 0; p < k; ++p)
            for (std::size_t j = 0; j < n; ++j) r[i * n + j] += static_cast<double>(a[i * k + p]) * static_cast<double>(b[p * n + j]);
    return r;
}
template<class T>
matrix<T> flipped(matrix<T> const& a, std::size_t m, std::size_t n) {
    matrix<T> r(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) r[j * m + i] = a[i * n + j];
    return r;
}
template<class A, class B>
double distance(A const& a, B const& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (!(d <= most)) most = d;
    }
    return most;
}
template<class T>
matrix<T> random_matrix(std::size_t m, std::size_t n, std::uint64_t seed) {
    auto const x = test::numbers<T>({static_cast<std::int64_t>(m * n)}, -1, 1, seed);
    return {x.begin(), x.end()};
}
template<class T>
matrix<T> positive_definite(std::size_t n) {
    auto const x = random_matrix<T>(n, n, 3);
    auto const p = times(x, flipped(x, n, n), n, n, n);
    matrix<T> r(p.begin(), p.end());
    for (std::size_t i = 0; i < n; ++i) r[i * n + i] += T(1);
    return r;
}
template<class T>
bool all_nan(matrix<T> const& a) {
    return std::all_of(a.begin(), a.end(), [](T e) { return std::isnan(e); });
}
}

TEST_CASE_TEMPLATE("products by tiles have no wrong tail", T, float, double) {
    std::size_t const k = 5;
    for (std::size_t m : {1, 3, 4, 8, 13})
        for (std::size_t n = 0; n <= 37; ++n) {
            auto const a = random_matrix<T>(m, k, 1), b = random_matrix<T>(k, n, 2), at = flipped(a, m, k);
            auto c = random_matrix<T>(m, n, 4), d = c;
            auto const before = c;
            auto const product = times(a, b, m, k, n);
            auto const s = [](std::size_t i) { return static_cast<std::int64_t>(i); };
            loops::add_product<true>(c.data(), s(n), loops::left_factor<T>{a.data(), s(k), 1}, b.data(), s(n), s(m), s(n), s(k));
            loops::add_product<false>(d.data(), s(n), loops::left_factor<T>{at.data(), 1, s(m)}, b.data(), s(n), s(m), s(n), s(k));
            for (std::size_t i = 0; i < m * n; ++i) {
                REQUIRE(c[i] == doctest::Approx(before[i] + product[i]).epsilon(1e-5));
                REQUIRE(d[i] == doctest::Approx(before[i] - product[i]).epsilon(1e-5));
            }
        }
}

TEST_CASE_TEMPLATE("residuals of all sizes up to 40", T, float, double) {
    double const exact = static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::int64_t n = 0; n <= 40; ++n) {
        CAPTURE(n);
        auto const u = static_cast<std::size_t>(n);
        double const size = static_cast<double>(n + 1);
        auto s = positive_definite<T>(u);
        auto const a = random_matrix<T>(u, u, 5);
        matrix<T> one(u * u);
        if (n > 0) loops::fill_identity(one.data(), n);

        matrix<T> l(u * u, T(9));
        auto upper_unread = s;
        for (std::size_t i = 0; i < u; ++i)
            for (std::size_t j = i + 1; j < u; ++j) upper_unread[i * u + j] = T(not_a_number);
        loops::factor_cholesky(upper_unread.data(), l.data(), n);
        CHECK(distance(times(l, flipped(l, u, u), u, u, u), s) <= 4 * exact * size * size);

        for (std::size_t k : {std::size_t{1}, std::size_t{3}, std::size_t{17}}) {
            auto const b = random_matrix<T>(u, k, 6);
            auto const columns = static_cast<std::int64_t>(k);
            auto x = b;
            loops::solve_triangle<T>({l.data(), n, 1}, true, false, x.data(), n, columns);
            CHECK(distance(times(l, x, u, u, k), b) <= 20 * exact * size);
            loops::solve_triangle<T>({l.data(), 1, n}, false, false, x.data(), n, columns);
            CHECK(distance(times(s, x, u, u, k), b) <= 50 * exact * size);
            matrix<T> lu = a;
            matrix<std::int32_t> pivots(u);
            loops::factor_lu(lu.data(), pivots.data(), n);
            for (bool transposed : {false, true}) {
                auto z = b;
                loops::solve_lu(lu.data(), pivots.data(), transposed, z.data(), n, columns);
                double most = 1;
                for (T e : z) most = std::max(most, static_cast<double>(std::abs(e)));
                CHECK(distance(times(transposed ? flipped(a, u, u) : a, z, u, u, k), b) <= 10 * exact * size * most);
            }
            bool small = true;   // by partial pivoting
            for (std::size_t i = 0; i < u; ++i)
                for (std::size_t j = 0; j < i; ++j) small = small && std::abs(lu[i * u + j]) <= T(1);
            CHECK(small);
        }

        auto const m = u + 3;
        auto const tall = random_matrix<T>(m, u, 7);
        auto work = tall;
        matrix<T> q(m * u), r(u * u), spare(u + static_cast<std::size_t>(loops::block_reflection<T>::numbers(n + 3, n)));
        loops::factor_qr(work.data(), q.data(), r.data(), spare.data(), n + 3, n);
        CHECK(distance(times(q, r, m, u, u), tall) <= 10 * exact * size);
        CHECK(distance(times(flipped(q, m, u), q, u, m, u), one) <= 10 * exact * size);

        for (std::size_t i = 0; i < u; ++i)
            for (std::size_t j = 0; j < i; ++j) s[j * u + i] = s[i * u + j];
        matrix<T> values(u), vectors(u * u), eigen_work(u * u + 2 * u);
        matrix<double> numbers(2 * u);
        loops::eigen_symmetric(s.data(), values.data(), vectors.data(), numbers.data(), eigen_work.data(), n);
        CHECK(std::is_sorted(values.begin(), values.end()));
        CHECK(distance(times(flipped(vectors, u, u), vectors, u, u, u), one) <= 20 * exact * size);
        auto scaled = vectors;
        for (std::size_t i = 0; i < u * u; ++i) scaled[i] *= values[i % u];
        CHECK(distance(times(s, vectors, u, u, u), scaled) <= 20 * exact * size * (n > 0 ? static_cast<double>(values.back()) : 1));
    }
}

TEST_CASE_TEMPLATE("eigenvalues that are known", T, float, double) {
    double const exact = static_cast<double>(std::numeric_limits<T>::epsilon());
    auto const eigenvalues = [](matrix<T> const& a, std::int64_t n) {
        auto const u = static_cast<std::size_t>(n);
        matrix<T> values(u), vectors(u * u), work(u * u + 2 * u);
        matrix<double> numbers(2 * u);
        loops::eigen_symmetric(a.data(), values.data(), vectors.data(), numbers.data(), work.data(), n);
        return values;
    };
    CHECK(eigenvalues({T(-3)}, 1) == matrix<T>{T(-3)});
    CHECK(eigenvalues(matrix<T>(9, T(0)), 3) == matrix<T>(3, T(0)));
    CHECK(eigenvalues({T(2), 0, 0, 0, T(-1), 0, 0, 0, T(2)}, 3) == matrix<T>{T(-1), T(2), T(2)});   // equal ones
    std::int64_t const n = 30;   // the second differences: 2 - 2 cos(k π / (n + 1))
    matrix<T> chain(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        chain[i * n + i] = T(2);
        if (i > 0) chain[i * n + i - 1] = T(-1);
    }
    for (T const by : {T(1), std::numeric_limits<T>::max() / T(16), std::numeric_limits<T>::min() * T(16)}) {
        auto scaled = chain;
        for (T& e : scaled) e *= by;
        auto const values = eigenvalues(scaled, n);
        for (std::size_t k = 0; k < n; ++k)
            CHECK(std::abs(static_cast<double>(values[k] / by) -
                           (2 - 2 * std::cos(static_cast<double>(k + 1) * std::acos(-1.0) / (n + 1)))) <= 40 * exact);
    }
    auto bad = chain;
    bad[7 * n + 3] = T(not_a_number);
    CHECK(all_nan(eigenvalues(bad, n)));
    bad[7 * n + 3] = T(infinite);
    CHECK(all_nan(eigenvalues(bad, n)));
}

TEST_CASE_TEMPLATE("matrices without a factor or an inverse", T, float, double) {
    std::int64_t const n = 12;
    std::size_t const u = 12;
    for (int kind = 0; kind < 3; ++kind) {
        auto s = positive_definite<T>(u);
        if (kind == 0) s[9 * u + 9] = T(-1);   // not positive
        if (kind == 1) s[9 * u + 2] = T(not_a_number);
        if (kind == 2) s.assign(u * u, T(0));
        matrix<T> l(u * u);
        loops::factor_cholesky(s.data(), l.data(), n);
        for (std::size_t i = 0; i < u * u; ++i) CHECK((i % u > i / u ? l[i] == T(0) : std::isnan(l[i])));
    }
    auto a = random_matrix<T>(u, u, 8);
    for (std::size_t i = 0; i < u; ++i) a[i * u + 4] = T(0);   // a column of zeros
    matrix<std::int32_t> pivots(u);
    loops::factor_lu(a.data(), pivots.data(), n);
    CHECK(a[4 * u + 4] == T(0));
    CHECK(std::all_of(a.begin(), a.end(), [](T e) { return std::isfinite(e); }));
    auto x = random_matrix<T>(u, 2, 9);
    loops::solve_lu(a.data(), pivots.data(), false, x.data(), n, 2);
    CHECK(std::none_of(x.begin(), x.begin() + 2, [](T e) { return std::isfinite(e); }));
    a = random_matrix<T>(u, u, 8);
    for (std::size_t i = 0; i < u; ++i) a[i * u] = T(0);
    a[5 * u] = T(not_a_number);   // below a pivot of zero
    loops::factor_lu(a.data(), pivots.data(), n);
    CHECK(std::isnan(a[u * u - 1]));
    // A column of zeros, a zero tail with NaN, and a matrix of rank 1.
    matrix<T> q(6), r(4), work(2 + static_cast<std::size_t>(loops::block_reflection<T>::numbers(3, 2))),
        tall{T(0), T(2), T(0), T(3), T(0), T(6)};
    loops::factor_qr(tall.data(), q.data(), r.data(), work.data(), 3, 2);
    CHECK(distance(r, matrix<T>{T(0), T(2), T(0), -std::sqrt(T(45))}) <= 1e-6);
    tall = {T(0), T(1), T(not_a_number), T(1), T(0), T(1)};
    loops::factor_qr(tall.data(), q.data(), r.data(), work.data(), 3, 2);
    CHECK(std::isnan(r[0]));
}
