// SPDX-License-Identifier: MIT
// Gradients of the loss of each example, their norms, and their sum after clipping: loops over the examples.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/clip.hpp>
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/layers.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The loss of one example, and the gradients by Xs.
template<class Body, class... Row>
using example_loss = std::remove_cvref_t<decltype(Body::value(Row{}...))>;
template<class Body, class... X, class... Row>
constexpr auto example_gradients(expressions<X...>, parameter_list<Row...>) {
    return gradients(example_loss<Body, Row...>{}, X{}...);
}
/// The square of the norm of a gradient. Values of slices count only if no two of them can be of the same row.
template<class G>
constexpr auto squared_norm(G const& g) {
    if constexpr (SparseGradient<G>)
        if constexpr (is_one(value_of<decltype(g.values)>.dims.extents[0])) return sum(square(g.values));
        else return sum(square(g.dense));
    else return sum(square(g));
}
template<class... G>
constexpr auto norm_of_example(std::tuple<G...> const&) {
    return sqrt((squared_norm(G{}) + ...));
}
/// The bodies of the loops over the examples.
template<class Body, class Xs>
struct gradients_of_example : region {
    static constexpr auto value(auto... row) {
        return std::apply([](auto const&... g) { return carry().emit(densified(g)...); },
            example_gradients<Body>(Xs{}, parameter_list<decltype(row)...>{}));
    }
};
template<class Body, class Xs>
struct gradient_norm_of_example : region {
    static constexpr auto value(auto... row) {
        return carry().emit(norm_of_example(example_gradients<Body>(Xs{}, parameter_list<decltype(row)...>{})));
    }
};
template<class Body, class Xs, class ClipNorm>
struct clipped_gradients_of_example;
template<class Body, class... X, class ClipNorm>
struct clipped_gradients_of_example<Body, expressions<X...>, ClipNorm> : region {
    static constexpr auto value(auto... all) { return added(std::tuple{all...}, std::index_sequence_for<X...>{}, rows(all...)); }

private:
    template<class... A>
    static constexpr auto rows(A const&... all) {
        return []<std::size_t... K>(std::tuple<A...> const&, std::index_sequence<K...>) {
            return parameter_list<std::tuple_element_t<sizeof...(X) + K, std::tuple<A...>>...>{};
        }(std::tuple{all...}, std::make_index_sequence<sizeof...(A) - sizeof...(X)>{});
    }
    template<class All, std::size_t... K, class Rows>
    static constexpr auto added(All const& all, std::index_sequence<K...>, Rows rows_of_example) {
        auto const g = example_gradients<Body>(expressions<X...>{}, rows_of_example);
        auto const factor = ClipNorm{} / maximum(norm_of_example(g), ClipNorm{});
        return carry((std::get<K>(all) + densified(std::get<K>(g)) * factor)...);
    }
};

/// What is wrong with a call of per_example_gradients and the others.
enum class example_slip : unsigned char { none, silent, x, types, loss, unconnected, axes, clip_norm, too_many };
template<class E, class... X>
constexpr example_slip slip_of_gradients(expressions<X...>, bool one_type) {
    constexpr value_info loss = value_of<E>;
    if constexpr (((value_of<X>.wrong != fault::none) || ...) || loss.wrong != fault::none) return example_slip::silent;
    else if constexpr (!(has_gradient(value_of<X>.type) && ...)) return example_slip::x;
    else if constexpr (loss.dims.rank > 0 || !has_gradient(loss.type)) return example_slip::loss;
    else {
        constexpr value_info xs[]{value_of<X>...};
        for (value_info const& x : xs) {
            if (one_type && computed_type(x.type) != computed_type(xs[0].type)) return example_slip::types;
            if (!one_type && x.dims.rank == max_rank) return example_slip::axes;
        }
        return []<class... G>(std::tuple<G...> const&) { return (NoGradient<G> || ...) ? example_slip::unconnected : example_slip::none; }(
                   gradients(E{}, X{}...));
    }
}
template<class Body, class Xs, class... S>
constexpr example_slip slip_of_examples(bool one_type) {
    using rows = parameters<parameter_list<Body>, parameter_role::slice, S...>;
    if constexpr (!are_expressions<Xs>) return example_slip::x;
    else {
        using loss = body_with<Body, rows>;
        if constexpr (!Expr<loss>) return example_slip::loss;
        else return slip_of_gradients<loss>(list_from<Xs>{}, one_type);
    }
}
template<class ClipNorm, class... X>
constexpr bool clips(expressions<X...>) {
    if constexpr (!is_clip_norm<ClipNorm>()) return false;
    else return value_of<ClipNorm>.type == dtype::literal || ((value_of<ClipNorm>.type == computed_type(value_of<X>.type)) && ...);
}
/// Whether the operands and results of a loop are too many.
template<class R, class Carries, class Rows>
struct counted_loop;
template<class R, class... C, class... S>
struct counted_loop<R, parameter_list<C...>, parameter_list<S...>> {
    using parts = turn_parts<body_with<R, parameter_list<C...>, parameter_list<S...>>>;
    static constexpr node_info const* parameters[]{info_of<C>..., info_of<S>...};
    static constexpr int inputs = sizeof...(C) + sizeof...(S), outputs = parts::carries + parts::emitted;
    static constexpr bool fits =
        find_captured(parts::results.at, outputs, parameters, inputs, false).count + inputs <= max_region_operands &&
        outputs + parts::carries <= max_region_outputs;
};
template<region_slip Slip, example_slip Wrong>
constexpr void refuse_examples() {
    static_assert(Slip != region_slip::no_body,
        "xgrad::per_example_...<body>(x, row...): body is not a defined struct derived from xgrad::region; write struct body : "
        "xgrad::region { static constexpr auto value(auto row) { ... } }");
    static_assert(Slip != region_slip::no_rows,
        "xgrad::per_example_...<body>(x, row...): an argument after x has no rows; give expressions whose first axis is the examples, and "
        "read others in body::value");
    static_assert(Slip != region_slip::lengths,
        "xgrad::per_example_...<body>(x, row...): the arguments after x have different numbers of rows; give their first axes the same "
        "integer or named dimension");
    static_assert(Slip != region_slip::recursive,
        "xgrad::per_example_...<body>(x, row...): the body calls itself with arguments of the same shapes, without an end; write a loop: "
        "layers, scan or while_loop");
    static_assert(Slip != region_slip::not_called,
        "xgrad::per_example_...<body>(x, row...): body::value cannot be called with one row of each argument; make it public and static, "
        "with one auto parameter for each");
    static_assert(Slip != region_slip::half,
        "xgrad::per_example_...<body>(x, row...): the body takes, reads or gives bfloat16 or float16, which loops cannot hold; write "
        "cast<float>(x)");
    static_assert(Wrong != example_slip::x,
        "xgrad::per_example_...<body>(x, row...): x is not an expression of float or double, such as a variable; give several as "
        "std::tuple(w, b)");
    static_assert(Wrong != example_slip::loss && Slip != region_slip::returned && Slip != region_slip::result_literal &&
                      Slip != region_slip::six_axes,
        "xgrad::per_example_...<body>(x, row...): body::value does not return the loss of one example, a float or double without axes; "
        "write sum(loss) or mean(loss)");
    static_assert(Wrong != example_slip::unconnected,
        "xgrad::per_example_...<body>(x, row...): an x has no gradient, because only what the body computes counts; compute the loss from "
        "x in body::value, or leave x out");
    static_assert(Wrong != example_slip::types,
        "xgrad::per_example_...<body>(x, row...): the xs are not all float or all double, so that they have no common norm; write "
        "a call for each element type");
    static_assert(Wrong != example_slip::axes,
        "xgrad::per_example_gradients<body>(x, row...): an x has six axes already, and the result one more; reshape it, and read the "
        "reshaped x in body::value");
    static_assert(Wrong != example_slip::clip_norm,
        "xgrad::per_example_clipped_sum<body>(x, clip_norm, row...): clip_norm is not one number above 0 of the element type of x; write "
        "5_c or input<\"clip_norm\", float>");
    static_assert(Wrong != example_slip::too_many && Slip != region_slip::too_many,
        "xgrad::per_example_...<body>(x, row...): xs, rows and the outer expressions that the body reads are more than 256 together; take "
        "fewer xs, or join some by concat");
}
template<class Xs>
constexpr auto zeros_of_each(Xs const&) {
    return []<class... X>(expressions<X...>) {
        return carry(repeated_to<value_of<X>.dims>(constant<cpp_type_t<computed_type(value_of<X>.type)>, 0>)...);
    }(list_from<Xs>{});
}
/// Whether a call is right. ClipNorm is void if nothing is clipped.
template<class Body, class Xs, class ClipNorm, bool OneType, class... S>
constexpr bool accept_examples() {
    constexpr auto slip = slip_of_rows<Body>(parameter_list<>{}, parameter_list<S...>{});
    if constexpr (slip != region_slip::none) {
        refuse_examples<slip, example_slip::none>();
        return false;
    } else {
        constexpr auto wrong = [] {
            constexpr auto w = slip_of_examples<Body, Xs, S...>(OneType);
            if constexpr (w == example_slip::none && !std::is_void_v<ClipNorm>)
                return clips<ClipNorm>(list_from<Xs>{}) ? w : example_slip::clip_norm;
            else return w;
        }();
        refuse_examples<region_slip::none, wrong>();
        return wrong == example_slip::none;
    }
}
template<class R, class Carries, class... S>
constexpr bool loop_fits() {
    constexpr bool fits = counted_loop<R, Carries, parameters<R, parameter_role::slice, S...>>::fits;
    refuse_examples<region_slip::none, fits ? example_slip::none : example_slip::too_many>();
    return fits;
}
}   // namespace detail

/// The gradient of the loss of each example: `per_example_gradients<body>(w, x, y)`. Element [k, ...] is the gradient of
/// `body::value(x[k], y[k])` by w, where x[k] is row k of the first axis of x. Its shape is [examples, w.shape]. Source: JAX's
/// vmap(grad(loss)), Opacus' grad_sample.
///
/// `body` is a struct derived from xgrad::region. It returns the loss of one example, a float or double without axes, and reads w as an
/// outer expression. x and y have the same number of rows. w is float or double. It may be a std::tuple of expressions; then the result is
/// a tuple. A sparse gradient becomes dense. Everything from w to the loss must be in the body.
///
/// It is one loop (`scan`) over the examples, each forwards and backwards. Gradient: that of scan.
template<class Body, class X, class... S>
    requires(sizeof...(S) > 0)
constexpr auto per_example_gradients(X const&, S const&... rows) {
    if constexpr (!detail::accept_examples<Body, X, void, false, S...>()) return detail::refused_products<X>();
    else {
        using loop = detail::gradients_of_example<Body, detail::list_from<X>>;
        if constexpr (!detail::loop_fits<loop, detail::parameter_list<>, S...>()) return detail::refused_products<X>();
        else return detail::one_or_tuple<X>(scan<loop>(carry(), rows...));
    }
}
namespace detail {
template<int N>
constexpr refused refuse_per_example_gradients() {
    static_assert(N < 0,
        "xgrad::per_example_gradients<body>(x, row...): the body is not one type between < and >, or x and the rows are missing; write struct body : xgrad::region { ... }, then per_example_gradients<body>(w, x)");
    return {};
}
}
// These catch calls without a body or rows, and lambdas.
template<class... Given>
constexpr auto per_example_gradients(...) {
    return detail::refuse_per_example_gradients<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto per_example_gradients(...) {
    return detail::refuse_per_example_gradients<sizeof...(More)>();
}

/// The norm of the gradient of each example: `per_example_gradient_norms<body>(std::tuple(w, b), x, y)`, of shape [examples]. Element k is
/// the square root of the sum of squares of all elements of the gradients by w and b of `body::value(x[k], y[k])`. The arguments
/// are those of per_example_gradients, and w and b have one element type. The gradients of one example are stored at a time.
template<class Body, class X, class... S>
    requires(sizeof...(S) > 0)
constexpr auto per_example_gradient_norms(X const&, S const&... rows) {
    if constexpr (!detail::accept_examples<Body, X, void, true, S...>()) return detail::refused{};
    else {
        using loop = detail::gradient_norm_of_example<Body, detail::list_from<X>>;
        if constexpr (!detail::loop_fits<loop, detail::parameter_list<>, S...>()) return detail::refused{};
        else return std::get<0>(scan<loop>(carry(), rows...));
    }
}
namespace detail {
template<int N>
constexpr refused refuse_per_example_gradient_norms() {
    static_assert(N < 0,
        "xgrad::per_example_gradient_norms<body>(x, row...): the body is not one type between < and >, or x and the rows are missing; write struct body : xgrad::region { ... }, then per_example_gradient_norms<body>(w, x)");
    return {};
}
}
// These catch calls without a body or rows, and lambdas.
template<class... Given>
constexpr auto per_example_gradient_norms(...) {
    return detail::refuse_per_example_gradient_norms<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto per_example_gradient_norms(...) {
    return detail::refuse_per_example_gradient_norms<sizeof...(More)>();
}

/// The sum of the gradients of all examples, each of which is clipped first: `per_example_clipped_sum<body>(std::tuple(w, b), 1_c, x, y)`.
/// The gradients of an example are multiplied by clip_norm / max(norm, clip_norm), where norm is that of per_example_gradient_norms.
/// The result has the shape of w, or is a tuple. clip_norm is a scalar expression of the element type of w.
/// Source: Abadi et al. (2016), Deep learning with differential privacy, as in Optax. The gradients of one example are stored at a time.
template<class Body, class X, class ClipNorm, class... S>
    requires(sizeof...(S) > 0)
constexpr auto per_example_clipped_sum(X const& x, ClipNorm const&, S const&... rows) {
    if constexpr (!detail::accept_examples<Body, X, ClipNorm, true, S...>()) return detail::refused_products<X>();
    else {
        using loop = detail::clipped_gradients_of_example<Body, detail::list_from<X>, ClipNorm>;
        auto const start = detail::zeros_of_each(x);
        using carries = decltype([]<class... C>(carry_list<C...> const&) {
            return detail::parameters<loop, detail::parameter_role::carry, C...>{};
        }(start));
        if constexpr (!detail::loop_fits<loop, carries, S...>()) return detail::refused_products<X>();
        else return detail::one_or_tuple<X>(scan<loop>(start, rows...));
    }
}
namespace detail {
template<int N>
constexpr refused refuse_per_example_clipped_sum() {
    static_assert(N < 0,
        "xgrad::per_example_clipped_sum<body>(x, clip_norm, row...): the body is not one type between < and >, or x, clip_norm or the rows are missing; write struct body : xgrad::region { ... }, then per_example_clipped_sum<body>(w, 1_c, x)");
    return {};
}
}
// These catch calls without a body or rows, and lambdas.
template<class... Given>
constexpr auto per_example_clipped_sum(...) {
    return detail::refuse_per_example_clipped_sum<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto per_example_clipped_sum(...) {
    return detail::refuse_per_example_clipped_sum<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
