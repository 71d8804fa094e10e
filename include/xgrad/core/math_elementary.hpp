// SPDX-License-Identifier: MIT
// Functions of xgrad::math for fewer operations: tangents, hyperbolic functions and their inverses, other bases, the cube root.
// Scalars use the C library. Batches use backend/simd_elementary.hpp, which a header of operations includes too.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>

XGRAD_NAMESPACE_BEGIN
namespace math {

#define XGRAD_MATH_ELEMENTARY(name) \
    namespace lookup { \
    template<class V> \
    XGRAD_INLINE V call_##name(V const& x) { \
        return name(x); \
    } \
    } \
    template<Scalar T> \
    XGRAD_INLINE T name(T x) { \
        if constexpr (std::is_same_v<T, float>) return __builtin_##name##f(x); \
        else return static_cast<T>(__builtin_##name(static_cast<double>(x))); \
    } \
    template<Batch V> \
    XGRAD_INLINE V name(V const& x) { \
        return lookup::call_##name(x); \
    } \
    template<class V> \
        requires detail::is_no_number<V> \
    constexpr V name(V const& x) { \
        detail::refuse_symbol<V>(); \
        return x; \
    }
XGRAD_MATH_ELEMENTARY(tan)
XGRAD_MATH_ELEMENTARY(asin)
XGRAD_MATH_ELEMENTARY(acos)
XGRAD_MATH_ELEMENTARY(atan)
XGRAD_MATH_ELEMENTARY(sinh)
XGRAD_MATH_ELEMENTARY(cosh)
XGRAD_MATH_ELEMENTARY(asinh)
XGRAD_MATH_ELEMENTARY(acosh)
XGRAD_MATH_ELEMENTARY(atanh)
XGRAD_MATH_ELEMENTARY(exp2)
XGRAD_MATH_ELEMENTARY(log2)
XGRAD_MATH_ELEMENTARY(log10)
XGRAD_MATH_ELEMENTARY(cbrt)
#undef XGRAD_MATH_ELEMENTARY

namespace lookup {
template<class V>
XGRAD_INLINE V call_exp10(V const& x) {
    return exp10(x);
}
template<class V>
XGRAD_INLINE V call_atan2(V const& y, V const& x) {
    return atan2(y, x);
}
}   // namespace lookup
/// 10 to the power x.
template<Scalar T>
XGRAD_INLINE T exp10(T x) {
    return math::pow(T(10), x);   // the C standard has no exp10
}
template<Batch V>
XGRAD_INLINE V exp10(V const& x) {
    return lookup::call_exp10(x);
}
/// The angle of the point (x, y), with the special cases of std::atan2.
template<Scalar T>
XGRAD_INLINE T atan2(T y, T x) {
    if constexpr (std::is_same_v<T, float>) return __builtin_atan2f(y, x);
    else return static_cast<T>(__builtin_atan2(static_cast<double>(y), static_cast<double>(x)));
}
template<Batch V>
XGRAD_INLINE V atan2(V const& y, V const& x) {
    return lookup::call_atan2(y, x);
}

}   // namespace math
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
