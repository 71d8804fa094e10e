// SPDX-License-Identifier: MIT
// The error function on batches. Up to 1 it is a polynomial, beyond 1 it is 1 - exp(log(erfc(x))), with the logarithm as a polynomial.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_math.hpp>

XGRAD_NAMESPACE_BEGIN
namespace simd {
namespace detail {

/// Minimax polynomials. Errors are relative to erf.
template<class T>
struct erf_traits;
template<>
struct erf_traits<float> {
    static constexpr float one_from = 4.0f;
    /// erf(x) / x - 1 as a polynomial of x^2, for x up to 1, error 1.3e-9
    static constexpr float small_poly[] = {
        1.283791661e-01f, -3.761262596e-01f, 1.128358543e-01f, -2.685381472e-02f, 5.188330542e-03f, -8.010202437e-04f, 7.853849820e-05f};
    /// log(erfc(x)) for x from 1 to 4, error 1.1e-9
    static constexpr float large_poly[] = {
        -3.415744868e-04f, -1.127089024e+00f, -6.381452084e-01f, -1.031064168e-01f, 2.183789201e-02f, -2.947612200e-03f, 1.863741636e-04f};
};
template<>
struct erf_traits<double> {
    static constexpr double one_from = 6.0;
    /// error 8e-18
    static constexpr double small_poly[] = {0.12837916709551256, -0.3761263890318352, 0.112837916709442, -0.02686617064311341,
        0.0052239776061308385, -0.000854832592976609, 0.00012055293586932971, -1.4924712439467177e-05, 1.6447132699036383e-06,
        -1.6206318747740093e-07, 1.3710988683402286e-08, -7.779462935809436e-10};
    /// for x from 1 to 6, error 1.4e-17
    static constexpr double large_poly[] = {-4.855328613599358e-07, -1.1283742459942587, -0.6366429749006328, -0.10270510927803472,
        0.018993103520164985, 0.0004069087570376198, -0.0019123946049789788, 0.0007680544033528718, -0.00013359350121732136,
        -2.0899715992773057e-05, 2.303337547389068e-05, -8.720069328888118e-06, 2.1453372325707655e-06, -3.74500500324169e-07,
        4.650709015868127e-08, -3.935029677326565e-09, 2.041440465139625e-10, -4.9089771324819075e-12};
};
}   // namespace detail

/// Error below 1.5 ULP.
template<class T>
XGRAD_INLINE batch<T> erf(batch<T> x) {
    using t = detail::erf_traits<T>;
    batch<T> const one(1), magnitude = min(batch<T>(t::one_from), abs(x)), square = x * x;
    batch<T> const small = fma(x, detail::polynomial(square, t::small_poly), x);
    batch<T> const large = one - exp(detail::polynomial(magnitude, t::large_poly));
    return select(magnitude < one, small, copysign(large, x));
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
