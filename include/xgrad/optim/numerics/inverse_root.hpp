// SPDX-License-Identifier: MIT
// Inverse fourth roots of matrices, computed by matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/kernels/updates/update_matrix.hpp>
#include <xgrad/meta/libm.hpp>

#include <cstdint>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// t ← 1 − (M − 1)/4 for a matrix M [n, n], where 1 is the unit matrix. Returns the largest element of |M − 1|; NaN if
/// there is a NaN.
inline double newton_factor(double* t, double* m, std::int64_t n) {
    using batch = simd::batch<double>;
    constexpr auto width = static_cast<std::int64_t>(simd::width<double>);
    batch largest(0.0);
    auto const factor = [&](batch x) {
        largest = math::where(math::not_equal(largest, largest), largest, math::max(largest, math::abs(x)));
        return x * batch(-0.25);
    };
    for (std::int64_t i = 0; i < n; ++i) {
        double *const from = m + i * n, *const to = t + i * n;
        double const diagonal = from[i];
        from[i] = diagonal - 1;
        std::int64_t j = 0;
        for (; j + width <= n; j += width) simd::store(to + j, factor(simd::load(from + j)));
        if (j < n) {
            auto const rest = static_cast<std::size_t>(n - j);
            simd::store_partial(to + j, factor(simd::load_partial(from + j, rest)), rest);
        }
        from[i] = diagonal;
        to[i] += 1;
    }
    double lanes[simd::width<double>], error = 0;
    simd::store(lanes, largest);
    for (double const e : lanes) error = e > error || e != e ? e : error;
    return error;
}

/// Doubles in the workspace of inverse_fourth_root for a matrix [n, n].
constexpr std::int64_t inverse_root_workspace(std::int64_t n) { return 6 * n * n; }

/// x ← (A + ε·I)^(−1/4) for a symmetric matrix A [n, n] without negative eigenvalues, ε > 0. Returns false if the
/// iteration did not find a root.
/// This is the coupled Newton iteration of Guo and Higham 2006, A Schur-Newton method for the matrix p-th root:
///
///     M = z·(A + ε·I), X = z^(1/4)·I      z makes all eigenvalues of M at most 5/2
///     repeat: T = (5·I − M)/4             M converges to I
///             X ← X·T
///             M ← T⁴·M
///
/// A small eigenvalue of M grows by 2.4 in each iteration, so this takes log(condition)/0.9 iterations and a few more.
/// It stops when M is I up to rounding. NaN gives NaN.
template<class T>
bool newton_fourth_root(
    kernels::matrix_work<T> const& work, double* x, double const* a, double epsilon, std::int64_t n, double* workspace) {
    std::int64_t const size = n * n;
    double *result = workspace, *next = result + size, *t = next + size, *square = t + size, *m = square + size, *next_m = m + size;
    for (std::int64_t i = 0; i < size; ++i) m[i] = a[i];
    for (std::int64_t i = 0; i < n; ++i) m[i * n + i] += epsilon;
    double const z = 2.5 / kernels::norm_of(m, size), root = libm::sqrt(libm::sqrt(z));
    for (std::int64_t i = 0; i < size; ++i) {
        m[i] *= z;
        result[i] = 0;
    }
    for (std::int64_t i = 0; i < n; ++i) result[i * n + i] = root;
    double before = std::numeric_limits<double>::infinity(), error = before;
    for (int k = 0; k < 200; ++k) {
        error = newton_factor(t, m, n);
        if (error < 1e-3 && error >= before) break;   // only rounding errors are left
        work.template multiply_symmetric<false, false>(
            next, result, t, n, n);   // symmetric, because all factors are functions of one matrix
        std::swap(result, next);
        if (error < 1e-9 || error != error) break;   // the next error is the square of this one
        before = error;
        work.template multiply_symmetric<false, false>(square, t, t, n, n);
        work.template multiply_symmetric<false, false>(t, square, square, n, n);
        work.template multiply_symmetric<false, false>(next_m, t, m, n, n);
        std::swap(m, next_m);
    }
    for (std::int64_t i = 0; i < size; ++i) x[i] = result[i];
    return error < 1e-3;
}
/// The same if rounding has made eigenvalues of A negative. ε is at least n·2⁻⁵²·‖A‖, the bound of NumPy's matrix_rank:
/// smaller eigenvalues are rounding errors.
/// Sums of many terms have larger errors. If no root is found, ε grows by a factor of eight.
template<class T>
void inverse_fourth_root(
    kernels::matrix_work<T> const& work, double* x, double const* a, double epsilon, std::int64_t n, double* workspace) {
    double const norm = kernels::norm_of(a, n * n), rounding = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * norm;
    double ridge = epsilon < rounding ? rounding : epsilon;
    while (!newton_fourth_root(work, x, a, ridge, n, workspace) && ridge < norm) ridge *= 8;   // ends if the norm is infinite or NaN
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
