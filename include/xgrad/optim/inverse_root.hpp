// SPDX-License-Identifier: MIT
// Inverse fourth roots of matrices by products.
#pragma once

#include <xgrad/kernels/update_matrix.hpp>
#include <xgrad/meta/libm.hpp>

#include <cmath>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Doubles in the workspace of inverse_fourth_root of a matrix [n, n].
constexpr std::int64_t inverse_root_workspace(std::int64_t n) { return 6 * n * n; }

/// x ← (A + ε·I)^(−1/4) of a symmetric matrix A [n, n] without negative eigenvalues, ε > 0. The coupled Newton iteration, Guo and Higham 2006, A Schur-Newton method for
/// the matrix p-th root: M = z·(A + ε·I), X = z^(1/4)·I with z so small that all eigenvalues of M are at most 5/2; then T = (5·I − M)/4, X ← X·T, M ← T⁴·M,
/// which takes M to I. An eigenvalue of M that is small grows by 2.4 each time, so that this takes log(condition)/0.9 and some iterations. It stops where M is I as far as
/// rounding lets it be; NaN gives NaN.
template<class T>
void inverse_fourth_root(
    kernels::matrix_work<T> const& work, double* x, double const* a, double epsilon, std::int64_t n, double* workspace) {
    std::int64_t const size = n * n;
    double *result = workspace, *next = result + size, *t = next + size, *square = t + size, *m = square + size, *next_m = m + size;
    for (std::int64_t i = 0; i < size; ++i) m[i] = a[i] + (i % (n + 1) == 0 ? epsilon : 0.0);
    double const z = 2.5 / kernels::norm_of(m, size), root = libm::sqrt(libm::sqrt(z));
    for (std::int64_t i = 0; i < size; ++i) {
        m[i] *= z;
        result[i] = i % (n + 1) == 0 ? root : 0.0;
    }
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 200; ++k) {
        double error = 0;   // the largest of |M − I|
        for (std::int64_t i = 0; i < size; ++i) {
            double const one = i % (n + 1) == 0 ? 1.0 : 0.0, e = std::fabs(m[i] - one);
            error = e > error || e != e ? e : error;
            t[i] = 1.25 * one - 0.25 * m[i];
        }
        if (error < 1e-3 && error >= before) break;   // what is left is rounding
        work.template multiply<false, false>(next, result, t, n, n, n);
        std::swap(result, next);
        if (error < 1e-9 || error != error) break;   // the next error is its square
        before = error;
        work.template multiply<false, false>(square, t, t, n, n, n);
        work.template multiply<false, false>(t, square, square, n, n, n);
        work.template multiply<false, false>(next_m, t, m, n, n, n);
        std::swap(m, next_m);
    }
    for (std::int64_t i = 0; i < size; ++i) x[i] = result[i];
}

}   // namespace detail
XGRAD_NAMESPACE_END
