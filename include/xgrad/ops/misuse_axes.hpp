// SPDX-License-Identifier: MIT
// Axes and names passed as function arguments, like in NumPy and TensorFlow, and several expressions where a function
// takes one. Each gets one error sentence that shows the form to write.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/misuse.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/sort.hpp>
#include <xgrad/ops/top_k.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class I>
concept AxisOrFlag = std::is_arithmetic_v<I>;
}
// catches sum(x, 1), mean<1>(x, true)
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
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto log_softmax(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto norm(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto any(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto all(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto moments(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<int... Axes, Operand A, detail::AxisOrFlag... I>
    requires(sizeof...(I) > 0)
constexpr auto flip(A const&, I const&...) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
// catches sum<batch>(x)
template<auto... Axes, Operand A>
    requires(!(std::is_integral_v<decltype(Axes)> && ...))
constexpr auto sum(A const&) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
template<auto... Axes, Operand A>
    requires(!(std::is_integral_v<decltype(Axes)> && ...))
constexpr auto mean(A const&) {
    return detail::refuse_form<detail::form::reductions_axes, A>();
}
// catches argsort(x, 1)
template<Operand A, class... I>
    requires(sizeof...(I) > 0)
constexpr auto argsort(A const&, I const&...) {
    return detail::refuse_form<detail::form::sorting, A>();
}
// catches uniform_like(x)
template<Operand A, class... I>
constexpr auto uniform_like(A const&, I const&...) {
    return detail::refuse_form<detail::form::noise, A>();
}
template<Operand A, class... I>
constexpr auto normal_like(A const&, I const&...) {
    return detail::refuse_form<detail::form::noise, A>();
}

// stop_gradient(x, w), stop_gradient()
template<Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto stop_gradient(A const&, B const&...) {
    return detail::refuse_form<detail::form::stop_gradient, A>();
}
template<class R = detail::in_braces>
constexpr auto stop_gradient() {
    return detail::refuse_form<detail::form::stop_gradient, R>();
}
// softmax(a, b)
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto prod(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto log_sum_exp(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto softmax(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto log_softmax(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto norm(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto moments(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
// reshape<2, 3>(a, b)
template<auto... D, Operand A, Operand... B>
    requires(sizeof...(D) > 0 && sizeof...(B) > 0)
constexpr auto reshape(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<auto... D, Operand A, Operand... B>
    requires(sizeof...(D) > 0 && sizeof...(B) > 0)
constexpr auto broadcast_to(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<int... D, Operand A, Operand... B>
    requires(sizeof...(D) > 0 && sizeof...(B) > 0)
constexpr auto transpose(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<int... D, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto flip(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<int Axis, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto expand_dims(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<int Axis, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto squeeze(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<int Axis, auto Begin, auto End, std::int64_t Step = 1, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto slice(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<MemoryElement T, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto cast(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<std::int64_t K, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto top_k(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<std::int64_t Depth, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto one_hot(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}
template<auto Length, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto sequence_mask(A const&, B const&...) {
    return detail::refuse_form<detail::form::several, A>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
