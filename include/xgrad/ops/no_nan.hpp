// SPDX-License-Identifier: MIT
// Products and quotients in which a zero wins over infinity and NaN.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct multiply_no_nan : elementwise_op {
    static constexpr std::string_view name = "multiply_no_nan";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr double identity = 1;
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        return math::where(math::equal(y, V(0)), V(0), x * y);
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
struct divide_no_nan : elementwise_op {
    static constexpr std::string_view name = "divide_no_nan";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr double identity = 1;
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        return math::where(math::equal(y, V(0)), V(0), x / y);
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol q, symbol g);
};
struct xlogy : floating_function {
    static constexpr std::string_view name = "xlogy";
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        return math::where(math::equal(x, V(0)), V(0), x * math::log(y));
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
}

/// x y, and 0 where y is 0, even if x is infinite or NaN (TensorFlow's multiply_no_nan). For terms with weights y of
/// which some are 0.
inline constexpr elementwise<op::multiply_no_nan> multiply_no_nan{};
/// x / y, and 0 where y is 0 (TensorFlow's divide_no_nan).
inline constexpr elementwise<op::divide_no_nan> divide_no_nan{};
/// x log y, and 0 where x is 0 for any y (the xlogy of TensorFlow and SciPy): the terms of an entropy. The gradient of
/// x is log y, also at x = 0, where TensorFlow has 0. Both gradients are 0 where x is 0 and y is not positive.
inline constexpr elementwise<op::xlogy> xlogy{};

namespace op {
constexpr symbols multiply_no_nan::derivative(symbol x, symbol y, symbol, symbol g) {
    return {{xgrad::multiply_no_nan(g, y), xgrad::multiply_no_nan(x, g)}};
}
constexpr symbols divide_no_nan::derivative(symbol, symbol y, symbol q, symbol g) {
    return {{xgrad::divide_no_nan(g, y), -xgrad::divide_no_nan(g * q, y)}};
}
constexpr symbols xlogy::derivative(symbol x, symbol y, symbol, symbol g) {
    symbol const none = xgrad::equal(xgrad::select(xgrad::greater(y, 0_c), 1_c, x), 0_c);   // also where y is NaN
    return {{xgrad::select(none, 0_c, g * xgrad::log(y)), xgrad::select(none, 0_c, g * x / y)}};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
