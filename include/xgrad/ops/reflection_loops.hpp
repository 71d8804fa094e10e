// SPDX-License-Identifier: MIT
// Loops with reflections and rotations on plain row-major memory: QR, eigenvalues of symmetric matrices, singular values.
// They allocate nothing.
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
/// Reflections that are applied together: H₀ H₁ ... = 1 - V T Vᵀ, with V [m, count] and T [count, count], upper triangular.
/// Source: R. Schreiber, C. Van Loan, A storage-efficient WY representation for products of Householder transformations, 1989.
template<class T>
struct block_reflection {
    static constexpr std::int64_t most = block_rows;
    T *v, *t, *sums, *turned;   // sums and turned have `most` rows
    /// Numbers that reflections of [m, n] need.
    static constexpr std::int64_t numbers(std::int64_t m, std::int64_t n) { return most * (m + most + 2 * n); }
    block_reflection(T* work, std::int64_t m, std::int64_t n)
        : v(work), t(work + most * m), sums(t + most * most), turned(sums + most * n) {}

    /// Reads the reflections of `count` columns of a, in which rows are `step` apart and V is below the diagonal.
    void read(T const* a, std::int64_t step, T const* tau, std::int64_t m, std::int64_t count) {
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t k = 0; k < count; ++k) v[i * count + k] = i < k ? T(0) : i == k ? T(1) : a[i * step + k];
        fill(t, T(0), count * count);
        fill(sums, T(0), count * count);
        add_product<true>(sums, count, {v, 1, count}, v, count, count, count, m);   // Vᵀ V
        for (std::int64_t k = 0; k < count; ++k) {
            t[k * count + k] = tau[k];
            for (std::int64_t i = 0; i < k; ++i) {
                T sum = 0;
                for (std::int64_t p = i; p < k; ++p) sum += t[i * count + p] * sums[p * count + k];
                t[i * count + k] = -tau[k] * sum;
            }
        }
    }
    /// The rows of c [m, n] become (1 - V T Vᵀ) c, or (1 - V Tᵀ Vᵀ) c if they are transposed.
    void apply(T* c, std::int64_t step, bool transposed, std::int64_t m, std::int64_t n, std::int64_t count) const {
        fill(sums, T(0), count * n);
        fill(turned, T(0), count * n);
        add_product<true>(sums, n, {v, 1, count}, c, step, count, n, m);
        add_product<true>(turned, n, {t, transposed ? 1 : count, transposed ? count : 1}, sums, n, count, n, count);
        add_product<false>(c, step, {v, count, 1}, turned, n, m, n, count);
    }
};
/// a [m, n] with m >= n becomes R and the reflections below it; q [m, n] and r [n, n] are written. `work` has n numbers and those of
/// block_reflection.
template<class T>
void factor_qr(T* a, T* q, T* r, T* work, std::int64_t m, std::int64_t n) {
    T* const tau = work;
    block_reflection<T> block(work + n, m, n);
    auto at = [n](T* matrix, std::int64_t i, std::int64_t j) { return matrix + i * n + j; };
    for (std::int64_t first = 0; first < n; first += block.most) {
        std::int64_t const count = std::min(block.most, n - first), last = first + count;
        for (std::int64_t k = first; k < last; ++k) {
            auto const h = reflect(at(a, k, k), n, m - k);
            tau[k] = h.tau;
            r[k * n + k] = h.beta;
            T* const sums = block.sums;
            fill(sums, T(0), last - k - 1);
            add_product<true>(sums, n, {at(a, k, k), 1, n}, at(a, k, k + 1), n, 1, last - k - 1, m - k);
            for (std::int64_t i = k; i < m; ++i) subtract_scaled(at(a, i, k + 1), h.tau * *at(a, i, k), sums, last - k - 1);
        }
        if (last == n) break;
        block.read(at(a, first, first), n, tau + first, m - first, count);
        block.apply(at(a, first, last), n, true, m - first, n - last, count);
    }
    for (std::int64_t k = 0; k < n; ++k) {
        fill(r + k * n, T(0), k);
        copy(r + k * n + k + 1, at(a, k, k + 1), n - k - 1);
    }
    fill(q, T(0), m * n);
    for (std::int64_t k = 0; k < n; ++k) *at(q, k, k) = T(1);
    for (std::int64_t first = (n - 1) / block.most * block.most; first >= 0; first -= block.most) {
        std::int64_t const count = std::min(block.most, n - first);
        if (count <= 0) break;
        block.read(at(a, first, first), n, tau + first, m - first, count);
        block.apply(at(q, first, first), n, false, m - first, n - first, count);
    }
}

/// Rotates the columns of V, one vector after the other from `w` on, in the rows of rotate_rows.
template<class V, class T, std::size_t... I>
XGRAD_INLINE void rotate_columns(T* w, T const* c, T const* s, std::int64_t count, std::int64_t n, std::index_sequence<I...>) {
    constexpr std::int64_t size = sizeof(V) / sizeof(T);
    T* row = w + count * n;
    V last[sizeof...(I)] = {load<V>(row + static_cast<std::int64_t>(I) * size)...};
    for (std::int64_t k = count; k-- > 0; row -= n) {
        V const cosine = c[k] - V{}, sine = s[k] - V{}, x[sizeof...(I)] = {load<V>(row - n + static_cast<std::int64_t>(I) * size)...};
        (store(row + static_cast<std::int64_t>(I) * size, sine * x[I] + cosine * last[I]), ...);
        ((last[I] = cosine * x[I] - sine * last[I]), ...);
    }
    (store(row + static_cast<std::int64_t>(I) * size, last[I]), ...);
}
/// Rotates rows k and k + 1 of w [count + 1, n] by c[k] and s[k], from the last pair to the first. A row is read once.
template<class T>
void rotate_rows(T* w, T const* c, T const* s, std::int64_t count, std::int64_t n) {
    constexpr std::size_t together = 4;   // the sums of one vector would wait for each other
    constexpr std::int64_t wide = static_cast<std::int64_t>(together) * width<T>;
    std::int64_t j = 0;
    for (; j + wide <= n; j += wide) rotate_columns<vec<T>>(w + j, c, s, count, n, std::make_index_sequence<together>{});
    for (; j + width<T> <= n; j += width<T>) rotate_columns<vec<T>>(w + j, c, s, count, n, std::make_index_sequence<1>{});
    for (; j < n; ++j) rotate_columns<T>(w + j, c, s, count, n, std::make_index_sequence<1>{});
}

/// The square root of a² + b².
inline double length_of(double a, double b) {
    double const x = libm::abs(a), y = libm::abs(b), more = x > y ? x : y, less = x > y ? y : x;
    return more == 0 ? 0 : more * libm::sqrt(1 + less / more * (less / more));
}
/// Diagonalizes a tridiagonal matrix by the implicit QL algorithm: d is its diagonal and becomes the eigenvalues, e[i] is next to d[i]
/// and d[i + 1]. The rows of w are rotated. `turns` has 2 n numbers. False if it does not converge, as for NaN. Source: EISPACK's imtql2.
template<class T>
bool diagonalize(double* d, double* e, T* w, T* turns, std::int64_t n) {
    T *const cosines = turns, *const sines = turns + n;
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
            std::int64_t first = m;   // rotations from here on are known
            bool split = false;
            while (first > l && !split) {
                std::int64_t const i = first - 1;
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
                    cosines[i] = static_cast<T>(c);
                    sines[i] = static_cast<T>(s);
                    first = i;
                }
            }
            rotate_rows(w + first * n, cosines + first, sines + first, m - first, n);
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
        finite = diagonalize(d, e, vectors, work + n * n, n);
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

/// a = c a - s b, b = s a + c b.
template<class T>
XGRAD_INLINE void rotate(T* a, T* b, T c, T s, std::int64_t n) {
    using V = vec<T>;
    std::int64_t i = 0;
    for (V const cosine = c - V{}, sine = s - V{}; i + width<T> <= n; i += width<T>) {
        V const x = load<V>(a + i), y = load<V>(b + i);
        store(a + i, cosine * x - sine * y);
        store(b + i, sine * x + cosine * y);
    }
    for (; i < n; ++i) {
        T const x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}
/// Makes the rows of b [n, m] orthogonal by rotations, which w [n, n] collects. False if it does not converge, as for NaN.
/// Source: M. Hestenes, Inversion of matrices by biorthogonalization, 1958 (one-sided Jacobi).
template<class T>
bool make_orthogonal(T* b, T* w, std::int64_t n, std::int64_t m) {
    constexpr int most_sweeps = 60;
    T const small = std::numeric_limits<T>::epsilon() * T(4);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool turned = false;
        for (std::int64_t p = 0; p < n; ++p)
            for (std::int64_t q = p + 1; q < n; ++q) {
                T *const x = b + p * m, *const y = b + q * m;
                T const xx = dot(x, x, m), yy = dot(y, y, m), xy = dot(x, y, m);
                if (libm::abs(xy) <= small * libm::sqrt(xx) * libm::sqrt(yy)) continue;
                turned = true;
                T const z = (yy - xx) / (T(2) * xy), t = libm::copysign(T(1), z) / (libm::abs(z) + libm::sqrt(T(1) + z * z));
                T const c = T(1) / libm::sqrt(T(1) + t * t);
                rotate(x, y, c, c * t, m);
                rotate(w + p * n, w + q * n, c, c * t, n);
            }
        if (!turned) return true;
    }
    return false;
}
/// Row `k` of b [n, m], of zeros, becomes a unit vector that is orthogonal to the rows before it.
template<class T>
void complete_row(T* b, std::int64_t k, std::int64_t m) {
    T* const row = b + k * m;
    for (std::int64_t j = 0; j < m; ++j) {
        fill(row, T(0), m);
        row[j] = T(1);
        for (int again = 0; again < 2; ++again)
            for (std::int64_t i = 0; i < k; ++i) subtract_scaled(row, dot(row, b + i * m, m), b + i * m, m);
        T const square = dot(row, row, m);
        if (square * static_cast<T>(2 * m) < T(1)) continue;   // nearly a sum of the rows before; not all unit vectors are
        scale(row, T(1) / libm::sqrt(square), m);
        return;
    }
}
/// Singular values in descending order, u [m, n] and v [n, n] of a [m, n] with m >= n. `work` has m n numbers. NaN if an element
/// is not finite.
template<class T>
void singular_values(T const* a, T* values, T* u, T* v, T* work, std::int64_t m, std::int64_t n) {
    T most = 0;
    bool finite = true;
    for (std::int64_t i = 0; i < m * n; ++i) {
        T const e = libm::abs(a[i]);
        finite = finite && e <= std::numeric_limits<T>::max();
        if (e > most) most = e;
    }
    T const by = most > T(0) ? most : T(1);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) work[j * m + i] = a[i * n + j] / by;
    fill_identity(v, n);
    if (!finite || !make_orthogonal(work, v, n, m)) {
        fill(values, std::numeric_limits<T>::quiet_NaN(), n);
        fill(u, std::numeric_limits<T>::quiet_NaN(), m * n);
        fill(v, std::numeric_limits<T>::quiet_NaN(), n * n);
        return;
    }
    for (std::int64_t k = 0; k < n; ++k) values[k] = libm::sqrt(dot(work + k * m, work + k * m, m));
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t const largest = std::max_element(values + k, values + n) - values;
        if (largest != k) {
            std::swap(values[k], values[largest]);
            std::swap_ranges(work + k * m, work + (k + 1) * m, work + largest * m);
            std::swap_ranges(v + k * n, v + (k + 1) * n, v + largest * n);
        }
        if (values[k] > T(0)) divide(work + k * m, values[k], m);
        else complete_row(work, k, m);
        values[k] *= by;
        for (std::int64_t i = 0; i < m; ++i) u[i * n + k] = work[k * m + i];
    }
    transpose_in_place(v, n);
}

}   // namespace detail::loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
