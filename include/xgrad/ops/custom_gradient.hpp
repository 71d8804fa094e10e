// SPDX-License-Identifier: MIT
// custom_gradient: a body whose gradient the user writes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/call.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class... A>
parameter_list<A...> joined(parameter_list<A...>);
template<class... A, class... B, class... More>
auto joined(parameter_list<A...>, parameter_list<B...>, More... more) -> decltype(joined(parameter_list<A..., B...>{}, more...));

/// The parameters of the gradient body after those of the body: one for each result, then one for the gradient of each.
template<class Tag, int First, class Numbers, class... Result>
struct result_parameters;
template<class Tag, int First, int... K, class... Result>
struct result_parameters<Tag, First, std::integer_sequence<int, K...>, Result...> {
    using type = parameter_list<decltype(make_parameter<Tag, parameter_role::argument, First + K, Result>())...,
        decltype(make_parameter<Tag, parameter_role::argument, First + static_cast<int>(sizeof...(Result)) + K, Result>())...>;
};
template<class Tag, int First, class Body>
struct parameters_of_results;
template<class Tag, int First, Expr E>
struct parameters_of_results<Tag, First, E> : result_parameters<Tag, First, std::integer_sequence<int, 0>, E> {};
template<class Tag, int First, class... E>
struct parameters_of_results<Tag, First, std::tuple<E...>>
    : result_parameters<Tag, First, std::make_integer_sequence<int, sizeof...(E)>, E...> {};

/// The gradient that the user writes, as a call. For jvp its own gradient is wanted by the gradients g alone. That one keeps nothing.
/// So it reads none of the g if the user's gradient is linear in them.
template<int First, class All, class Gradient>
struct gradient_by_gradients : once_call<by_call, All, Gradient> {
    static constexpr bool keeps = false;
    static constexpr int gradients_from = First;
};
template<int First, class All, class Gradient>
struct user_gradient : once_call<by_call, All, Gradient> {
    static constexpr bool gradient_of_region = true;
    static constexpr void derive(derivation& d) {
        bool others = d.attrs->word_count > 0;
        for (int i = 0; i < d.count; ++i) others = others || (d.wanted[i] && (i < First || i >= All::count));
        if (others) op::derive_region(d);
        else op::derive_region_by(d, op_register<op::bodies<gradient_by_gradients<First, All, Gradient>>>::info);
    }
};
/// A body, its gradient, and their parameters.
template<class Body, class Gradient, class... Operand>
struct custom_bodies {
    using tag = parameter_list<Body, Gradient>;
    using arguments = parameters<tag, parameter_role::argument, Operand...>;
    using result = body_with<Body, arguments>;
    using all = decltype(joined(arguments{}, typename parameters_of_results<tag, sizeof...(Operand), result>::type{}));
    static constexpr int gradients_from = static_cast<int>(sizeof...(Operand)) + body_results<result>::count;
    using back = user_gradient<gradients_from, all, Gradient>;
    using by_gradients = gradient_by_gradients<gradients_from, all, Gradient>;
};
/// The data of a call with such a gradient. What the gradient reads is captured too.
template<class Custom, class Body>
struct custom_call : once_call<by_call, typename Custom::arguments, Body> {
    using forward = once_call<by_call, typename Custom::arguments, Body>;
    using back = typename Custom::back;
    using by_gradients = typename Custom::by_gradients;
    static constexpr captured_nodes captured() {
        captured_nodes c = find_captured(forward::results.at, forward::emitted, forward::parameters.at, forward::arguments, false);
        captured_nodes const& more = op::bodies<back>::captured;
        for (int i = 0; i < more.count && i < max_region_operands; ++i) c.add(more.at[i]);
        return c;
    }
    static constexpr void derive(derivation& d) {
        constexpr captured_nodes all = captured(), read = op::bodies<back>::captured;
        constexpr int count = forward::arguments, results = forward::emitted;
        symbol in[max_region_operands]{};
        int n = 0;
        for (int i = 0; i < count; ++i) in[n++] = d.operands[i];
        for (int k = 0; k < results; ++k) in[n++] = d.output(k);
        for (int k = 0; k < results; ++k) {
            value_info const& v = forward::results.at[k]->value;
            in[n++] = d.gradients[k].exists() ? d.gradients[k] : op::broadcast_symbol(d.table->constant(0, v.type), v.dims);
        }
        for (int i = 0; i < read.count; ++i)
            for (int k = 0; k < all.count; ++k)
                if (all.at[k] == read.at[i]) in[n++] = d.operands[count + k];
        derivation of{};
        of.table = d.table;
        of.result = d.table->add(op_register<op::bodies<back>>::info, in, n, {});
        for (int i = 0, k = 0; i < count; ++i) {
            if (!has_gradient(forward::parameters.at[i]->value.type)) continue;
            if (d.wanted[i]) d.out[i] = of.output(k);
            ++k;
        }
    }
};

/// What is wrong with a gradient that the user writes.
enum class gradient_slip : unsigned char {
    none,
    silent,
    no_body,
    results,
    no_gradient,
    recursive,
    not_called,
    returned,
    count,
    shapes,
    lost,
    half,
    too_many
};
template<class Body, class Gradient, class... Operand>
constexpr gradient_slip slip_of_gradient() {
    if constexpr (!is_body<Gradient>()) return gradient_slip::no_body;
    else {
        using custom = custom_bodies<Body, Gradient, Operand...>;
        using results = body_results<typename custom::result>;
        for (node_info const* n : results::nodes.at)
            if (!has_gradient(n->value.type)) return gradient_slip::results;
        if constexpr (!(has_gradient(value_of<Operand>.type) || ...)) return gradient_slip::no_gradient;
        else if constexpr (!requires { typename body_result<Gradient, typename custom::all>::type; }) return gradient_slip::recursive;
        else if constexpr (std::is_void_v<body_with<Gradient, typename custom::all>>) return gradient_slip::not_called;
        else if constexpr (!body_results<body_with<Gradient, typename custom::all>>::good) return gradient_slip::returned;
        else if constexpr (!all_good(body_results<body_with<Gradient, typename custom::all>>::nodes.at)) return gradient_slip::silent;
        else {
            using given = body_with<Gradient, typename custom::all>;
            using forward = once_call<by_call, typename custom::arguments, Body>;
            int k = 0;
            for (node_info const* p : forward::parameters.at) {
                if (!has_gradient(p->value.type)) continue;
                if (k < body_results<given>::count) {
                    value_info const& v = body_results<given>::nodes.at[k]->value;
                    if (v.type != p->value.type || !(v.dims == p->value.dims)) return gradient_slip::shapes;
                }
                ++k;
            }
            if (k != body_results<given>::count) return gradient_slip::count;
            constexpr auto read = find_captured(forward::results.at, forward::emitted, forward::parameters.at, forward::arguments, false);
            for (int i = 0; i < read.count && i < max_region_operands; ++i)
                if (is_differentiable(read.at[i])) return gradient_slip::lost;
            constexpr auto all = op::bodies<custom_call<custom, Body>>::captured;
            if (any_half(all.at, all.count)) return gradient_slip::half;
            if (all.count + forward::arguments + 2 * forward::emitted > max_region_operands) return gradient_slip::too_many;
            return gradient_slip::none;
        }
    }
}
}

/// A body with the gradient that the user writes: `custom_gradient<body, gradient>(x, w)` has the value of
/// `body::value(x, w)`, a struct derived from xgrad::region. Its gradient is `gradient::value(x, w, y, g)`, where y is the
/// result of the body and g the gradient by it. It returns the gradient by x and by w, as a std::tuple, or the gradient
/// by the only argument as an expression. Each has the shape and element type of its argument. Arguments that are not
/// float or double have none. Of a body with several results it gets all results, then the gradient by each, with zeros
/// where nothing depends on one.
///
/// What the body reads and is differentiable must be an argument; otherwise its gradient would be lost. Numbers made of integers, such as
/// cast<float>(labels), have no gradient: bodies may read them. Semantics: tf.custom_gradient.
///
/// Gradient: the one that `gradient` returns, taken as it is. A second derivative differentiates it.
/// `jvp` passes if the gradient is linear in g, and is its transpose. Otherwise it is refused: write with_jvp<body, tangent>(x...).
template<class Body, class Gradient, class... A>
constexpr auto custom_gradient(A const&...) {
    using detail::region_slip;
    using detail::gradient_slip;
    using operands = detail::parameter_list<A...>;
    constexpr auto slip = detail::slip_of_bodies<detail::by_call, Body>(operands{});
    static_assert(slip != region_slip::no_body,
        "xgrad::custom_gradient<body, gradient>(x...): body is not a defined struct derived from xgrad::region; write struct body : "
        "xgrad::region { static constexpr auto value(auto x) { ... } }");
    static_assert(slip != region_slip::no_expression,
        "xgrad::custom_gradient<body, gradient>(x...): an argument is not an expression; declare an input, or write cast<float>(0.5_c) "
        "for a number");
    static_assert(slip != region_slip::argument_literal,
        "xgrad::custom_gradient<body, gradient>(x...): a constant among the arguments has no element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::recursive,
        "xgrad::custom_gradient<body, gradient>(x...): the body calls itself with arguments of the same shapes, without an end; write a "
        "loop: layers, scan or while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::custom_gradient<body, gradient>(x...): body::value cannot be called with these arguments; make it public and static, with "
        "one parameter of type auto for each argument");
    static_assert(slip != region_slip::returned,
        "xgrad::custom_gradient<body, gradient>(x...): body::value does not return an expression; return one, or several in a std::tuple");
    static_assert(slip != region_slip::result_literal,
        "xgrad::custom_gradient<body, gradient>(x...): a result of the body is a constant without element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::half,
        "xgrad::custom_gradient<body, gradient>(x...): the body takes, reads or gives bfloat16 or float16, which bodies cannot hold; "
        "write cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::custom_gradient<body, gradient>(x...): arguments and the outer expressions that the body reads are more than 256, or its "
        "results are; join some of them with concat");
    if constexpr (slip != region_slip::none) return detail::refused{};
    else {
        constexpr auto wrong = detail::slip_of_gradient<Body, Gradient, A...>();
        static_assert(wrong != gradient_slip::no_body,
            "xgrad::custom_gradient<body, gradient>(x...): gradient is not a defined struct derived from xgrad::region; write struct "
            "gradient : xgrad::region { static constexpr auto value(auto x, auto y, auto g) { ... } }");
        static_assert(wrong != gradient_slip::results,
            "xgrad::custom_gradient<body, gradient>(x...): a result of the body is not float or double, and has no gradient; compute it "
            "outside");
        static_assert(wrong != gradient_slip::no_gradient,
            "xgrad::custom_gradient<body, gradient>(x...): no argument is float or double, so that there is no gradient; write "
            "call<body>(x)");
        static_assert(wrong != gradient_slip::recursive,
            "xgrad::custom_gradient<body, gradient>(x...): the gradient calls itself with arguments of the same shapes, without an end; "
            "give the inner call another gradient");
        static_assert(wrong != gradient_slip::not_called,
            "xgrad::custom_gradient<body, gradient>(x...): gradient::value cannot be called with x..., y..., g...; make it public and "
            "static, with one auto parameter for each argument, result and its gradient");
        static_assert(wrong != gradient_slip::returned,
            "xgrad::custom_gradient<body, gradient>(x...): gradient::value does not return an expression; return the gradient by each "
            "argument, several in a std::tuple");
        static_assert(wrong != gradient_slip::count,
            "xgrad::custom_gradient<body, gradient>(x...): gradient::value returns another number of gradients than there are float or "
            "double arguments; return one for each, in a std::tuple");
        static_assert(wrong != gradient_slip::shapes,
            "xgrad::custom_gradient<body, gradient>(x...): gradient::value returns a gradient of another shape or element type than its "
            "argument; write sum<0>(g), broadcast_to<...>(g) or cast<float>(g)");
        static_assert(wrong != gradient_slip::lost,
            "xgrad::custom_gradient<body, gradient>(x...): the body reads float or double expressions that are not arguments, so that "
            "their gradients are lost; write custom_gradient<body, gradient>(x, w)");
        static_assert(wrong != gradient_slip::half,
            "xgrad::custom_gradient<body, gradient>(x...): the gradient reads bfloat16 or float16, which bodies cannot hold; write "
            "cast<float>(x)");
        static_assert(wrong != gradient_slip::too_many,
            "xgrad::custom_gradient<body, gradient>(x...): arguments, results, their gradients and what the bodies read are more than 256; "
            "join some of them with concat");
        if constexpr (wrong != gradient_slip::none) return detail::refused{};
        else {
            using custom = detail::custom_bodies<Body, Gradient, A...>;
            using node = detail::region_node<detail::custom_call<custom, Body>, void, A...>;
            using results = detail::body_results<typename custom::result>;
            if constexpr (results::single) return part<0, node>{};
            else return detail::outputs_of<node, results::count>();
        }
    }
}
namespace detail {
template<int N>
constexpr refused refuse_custom_gradient() {
    static_assert(N < 0,
        "xgrad::custom_gradient<body, gradient>(x...): body and gradient are not two types between < and >; write structs derived from "
        "xgrad::region");
    return {};
}
}
// These catch custom_gradient(body{}, gradient{}, x), custom_gradient<body>(x) and lambdas.
template<class... Given>
    requires(sizeof...(Given) != 2)
constexpr auto custom_gradient(...) {
    return detail::refuse_custom_gradient<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto custom_gradient(...) {
    return detail::refuse_custom_gradient<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
