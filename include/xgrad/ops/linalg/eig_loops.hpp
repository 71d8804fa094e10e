// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of one square matrix of real numbers, without operations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace detail::loops {

/// A complex number whose product has no checks for infinities.
struct number {
    double re, im;
    friend number operator+(number a, number b) { return {a.re + b.re, a.im + b.im}; }
    friend number operator-(number a, number b) { return {a.re - b.re, a.im - b.im}; }
    friend number operator*(number a, number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend number operator*(double a, number b) { return {a * b.re, a * b.im}; }
    friend number conj(number a) { return {a.re, -a.im}; }
    friend double size(number a) { return std::hypot(a.re, a.im); }
    friend number operator/(number a, number b) {
        double const s = size(b);
        number const unit{b.re / s, b.im / s};
        number const r = a * conj(unit);
        return {r.re / s, r.im / s};
    }
};
inline number root_of(number a) {
    double const s = size(a);
    double const re = std::sqrt((s + std::abs(a.re)) / 2);
    if (re == 0) return {0, 0};
    double const im = a.im / (2 * re);
    return a.re >= 0 ? number{re, im} : number{std::abs(im), a.im < 0 ? -re : re};
}

/// h and q of n × n numbers: h becomes upper triangular, and q h qᴴ stays what it was. False if an eigenvalue does not converge. The steps
/// are those of the QR algorithm with Wilkinson's shift, after reflections that make h zero below its first diagonal.
/// Source: Golub and Van Loan, Matrix Computations, 7.4 and 7.5.
class triangular_form {
    number *h_, *q_;
    std::int64_t n_;
    double norm_;
    number& h(std::int64_t i, std::int64_t k) { return h_[i * n_ + k]; }
    number& q(std::int64_t i, std::int64_t k) { return q_[i * n_ + k]; }

    bool is_zero_below(std::int64_t i) {
        double const around = size(h(i, i)) + size(h(i - 1, i - 1));
        return size(h(i, i - 1)) <= std::numeric_limits<double>::epsilon() * (around == 0 ? norm_ : around);
    }
    void reflect(std::int64_t k, number* v) {
        double length = 0;
        for (std::int64_t i = k + 1; i < n_; ++i) length = std::hypot(length, h(i, k).re);   // the numbers are real here
        if (length == 0) return;
        for (std::int64_t i = k + 1; i < n_; ++i) v[i] = h(i, k);
        v[k + 1].re += v[k + 1].re < 0 ? -length : length;
        double sum = 0;
        for (std::int64_t i = k + 1; i < n_; ++i) sum += v[i].re * v[i].re;
        for (std::int64_t c = k; c < n_; ++c) {
            double dot = 0;
            for (std::int64_t i = k + 1; i < n_; ++i) dot += v[i].re * h(i, c).re;
            for (std::int64_t i = k + 1; i < n_; ++i) h(i, c).re -= 2 * dot / sum * v[i].re;
        }
        for (number* const m : {h_, q_})
            for (std::int64_t r = 0; r < n_; ++r) {
                double dot = 0;
                for (std::int64_t i = k + 1; i < n_; ++i) dot += m[r * n_ + i].re * v[i].re;
                for (std::int64_t i = k + 1; i < n_; ++i) m[r * n_ + i].re -= 2 * dot / sum * v[i].re;
            }
        for (std::int64_t i = k + 2; i < n_; ++i) h(i, k) = {0, 0};
    }
    number shift(std::int64_t last, int turn) {
        if (turn % 10 == 0) return {h(last, last).re + size(h(last, last - 1)), h(last, last).im};   // another one if it does not converge
        number const a = h(last - 1, last - 1), d = h(last, last), off = h(last - 1, last) * h(last, last - 1);
        number const half = 0.5 * (a - d), root = root_of(half * half + off);
        number const up = half + root, down = half - root, far = size(up) > size(down) ? up : down;
        return size(far) == 0 ? d : d - off / far;
    }
    /// Multiplies columns k and k + 1 of the first `rows` rows by the conjugated rotation.
    void turn_columns(number* m, std::int64_t rows, std::int64_t k, double c, number s) {
        for (std::int64_t i = 0; i < rows; ++i) {
            number const a = m[i * n_ + k], b = m[i * n_ + k + 1];
            m[i * n_ + k] = c * a + conj(s) * b;
            m[i * n_ + k + 1] = c * b - s * a;
        }
    }
    void step(std::int64_t first, std::int64_t last, number by, number* rotations) {
        for (std::int64_t i = first; i <= last; ++i) h(i, i) = h(i, i) - by;
        for (std::int64_t k = first; k < last; ++k) {
            number const a = h(k, k), b = h(k + 1, k);
            double const length = std::hypot(size(a), size(b));
            double const c = length == 0 ? 1 : size(a) / length;
            number const unit = size(a) == 0 ? number{1, 0} : (1 / size(a)) * a;
            number const s = length == 0 ? number{0, 0} : (1 / length) * (unit * conj(b));
            for (std::int64_t j = k; j < n_; ++j) {
                number const upper = h(k, j), lower = h(k + 1, j);
                h(k, j) = c * upper + s * lower;
                h(k + 1, j) = c * lower - conj(s) * upper;
            }
            h(k + 1, k) = {0, 0};
            rotations[k] = {c, 0};
            rotations[n_ + k] = s;
        }
        for (std::int64_t k = first; k < last; ++k) {
            turn_columns(h_, std::min(k + 2, last + 1), k, rotations[k].re, rotations[n_ + k]);
            turn_columns(q_, n_, k, rotations[k].re, rotations[n_ + k]);
        }
        for (std::int64_t i = first; i <= last; ++i) h(i, i) = h(i, i) + by;
    }

public:
    triangular_form(number* h, number* q, std::int64_t n, double norm) : h_(h), q_(q), n_(n), norm_(norm) {}
    /// `room` has 2 n numbers.
    bool run(number* room) {
        for (std::int64_t i = 0; i < n_ * n_; ++i) q_[i] = {i % (n_ + 1) == 0 ? 1.0 : 0.0, 0};
        for (std::int64_t k = 0; k + 2 < n_; ++k) reflect(k, room);
        int turns = 0;
        for (std::int64_t last = n_ - 1; last > 0;) {
            std::int64_t first = last;
            while (first > 0 && !is_zero_below(first)) --first;
            if (first > 0) h(first, first - 1) = {0, 0};
            if (first == last) {
                --last;
                turns = 0;
                continue;
            }
            if (++turns > 60) return false;
            step(first, last, shift(last, turns), room);
        }
        return true;
    }
};

/// The eigenvalues of a, ascending by real and imaginary parts, and eigenvectors of length 1 as columns. The largest element of each is
/// real. Those of a pair are conjugated. `work` has n (2 n + 4) numbers.
template<class T>
void eigen(T const* a, T* re, T* im, T* vectors_re, T* vectors_im, number* work, std::int64_t n) {
    number *const h = work, *const q = h + n * n, *const values = q + n * n, *const room = values + n;
    double norm = 0;
    for (std::int64_t i = 0; i < n * n; ++i) {
        h[i] = {static_cast<double>(a[i]), 0};
        norm = std::hypot(norm, h[i].re);
    }
    if (!triangular_form(h, q, n, norm).run(room)) {
        std::fill(re, re + n, std::numeric_limits<T>::quiet_NaN());
        std::fill(im, im + n, std::numeric_limits<T>::quiet_NaN());
        std::fill(vectors_re, vectors_re + n * n, std::numeric_limits<T>::quiet_NaN());
        std::fill(vectors_im, vectors_im + n * n, std::numeric_limits<T>::quiet_NaN());
        return;
    }
    double const least = std::numeric_limits<double>::epsilon() * std::max(norm, std::numeric_limits<double>::min());
    // Vectors of the triangular matrix, from the last column on, because column k is read by those after it. They take its place.
    for (std::int64_t k = 0; k < n; ++k) values[k] = h[k * n + k];
    number* const x = room;
    for (std::int64_t k = n; k-- > 0;) {
        x[k] = {1, 0};
        for (std::int64_t i = k; i-- > 0;) {
            number sum{0, 0};
            for (std::int64_t j = i + 1; j <= k; ++j) sum = sum + h[i * n + j] * x[j];
            number apart = values[k] - values[i];
            if (size(apart) < least) apart = {least, 0};
            x[i] = sum / apart;
            if (size(x[i]) > 1e100)
                for (std::int64_t j = i; j <= k; ++j) x[j] = 1e-100 * x[j];
        }
        // column k of q is not needed by the columns before it
        double length = 0, most = -1;
        number unit{1, 0};
        for (std::int64_t r = 0; r < n; ++r) {
            number sum{0, 0};
            for (std::int64_t j = 0; j <= k; ++j) sum = sum + q[r * n + j] * x[j];
            q[r * n + k] = sum;
            length = std::hypot(length, size(sum));
            if (size(sum) > most * (1 + 1e-12)) {
                most = size(sum);
                unit = sum;
            }
        }
        unit = (1 / (size(unit) * length)) * conj(unit);
        for (std::int64_t r = 0; r < n; ++r) q[r * n + k] = unit * q[r * n + k];
    }
    // A real matrix has real eigenvalues and conjugated pairs, which rounding has changed a little.
    auto const each_of = [&](std::int64_t k, auto const& f) {
        for (std::int64_t r = 0; r < n; ++r) f(q[r * n + k]);
    };
    double const real = 8 * static_cast<double>(n) * least;
    for (std::int64_t k = 0; k < n; ++k)
        if (std::abs(values[k].im) <= real) {
            values[k].im = 0;
            double length = 0;
            each_of(k, [&](number& e) { e.im = 0, length = std::hypot(length, e.re); });
            each_of(k, [&](number& e) { e.re /= length; });
        }
    bool* const paired = reinterpret_cast<bool*>(room);
    std::fill(paired, paired + n, false);
    for (std::int64_t k = 0; k < n; ++k) {
        if (values[k].im <= 0) continue;
        std::int64_t other = -1;
        for (std::int64_t j = 0; j < n; ++j)
            if (values[j].im < 0 && !paired[j] && (other < 0 || size(values[j] - conj(values[k])) < size(values[other] - conj(values[k]))))
                other = j;
        if (other < 0) continue;
        paired[other] = true;
        values[other] = conj(values[k]);
        for (std::int64_t r = 0; r < n; ++r) q[r * n + other] = conj(q[r * n + k]);
    }
    auto* const order = reinterpret_cast<std::int64_t*>(room);
    for (std::int64_t k = 0; k < n; ++k) order[k] = k;
    std::sort(order, order + n, [&](std::int64_t i, std::int64_t j) {
        if (values[i].re != values[j].re) return values[i].re < values[j].re;
        if (values[i].im != values[j].im) return values[i].im < values[j].im;
        return i < j;
    });
    for (std::int64_t k = 0; k < n; ++k) {
        re[k] = static_cast<T>(values[order[k]].re);
        im[k] = static_cast<T>(values[order[k]].im);
        for (std::int64_t r = 0; r < n; ++r) {
            vectors_re[r * n + k] = static_cast<T>(q[r * n + order[k]].re);
            vectors_im[r * n + k] = static_cast<T>(q[r * n + order[k]].im);
        }
    }
}

}   // namespace detail::loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
