// SPDX-License-Identifier: MIT
// Operators and forms of calls that other libraries have and expressions have not: one sentence each, which names what is written instead.
#pragma once

#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class form : unsigned char {
    equality,
    inequality,
    conjunction,
    disjunction,
    negation,
    modulo,
    assignment,
    reductions_axes,
    reshape,
    broadcast_to,
    transpose,
    slice,
    concat,
    expand_dims,
    squeeze,
    one_hot,
    cast,
    dropout
};
template<form F, class A>   // dependent, so that it is made where it is called
constexpr auto refuse_form() {
    static_assert(F != form::equality, "xgrad: expressions are compared element by element with equal(a, b), not with ==");
    static_assert(F != form::inequality, "xgrad: expressions are compared element by element with not_equal(a, b), not with !=");
    static_assert(F != form::conjunction, "xgrad: there is no && of expressions; write logical_and(a, b)");
    static_assert(F != form::disjunction, "xgrad: there is no || of expressions; write logical_or(a, b)");
    static_assert(F != form::negation, "xgrad: there is no ! of expressions; write logical_not(a)");
    static_assert(
        F != form::modulo, "xgrad: there is no % of expressions; give the remainder as an input, or make it an operation of your own");
    static_assert(F != form::assignment,
        "xgrad: an expression does not change, so there is no +=, -=, *= or /=; give the result a name of its own: auto sum = a + b");
    static_assert(
        F != form::reductions_axes, "xgrad: axes are template arguments, and axes that stay are a tag: mean<1>(x), mean<1>(x, keep_dims)");
    static_assert(F != form::reshape, "xgrad: the new shape is a template argument: reshape<2, 3>(x)");
    static_assert(F != form::broadcast_to, "xgrad: the shape is a template argument: broadcast_to<2, 3>(x)");
    static_assert(F != form::transpose, "xgrad: the order of axes is a template argument: transpose<1, 0>(x)");
    static_assert(F != form::slice, "xgrad: axis, begin and end are template arguments: slice<0, 2, 5>(x)");
    static_assert(F != form::concat, "xgrad: the axis is a template argument: concat<1>(a, b)");
    static_assert(F != form::expand_dims, "xgrad: the axis is a template argument: expand_dims<0>(x)");
    static_assert(F != form::squeeze, "xgrad: the axis is a template argument: squeeze<0>(x)");
    static_assert(F != form::one_hot, "xgrad: the depth is a template argument: one_hot<10>(ids)");
    static_assert(F != form::cast, "xgrad: the element type is a template argument: cast<float>(x)");
    static_assert(F != form::dropout, "xgrad: a random stream has a name: dropout<\"hidden\">(x, 0.5_c)");
    return refused{};
}
template<class... A>
concept AnyOperand = (Operand<A> || ...);
}

template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator==(A const&, B const&) {
    return detail::refuse_form<detail::form::equality, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator!=(A const&, B const&) {
    return detail::refuse_form<detail::form::inequality, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator&&(A const&, B const&) {
    return detail::refuse_form<detail::form::conjunction, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator||(A const&, B const&) {
    return detail::refuse_form<detail::form::disjunction, A>();
}
template<Operand A>
constexpr auto operator!(A const&) {
    return detail::refuse_form<detail::form::negation, A>();
}

template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator%(A const&, B const&) {
    return detail::refuse_form<detail::form::modulo, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator+=(A const&, B const&) {
    return detail::refuse_form<detail::form::assignment, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator-=(A const&, B const&) {
    return detail::refuse_form<detail::form::assignment, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator*=(A const&, B const&) {
    return detail::refuse_form<detail::form::assignment, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator/=(A const&, B const&) {
    return detail::refuse_form<detail::form::assignment, A>();
}

// sum(x, 1), mean<1>(x, true)
namespace detail {
template<class I>
concept AxisOrFlag = std::is_arithmetic_v<I>;
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto sum(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto mean(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto prod(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto log_sum_exp(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto softmax(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}

// Axes and extents are part of a type: they stand in angle brackets.
template<Operand A, class... I>
    requires(sizeof...(I) > 0)
constexpr auto reshape(A const&, I const&...) {
    return detail::refuse_form<detail::form::reshape, A>();
}
template<Operand A, class... I>
    requires(sizeof...(I) > 0)
constexpr auto broadcast_to(A const&, I const&...) {
    return detail::refuse_form<detail::form::broadcast_to, A>();
}
template<Operand A, class... I>
    requires(sizeof...(I) > 0)
constexpr auto transpose(A const&, I const&...) {
    return detail::refuse_form<detail::form::transpose, A>();
}
template<Operand A, class... I>
constexpr auto slice(A const&, I const&...) {
    return detail::refuse_form<detail::form::slice, A>();
}
template<Operand A, class... I>
constexpr auto concat(A const&, I const&...) {
    return detail::refuse_form<detail::form::concat, A>();
}
template<Operand A, class... I>
constexpr auto expand_dims(A const&, I const&...) {
    return detail::refuse_form<detail::form::expand_dims, A>();
}
template<Operand A, class... I>
constexpr auto squeeze(A const&, I const&...) {
    return detail::refuse_form<detail::form::squeeze, A>();
}
template<Operand A, class... I>
constexpr auto one_hot(A const&, I const&...) {
    return detail::refuse_form<detail::form::one_hot, A>();
}
template<Operand A, class... I>
constexpr auto cast(A const&, I const&...) {
    return detail::refuse_form<detail::form::cast, A>();
}
template<Operand A, class... I>
constexpr auto dropout(A const&, I const&...) {
    return detail::refuse_form<detail::form::dropout, A>();
}

XGRAD_NAMESPACE_END
