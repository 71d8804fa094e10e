// SPDX-License-Identifier: MIT
// Powers and logarithms of the bases 2 and 10, and the cube root. Batches use xsimd (backend/simd_elementary.hpp).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd_elementary.hpp>
#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct exp2 : floating_function {
    static constexpr std::string_view name = "exp2";
    XGRAD_INLINE static auto value(auto x) { return math::exp2(x); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (0.6931471805599453_c * y); }
};
struct exp10 : floating_function {
    static constexpr std::string_view name = "exp10";
    XGRAD_INLINE static auto value(auto x) { return math::exp10(x); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (2.302585092994046_c * y); }
};
struct log2 : floating_function {
    static constexpr std::string_view name = "log2";
    XGRAD_INLINE static auto value(auto x) { return math::log2(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * 1.4426950408889634_c / x; }
};
struct log10 : floating_function {
    static constexpr std::string_view name = "log10";
    XGRAD_INLINE static auto value(auto x) { return math::log10(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * 0.4342944819032518_c / x; }
};
struct cbrt : floating_function {
    static constexpr std::string_view name = "cbrt";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) { return math::cbrt(x); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g / (3_c * xgrad::square(y)); }
};
}

/// 2 to the power x.
inline constexpr elementwise<op::exp2> exp2{};
/// 10 to the power x.
inline constexpr elementwise<op::exp10> exp10{};
/// The logarithm to the base 2: −inf at 0, NaN below.
inline constexpr elementwise<op::log2> log2{};
/// The logarithm to the base 10: −inf at 0, NaN below.
inline constexpr elementwise<op::log10> log10{};
/// The cube root, also of negative numbers. The gradient at 0 is infinite.
inline constexpr elementwise<op::cbrt> cbrt{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
