// SPDX-License-Identifier: MIT
// Products of a vector with the Jacobian and the Hessian of an expression, without these matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/tangent.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class T>
inline constexpr bool are_expressions = Expr<T>;
template<class... T>
inline constexpr bool are_expressions<std::tuple<T...>> = sizeof...(T) > 0 && (Expr<T> && ...);
template<class T>
struct list_from_expressions {
    using type = expressions<T>;
};
template<class... T>
struct list_from_expressions<std::tuple<T...>> {
    using type = expressions<std::remove_cvref_t<T>...>;
};
/// One expression or a tuple of them, as types.
template<class T>
using list_from = typename list_from_expressions<std::remove_cvref_t<T>>::type;

enum class product_fault : unsigned char { none, silent, y, x, vectors, count, type, x_shape, y_shape, scalar, too_many };
template<class... E>
constexpr bool is_differentiable(expressions<E...>) {
    return ((value_of<E>.wrong != fault::none || has_gradient(value_of<E>.type)) && ...);
}
/// Whether each vector has the type and shape of its expression.
template<class... E, class... V>
constexpr product_fault compare_vectors(expressions<E...>, expressions<V...>, product_fault shapes) {
    if constexpr (sizeof...(E) != sizeof...(V)) return product_fault::count;
    else {
        product_fault r = product_fault::none;
        auto const compare = [&](value_info const& e, value_info const& v) {
            if (r != product_fault::none) return;
            if (e.wrong != fault::none || v.wrong != fault::none) r = product_fault::silent;
            else if (computed_type(v.type) != computed_type(e.type) && v.type != dtype::literal) r = product_fault::type;
            else if (!(v.dims == e.dims)) r = shapes;
        };
        (compare(value_of<E>, value_of<V>), ...);
        return r;
    }
}
/// What is wrong with y, x and the vectors, which have the shapes of Like.
template<class Like, class Y, class X, class V>
constexpr product_fault check_product(product_fault shapes, bool scalar_y) {
    if constexpr (!Expr<Y>) return product_fault::y;
    else if constexpr (!are_expressions<X>) return product_fault::x;
    else if constexpr (!are_expressions<V>) return product_fault::vectors;
    else {
        if (value_of<Y>.wrong != fault::none) return product_fault::silent;
        if (!has_gradient(value_of<Y>.type)) return product_fault::y;
        if (!is_differentiable(list_from<X>{})) return product_fault::x;
        if (scalar_y && value_of<Y>.dims.rank > 0) return product_fault::scalar;
        product_fault const r = compare_vectors(list_from<Like>{}, list_from<V>{}, shapes);
        if (r != product_fault::none) return r;
        return [&]<class... E>(expressions<E...>) {
            return 2 * sizeof...(E) + 1 > max_region_operands ? product_fault::too_many : product_fault::none;
        }(list_from<X>{});
    }
}
template<product_fault F>
constexpr void refuse_product() {
    using enum product_fault;
    static_assert(F != y, "xgrad: the y of vjp, jvp, hvp, gauss_newton_vp, jacobian and hessian must be an expression of float or double; "
                          "write cast<float>(y)");
    static_assert(F != x, "xgrad: an x of vjp, jvp, hvp, gauss_newton_vp, jacobian or hessian must be an expression of float or double; "
                          "products take several as a std::tuple, such as jvp(y, std::tuple(w, b), std::tuple(tw, tb))");
    static_assert(F != vectors, "xgrad: the last argument of vjp, jvp, hvp and gauss_newton_vp must be an expression, such as "
                                "input<\"v\", float, 3>, or a std::tuple of one for each x");
    static_assert(F != count, "xgrad: jvp, hvp and gauss_newton_vp have another number of xs than of vectors; give one vector for each x");
    static_assert(
        F != type, "xgrad: a vector of vjp, jvp, hvp or gauss_newton_vp has another element type than its x or y; write cast<float>(v)");
    static_assert(F != x_shape, "xgrad: a vector of jvp, hvp or gauss_newton_vp has another shape than its x; write "
                                "broadcast_to<...>(v) or reshape<...>(v)");
    static_assert(F != y_shape, "xgrad::vjp(y, x, s): s has another shape than y; write broadcast_to<...>(s) or reshape<...>(s)");
    static_assert(F != scalar, "xgrad: the y of hvp and hessian, and the loss of gauss_newton_vp, must have one element and no axis; write "
                               "sum(y) or mean(y)");
    static_assert(
        F != too_many, "xgrad: jvp, hvp and gauss_newton_vp take at most 127 xs; give some of them at a time and add the results");
}
/// One expression for one x, or a tuple.
template<class X, class... R>
constexpr auto one_or_tuple(std::tuple<R...> const& results) {
    if constexpr (is_tuple<std::remove_cvref_t<X>>) return results;
    else return std::get<0>(results);
}
template<class X>
constexpr auto refused_products() {
    return []<class... E>(expressions<E...>) { return one_or_tuple<X>(std::tuple<std::conditional_t<true, refused, E>...>{}); }(
               list_from<std::conditional_t<are_expressions<X>, X, refused>>{});
}
template<class G>
constexpr auto densified(G const& g) {
    if constexpr (SparseGradient<G>) return g.dense;
    else return g;
}
// The gradients of Ys, some of which may be none, with Seeds. They are dense, and zeros where nothing connects x to the ys.
template<class... Y, class... S, class... X>
constexpr auto seeded_gradients(expressions<Y...>, expressions<S...>, expressions<X...>) {
    return std::apply([](auto const&... g) { return std::tuple(densified(g)...); },
        gradients(y_list<Y...>{}, grad_y_list<S...>{}, unconnected_zeros, X{}...));
}
// The gradients that are not none, with their vectors.
template<class... G, class... V>
constexpr auto connected(std::tuple<G...> const&, expressions<V...>) {
    auto const ys = std::tuple_cat([](auto const& g) {
        if constexpr (NoGradient<std::remove_cvref_t<decltype(g)>>) return std::tuple<>();
        else return std::tuple(densified(g));
    }(G{})...);
    auto const vs = std::tuple_cat(std::conditional_t<NoGradient<G>, std::tuple<>, std::tuple<V>>{}...);
    return std::pair{ys, vs};
}
template<class Y, class... X, class... V>
constexpr auto hessian_products(Y const& y, expressions<X...> xs, expressions<V...> vs) {
    auto const parts = connected(gradients(y, X{}...), vs);
    using ys = list_from<decltype(parts.first)>;
    if constexpr (std::is_same_v<ys, expressions<>>)
        return seeded_gradients(expressions<Y>{}, expressions<std::conditional_t<true, none, Y>>{}, xs);
    else return seeded_gradients(ys{}, list_from<decltype(parts.second)>{}, xs);
}
}

/// Vector–Jacobian product: sᵀ · ∂y/∂x, the gradient of sum(y · s) with respect to x. Source: JAX's vjp.
/// y and x are float or double, s has the element type and shape of y, and the result has the shape of x. It is dense, and zeros if y
/// does not depend on x. x may be a std::tuple of expressions; then the result is a tuple.
/// It is `gradients(y, grad_ys(s), unconnected_zeros, x)`, which also takes several ys.
template<class Y, class X, class S>
constexpr auto vjp(Y const&, X const&, S const&) {
    constexpr auto f = detail::check_product<Y, Y, X, S>(detail::product_fault::y_shape, false);
    detail::refuse_product<f>();
    if constexpr (f != detail::product_fault::none) return detail::refused_products<X>();
    else
        return detail::one_or_tuple<X>(
            detail::seeded_gradients(detail::expressions<Y>{}, detail::expressions<S>{}, detail::list_from<X>{}));
}

/// Jacobian–vector product: ∂y/∂x · t, the derivative of y along t. Source: JAX's jvp.
/// y and x are float or double, t has the element type and shape of x, and the result has the shape of y. It is zeros if y does not
/// depend on x, as in JAX. x and t may be tuples of as many expressions; then the products are summed.
/// Only forward steps remain in a program: the tangents of the operations between x and y, in their order. Loops (`scan`) carry tangents.
template<class Y, class X, class T>
constexpr auto jvp(Y const&, X const&, T const&) {
    constexpr auto f = detail::check_product<X, Y, X, T>(detail::product_fault::x_shape, false);
    detail::refuse_product<f>();
    if constexpr (f != detail::product_fault::none) return detail::refused{};
    else return detail::tangent<Y, detail::list_from<X>, detail::list_from<T>>{};
}

/// Hessian–vector product: ∂²y/∂x² · v for a scalar y, the gradient of sum(∂y/∂x · v), without the Hessian. v is held constant.
/// Source: JAX's jvp of grad, TensorFlow's _hessian_vector_product.
/// y and x are float or double, v has the element type and shape of x, and the result has the shape of x. It is zeros if the gradient
/// does not depend on x. x and v may be tuples of as many expressions; then the result is a tuple, with the products of all blocks.
template<class Y, class X, class V>
constexpr auto hvp(Y const& y, X const&, V const&) {
    constexpr auto f = detail::check_product<X, Y, X, V>(detail::product_fault::x_shape, true);
    detail::refuse_product<f>();
    if constexpr (f != detail::product_fault::none) return detail::refused_products<X>();
    else return detail::one_or_tuple<X>(detail::hessian_products(y, detail::list_from<X>{}, detail::list_from<V>{}));
}

/// Gauss–Newton product: Jᵀ · J · v with the Jacobian J = ∂y/∂x of the residuals y. It is the Hessian–vector product of
/// sum(y²) / 2 without the second derivatives of y. Source: Schraudolph (2002), as in JAX programs: vjp of jvp.
/// y and x are float or double of any shape, v has the element type and shape of x, and so has the result. It is zeros if y does not
/// depend on x. x and v may be tuples of as many expressions; then the result is a tuple.
template<class Y, class X, class V>
constexpr auto gauss_newton_vp(Y const& y, X const& x, V const& v) {
    constexpr auto f = detail::check_product<X, Y, X, V>(detail::product_fault::x_shape, false);
    detail::refuse_product<f>();
    if constexpr (f != detail::product_fault::none) return detail::refused_products<X>();
    else return vjp(y, x, jvp(y, x, v));
}
/// Jᵀ · H · J · v with the Hessian H = ∂²loss/∂y² of a scalar loss of y, such as a cross entropy of the logits y.
/// It is positive semidefinite if the loss is convex in y. It is zeros if the loss is linear in y.
template<class Loss, class Y, class X, class V>
constexpr auto gauss_newton_vp(Loss const& loss, Y const& y, X const& x, V const& v) {
    constexpr auto f = detail::check_product<X, Y, X, V>(detail::product_fault::x_shape, false);
    constexpr auto of_loss =
        f == detail::product_fault::none ? detail::check_product<Y, Loss, Y, Y>(detail::product_fault::y_shape, true) : f;
    detail::refuse_product<of_loss>();
    if constexpr (of_loss != detail::product_fault::none) return detail::refused_products<X>();
    else return vjp(y, x, hvp(loss, y, jvp(y, x, v)));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
