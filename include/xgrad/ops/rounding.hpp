// SPDX-License-Identifier: MIT
// Rounding, quotients and remainders of whole numbers, and numbers between limits.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct rounds : elementwise_op {
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr symbol derivative(symbol, symbol, symbol g) { return g * 0_c; }
};
struct floor : rounds {
    static constexpr std::string_view name = "floor";
    XGRAD_INLINE static auto value(auto x) { return math::floor(x); }
};
struct ceil : rounds {
    static constexpr std::string_view name = "ceil";
    XGRAD_INLINE static auto value(auto x) { return math::ceil(x); }
};
struct round : rounds {
    static constexpr std::string_view name = "round";
    XGRAD_INLINE static auto value(auto x) { return math::round(x); }
};
struct trunc : rounds {
    static constexpr std::string_view name = "trunc";
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        return math::where(math::less(x, V(0)), math::ceil(x), math::floor(x));
    }
};
/// The C library's fmod, which is exact, element by element.
template<class V>
XGRAD_INLINE V exact_remainder(V const& x, V const& y) {
    if constexpr (std::is_same_v<V, float>) return __builtin_fmodf(x, y);
    else if constexpr (std::is_same_v<V, double>) return __builtin_fmod(x, y);
    else if constexpr (std::is_integral_v<V>) {
        if constexpr (std::is_signed_v<V>)
            if (y == -1) return V(0);
        return y == 0 ? V(0) : static_cast<V>(x % y);
    } else return each_lane([](auto a, auto b) { return exact_remainder(a, b); }, x, y);
}
struct floor_divide : elementwise_op {
    static constexpr std::string_view name = "floor_divide";
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        if constexpr (std::is_integral_v<V>) {
            V const q = div::value(x, y), r = exact_remainder(x, y);
            return static_cast<V>(q - V(r != 0 && (r < 0) != (y < 0)));
        } else return math::floor(x / y);
    }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol g) { return {{g * 0_c, g * 0_c}}; }
};
struct fmod : elementwise_op {
    static constexpr std::string_view name = "fmod";
    static constexpr int flops = 20;
    XGRAD_INLINE static auto value(auto x, auto y) { return exact_remainder(x, y); }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
struct mod : elementwise_op {
    static constexpr std::string_view name = "mod";
    static constexpr int flops = 22;
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        V const r = exact_remainder(x, y);
        if constexpr (std::is_integral_v<V>) return static_cast<V>(r != 0 && (r < 0) != (y < 0) ? r + y : r);
        else {
            auto const other_sign = math::less(r * math::copysign(V(1), y), V(0));
            return math::where(math::equal(r, V(0)), math::copysign(r, y), math::where(other_sign, r + y, r));
        }
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
struct clip : elementwise_op {
    static constexpr std::string_view name = "clip";
    static constexpr int flops = 2;
    XGRAD_INLINE static auto value(auto x, auto least, auto most) {
        auto const below = math::where(math::greater(x, most), most, x);
        return math::where(math::less(below, least), least, below);
    }
    static constexpr symbols derivative(symbol x, symbol least, symbol most, symbol, symbol g) {
        symbol const below = xgrad::less(x, least);
        symbol const above = xgrad::greater(x, most);
        symbol const kept = xgrad::select(below, 0_c, xgrad::select(above, 0_c, g));
        return {{kept, xgrad::select(below, g, 0_c), xgrad::select(below, 0_c, xgrad::select(above, g, 0_c))}};
    }
};
}

/// The largest whole number that is not above x. The gradient is 0.
inline constexpr elementwise<op::floor> floor{};
/// The smallest whole number that is not below x. The gradient is 0.
inline constexpr elementwise<op::ceil> ceil{};
/// The nearest whole number, of two the even one, as in NumPy and TensorFlow. The gradient is 0.
inline constexpr elementwise<op::round> round{};
/// x without its fraction. The gradient is 0.
inline constexpr elementwise<op::trunc> trunc{};
/// floor(x / y). For integers it is 0 where y is 0. The gradients are 0.
inline constexpr elementwise<op::floor_divide> floor_divide{};
/// The remainder x − y floor(x / y), with the sign of y, exactly (NumPy's mod, TensorFlow's floormod, % in Python). For
/// integers it is 0 where y is 0, else NaN there.
inline constexpr elementwise<op::mod> mod{};
/// The remainder x − y trunc(x / y), with the sign of x, exactly (NumPy's fmod, TensorFlow's truncatemod, % in C++). For
/// integers it is 0 where y is 0, else NaN there.
inline constexpr elementwise<op::fmod> fmod{};
/// max(min(x, most), least), TensorFlow's clip_by_value, PyTorch's clamp. A NaN of x passes. x gets the gradient
/// also where it is equal to a limit; else the limit gets it.
inline constexpr elementwise<op::clip> clip{};

namespace op {
constexpr symbols fmod::derivative(symbol x, symbol y, symbol, symbol g) { return {{g, -(g * xgrad::trunc(x / y))}}; }
constexpr symbols mod::derivative(symbol x, symbol y, symbol, symbol g) { return {{g, -(g * xgrad::floor(x / y))}}; }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
