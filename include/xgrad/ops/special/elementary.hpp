// SPDX-License-Identifier: MIT
// Small functions: reciprocals, lengths, sums in logarithms, steps and signs, degrees.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct reciprocal : elementwise_op {
    static constexpr std::string_view name = "reciprocal";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto x) { return decltype(x)(1) / x; }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return -(g * xgrad::square(y)); }
};
struct rsqrt : elementwise_op {
    static constexpr std::string_view name = "rsqrt";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 2;
    XGRAD_INLINE static auto value(auto x) { return decltype(x)(1) / math::sqrt(x); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (-0.5_c * (xgrad::square(y) * y)); }
};
struct hypot : elementwise_op {
    static constexpr std::string_view name = "hypot";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr bool commutative = true;
    static constexpr int flops = 8;
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        V const a = math::abs(x), b = math::abs(y), zero(0), inf(std::numeric_limits<math::scalar_of<V>>::infinity());
        V const large = math::where(math::greater(a, b), a, b), small = math::where(math::greater(a, b), b, a);
        V const ratio = small / math::where(math::equal(large, zero), V(1), large);
        V const length = large * math::sqrt(math::fma(ratio, ratio, V(1)));
        return math::where(math::equal(a, inf) + math::equal(b, inf), inf, length);
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol r, symbol g) {
        return {{xgrad::divide_no_nan(g * x, r), xgrad::divide_no_nan(g * y, r)}};
    }
};
/// a − b, and 0 where both are equal, also infinite: used by derivatives.
struct difference_of_logs : elementwise_op {
    static constexpr std::string_view name = "difference_of_logs";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto a, auto b) { return math::where(math::equal(a, b), decltype(a)(0), a - b); }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol g) { return {{g, -g}}; }
};
struct logaddexp : floating_function {
    static constexpr std::string_view name = "logaddexp";
    static constexpr bool commutative = true;
    static constexpr int flops = 26;
    XGRAD_INLINE static auto value(auto a, auto b) {
        auto const distance = math::abs(difference_of_logs::value(a, b));
        return math::where(math::greater(a, b), a, b) + math::log1p(math::exp(-distance));
    }
    static constexpr symbols derivative(symbol a, symbol b, symbol, symbol g) {
        symbol const d = apply<difference_of_logs>(a, b);
        return {{g * xgrad::sigmoid(d), g * xgrad::sigmoid(-d)}};
    }
};
struct logaddexp2 : floating_function {
    static constexpr std::string_view name = "logaddexp2";
    static constexpr bool commutative = true;
    static constexpr int flops = 28;
    XGRAD_INLINE static auto value(auto a, auto b) {
        using V = decltype(a);
        using T = math::scalar_of<V>;
        V const distance = math::abs(difference_of_logs::value(a, b));
        V const sum = math::log1p(math::exp(-distance * V(static_cast<T>(0.6931471805599453))));
        return math::where(math::greater(a, b), a, b) + sum * V(static_cast<T>(1.4426950408889634));
    }
    static constexpr symbols derivative(symbol a, symbol b, symbol, symbol g) {
        symbol const d = 0.6931471805599453_c * apply<difference_of_logs>(a, b);
        return {{g * xgrad::sigmoid(d), g * xgrad::sigmoid(-d)}};
    }
};
struct xlog1py : floating_function {
    static constexpr std::string_view name = "xlog1py";
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        return math::where(math::equal(x, V(0)), V(0), x * math::log1p(y));
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g) {
        symbol const none = xgrad::equal(xgrad::select(xgrad::greater(y, -1_c), 1_c, x), 0_c);   // also where y is NaN
        return {{xgrad::select(none, 0_c, g * xgrad::log1p(y)), xgrad::select(none, 0_c, g * x / (1_c + y))}};
    }
};
/// sin(πx), exact for whole and half numbers.
template<class V>
XGRAD_INLINE V sin_of_turns(V const& x) {
    using T = math::scalar_of<V>;
    V const whole = math::round(x), half = whole * V(T(0.5)), s = math::sin((x - whole) * V(static_cast<T>(3.14159265358979323846)));
    return math::where(math::equal(math::floor(half), half), s, -s);
}
/// The derivative of sinc, divided by x, where z is (πx)² below 1: π² times the sum of (−1)ᵏ 2k z^(k − 1) / (2k + 1)!
constexpr symbol slope_of_sinc(symbol z) {
    symbol s = -1.4797143443923793e-16_c * z + 4.498331606952833e-14_c;
    s = s * z - 1.0706029224547743e-11_c;
    s = s * z + 1.9270852604185937e-09_c;
    s = s * z - 2.505210838544172e-07_c;
    s = s * z + 2.2045855379188714e-05_c;
    s = s * z - 0.0011904761904761906_c;
    s = s * z + 0.03333333333333333_c;
    s = s * z - 0.3333333333333333_c;
    return 9.869604401089358_c * s;
}
struct sinc : floating_function {
    static constexpr std::string_view name = "sinc";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const zero = math::equal(x, V(0)), at = math::where(zero, V(1), x);
        V const inf(std::numeric_limits<T>::infinity());
        V const y = sin_of_turns(at) / (at * V(static_cast<T>(3.14159265358979323846)));
        return math::where(zero, V(1), math::where(math::equal(math::abs(x), inf), V(0), y));
    }
    // (cos(πx) − sinc(x)) / x loses its digits near 0, where the series is taken.
    static constexpr symbol derivative(symbol x, symbol y, symbol g) {
        symbol const near = xgrad::less(xgrad::abs(x), 0.25_c);
        symbol const far = (xgrad::cos(3.141592653589793_c * x) - y) / xgrad::select(near, 1_c, x);
        return g * xgrad::select(near, x * slope_of_sinc(xgrad::square(3.141592653589793_c * x)), far);
    }
};
struct heaviside : elementwise_op {
    static constexpr std::string_view name = "heaviside";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 3;
    XGRAD_INLINE static auto value(auto x, auto at_zero) {
        using V = decltype(x);
        V const step = math::where(math::equal(x, V(0)), at_zero, math::greater(x, V(0)));
        return math::where(math::equal(x, x), step, x);
    }
    static constexpr symbols derivative(symbol x, symbol, symbol, symbol g) {
        return {{g * 0_c, xgrad::select(xgrad::equal(x, 0_c), g, 0_c)}};
    }
};
struct copysign : elementwise_op {
    static constexpr std::string_view name = "copysign";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto x, auto y) { return math::copysign(x, y); }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
struct deg2rad : elementwise_op {
    static constexpr std::string_view name = "deg2rad";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return x * V(static_cast<math::scalar_of<V>>(0.017453292519943295769));
    }
    static constexpr symbol derivative(symbol, symbol, symbol g) { return g * 0.017453292519943295_c; }
};
struct rad2deg : elementwise_op {
    static constexpr std::string_view name = "rad2deg";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return x * V(static_cast<math::scalar_of<V>>(57.295779513082320877));
    }
    static constexpr symbol derivative(symbol, symbol, symbol g) { return g * 57.29577951308232_c; }
};
}

/// 1 / x, infinite at 0.
inline constexpr elementwise<op::reciprocal> reciprocal{};
/// 1 / √x, infinite at 0 and NaN below. It is computed as a root and a quotient, without the processor's estimate.
inline constexpr elementwise<op::rsqrt> rsqrt{};
/// √(x² + y²) without overflow of the squares; inf if either operand is infinite. The gradients at two zeros are 0.
inline constexpr elementwise<op::hypot> hypot{};
/// log(eᵃ + eᵇ) without overflow, also of infinite operands. The gradients at two equal infinities are 0.5.
inline constexpr elementwise<op::logaddexp> logaddexp{};
/// log₂(2ᵃ + 2ᵇ) without overflow, also of infinite operands. The gradients at two equal infinities are 0.5.
inline constexpr elementwise<op::logaddexp2> logaddexp2{};
/// x log(1 + y), and 0 where x is 0 for any y (the xlog1py of TensorFlow and SciPy). The gradient of x is log(1 + y),
/// also at x = 0, where TensorFlow has 0. Both gradients are 0 where x is 0 and y is not above −1.
inline constexpr elementwise<op::xlog1py> xlog1py{};
/// sin(πx) / (πx), and 1 at 0, as in NumPy. It is exactly 0 at other whole numbers.
inline constexpr elementwise<op::sinc> sinc{};
/// 0 for negative x, 1 for positive x, and `at_zero` where x is 0; a NaN of x passes (NumPy's heaviside). The gradient of
/// x is 0.
inline constexpr elementwise<op::heaviside> heaviside{};
/// The magnitude of x with the sign of y, also of a zero y. The gradient of x at 0 is 0, that of y is 0.
inline constexpr elementwise<op::copysign> copysign{};
/// Degrees in radians: x π / 180.
inline constexpr elementwise<op::deg2rad> deg2rad{};
/// Radians in degrees: x 180 / π.
inline constexpr elementwise<op::rad2deg> rad2deg{};

namespace op {
constexpr symbols copysign::derivative(symbol x, symbol y, symbol, symbol g) {
    return {{g * (xgrad::sign(x) * xgrad::copysign(1_c, y)), g * 0_c}};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
