// SPDX-License-Identifier: MIT
// The program of each way to the same headers: the least that needs the package's headers, its settings and its third parties.

// Before the headers, which have defaults.
#if !defined(XGRAD_USE_XSIMD) || !defined(XGRAD_USE_BLAS)
#    error "the package did not hand over its settings"
#endif
#if defined(EXPECT_XSIMD) && (EXPECT_XSIMD != XGRAD_USE_XSIMD || EXPECT_BLAS != XGRAD_USE_BLAS)
#    error "the package hands over other settings than were asked for"
#endif
#if !__has_include(<xgrad/xgrad.hpp>) || !__has_include(<xgrad/xtensor.hpp>)
#    error "the package lacks headers"
#endif
#if (!defined(EXPECT_XTENSOR) || EXPECT_XTENSOR) && !__has_include(<xtensor/xtensor.hpp>) && !__has_include(<xtensor/containers/xtensor.hpp>)
#    error "the package did not hand over xtensor"
#endif
#if XGRAD_USE_XSIMD && !__has_include(<xsimd/xsimd.hpp>)
#    error "the package did not hand over xsimd"
#endif

#include <xgrad/backend/batch.hpp>
#include <xgrad/backend/blas.hpp>
#include <xgrad/config/version.hpp>

int main() {
    float product = 6;
#if XGRAD_USE_BLAS   // in the library
    float const a = 2, b = 3;
    xgrad::blas::gemm<false, false>(&a, 1, &b, 1, 1, 1, 1, 0.0f, &product, 1);
#endif
    auto const lanes = xgrad::simd::broadcast<xgrad::simd::batch<float>>(product);
    return lanes[0] == 6 && XGRAD_VERSION_MAJOR + XGRAD_VERSION_MINOR > 0 ? 0 : 1;
}
