// SPDX-License-Identifier: MIT
// Hand-written update rules that keep numbers for the rows and columns of a matrix, four rows at a time. Each formula is that of the rule
// of the same name in xgrad/optim.
#pragma once

#include "data.hpp"
#include "more_rules.hpp"

#include <cmath>
#include <limits>

namespace hand {
inline namespace HAND_NAMESPACE {

/// A matrix with its gradient, rows a multiple of 4 and columns of a vector, and a number for each row and column.
/// Both sides of a bench get the same numbers.
struct matrix_state {
    std::size_t rows, columns;
    buffer<float> w, g, momentum, row, column;

    matrix_state(std::size_t n, std::size_t m) : rows(n), columns(m), w(n * m), g(n * m), momentum(n * m), row(n), column(m) {
        for (std::size_t i = 0; i < n * m; ++i) {
            w[i] = float(0.1 * (2 * uniform(31, 0, i) - 1));
            g[i] = float(0.1 * (2 * uniform(31, 1, i) - 1));
        }
    }
};

/// Three passes: squares of the gradient; lengths of step and matrix; the step. The parts of a row and of a column in the root are factors.
struct adafactor : matrix_state {
    static constexpr int slots = 2;
    buffer<float> sums, factor;   // of columns
    double step_number = 0;

    adafactor(std::size_t n, std::size_t m) : matrix_state(n, m), sums(m), factor(m) {}
    float* slot(int k) { return k == 0 ? row : column; }
    void step() {
        step_number += 1;
        float const rest = float(std::pow(step_number, -0.8)), keep = 1 - rest;
        std::fill_n(sums.data(), columns, 0.0f);
        double const mean = squares(keep, rest) / double(rows);
        for (std::size_t c = 0; c < columns; c += wf) {
            vf const next = fma(loadf(sums + c), all(rest / float(rows)), loadf(column + c) * all(keep));
            store<vf>(column + c, next);
            store<vf>(factor + c, all(1) / sqrt(next));
        }
        auto const [step, length] = lengths(mean);
        double const count = double(rows * columns),
                     rate = 0.01 * std::max(std::sqrt(length / count), 1e-3) / std::max(std::sqrt(step / count), 1.0);
        for (std::size_t r = 0; r < rows; ++r) {
            vf const by = all(rate * std::sqrt(mean / double(row[r])));
            float* const to = w + r * columns;
            float const* const from = g + r * columns;
#pragma GCC unroll 4
            for (std::size_t c = 0; c < columns; c += wf) store<vf>(to + c, fnma(loadf(from + c) * loadf(factor + c), by, loadf(to + c)));
        }
    }

private:
    // Moves the moments of rows, adds up squares of columns; the sum of the moments.
    double squares(float keep, float rest) {
        double total = 0;
        for (std::size_t r = 0; r < rows; r += 4) {
            float const* const p = g + r * columns;
            vf sum[4]{};
            for (std::size_t c = 0; c < columns; c += wf) {
                vf x[4];
#pragma GCC unroll 4
                for (std::size_t i = 0; i < 4; ++i) {
                    vf const v = loadf(p + i * columns + c);
                    x[i] = v * v;
                    sum[i] = sum[i] + x[i];
                }
                store<vf>(sums + c, loadf(sums + c) + ((x[0] + x[1]) + (x[2] + x[3])));
            }
            for (std::size_t i = 0; i < 4; ++i) {
                row[r + i] = keep * row[r + i] + rest * (hsum(sum[i]) / float(columns));
                total += double(row[r + i]);
            }
        }
        return total;
    }
    // Sums of the squares of the step before its rate, and of the matrix.
    std::pair<double, double> lengths(double mean) const {
        double step = 0, length = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            float const *const p = w + r * columns, *const q = g + r * columns;
            vf a[2]{}, b[2]{};
            std::size_t c = 0;
            auto const add = [&](std::size_t at, int i) __attribute__((always_inline)) {
                vf const u = loadf(q + at) * loadf(factor + at), x = loadf(p + at);
                a[i] = fma(u, u, a[i]);
                b[i] = fma(x, x, b[i]);
            };
            for (; c + 2 * wf <= columns; c += 2 * wf) {
                add(c, 0);
                add(c + wf, 1);
            }
            if (c < columns) add(c, 0);
            step += double(hsum(a[0] + a[1])) * mean / double(row[r]);
            length += double(hsum(b[0] + b[1]));
        }
        return {step, length};
    }
};

/// One pass; the new numbers of columns are stored next to the old ones.
struct sm3 : matrix_state {
    static constexpr int slots = 3;
    buffer<float> next;   // of columns
    sm3(std::size_t n, std::size_t m) : matrix_state(n, m), next(m) {}
    float* slot(int k) { return k == 0 ? momentum : k == 1 ? row : column; }
    void step() {
        vf const rate = all(0.1), keep = all(0.9), rest = all(0.1), e = all(1e-8);
        std::copy_n(column.data(), columns, next.data());
        for (std::size_t r = 0; r < rows; r += 4) {
            vf of_row[4], greatest[4]{};
#pragma GCC unroll 4
            for (std::size_t i = 0; i < 4; ++i) of_row[i] = all(row[r + i]);
            for (std::size_t c = 0; c < columns; c += wf) {
                vf const of_column = loadf(column + c);
                vf most = loadf(next + c);
#pragma GCC unroll 4
                for (std::size_t i = 0; i < 4; ++i) {
                    std::size_t const at = (r + i) * columns + c;
                    vf const x = loadf(g + at), nu = fma(x, x, min(of_row[i], of_column));
                    vf const m = fma(loadf(momentum + at), keep, where_positive(nu, x / sqrt(nu + e)) * rest);
                    greatest[i] = max(greatest[i], nu);
                    most = max(most, nu);
                    store<vf>(momentum + at, m);
                    store<vf>(w + at, fnma(m, rate, loadf(w + at)));
                }
                store<vf>(next + c, most);
            }
#pragma GCC unroll 4
            for (std::size_t i = 0; i < 4; ++i) row[r + i] = hmax(greatest[i]);
        }
        std::swap(column, next);
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
