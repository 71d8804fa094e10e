// SPDX-License-Identifier: MIT
// The operators < <= > >= of expressions. == and != keep their meaning for objects: write equal and not_equal.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

/// `x > 0_c` is greater(x, 0_c): element by element, the result is bool.
template<Operand A, Operand B>
constexpr auto operator>(A const& a, B const& b) {
    return greater(a, b);
}
/// `x >= 0_c` is greater_equal(x, 0_c).
template<Operand A, Operand B>
constexpr auto operator>=(A const& a, B const& b) {
    return greater_equal(a, b);
}
/// `x < 0_c` is less(x, 0_c).
template<Operand A, Operand B>
constexpr auto operator<(A const& a, B const& b) {
    return less(a, b);
}
/// `x <= 0_c` is less_equal(x, 0_c).
template<Operand A, Operand B>
constexpr auto operator<=(A const& a, B const& b) {
    return less_equal(a, b);
}

// Catches a number or an array next to an expression; see arithmetic.hpp.
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator>(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator>=(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator<(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}
template<class A, class B>
    requires detail::Mixed<A, B>
constexpr auto operator<=(A&&, B&&) {
    return detail::refuse_operand<A, B>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
