// SPDX-License-Identifier: MIT
// The Jacobian of an expression and the Hessian of a scalar, as a loop over their rows or columns.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/captures.hpp>
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/grad/written_out.hpp>
#include <xgrad/ops/scan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

constexpr shape flat(shape const& s) { return shape{1, {s.size()}}; }

template<class E>
using float_of = cpp_type_t<computed_type(value_of<E>.type)>;
/// The tensor of E's shape with a one at position I of its elements, and zeros elsewhere.
template<class E, class I>
constexpr auto unit_vector(I const& i) {
    return reshaped_to<value_of<E>.dims>(apply<op::match<float_of<E>>>(i, positions_along<value_of<E>.dims.size()>{}));
}
/// One row or column, E, written out as a function of its number I.
template<class E, class I>
constexpr auto in_loop() {
    using written = written_out<E, I>;
    constexpr node_info const *result = info_of<written>, *number = info_of<I>;
    constexpr bool fits = find_captured(&result, 1, &number, 1, false).count < max_region_operands;
    static_assert(fits,
        "xgrad: the loop of this Jacobian or Hessian reads more than 255 outer expressions; take the Jacobians of parts of y, such "
        "as groups of layers, and multiply them");
    if constexpr (fits) return written{};
    else return refused{};
}
/// Row i of the Jacobian: the gradient of element i of y. Column i: the derivative of y along element i of x.
template<class Y, class X>
struct jacobian_row : region {
    static constexpr std::string_view body_name = "a row of a Jacobian";   // that of its type may be very long
    template<class I>
    static constexpr auto value(I) {
        return carry().emit(in_loop<decltype(vjp(Y{}, X{}, unit_vector<Y>(I{}))), I>());
    }
};
template<class Y, class X>
struct jacobian_column : region {
    static constexpr std::string_view body_name = "a column of a Jacobian";
    template<class I>
    static constexpr auto value(I) {
        return carry().emit(reshaped_to<flat(value_of<Y>.dims)>(in_loop<decltype(jvp(Y{}, X{}, unit_vector<X>(I{}))), I>()));
    }
};
/// The loop over the rows or columns of Body, one for each element of E.
template<class Body, class E>
constexpr auto all_of() {
    return std::get<0>(scan<Body>(carry(), positions_along<value_of<E>.dims.size()>{}));
}
template<class E>
constexpr auto ones_like() {
    return repeated_to<value_of<E>.dims>(constant<float_of<E>, 1>);
}
/// Zeros of the Jacobian's shape. y and x are operands, so a call finds the sizes of their named dimensions.
template<class Y, class X>
constexpr auto zeros_of() {
    constexpr shape column = joined(value_of<Y>.dims, [] {
        shape r = value_of<X>.dims;
        for (int i = 0; i < r.rank; ++i) r.extents[i] = static_extent(1);
        return r;
    }());
    return repeated_to<joined(value_of<Y>.dims, value_of<X>.dims)>(reshaped_to<column>(jvp(Y{}, X{}, ones_like<X>())));
}
template<class Y, class X>
constexpr bool columns_are_fewer() {
    constexpr extent rows = value_of<Y>.dims.size(), columns = value_of<X>.dims.size();
    return rows.is_static() && columns.is_static() && columns.constant < rows.constant;
}
template<class Y, class X>
struct jacobian_of : let<jacobian_of<Y, X>> {
    static constexpr auto value() {
        constexpr shape result = joined(value_of<Y>.dims, value_of<X>.dims);
        if constexpr (is_one(value_of<Y>.dims.size())) return reshaped_to<result>(vjp(Y{}, X{}, ones_like<Y>()));
        else if constexpr (is_one(value_of<X>.dims.size())) return reshaped_to<result>(jvp(Y{}, X{}, ones_like<X>()));
        else if constexpr (columns_are_fewer<Y, X>()) return reshaped_to<result>(transpose<1, 0>(all_of<jacobian_column<Y, X>, X>()));
        else return reshaped_to<result>(all_of<jacobian_row<Y, X>, Y>());
    }
};
/// What is wrong with y and x of a Jacobian or Hessian.
template<class Y, class X>
constexpr product_fault check_matrix(bool scalar_y) {
    if constexpr (!Expr<X>) return check_product<Y, Y, void, Y>(product_fault::y_shape, scalar_y);
    else return check_product<Y, Y, X, Y>(product_fault::y_shape, scalar_y);
}
template<class Y, class X>
constexpr auto make_jacobian() {
    constexpr auto f = check_matrix<Y, X>(false);
    refuse_product<f>();
    if constexpr (f != product_fault::none) return refused{};
    else {
        constexpr bool fits = value_of<Y>.dims.rank + value_of<X>.dims.rank <= max_rank;
        static_assert(fits,
            "xgrad::jacobian(y, x): y and x have more than six axes together, which the result cannot have; reshape one of them "
            "first: the gradient passes through reshape<...>(x)");
        if constexpr (!fits) return refused{};
        else if constexpr (NoGradient<decltype(gradient_of(Y{}, X{}))>) return zeros_of<Y, X>();
        else return jacobian_of<Y, X>{};
    }
}
template<class Y, class X>
constexpr auto make_hessian() {
    constexpr auto f = check_matrix<Y, X>(true);
    refuse_product<f>();
    if constexpr (f != product_fault::none) return refused{};
    else {
        constexpr bool fits = 2 * value_of<X>.dims.rank <= max_rank;
        static_assert(fits,
            "xgrad::hessian(y, x...): an x has more than three axes, so its Hessian has more than six; reshape x first, and make y "
            "of the reshaped x");
        if constexpr (!fits) return refused{};
        else {
            using G = std::remove_const_t<decltype(densified(gradient_of(Y{}, X{})))>;
            constexpr bool depends = !NoGradient<G>;
            static_assert(depends, "xgrad::hessian(y, x...): y does not depend on an x, so there is no Hessian; leave this x out");
            if constexpr (!depends) return refused{};
            else {
                constexpr bool curved = !NoGradient<decltype(gradient_of(G{}, X{}))>;
                static_assert(curved,
                    "xgrad::hessian(y, x...): y is linear in an x, so its gradient does not depend on x and there is no Hessian; "
                    "jacobian(gradient_of(y, x), x) gives zeros");
                if constexpr (!curved) return refused{};
                else return jacobian_of<G, X>{};
            }
        }
    }
}
template<class... R>
constexpr auto alone_or_tuple(R const&... results) {
    if constexpr (sizeof...(R) == 1) return (results, ...);
    else return std::tuple(results...);
}
}   // namespace detail

/// The Jacobian ∂y/∂x, of shape y.shape + x.shape: element [i..., j...] is ∂y[i...]/∂x[j...]. Source: JAX's jacobian.
/// y and x are float or double, and have at most six axes together. The result is zeros if y does not depend on x, as in JAX. Several
/// xs give a tuple of Jacobians. A sparse gradient (a table that is only read by index) becomes dense.
/// It is one loop (`scan`) over the elements of y, each a vector–Jacobian product. If x has fewer elements, it is a loop over these, with
/// Jacobian–vector products. With named dimensions the loop is over y. What does not vary is computed once, before the loop.
/// Code and compile time do not depend on the number of elements.
template<class Y, class... X>
constexpr auto jacobian(Y const&, X const&...) {
    static_assert(sizeof...(X) > 0, "xgrad::jacobian(y, x...): name at least one x, a variable or another expression");
    if constexpr (sizeof...(X) == 0) return detail::refused{};
    else return detail::alone_or_tuple(detail::make_jacobian<Y, X>()...);
}

/// The Hessian ∂²y/∂x², of shape x.shape + x.shape, of a scalar y: the Jacobian of its gradient. Source: TensorFlow's tf.hessians.
/// y and x are float or double, and x has at most three axes. Several xs give a tuple, one Hessian for each without the blocks between
/// them, as in tf.hessians. As there, a y that does not depend on x or is linear in it is an error.
/// It is one loop over the elements of x, each a Hessian–vector product. To use a Hessian in products alone, write hvp(y, x, v).
template<class Y, class... X>
constexpr auto hessian(Y const&, X const&...) {
    static_assert(sizeof...(X) > 0, "xgrad::hessian(y, x...): name at least one x, a variable or another expression");
    if constexpr (sizeof...(X) == 0) return detail::refused{};
    else return detail::alone_or_tuple(detail::make_hessian<Y, X>()...);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
