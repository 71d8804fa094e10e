// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a small symmetric matrix.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cmath>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A = Σ λᵢ vᵢ vᵢᵀ for a symmetric matrix A [n, n] in row-major order. The diagonal of `a` becomes λ, in no order. Row
/// i of `v` becomes the vector vᵢ of length 1.
/// The method is cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations, section 8.5). An element is skipped if
/// it is below the rounding error of its diagonal elements. So small eigenvalues of a positive definite matrix are as
/// exact as large ones (Demmel & Veselić 1992).
/// It takes about six sweeps of n³ operations. NaN gives NaN.
inline void symmetric_eigen(double* a, double* v, int n) {
    for (int i = 0; i < n * n; ++i) v[i] = i % (n + 1) == 0 ? 1 : 0;
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < 50; ++sweep) {
        rotated = false;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                double const app = a[p * n + p], aqq = a[q * n + q], apq = a[p * n + q];
                double const hidden = std::numeric_limits<double>::epsilon() * std::sqrt(std::abs(app)) * std::sqrt(std::abs(aqq));
                if (!(std::abs(apq) > hidden)) continue;
                rotated = true;
                double const tau = (aqq - app) / (2 * apq);
                double const t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::hypot(1.0, tau));
                double const c = 1 / std::hypot(1.0, t), s = t * c;
                for (int k = 0; k < n; ++k) {
                    double const akp = a[k * n + p], akq = a[k * n + q];
                    a[p * n + k] = a[k * n + p] = c * akp - s * akq;
                    a[q * n + k] = a[k * n + q] = s * akp + c * akq;
                    double const vp = v[p * n + k], vq = v[q * n + k];
                    v[p * n + k] = c * vp - s * vq;
                    v[q * n + k] = s * vp + c * vq;
                }
                a[p * n + p] = app - t * apq;
                a[q * n + q] = aqq + t * apq;
                a[p * n + q] = a[q * n + p] = 0;
            }
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
