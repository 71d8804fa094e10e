// SPDX-License-Identifier: MIT
// Operators and functions of complex numbers, all written in real operations. So plans, gradients and bodies know only these.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/complex_numbers.hpp>
#include <xgrad/ops/matmul_stacks.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// re + i im, both repeated to their common shape.
template<class A, class B>
constexpr auto joined(A const& re, B const& im) {
    constexpr shape s = value_of<decltype(re + im)>.dims;
    return complex(repeated_to<s>(re), repeated_to<s>(im));
}
/// a / b, scaled by the larger part of b, so that no square overflows (Smith 1962). The scale has no influence on the result.
template<class R, class I, class C, class D>
constexpr auto quotient(R const& a, I const& b, C const& c, D const& d) {
    auto const scale = stop_gradient(maximum(abs(c), abs(d)));
    auto const cs = c / scale;
    auto const ds = d / scale;
    auto const squares = cs * cs + ds * ds;
    return joined((a * cs + b * ds) / squares / scale, (b * cs - a * ds) / squares / scale);
}
}

/// Sum of complex numbers, of a complex and a real one.
template<class A, class B>
    requires detail::ComplexOperands<A, B>
constexpr auto operator+(A&& a, B&& b) {
    if constexpr (!Complex<A>) return b + a;
    else if constexpr (!Complex<B>) return detail::joined(real(a) + b, imag(a));
    else return detail::joined(real(a) + real(b), imag(a) + imag(b));
}
/// Difference.
template<class A, class B>
    requires detail::ComplexOperands<A, B>
constexpr auto operator-(A&& a, B&& b) {
    if constexpr (!Complex<A>) return detail::joined(a - real(b), -imag(b));
    else if constexpr (!Complex<B>) return detail::joined(real(a) - b, imag(a));
    else return detail::joined(real(a) - real(b), imag(a) - imag(b));
}
/// Product, element by element.
template<class A, class B>
    requires detail::ComplexOperands<A, B>
constexpr auto operator*(A&& a, B&& b) {
    if constexpr (!Complex<A>) return b * a;
    else if constexpr (!Complex<B>) return detail::joined(real(a) * b, imag(a) * b);
    else return detail::joined(real(a) * real(b) - imag(a) * imag(b), real(a) * imag(b) + imag(a) * real(b));
}
/// Quotient, without overflow of squares. It is NaN where the divisor is 0.
template<class A, class B>
    requires detail::ComplexOperands<A, B>
constexpr auto operator/(A&& a, B&& b) {
    if constexpr (!Complex<B>) return detail::joined(real(a) / b, imag(a) / b);
    else if constexpr (Complex<A>) return detail::quotient(real(a), imag(a), real(b), imag(b));
    else return detail::quotient(a, literal<0>{}, real(b), imag(b));
}
template<class Re, class Im>
constexpr auto operator-(complex_expression<Re, Im> const&) {
    return complex(-Re{}, -Im{});
}

// What the element-wise functions are for complex numbers: abs(z), square(z), ...
template<class Re, class Im>
constexpr auto elementwise_on(op::abs, complex_expression<Re, Im> const&) {
    return hypot(Re{}, Im{});
}
template<class Re, class Im>
constexpr auto elementwise_on(op::square, complex_expression<Re, Im> const&) {
    return complex((Re{} - Im{}) * (Re{} + Im{}), detail::whole_literal<2> * Re{} * Im{});
}
template<class Re, class Im>
constexpr auto elementwise_on(op::exp, complex_expression<Re, Im> const&) {
    return complex(exp(Re{}) * cos(Im{}), exp(Re{}) * sin(Im{}));
}
// The principal value.
template<class Re, class Im>
constexpr auto elementwise_on(op::log, complex_expression<Re, Im> const& z) {
    return complex(log(hypot(Re{}, Im{})), angle(z));
}
// The principal value: its real part is not negative. 0 at 0.
template<class Re, class Im>
constexpr auto elementwise_on(op::sqrt, complex_expression<Re, Im> const&) {
    using namespace literals;
    auto const larger = sqrt((abs(Re{}) + hypot(Re{}, Im{})) * 0.5_c);
    auto const smaller = Im{} / (2_c * select(greater(larger, 0_c), larger, 1_c));
    auto const right = greater_equal(Re{}, 0_c);
    return complex(select(right, larger, abs(smaller)), select(right, smaller, select(less(Im{}, 0_c), -larger, larger)));
}
template<class Re, class Im, class Other>
constexpr auto elementwise_on(op::equal, complex_expression<Re, Im> const&, Other const& b)
    requires Complex<Other>
{
    return logical_and(equal(Re{}, real(b)), equal(Im{}, imag(b)));
}
template<class Re, class Im, class Other>
constexpr auto elementwise_on(op::not_equal, complex_expression<Re, Im> const&, Other const& b)
    requires Complex<Other>
{
    return logical_or(not_equal(Re{}, real(b)), not_equal(Im{}, imag(b)));
}

/// The product of matrices, or of stacks of them, of which one at least is complex. Nothing is conjugated: conj(a) does that.
template<bool TransposeA = false, bool TransposeB = false, class A, class B>
    requires detail::ComplexOperands<A, B>
constexpr auto matmul(A const& a, B const& b) {
    constexpr auto product = [](auto const& x, auto const& y) { return matmul<TransposeA, TransposeB>(x, y); };
    if constexpr (!Complex<A>) return complex(product(a, real(b)), product(a, imag(b)));
    else if constexpr (!Complex<B>) return complex(product(real(a), b), product(imag(a), b));
    else return complex(product(real(a), real(b)) - product(imag(a), imag(b)), product(real(a), imag(b)) + product(imag(a), real(b)));
}
// Of both parts alike.
template<int... Axes, Complex Z>
constexpr auto sum(Z const& z) {
    return complex(sum<Axes...>(real(z)), sum<Axes...>(imag(z)));
}
template<int... Axes, Complex Z>
constexpr auto sum(Z const& z, keep_dims_tag) {
    return complex(sum<Axes...>(real(z), keep_dims), sum<Axes...>(imag(z), keep_dims));
}
template<int... Axes, Complex Z>
constexpr auto mean(Z const& z) {
    return complex(mean<Axes...>(real(z)), mean<Axes...>(imag(z)));
}
template<auto... D, Complex Z>
constexpr auto reshape(Z const& z) {
    return complex(reshape<D...>(real(z)), reshape<D...>(imag(z)));
}
template<int Axis, Complex Z>
constexpr auto expand_dims(Z const& z) {
    return complex(expand_dims<Axis>(real(z)), expand_dims<Axis>(imag(z)));
}
template<int Axis, Complex Z>
constexpr auto squeeze(Z const& z) {
    return complex(squeeze<Axis>(real(z)), squeeze<Axis>(imag(z)));
}
template<auto... D, Complex Z>
constexpr auto broadcast_to(Z const& z) {
    return complex(broadcast_to<D...>(real(z)), broadcast_to<D...>(imag(z)));
}
template<int... P, Complex Z>
constexpr auto transpose(Z const& z) {
    return complex(transpose<P...>(real(z)), transpose<P...>(imag(z)));
}
template<int Axis, auto Begin, auto End, std::int64_t Step = 1, Complex Z>
constexpr auto slice(Z const& z) {
    return complex(slice<Axis, Begin, End, Step>(real(z)), slice<Axis, Begin, End, Step>(imag(z)));
}
template<int Axis, Complex Z, Complex... Rest>
constexpr auto concat(Z const& first, Rest const&... rest) {
    return complex(concat<Axis>(real(first), real(rest)...), concat<Axis>(imag(first), imag(rest)...));
}
template<Complex Z>
constexpr auto stop_gradient(Z const& z) {
    return complex(stop_gradient(real(z)), stop_gradient(imag(z)));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
