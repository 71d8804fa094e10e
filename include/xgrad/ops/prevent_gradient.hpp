// SPDX-License-Identifier: MIT
// An expression through which no gradient may pass.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operands.hpp>
#include <xgrad/meta/fixed_string.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
template<fixed_string Why>
struct prevent_gradient {
    static constexpr std::string_view start = "prevent_gradient: ";
    static constexpr auto text = [] {
        std::array<char, start.size() + sizeof(Why.text)> r{};
        std::size_t n = 0;
        for (char const c : start) r[n++] = c;
        for (char const c : Why.view()) r[n++] = c;
        return r;
    }();
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return v[0]; }
    static constexpr op_info describe() {
        op_info r = make_op({text.data(), start.size() + Why.view().size()}, op_kind::alias, infer, nullptr);
        r.lacks_derivative = true;
        return r;
    }
};
}

/// x, but a program in which a gradient would pass through it is refused by the compiler, which shows the text (TensorFlow's
/// prevent_gradient): `prevent_gradient<"the order of the labels is no quantity">(x)`. stop_gradient(x) ends gradients silently.
/// Gradient: none; a gradient that reaches it is an error.
template<fixed_string Why, class A>
constexpr auto prevent_gradient(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else return apply<op::prevent_gradient<Why>>(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
