// SPDX-License-Identifier: MIT
// Scalar functions of the C library. <cmath> includes the special functions of C++17, a twelfth of the compile time of xgrad.hpp.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <concepts>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace libm {

// Integers are converted to double, as in <cmath>.
#define XGRAD_LIBM_UNARY(name, builtin) \
    XGRAD_INLINE float name(float x) { return __builtin_##builtin##f(x); } \
    XGRAD_INLINE double name(double x) { return __builtin_##builtin(x); } \
    XGRAD_INLINE long double name(long double x) { return __builtin_##builtin##l(x); }
#define XGRAD_LIBM_UNARY_OF_ALL(name) \
    XGRAD_LIBM_UNARY(name, name) \
    template<std::integral T> \
    XGRAD_INLINE double name(T x) { \
        return __builtin_##name(static_cast<double>(x)); \
    }
#define XGRAD_LIBM_BINARY(name) \
    XGRAD_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); } \
    XGRAD_INLINE double name(double x, double y) { return __builtin_##name(x, y); } \
    XGRAD_INLINE long double name(long double x, long double y) { return __builtin_##name##l(x, y); } \
    template<std::integral T> \
    XGRAD_INLINE double name(T x, T y) { \
        return __builtin_##name(static_cast<double>(x), static_cast<double>(y)); \
    }
XGRAD_LIBM_UNARY_OF_ALL(exp)
XGRAD_LIBM_UNARY_OF_ALL(expm1)
XGRAD_LIBM_UNARY_OF_ALL(log)
XGRAD_LIBM_UNARY_OF_ALL(log1p)
XGRAD_LIBM_UNARY_OF_ALL(tanh)
XGRAD_LIBM_UNARY_OF_ALL(erf)
XGRAD_LIBM_UNARY_OF_ALL(sqrt)
XGRAD_LIBM_UNARY_OF_ALL(floor)
XGRAD_LIBM_UNARY_OF_ALL(ceil)
XGRAD_LIBM_UNARY_OF_ALL(nearbyint)
XGRAD_LIBM_UNARY_OF_ALL(sin)
XGRAD_LIBM_UNARY_OF_ALL(cos)
XGRAD_LIBM_UNARY(abs, fabs)
XGRAD_LIBM_BINARY(pow)
XGRAD_LIBM_BINARY(copysign)
#undef XGRAD_LIBM_UNARY
#undef XGRAD_LIBM_UNARY_OF_ALL
#undef XGRAD_LIBM_BINARY

template<std::integral T>
XGRAD_INLINE T abs(T x) {
    return x < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x)) : x;   // wraps around for the smallest integer
}
XGRAD_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
XGRAD_INLINE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

}   // namespace libm
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
