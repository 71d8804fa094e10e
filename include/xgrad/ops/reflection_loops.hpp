// SPDX-License-Identifier: MIT
// Loops with Householder reflections on plain row-major memory: QR, and eigenvalues of symmetric matrices. They allocate nothing.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg_loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail::loops {

/// The reflection H = 1 - tau v vᵀ with v[0] = 1 that makes multiples of the first unit vector of x: H x = (beta, 0, ...).
template<class T>
struct reflection {
    T beta, tau;
};
/// x [n], `step` apart, becomes v.
template<class T>
reflection<T> reflect(T* x, std::int64_t step, std::int64_t n) {
    T most = libm::abs(x[0]);
    bool zero = true;
    for (std::int64_t i = 1; i < n; ++i) {
        T const e = libm::abs(x[i * step]);
        zero = zero && e == T(0);
        if (e > most) most = e;
    }
    T const first = x[0];
    x[0] = T(1);
    if (zero) return {first, T(0)};
    if (most == T(0)) most = T(1);   // there is a NaN among zeros
    T sum = first / most * (first / most);
    for (std::int64_t i = 1; i < n; ++i) sum += x[i * step] / most * (x[i * step] / most);
    T const beta = -libm::copysign(most * libm::sqrt(sum), first), by = first - beta;
    for (std::int64_t i = 1; i < n; ++i) x[i * step] /= by;
    return {beta, (beta - first) / beta};
}
/// The rows of a [m, n], with `step` between them, become H a. v has the step of the rows, `sums` n numbers.
template<class T>
void apply_reflection(T* a, std::int64_t step, T const* v, T tau, T* sums, std::int64_t m, std::int64_t n) {
    fill(sums, T(0), n);
    add_product<true>(sums, n, {v, 1, step}, a, step, 1, n, m);
    for (std::int64_t i = 0; i < m; ++i) subtract_scaled(a + i * step, tau * v[i * step], sums, n);
}
/// a [m, n] with m >= n becomes R and the reflections below it; q [m, n] and r [n, n] are written. `work` has 2 n numbers.
template<class T>
void factor_qr(T* a, T* q, T* r, T* work, std::int64_t m, std::int64_t n) {
    T *const tau = work, *const sums = work + n;
    for (std::int64_t k = 0; k < n; ++k) {
        T* const x = a + k * n + k;
        auto const h = reflect(x, n, m - k);
        tau[k] = h.tau;
        apply_reflection(x + 1, n, x, h.tau, sums, m - k, n - k - 1);
        fill(r + k * n, T(0), k);
        r[k * n + k] = h.beta;
        copy(r + k * n + k + 1, x + 1, n - k - 1);
    }
    fill(q, T(0), m * n);
    for (std::int64_t k = n; k-- > 0;) {
        q[k * n + k] = T(1);
        apply_reflection(q + k * n + k, n, a + k * n + k, tau[k], sums, m - k, n - k);
    }
}

/// The square root of a² + b².
inline double length_of(double a, double b) {
    double const x = libm::abs(a), y = libm::abs(b), more = x > y ? x : y, less = x > y ? y : x;
    return more == 0 ? 0 : more * libm::sqrt(1 + less / more * (less / more));
}
/// Diagonalizes a tridiagonal matrix by the implicit QL algorithm: d is its diagonal and becomes the eigenvalues, e[i] is beside d[i]
/// and d[i + 1]. The rows of w are rotated. False if it does not converge, as for NaN. Source: EISPACK's imtql2.
template<class T>
bool diagonalize(double* d, double* e, T* w, std::int64_t n) {
    constexpr double smallest = std::numeric_limits<double>::min(), epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    constexpr int most_turns = 60;
    for (std::int64_t l = 0; l < n; ++l) {
        for (int turn = 0;; ++turn) {
            std::int64_t m = l;
            while (m + 1 < n && !(libm::abs(e[m]) <= epsilon * (libm::abs(d[m]) + libm::abs(d[m + 1])) + smallest)) ++m;
            if (m == l) break;
            if (turn == most_turns) return false;
            double g = (d[l + 1] - d[l]) / (2 * e[l]);
            g = d[m] - d[l] + e[l] / (g + libm::copysign(length_of(g, 1), g));
            double s = 1, c = 1, p = 0;
            bool split = false;
            for (std::int64_t i = m; i-- > l && !split;) {
                double const f = s * e[i], b = c * e[i], r = length_of(f, g);
                e[i + 1] = r;
                if (r == 0) {
                    d[i + 1] -= p;
                    e[m] = 0;
                    split = true;
                } else {
                    s = f / r;
                    c = g / r;
                    g = d[i + 1] - p;
                    double const t = (d[i] - g) * s + 2 * c * b;
                    p = s * t;
                    d[i + 1] = g + p;
                    g = c * t - b;
                    rotate(w + i * n, w + (i + 1) * n, static_cast<T>(c), static_cast<T>(s), n);
                }
            }
            if (split) continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
    }
    return true;
}
/// a [n, n], symmetric, becomes tridiagonal: d and e. w becomes Qᵀ with a = Q (d, e) Qᵀ. `work` has 2 n numbers.
template<class T>
void make_tridiagonal(T* a, double* d, double* e, T* w, T* work, std::int64_t n) {
    T *const tau = work, *const p = work + n;
    for (std::int64_t k = 0; k + 2 < n; ++k) {
        std::int64_t const m = n - k - 1;
        T *const v = a + k * n + k + 1, *const rest = a + (k + 1) * n + k + 1;
        auto const h = reflect(v, 1, m);
        tau[k] = h.tau;
        e[k] = static_cast<double>(h.beta);
        if (h.tau == T(0)) continue;
        for (std::int64_t i = 0; i < m; ++i) p[i] = h.tau * dot(rest + i * n, v, m);
        subtract_scaled(p, h.tau / T(2) * dot(p, v, m), v, m);
        for (std::int64_t i = 0; i < m; ++i) subtract_two(rest + i * n, v[i], p, p[i], v, m);
    }
    for (std::int64_t k = 0; k < n; ++k) d[k] = static_cast<double>(a[k * n + k]);
    if (n > 1) e[n - 2] = static_cast<double>(a[(n - 2) * n + n - 1]);
    if (n > 0) e[n - 1] = 0;
    fill_identity(w, n);
    for (std::int64_t k = n - 2; k-- > 0;) {
        T const* const v = a + k * n + k + 1;
        for (std::int64_t i = k + 1; i < n; ++i) {
            T* const row = w + i * n + k + 1;
            subtract_scaled(row, tau[k] * dot(row, v, n - k - 1), v, n - k - 1);
        }
    }
}
/// Eigenvalues in ascending order, and eigenvectors in the columns, of a matrix of which the lower triangle is read. `numbers` has 2 n
/// doubles, `work` n² + 2 n numbers. NaN if an element is not finite.
template<class T>
void eigen_symmetric(T const* a, T* values, T* vectors, double* numbers, T* work, std::int64_t n) {
    T most = 0;
    bool finite = true;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) {
            T const e = libm::abs(a[i * n + j]);
            finite = finite && e <= std::numeric_limits<T>::max();
            if (e > most) most = e;
        }
    T const by = most > T(0) ? most : T(1);   // squares of the elements are then in range
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) work[i * n + j] = work[j * n + i] = a[i * n + j] / by;
    double *const d = numbers, *const e = numbers + n;
    if (finite) {
        make_tridiagonal(work, d, e, vectors, work + n * n, n);
        finite = diagonalize(d, e, vectors, n);
    }
    if (!finite) {
        fill(values, std::numeric_limits<T>::quiet_NaN(), n);
        fill(vectors, std::numeric_limits<T>::quiet_NaN(), n * n);
        return;
    }
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t const least = std::min_element(d + k, d + n) - d;
        if (least != k) {
            std::swap(d[k], d[least]);
            std::swap_ranges(vectors + k * n, vectors + (k + 1) * n, vectors + least * n);
        }
        values[k] = static_cast<T>(d[k] * static_cast<double>(by));
    }
    transpose_in_place(vectors, n);
}

}   // namespace detail::loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
