// SPDX-License-Identifier: MIT
// Trigonometric and hyperbolic functions besides sin, cos and tanh, and their inverses. Batches use xsimd
// (backend/simd_elementary.hpp).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_elementary.hpp>
#include <xgrad/ops/elementary.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct tan : floating_function {
    static constexpr std::string_view name = "tan";
    static constexpr int flops = 20;
    XGRAD_INLINE static auto value(auto x) { return math::tan(x); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (1_c + xgrad::square(y)); }
};
struct asin : floating_function {
    static constexpr std::string_view name = "asin";
    static constexpr int flops = 20;
    XGRAD_INLINE static auto value(auto x) { return math::asin(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / xgrad::sqrt((1_c - x) * (1_c + x)); }
};
struct acos : floating_function {
    static constexpr std::string_view name = "acos";
    static constexpr int flops = 20;
    XGRAD_INLINE static auto value(auto x) { return math::acos(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return -(g / xgrad::sqrt((1_c - x) * (1_c + x))); }
};
struct atan : floating_function {
    static constexpr std::string_view name = "atan";
    static constexpr int flops = 20;
    XGRAD_INLINE static auto value(auto x) { return math::atan(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / (1_c + xgrad::square(x)); }
};
struct sinh : floating_function {
    static constexpr std::string_view name = "sinh";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) { return math::sinh(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct cosh : floating_function {
    static constexpr std::string_view name = "cosh";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) { return math::cosh(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct asinh : floating_function {
    static constexpr std::string_view name = "asinh";
    static constexpr int flops = 30;
    XGRAD_INLINE static auto value(auto x) { return math::asinh(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / xgrad::hypot(x, 1_c); }
};
struct acosh : floating_function {
    static constexpr std::string_view name = "acosh";
    static constexpr int flops = 30;
    XGRAD_INLINE static auto value(auto x) { return math::acosh(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / (xgrad::sqrt(x - 1_c) * xgrad::sqrt(x + 1_c)); }
};
struct atanh : floating_function {
    static constexpr std::string_view name = "atanh";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) { return math::atanh(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / ((1_c - x) * (1_c + x)); }
};
struct atan2 : floating_function {
    static constexpr std::string_view name = "atan2";
    static constexpr int flops = 26;
    XGRAD_INLINE static auto value(auto y, auto x) { return math::atan2(y, x); }
    static constexpr symbols derivative(symbol y, symbol x, symbol, symbol g) {
        symbol const scaled = g / (xgrad::square(x) + xgrad::square(y));
        return {{x * scaled, -(y * scaled)}};
    }
};
}

/// The tangent. Error below 3.5 ULP.
inline constexpr elementwise<op::tan> tan{};
/// The arc sine, NaN beyond −1 and 1. The gradient at −1 and 1 is infinite.
inline constexpr elementwise<op::asin> asin{};
/// The arc cosine, NaN beyond −1 and 1. The gradient at −1 and 1 is infinite.
inline constexpr elementwise<op::acos> acos{};
/// The arc tangent.
inline constexpr elementwise<op::atan> atan{};
/// The hyperbolic sine (eˣ − e⁻ˣ) / 2.
inline constexpr elementwise<op::sinh> sinh{};
/// The hyperbolic cosine (eˣ + e⁻ˣ) / 2.
inline constexpr elementwise<op::cosh> cosh{};
/// The inverse of sinh.
inline constexpr elementwise<op::asinh> asinh{};
/// The inverse of cosh, NaN below 1. The gradient at 1 is infinite.
inline constexpr elementwise<op::acosh> acosh{};
/// The inverse of tanh. Infinite at −1 and 1, NaN beyond.
inline constexpr elementwise<op::atanh> atanh{};
/// atan2(y, x) is the angle of the point (x, y), from −π to π, with the special cases of std::atan2. The gradients at the
/// origin are NaN, as in TensorFlow.
inline constexpr elementwise<op::atan2> atan2{};

namespace op {
constexpr symbol sinh::derivative(symbol x, symbol, symbol g) { return g * xgrad::cosh(x); }
constexpr symbol cosh::derivative(symbol x, symbol, symbol g) { return g * xgrad::sinh(x); }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
