// SPDX-License-Identifier: MIT
// The same function names for scalars and SIMD batches. Scalars use the C library; batch functions are found by
// argument-dependent lookup.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace math {

/// A plain number. Every other type is treated as a batch: it has `value_type`, operators, and the functions below in
/// its namespace.
template<class V>
concept Scalar = std::is_arithmetic_v<V>;
/// A SIMD batch: any type with a `value_type` that is not a scalar.
template<class V>
concept Batch = !Scalar<V> && requires { typename V::value_type; };

namespace detail {
template<class V>
struct scalar_of {
    using type = V;
};
template<Batch V>
struct scalar_of<V> {
    using type = typename V::value_type;
};
}   // namespace detail

/// The element type of a batch. For a scalar, the type itself.
template<class V>
using scalar_of = typename detail::scalar_of<V>::type;

// Integers wrap around, as in NumPy and TensorFlow. Unsigned arithmetic keeps the compiler from assuming that they
// never overflow. A product of two uint16 would overflow an int, so at least 32 bits are unsigned.
namespace detail {
template<class V>
using wrapping = std::conditional_t<(sizeof(V) < sizeof(unsigned)), unsigned, std::make_unsigned_t<V>>;
}
template<std::integral V>
XGRAD_INLINE constexpr V add(V a, V b) {
    return static_cast<V>(static_cast<detail::wrapping<V>>(a) + static_cast<detail::wrapping<V>>(b));
}
template<std::integral V>
XGRAD_INLINE constexpr V subtract(V a, V b) {
    return static_cast<V>(static_cast<detail::wrapping<V>>(a) - static_cast<detail::wrapping<V>>(b));
}
template<std::integral V>
XGRAD_INLINE constexpr V multiply(V a, V b) {
    return static_cast<V>(static_cast<detail::wrapping<V>>(a) * static_cast<detail::wrapping<V>>(b));
}

/// The type in which value(...) gets registers of type V. Integers of 8 and 16 bits are int32 there, because C++ computes
/// with them in int. The result is narrowed, so each operation wraps around.
template<class V>
using promoted = std::conditional_t<(std::is_integral_v<V> && sizeof(V) < sizeof(std::int32_t)), std::int32_t, V>;

/// x as an element of type V, as a load converts it. To int32, int64 and floating types like static_cast. To the other
/// integers without its fraction: outside the range of V the nearest number of V, and for NaN the smallest.
template<class V, class M>
XGRAD_INLINE constexpr V converted(M const& x) {
    if constexpr (!std::is_integral_v<V> || std::is_integral_v<M> || (std::is_signed_v<V> && sizeof(V) >= 4) || std::is_same_v<V, bool>)
        return static_cast<V>(x);
    else if constexpr (!std::is_floating_point_v<M>) return converted<V>(static_cast<float>(x));   // 16 bits
    else if constexpr (sizeof(V) < 4) {
        constexpr M least = std::numeric_limits<V>::lowest(), most = std::numeric_limits<V>::max();
        M const above = x > least ? x : least;   // processors have this as one instruction
        return static_cast<V>(static_cast<std::int32_t>(above < most ? above : most));
    } else if constexpr (sizeof(V) == 4) {
        double const wide = static_cast<double>(x), above = wide > 0 ? wide : 0;
        return static_cast<V>(static_cast<std::int64_t>(above < 4294967295.0 ? above : 4294967295.0));
    } else return !(x > M(0)) ? V(0) : x < M(0x1p64) ? static_cast<V>(x) : std::numeric_limits<V>::max();
}

// Argument-dependent lookup must not find the functions of the same name in namespace math. So it happens in this
// namespace.
namespace lookup {
#define XGRAD_MATH_LOOKUP_1(name) \
    template<class V> \
    XGRAD_INLINE auto call_##name(V const& x) { \
        return name(x); \
    }
#define XGRAD_MATH_LOOKUP_2(name) \
    template<class V> \
    XGRAD_INLINE auto call_##name(V const& x, V const& y) { \
        return name(x, y); \
    }
XGRAD_MATH_LOOKUP_1(exp)
XGRAD_MATH_LOOKUP_1(expm1)
XGRAD_MATH_LOOKUP_1(log)
XGRAD_MATH_LOOKUP_1(log1p)
XGRAD_MATH_LOOKUP_1(tanh)
XGRAD_MATH_LOOKUP_1(sigmoid)
XGRAD_MATH_LOOKUP_1(erf)
XGRAD_MATH_LOOKUP_1(sqrt)
XGRAD_MATH_LOOKUP_1(rsqrt)
XGRAD_MATH_LOOKUP_1(abs)
XGRAD_MATH_LOOKUP_1(floor)
XGRAD_MATH_LOOKUP_1(ceil)
XGRAD_MATH_LOOKUP_1(round)
XGRAD_MATH_LOOKUP_1(sin)
XGRAD_MATH_LOOKUP_1(cos)
XGRAD_MATH_LOOKUP_2(pow)
XGRAD_MATH_LOOKUP_2(max)
XGRAD_MATH_LOOKUP_2(min)
XGRAD_MATH_LOOKUP_2(copysign)
#undef XGRAD_MATH_LOOKUP_1
#undef XGRAD_MATH_LOOKUP_2
template<class V>
XGRAD_INLINE auto call_fma(V const& a, V const& b, V const& c) {
    return fma(a, b, c);
}
template<class M, class V>
XGRAD_INLINE auto call_select(M const& mask, V const& a, V const& b) {
    return select(mask, a, b);
}
}   // namespace lookup

#define XGRAD_MATH_UNARY(name) \
    template<Scalar T> \
    XGRAD_INLINE T name(T x) { \
        return static_cast<T>(libm::name(x)); \
    } \
    template<Batch V> \
    XGRAD_INLINE V name(V const& x) { \
        return lookup::call_##name(x); \
    }
XGRAD_MATH_UNARY(exp)
XGRAD_MATH_UNARY(expm1)
XGRAD_MATH_UNARY(log)
XGRAD_MATH_UNARY(log1p)
XGRAD_MATH_UNARY(tanh)
XGRAD_MATH_UNARY(erf)
XGRAD_MATH_UNARY(sqrt)
XGRAD_MATH_UNARY(abs)
XGRAD_MATH_UNARY(floor)
XGRAD_MATH_UNARY(ceil)
XGRAD_MATH_UNARY(sin)
XGRAD_MATH_UNARY(cos)
#undef XGRAD_MATH_UNARY

/// 1 / √x within 3 ULP, for positive normal numbers only. In float it is faster than root and quotient. The last bits
/// may differ on other processors.
template<Scalar T>
XGRAD_INLINE T rsqrt(T x) {
    return static_cast<T>(T(1) / libm::sqrt(x));
}
template<Batch V>
XGRAD_INLINE V rsqrt(V const& x) {
    return lookup::call_rsqrt(x);
}

/// Nearest integer, ties to even (in the default rounding mode).
template<Scalar T>
XGRAD_INLINE T round(T x) {
    return static_cast<T>(libm::nearbyint(x));
}
template<Batch V>
XGRAD_INLINE V round(V const& x) {
    return lookup::call_round(x);
}

/// 1 / (1 + exp(-x)).
template<Scalar T>
XGRAD_INLINE T sigmoid(T x) {
    return T(1) / (T(1) + libm::exp(-x));
}
template<Batch V>
XGRAD_INLINE V sigmoid(V const& x) {
    return lookup::call_sigmoid(x);
}

/// x to the power y, with the special cases of std::pow.
template<Scalar T>
XGRAD_INLINE T pow(T x, T y) {
    return static_cast<T>(libm::pow(x, y));
}
template<Batch V>
XGRAD_INLINE V pow(V const& x, V const& y) {
    return lookup::call_pow(x, y);
}

/// a > b ? a : b. If either is NaN, the result is b: max(V(0), x) passes a NaN of x.
template<Scalar T>
XGRAD_INLINE constexpr T max(T a, T b) {
    return a > b ? a : b;
}
template<Batch V>
XGRAD_INLINE V max(V const& a, V const& b) {
    return lookup::call_max(a, b);
}

/// a < b ? a : b. If either is NaN, the result is b.
template<Scalar T>
XGRAD_INLINE constexpr T min(T a, T b) {
    return a < b ? a : b;
}
template<Batch V>
XGRAD_INLINE V min(V const& a, V const& b) {
    return lookup::call_min(a, b);
}

/// The magnitude of x with the sign of y.
template<Scalar T>
XGRAD_INLINE T copysign(T x, T y) {
    return static_cast<T>(libm::copysign(x, y));
}
template<Batch V>
XGRAD_INLINE V copysign(V const& x, V const& y) {
    return lookup::call_copysign(x, y);
}

/// a * b + c. It has one rounding if the machine has the instruction, else two. This holds for scalars too: no library
/// call.
template<Scalar T>
XGRAD_INLINE constexpr T fma(T a, T b, T c) {
#if defined(__FMA__) || defined(__aarch64__)
    if constexpr (std::is_same_v<T, float>) return __builtin_fmaf(a, b, c);
    else if constexpr (std::is_same_v<T, double>) return __builtin_fma(a, b, c);
#endif
    return static_cast<T>(a * b + c);
}
template<Batch V>
XGRAD_INLINE V fma(V const& a, V const& b, V const& c) {
    return lookup::call_fma(a, b, c);
}

/// mask ? a : b, lane by lane. The mask comes from a comparison operator (bool for scalars). Values that are not chosen
/// have no effect.
template<Scalar T>
XGRAD_INLINE constexpr T select(bool mask, T a, T b) {
    return mask ? a : b;
}
template<class M, Batch V>
XGRAD_INLINE V select(M const& mask, V const& a, V const& b) {
    return lookup::call_select(mask, a, b);
}

#define XGRAD_MATH_COMPARE(name, op) \
    template<class V> \
    XGRAD_INLINE constexpr V name(V const& a, V const& b) { \
        return math::select(a op b, V(1), V(0)); \
    }
// Comparisons return V(1) for true and V(0) for false. A comparison with NaN is false, except not_equal.
XGRAD_MATH_COMPARE(greater, >)
XGRAD_MATH_COMPARE(greater_equal, >=)
XGRAD_MATH_COMPARE(less, <)
XGRAD_MATH_COMPARE(less_equal, <=)
XGRAD_MATH_COMPARE(equal, ==)
XGRAD_MATH_COMPARE(not_equal, !=)
#undef XGRAD_MATH_COMPARE

/// c != 0 ? a : b, all of one type. NaN and inf of the value that is not chosen do not leak.
template<class V>
XGRAD_INLINE constexpr V where(V const& c, V const& a, V const& b) {
    return math::select(c != V(0), a, b);
}

/// -1, 0 or 1. NaN stays NaN, and a zero keeps its sign.
template<class V>
XGRAD_INLINE constexpr V sign(V const& x) {
    return math::select(x > V(0), V(1), math::select(x < V(0), V(-1), x));
}

// In derivative(...), expand(...) and expressions, these functions are in namespace xgrad. Using the names here by
// mistake gives this sentence.
namespace detail {
template<class V>
inline constexpr bool is_no_number = !Scalar<V> && !Batch<V>;
template<class... V>
constexpr void refuse_symbol() {
    static_assert((!is_no_number<V> && ...),
        "xgrad: a function of xgrad::math, which is for numbers, gets an expression; in derivative(...), expand(...) and "
        "expressions write xgrad::exp(x)");
}
}   // namespace detail
#define XGRAD_MATH_OF_SYMBOL(name) \
    template<class V, class... W> \
        requires(detail::is_no_number<V> || (detail::is_no_number<W> || ...)) \
    constexpr V name(V const& x, W const&...) { \
        detail::refuse_symbol<V, W...>(); \
        return x; \
    }
XGRAD_MATH_OF_SYMBOL(exp)
XGRAD_MATH_OF_SYMBOL(expm1)
XGRAD_MATH_OF_SYMBOL(log)
XGRAD_MATH_OF_SYMBOL(log1p)
XGRAD_MATH_OF_SYMBOL(tanh)
XGRAD_MATH_OF_SYMBOL(sigmoid)
XGRAD_MATH_OF_SYMBOL(erf)
XGRAD_MATH_OF_SYMBOL(sqrt)
XGRAD_MATH_OF_SYMBOL(rsqrt)
XGRAD_MATH_OF_SYMBOL(abs)
XGRAD_MATH_OF_SYMBOL(floor)
XGRAD_MATH_OF_SYMBOL(ceil)
XGRAD_MATH_OF_SYMBOL(round)
XGRAD_MATH_OF_SYMBOL(sin)
XGRAD_MATH_OF_SYMBOL(cos)
XGRAD_MATH_OF_SYMBOL(pow)
XGRAD_MATH_OF_SYMBOL(max)
XGRAD_MATH_OF_SYMBOL(min)
#undef XGRAD_MATH_OF_SYMBOL

}   // namespace math
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
