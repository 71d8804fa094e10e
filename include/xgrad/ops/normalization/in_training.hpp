// SPDX-License-Identifier: MIT
// An expression with another form for inference.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/eval.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Its last operand, of a layer that owns the variable, operand 1, and is applied to operand 0.
struct of_layer : composite_op {
    static constexpr std::string_view name = "of_layer";
    static constexpr int owned = 1;
    template<class, class, class Y>
    using shared = Y;
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return v[2]; }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) { return x[2]; }
};
}

/// `training`, for which eval(y) puts `inference` (Keras' in_train_phase). Both have one shape and element type. So
/// noise is `in_training(x + normal_like<"noise">(x), x)`.
/// Gradient: g to `training`.
template<class T, class I>
constexpr auto in_training(T const& training, I const& inference) {
    constexpr fault f = detail::fault_of<op::in_training, T, I>();
    static_assert(f != fault::shapes && f != fault::dtypes,
        "xgrad::in_training(y, z): y and z have different shapes or element types; write broadcast_to<...>(z) or cast<float>(z)");
    if constexpr (!Expr<T> || !Expr<I>) return detail::refuse_operand<T, I>();
    else if constexpr (f != fault::none) return detail::refused{};
    else return apply<op::in_training>(training, inference);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
