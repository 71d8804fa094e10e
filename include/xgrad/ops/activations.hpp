// SPDX-License-Identifier: MIT
// Activations that fewer networks need than those of exponential.hpp.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/erfc.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct floating_choice : elementwise_op {
    static constexpr operand_types accepts = operand_types::floating;
};
struct relu6 : floating_choice {
    static constexpr std::string_view name = "relu6";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return math::where(math::less(x, V(0)), V(0), math::where(math::greater(x, V(6)), V(6), x));
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) {
        return xgrad::select(xgrad::greater(y, 0_c), xgrad::select(xgrad::less(y, 6_c), g, 0_c), 0_c);
    }
};
struct hard_tanh : floating_choice {
    static constexpr std::string_view name = "hard_tanh";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return math::where(math::less(x, V(-1)), V(-1), math::where(math::greater(x, V(1)), V(1), x));
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) { return xgrad::select(xgrad::less(xgrad::abs(y), 1_c), g, 0_c); }
};
struct hard_sigmoid : floating_choice {
    static constexpr std::string_view name = "hard_sigmoid";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return relu6::value(x + V(3)) / V(6);
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return xgrad::select(xgrad::less(xgrad::abs(x), 3_c), g / 6_c, 0_c); }
};
struct hard_swish : floating_choice {
    static constexpr std::string_view name = "hard_swish";
    static constexpr int flops = 6;
    XGRAD_INLINE static auto value(auto x) { return x * hard_sigmoid::value(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        symbol const inner = xgrad::select(xgrad::less(x, 3_c), g * (x / 3_c + 0.5_c), g);
        return xgrad::select(xgrad::greater(x, -3_c), inner, 0_c);
    }
};
struct leaky_relu : floating_choice {
    static constexpr std::string_view name = "leaky_relu";
    XGRAD_INLINE static auto value(auto x, auto slope) {
        using V = decltype(x);
        return math::where(math::greater(x, V(0)), x, slope * x);
    }
    static constexpr symbols derivative(symbol x, symbol slope, symbol, symbol g) {
        symbol const positive = xgrad::greater(x, 0_c);
        return {{xgrad::select(positive, g, g * slope), xgrad::select(positive, 0_c, g * x)}};
    }
};
struct threshold : floating_choice {
    static constexpr std::string_view name = "threshold";
    XGRAD_INLINE static auto value(auto x, auto least, auto other) { return math::where(math::less_equal(x, least), other, x); }
    static constexpr symbols derivative(symbol x, symbol least, symbol, symbol, symbol g) {
        symbol const other = xgrad::less_equal(x, least);
        return {{xgrad::select(other, 0_c, g), {}, xgrad::select(other, g, 0_c)}};
    }
};
struct softsign : floating_choice {
    static constexpr std::string_view name = "softsign";
    static constexpr int flops = 3;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return x / (V(1) + math::abs(x));
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g / xgrad::square(1_c + xgrad::abs(x)); }
};
// In the derivatives below, an exponential of minimum(x, 0) is finite also where the other branch is chosen.
struct elu : floating_function {
    static constexpr std::string_view name = "elu";
    XGRAD_INLINE static auto value(auto x, auto alpha) {
        using V = decltype(x);
        return math::where(math::greater(x, V(0)), x, alpha * math::expm1(math::min(V(0), x)));
    }
    static constexpr symbols derivative(symbol x, symbol alpha, symbol, symbol g) {
        symbol const positive = xgrad::greater(x, 0_c);
        symbol const z = xgrad::minimum(x, 0_c);
        return {{xgrad::select(positive, g, g * (alpha * xgrad::exp(z))), xgrad::select(positive, 0_c, g * xgrad::expm1(z))}};
    }
};
struct celu : floating_function {
    static constexpr std::string_view name = "celu";
    XGRAD_INLINE static auto value(auto x, auto alpha) {
        using V = decltype(x);
        return math::where(math::greater(x, V(0)), x, alpha * math::expm1(math::min(V(0), x) / alpha));
    }
    static constexpr symbols derivative(symbol x, symbol alpha, symbol, symbol g) {
        symbol const positive = xgrad::greater(x, 0_c);
        symbol const z = xgrad::minimum(x, 0_c) / alpha;
        return {{xgrad::select(positive, g, g * xgrad::exp(z)), xgrad::select(positive, 0_c, g * (xgrad::expm1(z) - z * xgrad::exp(z)))}};
    }
};
struct selu : floating_function {
    static constexpr std::string_view name = "selu";
    static constexpr double scale = 1.0507009873554805, scaled_alpha = 1.7580993408473769;   // scale, and scale times alpha
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        return math::where(
            math::greater(x, V(0)), V(static_cast<T>(scale)) * x, V(static_cast<T>(scaled_alpha)) * math::expm1(math::min(V(0), x)));
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        symbol const slope = 1.7580993408473769_c * xgrad::exp(xgrad::minimum(x, 0_c));
        return g * xgrad::select(xgrad::greater(x, 0_c), 1.0507009873554805_c, slope);
    }
};
struct gelu : floating_function {
    static constexpr std::string_view name = "gelu";
    static constexpr int flops = 62;
    XGRAD_INLINE static auto value(auto x) { return x * ndtr::value(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        return g * (xgrad::ndtr(x) + x * (0.3989422804014327_c * xgrad::exp(-0.5_c * xgrad::square(x))));
    }
};
struct gelu_tanh : floating_function {
    static constexpr std::string_view name = "gelu_tanh";
    static constexpr int flops = 24;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const inner = V(static_cast<T>(0.7978845608028654)) * (x + V(static_cast<T>(0.044715)) * x * x * x);
        return V(T(0.5)) * x * (V(1) + math::tanh(inner));
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        symbol const squared = xgrad::square(x);
        symbol const t = xgrad::tanh(0.7978845608028654_c * (x + 0.044715_c * squared * x));
        symbol const slope = 0.7978845608028654_c + 0.10703222440890037_c * squared;   // of the tanh's operand
        return g * (0.5_c * (1_c + t) + 0.5_c * x * (1_c - t * t) * slope);
    }
};
struct silu : floating_function {
    static constexpr std::string_view name = "silu";
    XGRAD_INLINE static auto value(auto x) { return x * sigmoid::value(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        symbol const s = xgrad::sigmoid(x);
        return g * (s * (1_c + x * (1_c - s)));
    }
};
struct mish : floating_function {
    static constexpr std::string_view name = "mish";
    static constexpr int flops = 36;
    XGRAD_INLINE static auto value(auto x) { return x * math::tanh(softplus::value(x)); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) {
        symbol const t = xgrad::tanh(xgrad::softplus(x));
        return g * (t + x * (1_c - t * t) * xgrad::sigmoid(x));
    }
};
struct log_sigmoid : floating_function {
    static constexpr std::string_view name = "log_sigmoid";
    XGRAD_INLINE static auto value(auto x) { return -softplus::value(-x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * xgrad::sigmoid(-x); }
};
}

/// min(max(x, 0), 6). The gradient at 0 and 6 is 0.
inline constexpr elementwise<op::relu6> relu6{};
/// x between −1 and 1, else −1 or 1. The gradient at −1 and 1 is 0.
inline constexpr elementwise<op::hard_tanh> hard_tanh{};
/// relu6(x + 3) / 6, as in PyTorch, JAX and Keras 3. (Older Keras has 0.2 x + 0.5.) The gradient at −3 and 3 is 0.
inline constexpr elementwise<op::hard_sigmoid> hard_sigmoid{};
/// x relu6(x + 3) / 6, the activation of MobileNetV3. The gradient at −3 is 0 and at 3 is 1.
inline constexpr elementwise<op::hard_swish> hard_swish{};
/// x > 0 ? x : slope x. The slope is a number such as 0.2_c (TensorFlow's default), or an
/// expression: PReLU is leaky_relu(x, variable). The gradient of x at 0 is that of the negative side.
inline constexpr elementwise<op::leaky_relu> leaky_relu{};
/// x > least ? x : other, as in PyTorch. The gradient of `least` is none.
inline constexpr elementwise<op::threshold> threshold{};
/// x / (1 + |x|).
inline constexpr elementwise<op::softsign> softsign{};
/// x > 0 ? x : alpha (e^x − 1). TensorFlow's has alpha 1_c.
inline constexpr elementwise<op::elu> elu{};
/// x > 0 ? x : alpha (e^(x / alpha) − 1).
inline constexpr elementwise<op::celu> celu{};
/// The self-normalizing activation: s x for x > 0, else s a (e^x − 1), with s = 1.0507 and a = 1.6733. Source: Klambauer
/// et al. 2017.
inline constexpr elementwise<op::selu> selu{};
/// x Φ(x), where Φ is the normal distribution: 0.5 x erfc(−x / √2). The relative error is small also far below 0.
inline constexpr elementwise<op::gelu> gelu{};
/// The approximation of gelu by tanh: 0.5 x (1 + tanh(√(2 / π) (x + 0.044715 x³))), the default of JAX.
inline constexpr elementwise<op::gelu_tanh> gelu_tanh{};
/// x sigmoid(x), also called swish.
inline constexpr elementwise<op::silu> silu{};
/// x tanh(softplus(x)).
inline constexpr elementwise<op::mish> mish{};
/// log sigmoid(x) = −softplus(−x), without overflow.
inline constexpr elementwise<op::log_sigmoid> log_sigmoid{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
