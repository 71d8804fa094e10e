// SPDX-License-Identifier: MIT
// The Jacobian and the Hessian of each example of a batch whose examples do not mix: loops over the elements of one example.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/jacobian.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The shape of one example of a batch.
constexpr shape without_examples(shape const& s) {
    shape r{};
    for (int i = 1; i < s.rank; ++i) r.extents[r.rank++] = s.extents[i];
    return r;
}
template<class E>
inline constexpr shape example_of = without_examples(value_of<E>.dims);
/// E as a matrix [examples, elements of one example].
template<class E>
constexpr auto as_examples(E const& e) {
    constexpr shape dims = value_of<E>.dims;
    return reshaped_to<shape{2, {dims.extents[0], example_of<E>.size()}}>(e);
}
/// The tensor of E's shape with a one at position I of each example, and zeros elsewhere.
template<class E, class I>
constexpr auto unit_of_each(I const& i) {
    constexpr shape one = joined(shape{1, {static_extent(1)}}, example_of<E>);
    return repeated_to<value_of<E>.dims>(reshaped_to<one>(apply<op::match<float_of<E>>>(i, positions_along<example_of<E>.size()>{})));
}
/// Row i of the Jacobian of each example, in one pass over the batch: the gradient of the sum of y[:, i]. Column i: the derivative of y
/// along element i of all examples of x.
template<class Y, class X>
struct jacobian_rows_of_examples : region {
    template<class I>
    static constexpr auto value(I) {
        return carry().emit(as_examples(in_loop<decltype(vjp(Y{}, X{}, unit_of_each<Y>(I{}))), I>()));
    }
};
template<class Y, class X>
struct jacobian_columns_of_examples : region {
    template<class I>
    static constexpr auto value(I) {
        return carry().emit(as_examples(in_loop<decltype(jvp(Y{}, X{}, unit_of_each<X>(I{}))), I>()));
    }
};
template<class Body, class E>
constexpr auto all_of_examples() {
    return std::get<0>(scan<Body>(carry(), positions_along<example_of<E>.size()>{}));
}
template<class Y, class X>
inline constexpr shape shape_of_examples = joined(value_of<Y>.dims, example_of<X>);
template<class Y, class X>
struct jacobians_of_examples : let<jacobians_of_examples<Y, X>> {
    static constexpr auto value() {
        constexpr shape result = shape_of_examples<Y, X>;
        constexpr extent rows = example_of<Y>.size(), columns = example_of<X>.size();
        if constexpr (is_one(rows)) return reshaped_to<result>(vjp(Y{}, X{}, ones_like<Y>()));
        else if constexpr (is_one(columns)) return reshaped_to<result>(jvp(Y{}, X{}, ones_like<X>()));
        else if constexpr (rows.is_static() && columns.is_static() && columns.constant < rows.constant)
            return reshaped_to<result>(transpose<1, 2, 0>(all_of_examples<jacobian_columns_of_examples<Y, X>, X>()));
        else return reshaped_to<result>(transpose<1, 0, 2>(all_of_examples<jacobian_rows_of_examples<Y, X>, Y>()));
    }
};
/// Zeros of the result's shape, made of y and x as in zeros_of.
template<class Y, class X>
constexpr auto zeros_of_examples() {
    constexpr shape column = joined(value_of<Y>.dims, [] {
        shape r = example_of<X>;
        for (int i = 0; i < r.rank; ++i) r.extents[i] = static_extent(1);
        return r;
    }());
    return repeated_to<shape_of_examples<Y, X>>(reshaped_to<column>(jvp(Y{}, X{}, ones_like<X>())));
}

/// What is wrong with y or the loss, and one x.
enum class matrix_slip : unsigned char { none, silent, y, x, y_axes, x_axes, lengths, too_many_axes, unconnected, linear };
template<class Y, class X>
constexpr matrix_slip slip_of_examples_in() {
    if constexpr (!Expr<Y>) return matrix_slip::y;
    else if constexpr (!Expr<X>) return matrix_slip::x;
    else {
        constexpr value_info y = value_of<Y>, x = value_of<X>;
        if (y.wrong != fault::none || x.wrong != fault::none) return matrix_slip::silent;
        if (!has_gradient(y.type)) return matrix_slip::y;
        if (!has_gradient(x.type)) return matrix_slip::x;
        if (y.dims.rank == 0) return matrix_slip::y_axes;
        if (x.dims.rank == 0) return matrix_slip::x_axes;
        return y.dims.extents[0] == x.dims.extents[0] ? matrix_slip::none : matrix_slip::lengths;
    }
}
template<class Y, class X>
constexpr matrix_slip slip_of_jacobians() {
    constexpr auto slip = slip_of_examples_in<Y, X>();
    if constexpr (slip != matrix_slip::none) return slip;
    else return value_of<Y>.dims.rank + value_of<X>.dims.rank - 1 <= max_rank ? slip : matrix_slip::too_many_axes;
}
template<class Loss, class X>
constexpr matrix_slip slip_of_hessians() {
    constexpr auto slip = slip_of_examples_in<Loss, X>();
    if constexpr (slip != matrix_slip::none) return slip;
    else if constexpr (value_of<Loss>.dims.rank > 1) return matrix_slip::y_axes;
    else if constexpr (2 * value_of<X>.dims.rank - 1 > max_rank) return matrix_slip::too_many_axes;
    else {
        using G = std::remove_const_t<decltype(densified(gradient_of(sum(Loss{}), X{})))>;
        if constexpr (NoGradient<G>) return matrix_slip::unconnected;
        else return NoGradient<decltype(gradient_of(sum(G{}), X{}))> ? matrix_slip::linear : slip;
    }
}
template<matrix_slip Slip>
constexpr void refuse_x_of_examples() {
    static_assert(Slip != matrix_slip::x,
        "xgrad: an x of per_example_jacobians or per_example_hessians is not an expression of float or double; write cast<float>(x), and "
        "compute y from the result");
    static_assert(Slip != matrix_slip::x_axes,
        "xgrad: an x of per_example_jacobians or per_example_hessians has no axis, but its first axis is the examples; for what all "
        "examples share write jacobian(y, w), hessian(sum(loss), w) or per_example_gradients<body>(w, x)");
    static_assert(Slip != matrix_slip::lengths,
        "xgrad: y or loss and an x of per_example_jacobians or per_example_hessians have different numbers of examples; give their first "
        "axes the same integer or named dimension");
}
template<matrix_slip Slip>
constexpr void refuse_jacobians() {
    refuse_x_of_examples<Slip>();
    static_assert(
        Slip != matrix_slip::y, "xgrad::per_example_jacobians(y, x...): y is not an expression of float or double; write cast<float>(y)");
    static_assert(Slip != matrix_slip::y_axes,
        "xgrad::per_example_jacobians(y, x...): y has no axis, but its first axis is the examples; leave out the sum or mean over the "
        "examples, or write jacobian(y, x)");
    static_assert(Slip != matrix_slip::too_many_axes,
        "xgrad::per_example_jacobians(y, x...): y and one example of x have more than six axes together; reshape one of them first: the "
        "gradient passes through reshape<...>(x)");
}
template<matrix_slip Slip>
constexpr void refuse_hessians() {
    refuse_x_of_examples<Slip>();
    static_assert(Slip != matrix_slip::y && Slip != matrix_slip::y_axes,
        "xgrad::per_example_hessians(loss, x...): loss is not float or double of shape [examples], one number for each example; leave out "
        "the mean over the examples, or write sum<1>(loss)");
    static_assert(Slip != matrix_slip::too_many_axes,
        "xgrad::per_example_hessians(loss, x...): an x has more than three axes, so the result has more than six; reshape x first, and "
        "make the loss of the reshaped x");
    static_assert(Slip != matrix_slip::unconnected,
        "xgrad::per_example_hessians(loss, x...): loss does not depend on an x, so there are no Hessians; leave this x out");
    static_assert(Slip != matrix_slip::linear,
        "xgrad::per_example_hessians(loss, x...): loss is linear in an x, so its gradient does not depend on x and there are no Hessians; "
        "leave this x out");
}
template<class Y, class X>
constexpr auto make_jacobians_of_examples() {
    constexpr auto slip = slip_of_jacobians<Y, X>();
    refuse_jacobians<slip>();
    if constexpr (slip != matrix_slip::none) return refused{};
    else if constexpr (NoGradient<decltype(gradient_of(sum(Y{}), X{}))>) return zeros_of_examples<Y, X>();
    else return jacobians_of_examples<Y, X>{};
}
template<class Loss, class X>
constexpr auto make_hessians_of_examples() {
    constexpr auto slip = slip_of_hessians<Loss, X>();
    refuse_hessians<slip>();
    if constexpr (slip != matrix_slip::none) return refused{};
    else return jacobians_of_examples<std::remove_const_t<decltype(densified(gradient_of(sum(Loss{}), X{})))>, X>{};
}
}   // namespace detail

/// The Jacobian of each example of a batch: `per_example_jacobians(y, x)`, where y is [examples, i...] and x is [examples, j...].
/// Element [k, i..., j...] is ∂y[k, i...]/∂x[k, j...]. The result has the shape y.shape + x.shape without the second axis of examples.
/// Source: TensorFlow's batch_jacobian, JAX's vmap(jacobian(f)).
///
/// y[k] must depend on no other row of x than x[k]; this is not checked. Otherwise the derivatives by (or of) other rows are added, as in
/// TensorFlow. Means over the batch and softmax along the first axis mix rows so.
/// y and x are float or double, and the result has at most six axes. It is zeros if y does not depend on x. Several xs give a tuple.
///
/// It is one loop (`scan`) over the elements of one row of y, each a vector–Jacobian product for the whole batch. If a row of x has fewer
/// elements, it is a loop over these, with Jacobian–vector products. `jacobian(y, x)` takes as many passes for each example, and has
/// zeros between them. Code and compile time depend neither on the examples nor on their elements. Gradient: that of scan.
template<class Y, class... X>
constexpr auto per_example_jacobians(Y const&, X const&...) {
    static_assert(sizeof...(X) > 0, "xgrad::per_example_jacobians(y, x...): name at least one x, a variable or another expression");
    if constexpr (sizeof...(X) == 0) return detail::refused{};
    else return detail::alone_or_tuple(detail::make_jacobians_of_examples<Y, X>()...);
}
namespace detail {
template<int N>
constexpr refused refuse_per_example_jacobians() {
    static_assert(N < 0,
        "xgrad::per_example_jacobians(y, x...): the call has a body between < and >, or no arguments; compute y for the whole batch, and "
        "write per_example_jacobians(y, x)");
    return {};
}
}
// This catches calls with a body.
template<class... Given>
constexpr auto per_example_jacobians(...) {
    return detail::refuse_per_example_jacobians<sizeof...(Given)>();
}

/// The Hessian of the loss of each example: `per_example_hessians(loss, x)`, where loss is [examples] and x is [examples, j...].
/// Element [k, i..., j...] is ∂²loss[k]/∂x[k, i...]∂x[k, j...], of shape x.shape + x.shape without the second axis of examples.
/// Source: JAX's vmap(hessian(f)).
///
/// loss[k] must depend on no other row of x than x[k]; this is not checked, see per_example_jacobians. loss and x are float or double, and
/// x has at most three axes. Several xs give a tuple, without the blocks between them. A loss that does not depend on x or is linear in
/// it is an error, as for `hessian`.
/// It is one loop over the elements of one row of x, each a Hessian–vector product for the whole batch. Gradient: that of scan.
template<class Loss, class... X>
constexpr auto per_example_hessians(Loss const&, X const&...) {
    static_assert(sizeof...(X) > 0, "xgrad::per_example_hessians(loss, x...): name at least one x, a variable or another expression");
    if constexpr (sizeof...(X) == 0) return detail::refused{};
    else return detail::alone_or_tuple(detail::make_hessians_of_examples<Loss, X>()...);
}
namespace detail {
template<int N>
constexpr refused refuse_per_example_hessians() {
    static_assert(N < 0,
        "xgrad::per_example_hessians(loss, x...): the call has a body between < and >, or no arguments; compute loss for the whole batch, and "
        "write per_example_hessians(loss, x)");
    return {};
}
}
// This catches calls with a body.
template<class... Given>
constexpr auto per_example_hessians(...) {
    return detail::refuse_per_example_hessians<sizeof...(Given)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
