// SPDX-License-Identifier: MIT
// The only use of CBLAS: row-major products of float and double. Empty unless XGRAD_USE_BLAS is 1.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>

#if XGRAD_USE_BLAS
#    include <cblas.h>

XGRAD_NAMESPACE_BEGIN
namespace blas {

/// C[m,n] = op(A) op(B) + beta C, row-major. The program links the library and chooses its number of threads.
template<bool TransA, bool TransB>
inline void gemm(float const* a, std::int64_t lda, float const* b, std::int64_t ldb, std::int64_t m, std::int64_t n, std::int64_t k,
    float beta, float* c, std::int64_t ldc) {
    cblas_sgemm(CblasRowMajor, TransA ? CblasTrans : CblasNoTrans, TransB ? CblasTrans : CblasNoTrans, static_cast<int>(m),
        static_cast<int>(n), static_cast<int>(k), 1.0f, a, static_cast<int>(lda), b, static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}
template<bool TransA, bool TransB>
inline void gemm(double const* a, std::int64_t lda, double const* b, std::int64_t ldb, std::int64_t m, std::int64_t n, std::int64_t k,
    double beta, double* c, std::int64_t ldc) {
    cblas_dgemm(CblasRowMajor, TransA ? CblasTrans : CblasNoTrans, TransB ? CblasTrans : CblasNoTrans, static_cast<int>(m),
        static_cast<int>(n), static_cast<int>(k), 1.0, a, static_cast<int>(lda), b, static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}

}   // namespace blas
XGRAD_NAMESPACE_END
#endif
#include <xgrad/config/macros_end.hpp>
