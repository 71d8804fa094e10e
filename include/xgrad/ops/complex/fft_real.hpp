// SPDX-License-Identifier: MIT
// Transforms of rows of real numbers. An even length takes a complex transform of half the length.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/fft_tables.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail::fft {

/// Of rows of n elements, where n is N or, for N = 0, not known to the compiler. The memory has transform<T>::memory(n) + 6 (n + 1)
/// elements. n is at least 1.
template<std::int64_t N, class T>
class real_transform {
    std::int64_t n_, m_;   // the lengths of the row and of the complex transform
    planes<T> z_, y_;
    planes<T const> w_;
    transform<T> f_;

public:
    real_transform(std::int64_t n, T* memory)
        : n_(n), m_(n % 2 == 0 ? n / 2 : n), z_{memory, memory + n}, y_{memory + 2 * n, memory + 3 * n},
          w_(n % 2 == 0 ? half_roots<(N % 2 == 0 ? N : 0)>(n, memory + 4 * n) : planes<T const>{}),
          f_(transform_of<(N % 2 == 0 ? N / 2 : N)>(m_, memory + 6 * n + 2)) {}

    /// The terms k = 0 ... n/2 of the transform of x.
    void forward(T const* x, T* re, T* im) const {
        std::int64_t const n = n_, m = m_;
        if (m < n) {
            for (std::int64_t k = 0; k < m; ++k) {
                z_.re[k] = x[2 * k];
                z_.im[k] = x[2 * k + 1];
            }
            f_.run({z_.re, z_.im}, y_);
            re[0] = y_.re[0] + y_.im[0];
            re[m] = y_.re[0] - y_.im[0];
            im[0] = im[m] = 0;
            for (std::int64_t k = 1; k < m; ++k) {
                T const er = y_.re[k] + y_.re[m - k], ei = y_.im[k] - y_.im[m - k], dr = y_.im[k] + y_.im[m - k],
                        di = y_.re[m - k] - y_.re[k];
                re[k] = T(0.5) * (er + dr * w_.re[k] - di * w_.im[k]);
                im[k] = T(0.5) * (ei + dr * w_.im[k] + di * w_.re[k]);
            }
        } else {
            for (std::int64_t k = 0; k < n; ++k) z_.im[k] = 0;
            f_.run({x, z_.im}, y_);
            for (std::int64_t k = 0; k < n / 2 + 1; ++k) {
                re[k] = y_.re[k];
                im[k] = y_.im[k];
            }
            im[0] = 0;
        }
    }
    /// n times the inverse of forward. The imaginary parts of k = 0 and k = n/2 are not read.
    void inverse(T const* re, T const* im, T* x) const {
        std::int64_t const n = n_, m = m_;
        if (m < n) {   // even and odd elements are the parts of a transform of half the length
            z_.re[0] = re[0] + re[m];
            z_.im[0] = re[0] - re[m];
            for (std::int64_t k = 1; k < m; ++k) {
                T const er = re[k] + re[m - k], ei = im[k] - im[m - k], dr = re[k] - re[m - k], di = im[k] + im[m - k];
                T const pr = dr * w_.re[k] + di * w_.im[k], pi = di * w_.re[k] - dr * w_.im[k];   // times the conjugate root
                z_.re[k] = er - pi;
                z_.im[k] = ei + pr;
            }
            f_.run({z_.im, z_.re}, {y_.im, y_.re});
            for (std::int64_t k = 0; k < m; ++k) {
                x[2 * k] = y_.re[k];
                x[2 * k + 1] = y_.im[k];
            }
        } else {
            z_.re[0] = re[0];
            z_.im[0] = 0;
            for (std::int64_t k = 1; k < n / 2 + 1; ++k) {
                z_.re[k] = z_.re[n - k] = re[k];
                z_.im[k] = im[k];
                z_.im[n - k] = -im[k];
            }
            f_.run({z_.im, z_.re}, {y_.im, y_.re});
            for (std::int64_t k = 0; k < n; ++k) x[k] = y_.re[k];
        }
    }
};

}   // namespace detail::fft
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
