// SPDX-License-Identifier: MIT
// Exponentials, logarithms, sine and cosine, and activations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct floating_function : elementwise_op {
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 12;
    static constexpr bool transcendental = true;
};
struct exp : floating_function {
    static constexpr std::string_view name = "exp";
    XGRAD_INLINE static auto value(auto a) { return math::exp(a); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * y; }
};
struct expm1 : floating_function {
    static constexpr std::string_view name = "expm1";
    XGRAD_INLINE static auto value(auto a) { return math::expm1(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g);   // not y + 1, which has no digits left if y is near -1
};
struct log : floating_function {
    static constexpr std::string_view name = "log";
    XGRAD_INLINE static auto value(auto a) { return math::log(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g) { return g / a; }
};
struct log1p : floating_function {
    static constexpr std::string_view name = "log1p";
    XGRAD_INLINE static auto value(auto a) { return math::log1p(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g) { return g / (1_c + a); }
};
struct sin : floating_function {
    static constexpr std::string_view name = "sin";
    XGRAD_INLINE static auto value(auto a) { return math::sin(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct cos : floating_function {
    static constexpr std::string_view name = "cos";
    XGRAD_INLINE static auto value(auto a) { return math::cos(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct tanh : floating_function {
    static constexpr std::string_view name = "tanh";
    XGRAD_INLINE static auto value(auto a) { return math::tanh(a); }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (1_c - y * y); }
};
struct sigmoid : floating_function {
    static constexpr std::string_view name = "sigmoid";
    XGRAD_INLINE static auto value(auto a) {
        using V = decltype(a);
        return V(1) / (V(1) + math::exp(-a));
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return g * (y * (1_c - y)); }
};
struct softplus : floating_function {
    static constexpr std::string_view name = "softplus";
    XGRAD_INLINE static auto value(auto a) {
        using V = decltype(a);
        return math::max(a, V(0)) + math::log1p(math::exp(-math::abs(a)));
    }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct relu : elementwise_op {
    static constexpr std::string_view name = "relu";
    // NaN passes, as in TensorFlow
    XGRAD_INLINE static auto value(auto a) {
        using V = decltype(a);
        return math::where(math::less(a, V(0)), V(0), a);
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return xgrad::select(xgrad::greater(y, 0_c), g, 0_c); }
};
}

/// eˣ.
inline constexpr elementwise<op::exp> exp{};
/// e^x − 1, exact near 0.
inline constexpr elementwise<op::expm1> expm1{};
/// The natural logarithm.
inline constexpr elementwise<op::log> log{};
/// log(1 + x), exact near 0.
inline constexpr elementwise<op::log1p> log1p{};
/// Sine of radians.
inline constexpr elementwise<op::sin> sin{};
/// Cosine of radians.
inline constexpr elementwise<op::cos> cos{};
/// The hyperbolic tangent.
inline constexpr elementwise<op::tanh> tanh{};
/// 1 / (1 + e^−x).
inline constexpr elementwise<op::sigmoid> sigmoid{};
/// log(1 + e^x), without overflow.
inline constexpr elementwise<op::softplus> softplus{};
/// max(x, 0). The gradient at 0 is 0.
inline constexpr elementwise<op::relu> relu{};

namespace op {
constexpr symbol expm1::derivative(symbol a, symbol, symbol g) { return g * xgrad::exp(a); }
constexpr symbol sin::derivative(symbol a, symbol, symbol g) { return g * xgrad::cos(a); }
constexpr symbol cos::derivative(symbol a, symbol, symbol g) { return -(g * xgrad::sin(a)); }
constexpr symbol softplus::derivative(symbol a, symbol, symbol g) { return g * xgrad::sigmoid(a); }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
