// SPDX-License-Identifier: MIT
// Elements with the same bits in another type, and the number next to each.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/special/elementary.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN

namespace op {
template<class To>
struct bitcast : kernel_op {
    static constexpr std::string_view name = "bitcast";
    static constexpr bool half_operands = true, in_order = true;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return {dtype_of<To>, v[0].dims, fault::none}; }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(0).size(); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> x, tensor_view<To, R> y) {
        static_assert(sizeof(T) == sizeof(To));
        if (part.last > part.first)
            std::memcpy(y.data() + part.first, x.data() + part.first, static_cast<std::size_t>(part.last - part.first) * sizeof(T));
    }
    static constexpr void derive(derivation&) {}
};
struct nextafter : floating_function {
    static constexpr std::string_view name = "nextafter";
    static constexpr int flops = 8;
    XGRAD_INLINE static auto value(auto x, auto to) {
        using V = decltype(x);
        if constexpr (std::is_same_v<V, float>) return __builtin_nextafterf(x, to);
        else if constexpr (std::is_same_v<V, double>) return __builtin_nextafter(x, to);
        else return each_lane([](auto a, auto b) { return nextafter::value(a, b); }, x, to);
    }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol g) { return {{g, {}}}; }
};
}

/// The bits of each element as a T of the same size (TensorFlow's bitcast, NumPy's view): `bitcast<std::int32_t>(x)` of float. Neither x
/// nor T is bool.
/// Gradient: none.
template<MemoryElement T, class A>
constexpr auto bitcast(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else {
        constexpr dtype from = value_of<A>.type;
        constexpr bool wrong = value_of<A>.wrong != fault::none;
        constexpr bool fits = [] {
            if constexpr (wrong || from == dtype::literal || from == dtype::boolean || std::is_same_v<T, bool>) return wrong;
            else return sizeof(cpp_type_t<from>) == sizeof(T);
        }();
        static_assert(fits, "xgrad::bitcast<T>(x): the elements of x have another size than T, or one of them is bool; write cast<T>(x)");
        if constexpr (wrong || !fits) return detail::refused{};
        else if constexpr (from == dtype_of<T>) return x;
        else return apply<op::bitcast<T>>(x);
    }
}
/// nextafter(x, to) is the number next to x in the direction of `to`, x if they are equal, and NaN if one is NaN. It is computed element
/// by element, by the C library. The gradient of x is g, and of `to` none, as in TensorFlow.
inline constexpr elementwise<op::nextafter> nextafter{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
