// SPDX-License-Identifier: MIT
// Operators and forms of calls that other libraries have and expressions have not: one sentence each, which names what is written instead.
#pragma once

#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

template<class A, class B>
    requires(Operand<A> || Operand<B>)
constexpr auto operator==(A const&, B const&) {
    static_assert(sizeof(A) == 0, "xgrad: expressions are compared element by element with equal(a, b), not with ==");
    return detail::refused{};
}
template<class A, class B>
    requires(Operand<A> || Operand<B>)
constexpr auto operator!=(A const&, B const&) {
    static_assert(sizeof(A) == 0, "xgrad: expressions are compared element by element with not_equal(a, b), not with !=");
    return detail::refused{};
}
template<class A, class B>
    requires(Operand<A> || Operand<B>)
constexpr auto operator&&(A const&, B const&) {
    static_assert(sizeof(A) == 0, "xgrad: there is no && of expressions; write logical_and(a, b)");
    return detail::refused{};
}
template<class A, class B>
    requires(Operand<A> || Operand<B>)
constexpr auto operator||(A const&, B const&) {
    static_assert(sizeof(A) == 0, "xgrad: there is no || of expressions; write logical_or(a, b)");
    return detail::refused{};
}
template<Operand A>
constexpr auto operator!(A const&) {
    static_assert(sizeof(A) == 0, "xgrad: there is no ! of expressions; write logical_not(a)");
    return detail::refused{};
}

// Axes and extents are part of a type: they stand in angle brackets.
template<class A, class... I>
    requires(Operand<A> && sizeof...(I) > 0)
constexpr auto reshape(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the new shape is a template argument: reshape<2, 3>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires(Operand<A> && sizeof...(I) > 0)
constexpr auto broadcast_to(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the shape is a template argument: broadcast_to<2, 3>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires(Operand<A> && sizeof...(I) > 0)
constexpr auto transpose(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the order of axes is a template argument: transpose<1, 0>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto slice(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: axis, begin and end are template arguments: slice<0, 2, 5>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto concat(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the axis is a template argument: concat<1>(a, b)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto expand_dims(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the axis is a template argument: expand_dims<0>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto squeeze(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the axis is a template argument: squeeze<0>(x)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto one_hot(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the depth is a template argument: one_hot<10>(ids)");
    return detail::refused{};
}
template<class A, class... I>
    requires Operand<A>
constexpr auto cast(A const&, I const&...) {
    static_assert(sizeof(A) == 0, "xgrad: the element type is a template argument: cast<float>(x)");
    return detail::refused{};
}
template<class A, class... R>
    requires Operand<A>
constexpr auto dropout(A const&, R const&...) {
    static_assert(sizeof(A) == 0, "xgrad: a random stream has a name: dropout<\"hidden\">(x, 0.5_c)");
    return detail::refused{};
}

XGRAD_NAMESPACE_END
