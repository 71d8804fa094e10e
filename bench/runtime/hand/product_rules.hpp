// SPDX-License-Identifier: MIT
// Hand-written Muon and Shampoo. One half of a symmetric product is computed, and the work around a product is done where it is written.
// Each formula is that of the rule of the same name in xgrad/optim.
#pragma once

#include "matrix_rules.hpp"
#include "products.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace hand {
inline namespace HAND_NAMESPACE {

struct muon : matrix_state {
    buffer<float> x, next, square, sum;
    products<vf> by;
    muon(std::size_t n, std::size_t m)
        : matrix_state(n, m), x(n * m), next(n * m), square(std::min(n, m) * std::min(n, m)), sum(square.size()) {}
    void step() {
        int const n = int(rows), m = int(columns), small = std::min(n, m), large = std::max(n, m);
        bool const tall = n > m;
        float inverse = float(1 / std::max(std::sqrt(momentum_step()), 1e-7));   // the first product is of x as it is
        float const shape = tall ? std::sqrt(float(n) / float(m)) : 1;
        for (int k = 0; k < 5; ++k) {
            view<vf> const row_major{x, m, 1}, transposed{x, 1, m};
            vf const scale = all(inverse * inverse), b = all(-4.775), c = all(2.0315), a = all(3.4445);
            by.symmetric(
                tall ? transposed : row_major, tall ? row_major : transposed, small, large,
                square, [scale](int, int, vf v) __attribute__((always_inline)) { return v * scale; });
            float const* const old = square;
            by.symmetric(
                {square, small, 1}, {square, small, 1}, small, small,
                sum, [=](int i, int j, vf v) __attribute__((always_inline)) { return fma(v, c, loadf(old + i * small + j) * b); });
            view<vf> const polynomial{sum, small, 1};
            float const* const from = x;
            float *const to = next, *const param = w;
            if (k < 4) {
                vf const size = all(inverse);
                by.multiply(
                    tall ? row_major : polynomial, tall ? polynomial : row_major, n, m, small, next,
                    false, [=](int i, int j, vf v) __attribute__((always_inline)) {
                        store<vf>(to + i * m + j, fma(loadf(from + i * m + j), a, v) * size);
                    });
                std::swap(x, next);
                inverse = 1;
            } else {
                vf const rate = all(1e-3 * double(shape)), keep = all(1 - 1e-3 * 0.1);
                by.multiply(
                    tall ? row_major : polynomial, tall ? polynomial : row_major, n, m, small, next,
                    false, [=](int i, int j, vf v) __attribute__((always_inline)) {
                        std::ptrdiff_t const at = i * m + j;
                        store<vf>(param + at, fnma(fma(loadf(from + at), a, v), rate, loadf(param + at) * keep));
                    });
            }
        }
    }

private:
    // Moves the momentum and makes x of it; the sum of its squares.
    double momentum_step() {
        vf const rest = all(0.05), keep = all(0.95);
        double total = 0;
        for (std::size_t from = 0; from < rows * columns; from += 32 * wf) {
            vf sum[2]{};
            for (std::size_t i = from; i < std::min(rows * columns, from + 32 * wf); i += wf) {
                vf const gi = loadf(g + i), m = fma(gi - loadf(momentum + i), rest, loadf(momentum + i)), v = fma(m - gi, keep, gi);
                store<vf>(momentum + i, m);
                store<vf>(x + i, v);
                sum[i / wf % 2] = fma(v, v, sum[i / wf % 2]);
            }
            total += double(hsum(sum[0] + sum[1]));
        }
        return total;
    }
};

/// One root of a symmetric matrix by the coupled iteration of Newton.
class inverse_root {
    int n_;
    buffer<double> result_, next_, t_, square_, m_;

    // t = 1 - (m - 1) / 4; the largest of |m - 1|.
    double error_and_t() {
        vd largest{};
        vd const quarter = set1<vd>(-0.25);
        for (int i = 0; i < n_; ++i) {
            double *const m = m_ + i * n_, *const t = t_ + i * n_;
            double const old = m[i];
            m[i] = old - 1;
            for (int j = 0; j < n_; j += wd) {
                vd const x = loadd(m + j);
                largest = max(largest, abs(x));
                store<vd>(t + j, x * quarter);
            }
            m[i] = old;
            t[i] += 1;
        }
        return hmax(largest);
    }

public:
    explicit inverse_root(std::size_t n) : n_(int(n)), result_(n * n), next_(n * n), t_(n * n), square_(n * n), m_(n * n) {}
    /// x = (a + 1e-6)^(-1/4).
    void find(products<vd>& by, double* x, double const* a) {
        int const n = n_, size = n * n;
        double total = 0;
        for (int i = 0; i < n; ++i) {
            vd sum{};
            double* const m = m_ + i * n;
            std::copy_n(a + i * n, n, m);
            m[i] += 1e-6;
            for (int j = 0; j < n; j += wd) sum = fma(loadd(m + j), loadd(m + j), sum);
            total += hsum(sum);
        }
        double const z = 2.5 / std::sqrt(total), root = std::sqrt(std::sqrt(z));
        vd const scale = set1<vd>(z), first = set1<vd>(root);
        for (int i = 0; i < size; i += wd) store<vd>(m_ + i, loadd(m_ + i) * scale);
        auto const same = [](int, int, vd v) __attribute__((always_inline)) { return v; };
        auto const whole = [n](double const* p) { return view<vd>{p, n, 1}; };
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 200; ++k) {
            double const error = error_and_t();
            if (error < 1e-3 && error >= before) break;
            if (k == 0)   // the result begins as a multiple of 1
                for (int i = 0; i < size; i += wd) store<vd>(next_ + i, loadd(t_ + i) * first);
            else by.symmetric(whole(result_), whole(t_), n, n, next_, same);
            std::swap(result_, next_);
            if (error < 1e-9) break;
            before = error;
            by.symmetric(whole(t_), whole(t_), n, n, square_, same);
            by.symmetric(whole(square_), whole(square_), n, n, t_, same);
            by.symmetric(whole(t_), whole(m_), n, n, next_, same);
            std::swap(m_, next_);
        }
        std::copy_n(result_.data(), size, x);
    }
};

struct shampoo : matrix_state {
    buffer<double> d, product, left, right, left_root, right_root;
    products<vd> by;
    inverse_root of_left, of_right;
    shampoo(std::size_t n, std::size_t m)
        : matrix_state(n, m), d(n * m), product(n * m), left(n * n), right(m * m), left_root(n * n), right_root(m * m), of_left(n),
          of_right(m) {}
    void step() {
        int const n = int(rows), m = int(columns);
        for (std::size_t i = 0; i < rows * columns; ++i) d[i] = double(g[i]);
        view<vd> const row_major{d, m, 1}, transposed{d, 1, m};
        add(row_major, transposed, n, m, left);
        add(transposed, row_major, m, n, right);
        of_left.find(by, left_root, left);
        of_right.find(by, right_root, right);
        double* const middle = product;
        by.multiply(
            {left_root, n, 1}, row_major, n, m, n, product,
            false, [=](int i, int j, vd v) __attribute__((always_inline)) { store<vd>(middle + i * m + j, v); });
        double* const last = d;
        by.multiply(
            {product, m, 1}, {right_root, m, 1}, n, m, m, d,
            false, [=](int i, int j, vd v) __attribute__((always_inline)) { store<vd>(last + i * m + j, v); });
        for (std::size_t i = 0; i < rows * columns; ++i) {
            momentum[i] = float(d[i]);
            w[i] -= 1e-3f * momentum[i];
        }
    }

private:
    void add(view<vd> a, view<vd> b, int n, int k, buffer<double>& to) {
        // `next` of the sums is another matrix: an unfinished sum must not overwrite the old one
        double const* const old = to;
        double* const scratch = of(n);
        by.symmetric(
            a, b, n, k, scratch, [=](int i, int j, vd v) __attribute__((always_inline)) { return v + loadd(old + i * n + j); });
        std::copy_n(scratch, n * n, to.data());
    }
    double* of(int n) { return n == int(rows) ? left_root : right_root; }   // not in use before the roots are taken
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
