// SPDX-License-Identifier: MIT
// + - * / and negation, powers and roots, masked logarithms, extrema, and the errors for bare numbers and arrays in
// expressions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct add : elementwise_op {
    static constexpr std::string_view name = "add";
    static constexpr bool commutative = true;
    static constexpr double identity = 0;
    XGRAD_INLINE static auto value(auto a, auto b) {
        if constexpr (std::is_integral_v<decltype(a)>) return math::add(a, b);
        else return a + b;
    }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol g) { return {{g, g}}; }
};
struct sub : elementwise_op {
    static constexpr std::string_view name = "sub";
    static constexpr double identity = 0;
    XGRAD_INLINE static auto value(auto a, auto b) {
        if constexpr (std::is_integral_v<decltype(a)>) return math::subtract(a, b);
        else return a - b;
    }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol g);
};
struct mul : elementwise_op {
    static constexpr std::string_view name = "mul";
    static constexpr bool commutative = true;
    static constexpr bool multilinear = true;
    static constexpr double identity = 1;
    XGRAD_INLINE static auto value(auto a, auto b) {
        if constexpr (std::is_integral_v<decltype(a)>) return math::multiply(a, b);
        else return a * b;
    }
    static constexpr symbols derivative(symbol a, symbol b, symbol, symbol g);
};
struct div : elementwise_op {
    static constexpr std::string_view name = "div";
    static constexpr double identity = 1;
    XGRAD_INLINE static auto value(auto a, auto b) {
        using V = decltype(a);
        // A division trap of the processor would end the program, even if a select guards the quotient.
        if constexpr (std::is_integral_v<V>) {
            if constexpr (std::is_signed_v<V>)
                if (b == -1) return math::subtract(V(0), a);
            return static_cast<V>(b == 0 ? V(0) : a / b);
        } else return a / b;
    }
    static constexpr symbols derivative(symbol a, symbol b, symbol y, symbol g);
};
struct neg : elementwise_op {
    static constexpr std::string_view name = "neg";
    static constexpr bool self_inverse = true;
    static constexpr bool negates = true;
    XGRAD_INLINE static auto value(auto a) {
        if constexpr (std::is_integral_v<decltype(a)>) return math::subtract(decltype(a)(0), a);
        else return -a;
    }
    static constexpr symbol derivative(symbol, symbol, symbol g);
};
struct square : elementwise_op {
    static constexpr std::string_view name = "square";
    XGRAD_INLINE static auto value(auto a) {
        if constexpr (std::is_integral_v<decltype(a)>) return math::multiply(a, a);
        else return a * a;
    }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct sqrt : elementwise_op {
    static constexpr std::string_view name = "sqrt";
    static constexpr operand_types accepts = operand_types::floating;
    XGRAD_INLINE static auto value(auto a) { return math::sqrt(a); }
    static constexpr symbol derivative(symbol, symbol y, symbol g);
};
struct xdivy : elementwise_op {
    static constexpr std::string_view name = "xdivy";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr double identity = 1;
    XGRAD_INLINE static auto value(auto x, auto y) {
        using V = decltype(x);
        return math::where(math::equal(x, V(0)), V(0), x / y);
    }
    static constexpr symbols derivative(symbol x, symbol y, symbol, symbol g);
};
struct pow : elementwise_op {
    static constexpr std::string_view name = "pow";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 20;
    static constexpr bool transcendental = true;
    XGRAD_INLINE static auto value(auto a, auto p) { return math::pow(a, p); }
    static constexpr symbols derivative(symbol a, symbol p, symbol y, symbol g);
};
/// log x if x > 0, else 0: used by the derivative of a power.
struct log_or_zero : elementwise_op {
    static constexpr std::string_view name = "log_or_zero";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 12;
    static constexpr bool transcendental = true;
    XGRAD_INLINE static auto value(auto a) {
        using V = decltype(a);
        auto const positive = math::greater(a, V(0));
        return math::where(positive, math::log(math::where(positive, a, V(1))), V(0));
    }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct abs : elementwise_op {
    static constexpr std::string_view name = "abs";
    XGRAD_INLINE static auto value(auto a) { return math::abs(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct sign : elementwise_op {
    static constexpr std::string_view name = "sign";
    XGRAD_INLINE static auto value(auto a) { return math::sign(a); }
    static constexpr symbol derivative(symbol a, symbol, symbol g);
};
struct maximum : elementwise_op {
    static constexpr std::string_view name = "maximum";
    // NaN of either operand passes
    XGRAD_INLINE static auto value(auto a, auto b) { return math::where(math::greater_equal(a, b) + math::not_equal(a, a), a, b); }
    static constexpr symbols derivative(symbol a, symbol b, symbol, symbol g);
};
struct minimum : elementwise_op {
    static constexpr std::string_view name = "minimum";
    XGRAD_INLINE static auto value(auto a, auto b) { return math::where(math::less_equal(a, b) + math::not_equal(a, a), a, b); }
    static constexpr symbols derivative(symbol a, symbol b, symbol, symbol g);
};
}

/// Sum; integers wrap around.
template<Operand A, Operand B>   // operands that fit are handled here, which saves an instantiation per node
constexpr auto operator+(A const& a, B const& b) {
    if constexpr (detail::FitsElementwise<op::add, A, B>) return node<op::add, A, B>{};
    else {
        check_elementwise<op::add, A, B>();
        return apply<op::add>(a, b);
    }
}
/// Difference; integers wrap around.
template<Operand A, Operand B>
constexpr auto operator-(A const& a, B const& b) {
    if constexpr (detail::FitsElementwise<op::sub, A, B>) return node<op::sub, A, B>{};
    else {
        check_elementwise<op::sub, A, B>();
        return apply<op::sub>(a, b);
    }
}
/// Product, element by element; integers wrap around.
template<Operand A, Operand B>
constexpr auto operator*(A const& a, B const& b) {
    if constexpr (detail::FitsElementwise<op::mul, A, B>) return node<op::mul, A, B>{};
    else {
        check_elementwise<op::mul, A, B>();
        return apply<op::mul>(a, b);
    }
}
/// Quotient. For integers it is rounded towards zero, and is zero if the divisor is zero.
template<Operand A, Operand B>
constexpr auto operator/(A const& a, B const& b) {
    if constexpr (detail::FitsElementwise<op::div, A, B>) return node<op::div, A, B>{};
    else {
        check_elementwise<op::div, A, B>();
        return apply<op::div>(a, b);
    }
}
/// The negated number.
template<Operand A>
constexpr auto operator-(A const& a) {
    if constexpr (detail::is_literal<A>) return literal<std::bit_cast<std::uint64_t>(-A::number)>{};   // -0.5_c is a constant
    else if constexpr (detail::FitsElementwise<op::neg, A>) return node<op::neg, A>{};
    else {
        check_elementwise<op::neg, A>();
        return apply<op::neg>(a);
    }
}

/// x², element by element.
inline constexpr elementwise<op::square> square{};
/// Square root. The gradient at 0 is inf, as in TensorFlow, or 0 if the incoming gradient is 0. For a sum or mean of
/// squares it is 0 at 0. So norms and standard deviations written with sqrt have finite gradients.
inline constexpr elementwise<op::sqrt> sqrt{};
/// x / y, and 0 where x is 0 for any y (TensorFlow's xdivy). The gradient of x is 1 / y, also at x = 0, where TensorFlow has 0.
inline constexpr elementwise<op::xdivy> xdivy{};
/// xᵖ. The gradient of x is 0 where p is 0, and that of p is 0 where x ≤ 0. So all derivatives of a power with a whole
/// exponent are finite at 0.
inline constexpr elementwise<op::pow> pow{};
/// log x if x > 0, else 0. Its gradient at x ≤ 0 is 0.
inline constexpr elementwise<op::log_or_zero> log_or_zero{};
/// The magnitude |x|. The gradient at 0 is 0.
inline constexpr elementwise<op::abs> abs{};
/// −1, 0 or 1. Its gradient is zero everywhere.
inline constexpr elementwise<op::sign> sign{};
/// The larger of two. At a tie the first operand gets the whole gradient.
inline constexpr elementwise<op::maximum> maximum{};
/// The smaller of two. At a tie the first operand gets the whole gradient.
inline constexpr elementwise<op::minimum> minimum{};

// Catches a number or an array next to an expression. The forwarding references make these better matches than the
// operators of xtensor.
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator+(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator-(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator*(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator/(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}

namespace op {
using namespace literals;
constexpr symbols sub::derivative(symbol, symbol, symbol, symbol g) { return {{g, -g}}; }
constexpr symbols mul::derivative(symbol a, symbol b, symbol, symbol g) { return {{g * b, g * a}}; }
constexpr symbols div::derivative(symbol, symbol b, symbol y, symbol g) { return {{g / b, -(g * y / b)}}; }
constexpr symbol neg::derivative(symbol, symbol, symbol g) { return -g; }
constexpr symbol square::derivative(symbol a, symbol, symbol g) { return g * (2_c * a); }
/// Whether `s` is a sum of squares, perhaps scaled or with zeros among its terms. If such a sum is 0, all squared
/// values are 0, and 0 is a subgradient of its root.
constexpr bool is_sum_of_squares(symbol s, int depth = 100) {
    symbol_table& t = *s.table;
    op_info const* const op = t.op(s);
    double number = 1;
    auto const squares = [&](int k) { return depth > 0 && is_sum_of_squares(t.operand(s, k), depth - 1); };
    auto const fixed = [&](int k) {   // a number, a size or a mask
        symbol const x = t.operand(s, k);
        return t.is_constant(x, number) || t.op(x)->kind == op_kind::size ||
               (t.op(x)->converts && !has_gradient(t.info(t.operand(x, 0)).type));
    };
    auto const zero = [&](int k) { return t.is_constant(t.operand(s, k), number) && number == 0; };
    if (op == op_register<square>::info) return true;
    if (op == op_register<mul>::info)
        return t.operand(s, 0).index == t.operand(s, 1).index || (fixed(1) && squares(0)) || (fixed(0) && squares(1));
    if (op == op_register<add>::info) return squares(0) && squares(1);
    if (op == op_register<div>::info) return fixed(1) && squares(0);
    if (op == op_register<select>::info) return (zero(2) && squares(1)) || (zero(1) && squares(2));
    bool const sum = op->kind == op_kind::reduce && op->combine == monoid::sum,
               view = op->kind == op_kind::alias || op->kind == op_kind::broadcast;
    return (sum || view || op->kind == op_kind::transpose || op->kind == op_kind::slice || op->converts) && squares(0);
}
/// 1 where `well` holds, else `x`: equal to 0 in one comparison. A logical_and would be a separate loop. A constant
/// stays as it is.
constexpr symbol one_where(symbol well, symbol x) {
    double number = 0;
    return x.table->is_constant(x, number) ? x : xgrad::select(well, 1_c, x);
}
// Linear in g, as a jvp needs: g is in no condition.
constexpr symbol sqrt::derivative(symbol a, symbol y, symbol g) {
    return is_sum_of_squares(a) ? xgrad::select(xgrad::equal(y, 0_c), 0_c, g * 0.5_c / y) : xgrad::xdivy(g * 0.5_c, y);
}
constexpr symbols xdivy::derivative(symbol x, symbol y, symbol, symbol g) {
    return {{xgrad::xdivy(g, y), -xgrad::xdivy(xgrad::xdivy(g * x, y), y)}};
}
constexpr symbols pow::derivative(symbol a, symbol p, symbol y, symbol g) {
    symbol const power = xgrad::pow(a, p - 1_c);   // infinite where a and p are 0; elsewhere the derivative of p * power is not 0 there
    return {{xgrad::select(xgrad::equal(one_where(xgrad::equal(power - power, 0_c), p), 0_c), 0_c, g * p * power),
        xgrad::select(xgrad::greater(a, 0_c), g * y * xgrad::log_or_zero(a), 0_c)}};
}
constexpr symbol log_or_zero::derivative(symbol a, symbol, symbol g) {
    symbol const positive = xgrad::greater(a, 0_c);
    return xgrad::select(positive, g / xgrad::select(positive, a, 1_c), 0_c);
}
constexpr symbol abs::derivative(symbol a, symbol, symbol g) { return g * xgrad::sign(a); }
constexpr symbol sign::derivative(symbol, symbol, symbol g) { return g * 0_c; }
constexpr symbols maximum::derivative(symbol a, symbol b, symbol, symbol g) {
    symbol const first = xgrad::greater_equal(a, b);
    return {{xgrad::select(first, g, 0_c), xgrad::select(first, 0_c, g)}};
}
constexpr symbols minimum::derivative(symbol a, symbol b, symbol, symbol g) {
    symbol const first = xgrad::less_equal(a, b);
    return {{xgrad::select(first, g, 0_c), xgrad::select(first, 0_c, g)}};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
