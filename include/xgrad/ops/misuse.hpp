// SPDX-License-Identifier: MIT
// Operators and forms of calls from other libraries that expressions do not have. Each gets one error sentence that
// names the form to write.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class form : unsigned char {
    none,
    equality,
    inequality,
    conjunction,
    disjunction,
    negation,
    modulo,
    assignment,
    increment,
    bit_xor,
    bit_and,
    bit_or,
    complement,
    shift,
    printed,
    double_star,
    less_of_function,
    minimum,
    larger,
    products,
    losses,
    lookup,
    reductions_of_two,
    reshape,
    broadcast_to,
    transpose,
    slice,
    concat,
    expand_dims,
    squeeze,
    one_hot,
    top_k,
    sequence_mask,
    cast,
    dropout,
    noise,
    sorting,
    reductions_axes,
    stop_gradient,
    several
};
template<form Asked, class A>   // dependent, so it is instantiated at the call
constexpr auto refuse_form() {
    constexpr form F = was_refused<A> ? form::none : Asked;   // an operand that was refused already gives no further sentence
    static_assert(F != form::equality, "xgrad: there is no == of expressions; write equal(a, b), which compares element by element");
    static_assert(F != form::inequality, "xgrad: there is no != of expressions; write not_equal(a, b), which compares element by element");
    static_assert(F != form::conjunction, "xgrad: there is no && of expressions; write logical_and(a, b)");
    static_assert(F != form::disjunction, "xgrad: there is no || of expressions; write logical_or(a, b)");
    static_assert(F != form::negation, "xgrad: there is no ! of expressions; write logical_not(a)");
    static_assert(F != form::modulo, "xgrad: there is no % of expressions; give the remainder as an input, or write your own operation");
    static_assert(F != form::assignment,
        "xgrad: there is no +=, -=, *= or /= of expressions, which do not change; give the result another name: auto sum = a + "
        "b");
    static_assert(
        F != form::increment, "xgrad: there is no ++ or -- of expressions, which do not change; write x + 1_c and give it another name");
    static_assert(F != form::bit_xor, "xgrad: there is no ^ of expressions; for a power write pow(x, 2_c), or square(x)");
    static_assert(F != form::bit_and, "xgrad: there is no & of expressions; write logical_and(a, b)");
    static_assert(F != form::bit_or, "xgrad: there is no | of expressions; write logical_or(a, b)");
    static_assert(F != form::complement, "xgrad: there is no ~ of expressions; write logical_not(a)");
    static_assert(F != form::shift, "xgrad: there is no << or >> of expressions; multiply by a power of two, 8_c * x");
    static_assert(F != form::printed,
        "xgrad: an expression is printed, which has no value before a call; print the result of function{y, owner}(x = a), or "
        "describe(function{y, owner})");
    static_assert(F != form::double_star, "xgrad: there is no ** of expressions; for a power write pow(x, 2_c), or square(x)");
    static_assert(F != form::less_of_function,
        "xgrad: an element-wise function has template arguments; write its operands in parentheses: pow(x, 2_c)");
    static_assert(F != form::minimum, "xgrad::min(x): several expressions are given; write minimum(a, b) for the smaller of two");
    static_assert(F != form::larger, "xgrad::max(x): two expressions are given; write maximum(a, b) for the larger of two");
    static_assert(F != form::products,
        "xgrad::matmul(a, b): more or fewer than two operands are given; write matmul(x, w) + b to add a bias, and multiply "
        "three matrices in two products");
    static_assert(F != form::losses,
        "xgrad: a loss gets more or fewer than two expressions, (logits, labels) or (a, b); multiply its result by weights, "
        "and write mean(...) for one number");
    static_assert(F != form::lookup,
        "xgrad::gather(table, ids): an axis or another number of arguments is given; write the table, then ids of its rows, "
        "and transpose a table for another axis");
    static_assert(F != form::reductions_of_two,
        "xgrad: a reduction such as sum(x) gets several expressions; add them first, sum(a + b), or join them by concat");
    static_assert(F != form::reductions_axes,
        "xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag; write mean<1>(x), from the end "
        "mean<-1>(x), or mean<1>(x, keep_dims)");
    static_assert(F != form::reshape, "xgrad::reshape(x): the new shape is not in angle brackets; write reshape<2, 3>(x)");
    static_assert(F != form::broadcast_to, "xgrad::broadcast_to(x): the shape is not in angle brackets; write broadcast_to<2, 3>(x)");
    static_assert(F != form::transpose, "xgrad::transpose(x): the order of axes is not in angle brackets; write transpose<1, 0>(x)");
    static_assert(F != form::slice, "xgrad::slice(x): axis, begin and end are not all in angle brackets; write slice<0, 2, 5>(x)");
    static_assert(F != form::concat,
        "xgrad::concat<axis>(a, b...): the axis is not in angle brackets, or the expressions are missing or in braces; write "
        "concat<1>(a, b)");
    static_assert(F != form::expand_dims, "xgrad::expand_dims(x): the axis is not in angle brackets; write expand_dims<0>(x)");
    static_assert(F != form::squeeze, "xgrad::squeeze(x): the axis is not in angle brackets; write squeeze<0>(x)");
    static_assert(F != form::one_hot, "xgrad::one_hot(ids): the depth is not in angle brackets; write one_hot<10>(ids)");
    static_assert(F != form::top_k, "xgrad::top_k(x): the number of elements is not in angle brackets; write top_k<3>(x)");
    static_assert(F != form::sequence_mask,
        "xgrad::sequence_mask(lengths): the length of the mask is not in angle brackets; write sequence_mask<time>(lengths)");
    static_assert(F != form::cast,
        "xgrad::cast(x): the element type is not in angle brackets, or is not one of inputs and variables; write cast<float>(x)");
    static_assert(F != form::dropout,
        "xgrad::dropout(x, rate): the name of the random stream is not in angle brackets, or the rate is missing; write "
        "dropout<\"hidden\">(x, 0.5_c)");
    static_assert(F != form::noise, "xgrad: a random stream has no name in angle brackets; write uniform_like<\"noise\">(x)");
    static_assert(F != form::sorting,
        "xgrad: sort(x) or argsort(x) gets an axis or an order, but sorts the last axis upwards; transpose for another axis, "
        "write flip<-1>(...) for the other order");
    static_assert(F != form::stop_gradient,
        "xgrad::stop_gradient(x): there is no x, or more than one; call it for each, or give gradients(y, x...) the list "
        "stop_gradients(a, b)");
    static_assert(F != form::several,
        "xgrad: a function of one expression, such as reshape<4, 2>(x) or cast<float>(x), gets several; call it for each of them");
    return refused{};
}
template<class A>   // a stream may be only declared
concept Complete = requires { sizeof(std::remove_reference_t<A>); };
template<class... A>
concept AnyOperand = (Complete<A> && ...) && (Operand<A> || ...);
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

// Catches axes and extents as function arguments. They are part of a type, so they are written in angle brackets.
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
template<class I, class... A>
    requires std::is_arithmetic_v<I>
constexpr auto concat(I const&, A const&...) {
    return detail::refuse_form<detail::form::concat, I>();
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
constexpr auto sequence_mask(A const&, I const&...) {
    return detail::refuse_form<detail::form::sequence_mask, A>();
}
template<Operand A, class... I>
constexpr auto cast(A const&, I const&...) {
    return detail::refuse_form<detail::form::cast, A>();
}
template<Operand A, class... I>
constexpr auto dropout(A const&, I const&...) {
    return detail::refuse_form<detail::form::dropout, A>();
}

template<Operand A>
constexpr auto operator++(A const&) {
    return detail::refuse_form<detail::form::increment, A>();
}
template<Operand A>
constexpr auto operator++(A const&, int) {
    return detail::refuse_form<detail::form::increment, A>();
}
template<Operand A>
constexpr auto operator--(A const&) {
    return detail::refuse_form<detail::form::increment, A>();
}
template<Operand A>
constexpr auto operator--(A const&, int) {
    return detail::refuse_form<detail::form::increment, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator^(A const&, B const&) {
    return detail::refuse_form<detail::form::bit_xor, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator&(A const&, B const&) {
    return detail::refuse_form<detail::form::bit_and, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator|(A const&, B const&) {
    return detail::refuse_form<detail::form::bit_or, A>();
}
template<Operand A>
constexpr auto operator~(A const&) {
    return detail::refuse_form<detail::form::complement, A>();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator<<(A&&, B&&) {   // as good a match as std::ostream's operator
    return detail::refuse_form < Operand<A> ? detail::form::shift : detail::form::printed, std::remove_cvref_t < A >> ();
}
template<class A, class B>
    requires detail::AnyOperand<A, B>
constexpr auto operator>>(A const&, B const&) {
    return detail::refuse_form<detail::form::shift, A>();
}
template<Operand A>
constexpr auto operator*(A const&) {
    return detail::refuse_form<detail::form::double_star, A>();
}
template<class Op, class B>   // catches pow<2>(x)
constexpr auto operator<(elementwise<Op> const&, B const&) {
    return detail::refuse_form<detail::form::less_of_function, B>();
}

// With `using namespace std` these are better matches than those of the standard library.
template<Operand A>
constexpr auto max(A const&, A const&) {
    return detail::refuse_form<detail::form::larger, A>();
}
template<Operand A>
constexpr auto min(A const&, A const&) {
    return detail::refuse_form<detail::form::minimum, A>();
}
template<int... Axes, Operand A, class... B>
    requires(sizeof...(B) > 1)
constexpr auto min(A const&, B const&...) {
    return detail::refuse_form<detail::form::minimum, A>();
}

// Another number of operands.
template<bool... Transpose, Operand A, class... B>
    requires(sizeof...(B) != 1)
constexpr auto matmul(A const&, B const&...) {
    return detail::refuse_form<detail::form::products, A>();
}
template<Operand A, class... B>
    requires(sizeof...(B) != 1)
constexpr auto sparse_softmax_cross_entropy(A const&, B const&...) {
    return detail::refuse_form<detail::form::losses, A>();
}
template<Operand A, class... B>
    requires(sizeof...(B) != 1)
constexpr auto softmax_cross_entropy(A const&, B const&...) {
    return detail::refuse_form<detail::form::losses, A>();
}
template<Operand A, class... B>
    requires(sizeof...(B) != 1)
constexpr auto sigmoid_cross_entropy(A const&, B const&...) {
    return detail::refuse_form<detail::form::losses, A>();
}
template<Operand A, class... B>
    requires(sizeof...(B) != 1)
constexpr auto squared_error(A const&, B const&...) {
    return detail::refuse_form<detail::form::losses, A>();
}
template<int... Axis, Operand A, class... B>
    requires(sizeof...(B) != 1 || sizeof...(Axis) > 0)
constexpr auto gather(A const&, B const&...) {
    return detail::refuse_form<detail::form::lookup, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto sum(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<int... Axes, Operand A, Operand... B>
    requires(sizeof...(B) > 0)
constexpr auto mean(A const&, B const&...) {
    return detail::refuse_form<detail::form::reductions_of_two, A>();
}
template<Operand A, class... I>
constexpr auto top_k(A const&, I const&...) {
    return detail::refuse_form<detail::form::top_k, A>();
}

// Braces.
template<Operand A>
constexpr auto reshape(A const&, detail::in_braces) {
    return detail::refuse_form<detail::form::reshape, A>();
}
template<Operand A>
constexpr auto broadcast_to(A const&, detail::in_braces) {
    return detail::refuse_form<detail::form::broadcast_to, A>();
}
template<Operand A>
constexpr auto transpose(A const&, detail::in_braces) {
    return detail::refuse_form<detail::form::transpose, A>();
}
template<int Axis, class R = detail::in_braces>
constexpr auto concat(detail::in_braces) {
    return detail::refuse_form<detail::form::concat, R>();
}
template<int Axis, class R = detail::in_braces>   // concat<0>()
constexpr auto concat() {
    return detail::refuse_form<detail::form::concat, R>();
}
// catches slice<0, 1>(x), cast<std::string>(x), dropout<"d">(x)
template<auto... P, Operand A>
    requires(sizeof...(P) > 0 && sizeof...(P) < 3)
constexpr auto slice(A const&) {
    return detail::refuse_form<detail::form::slice, A>();
}
template<class T, Operand A>
    requires(!MemoryElement<T>)
constexpr auto cast(A const&) {
    return detail::refuse_form<detail::form::cast, A>();
}
template<fixed_string Name, Operand A>
constexpr auto dropout(A const&) {
    return detail::refuse_form<detail::form::dropout, A>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
