// SPDX-License-Identifier: MIT
// with_jvp: a body whose derivative along a direction the user writes. Its gradient is the transpose of that derivative.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/custom_gradient.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A parameter for the tangent of an operand; none for an operand without one.
template<class Tag, int K, class E>
constexpr auto tangent_parameter() {
    if constexpr (!has_gradient(value_of<E>.type)) return parameter_list<>{};
    else return parameter_list<decltype(make_parameter<Tag, parameter_role::argument, K, E>())>{};
}
template<class Tag, class Numbers, class... E>
struct tangent_parameters;
template<class Tag, int... K, class... E>
struct tangent_parameters<Tag, std::integer_sequence<int, K...>, E...> {
    static constexpr int first = sizeof...(E);
    using type = decltype(joined(parameter_list<>{}, tangent_parameter<Tag, first + K, E>()...));
};
template<class Tag, int First, class Numbers, class... E>
struct seed_parameters;
template<class Tag, int First, int... K, class... E>
struct seed_parameters<Tag, First, std::integer_sequence<int, K...>, E...> {
    using type = parameter_list<decltype(make_parameter<Tag, parameter_role::argument, First + K, E>())...>;
};
/// The results of a body as a list of ys, and parameters for their gradients.
template<class Result>
struct results_as_ys {
    using type = y_list<Result>;
    template<class Tag, int First>
    using seeds = typename seed_parameters<Tag, First, std::integer_sequence<int, 0>, Result>::type;
};
template<class... E>
struct results_as_ys<std::tuple<E...>> {
    using type = y_list<E...>;
    template<class Tag, int First>
    using seeds = typename seed_parameters<Tag, First, std::make_integer_sequence<int, sizeof...(E)>, E...>::type;
};
template<class Ys, class Seeds, class Tangents>
struct transpose_request;
template<class... Y, class... S, class... T>
struct transpose_request<y_list<Y...>, parameter_list<S...>, parameter_list<T...>> {
    static constexpr auto gradients_of() { return gradients(y_list<Y...>{}, grad_y_list<S...>{}, unconnected_zeros, T{}...); }
    /// Whether a gradient reads a tangent, itself or in a body.
    static constexpr bool reads_tangents() {
        auto const& found = gradients_found<sweep_request<y_list<Y...>, grad_y_list<S...>, stop_list<>, true>, T...>;
        auto const& table = found.table;
        constexpr std::string_view names[]{info_of<T>->attrs.name...};
        if (table.needed > 0) return false;
        table_view const view{table.nodes, table.operands, {table.attrs, table.words, table.extents}, table.node_count};
        mark_flow flow(view);
        for (int i = 0; i < view.count; ++i)
            for (std::string_view const name : names)
                if (view.kind(i) == op_kind::input && view.attrs(i).name == name) flow.mark(i, 0);
        flow.run(view.count);
        for (int const node : found.nodes)
            if (node >= 0 && flow.is_marked(node)) return true;
        return false;
    }
};
/// A body, its tangent, and their parameters: the arguments, the tangents of those that have one, the gradients of the results.
template<class Body, class Tangent, class... Operand>
struct jvp_bodies {
    using tag = parameter_list<Body, Tangent>;
    static constexpr int count = sizeof...(Operand);
    using arguments = parameters<tag, parameter_role::argument, Operand...>;
    using result = body_with<Body, arguments>;
    using tangents = typename tangent_parameters<tag, std::make_integer_sequence<int, count>, Operand...>::type;
    using seeds = typename results_as_ys<result>::template seeds<tag, 2 * count>;
    using moving = decltype(joined(arguments{}, tangents{}));
    using all = decltype(joined(arguments{}, tangents{}, seeds{}));
    /// Adds tangents to the operands of the transpose. They may be anything of the right shape, because it does not depend on them.
    static constexpr void add_tangents(symbol* in, int& n, symbol const* x) {
        constexpr bool moves[]{has_gradient(value_of<Operand>.type)...};
        for (int i = 0; i < count; ++i)
            if (moves[i]) in[n++] = xgrad::stop_gradient(x[i]);
    }
    /// The gradients of sum(seed * tangent) by the tangents of the arguments.
    struct transpose : region {
        using request = transpose_request<typename results_as_ys<body_with<Tangent, moving>>::type, seeds, tangents>;
        static constexpr auto value(auto...) {
            return std::apply([](auto const&... g) { return std::tuple(densified(g)...); }, request::gradients_of());
        }
    };
};
/// The gradients of a call that is linear in the operands from `first` on. `linear` gives those by these operands.
template<class F>
constexpr void derive_linear(derivation& d, int first, int count, F linear) {
    if (d.attrs->word_count > 0) return op::derive_region(d);
    bool any = false, others = false, wanted[max_region_operands]{};
    for (int i = 0; i < d.count; ++i) {
        bool const in = i >= first && i < first + count;
        wanted[i] = d.wanted[i];
        any = any || (in && wanted[i]);
        others = others || (!in && wanted[i]);
        d.wanted[i] = !in && wanted[i];
    }
    if (others) op::derive_region(d);
    for (int i = 0; i < d.count; ++i) d.wanted[i] = wanted[i];
    if (!any) return;
    derivation of{};
    of.table = d.table;
    of.result = linear();
    for (int k = 0; k < count; ++k)
        if (wanted[first + k]) d.out[first + k] = of.output(k);
}
/// The gradient by output k, or zeros.
constexpr symbol gradient_or_zeros(derivation const& d, int k, value_info const& v) {
    return d.gradients[k].exists() ? d.gradients[k] : op::broadcast_symbol(d.table->constant(0, v.type), v.dims);
}
// Both are linear, and each is the derivative of the other by what it is linear in. They capture the same.
template<class Bodies, class Tangent>
struct transpose_call;
template<class Bodies, class Tangent>
struct tangent_call : once_call<by_call, typename Bodies::moving, Tangent> {
    using base = once_call<by_call, typename Bodies::moving, Tangent>;
    static constexpr captured_nodes captured() {
        using transpose = once_call<by_call, typename Bodies::all, typename Bodies::transpose>;
        return op::bodies<transpose>::captured;
    }
    static constexpr void derive(derivation& d) {
        constexpr int count = Bodies::count, tangents = base::arguments - count;
        derive_linear(d, count, tangents, [&] {
            symbol in[max_region_operands]{};
            int n = 0;
            for (int i = 0; i < count; ++i) in[n++] = d.operands[i];
            Bodies::add_tangents(in, n, d.operands);
            for (int k = 0; k < base::emitted; ++k) in[n++] = gradient_or_zeros(d, k, base::results.at[k]->value);
            for (int i = base::arguments; i < d.count; ++i) in[n++] = d.operands[i];
            return d.table->add(op_register<op::bodies<transpose_call<Bodies, Tangent>>>::info, in, n, {});
        });
    }
};
template<class Bodies, class Tangent>
struct transpose_call : once_call<by_call, typename Bodies::all, typename Bodies::transpose> {
    using base = once_call<by_call, typename Bodies::all, typename Bodies::transpose>;
    static constexpr std::string_view body_name = name_of_type<Tangent>();
    static constexpr void derive(derivation& d) {
        constexpr int count = Bodies::count, tangents = base::emitted, first = count + tangents;
        derive_linear(d, first, base::arguments - first, [&] {
            symbol in[max_region_operands]{};
            int n = 0;
            for (int i = 0; i < count; ++i) in[n++] = d.operands[i];
            for (int k = 0; k < tangents; ++k) in[n++] = gradient_or_zeros(d, k, base::results.at[k]->value);
            for (int i = base::arguments; i < d.count; ++i) in[n++] = d.operands[i];
            return d.table->add(op_register<op::bodies<tangent_call<Bodies, Tangent>>>::info, in, n, {});
        });
    }
};
/// The body as a call with such a derivative. What the tangent reads is captured too.
template<class Bodies, class Body, class Tangent>
struct jvp_call : once_call<by_call, typename Bodies::arguments, Body> {
    using forward = once_call<by_call, typename Bodies::arguments, Body>;
    using back = transpose_call<Bodies, Tangent>;
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
        Bodies::add_tangents(in, n, d.operands);
        for (int k = 0; k < results; ++k) in[n++] = gradient_or_zeros(d, k, forward::results.at[k]->value);
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

/// What is wrong with a tangent that the user writes.
enum class tangent_slip : unsigned char {
    none,
    silent,
    no_body,
    results,
    no_tangent,
    recursive,
    not_called,
    returned,
    count,
    shapes,
    lost,
    nonlinear,
    half,
    too_many
};
template<class Body, class Tangent, class... Operand>
constexpr tangent_slip slip_of_tangent() {
    if constexpr (!is_body<Tangent>()) return tangent_slip::no_body;
    else {
        using bodies = jvp_bodies<Body, Tangent, Operand...>;
        using results = body_results<typename bodies::result>;
        for (node_info const* n : results::nodes.at)
            if (!has_gradient(n->value.type)) return tangent_slip::results;
        if constexpr (!(has_gradient(value_of<Operand>.type) || ...)) return tangent_slip::no_tangent;
        else if constexpr (!requires { typename body_result<Tangent, typename bodies::moving>::type; }) return tangent_slip::recursive;
        else if constexpr (std::is_void_v<body_with<Tangent, typename bodies::moving>>) return tangent_slip::not_called;
        else {
            using given = body_results<body_with<Tangent, typename bodies::moving>>;
            if constexpr (!given::good) return tangent_slip::returned;
            else if constexpr (!all_good(given::nodes.at)) return tangent_slip::silent;
            else if constexpr (given::count != results::count) return tangent_slip::count;
            else if constexpr (![] {
                                   for (int k = 0; k < results::count; ++k) {
                                       value_info const &t = given::nodes.at[k]->value, &y = results::nodes.at[k]->value;
                                       if (t.type != y.type || !(t.dims == y.dims)) return false;
                                   }
                                   return true;
                               }())
                return tangent_slip::shapes;
            else {
                using forward = once_call<by_call, typename bodies::arguments, Body>;
                constexpr auto read =
                    find_captured(forward::results.at, forward::emitted, forward::parameters.at, forward::arguments, false);
                for (int i = 0; i < read.count && i < max_region_operands; ++i)
                    if (is_differentiable(read.at[i])) return tangent_slip::lost;
                if (bodies::transpose::request::reads_tangents()) return tangent_slip::nonlinear;
                constexpr auto all = op::bodies<jvp_call<bodies, Body, Tangent>>::captured;
                if (any_half(all.at, all.count)) return tangent_slip::half;
                if (all.count + 2 * forward::arguments + forward::emitted > max_region_operands) return tangent_slip::too_many;
                return tangent_slip::none;
            }
        }
    }
}
}

/// A body with the derivative that the user writes: `with_jvp<body, tangent>(x, w)` has the value of `body::value(x, w)`, a struct
/// derived from xgrad::region. `tangent::value(x, w, tx, tw)` is the derivative of the result along tx and tw, which have the shapes of
/// x and w. It has the shape and element type of the result, and is linear in tx and tw. Of a body with several results it
/// returns a tangent for each, as a std::tuple. Arguments that are not float or double have no tangent.
///
/// What the body reads and is differentiable must be an argument; otherwise its gradient would be lost. Numbers made of integers, such as
/// cast<float>(labels), have none: bodies may read them. Semantics: jax.custom_jvp.
///
/// Gradient: the transpose of `tangent`: for a gradient g by the result, that of sum(g · tangent) by tx and tw. `jvp` is `tangent` itself.
/// A second derivative differentiates `tangent`.
template<class Body, class Tangent, class... A>
constexpr auto with_jvp(A const&...) {
    using detail::region_slip;
    using detail::tangent_slip;
    using operands = detail::parameter_list<A...>;
    constexpr auto slip = detail::slip_of_bodies<detail::by_call, Body>(operands{});
    static_assert(slip != region_slip::no_body,
        "xgrad::with_jvp<body, tangent>(x...): body is not a defined struct derived from xgrad::region; write struct body : "
        "xgrad::region { static constexpr auto value(auto x) { ... } }");
    static_assert(slip != region_slip::no_expression,
        "xgrad::with_jvp<body, tangent>(x...): an argument is not an expression; declare an input, or write cast<float>(0.5_c) "
        "for a number");
    static_assert(slip != region_slip::argument_literal,
        "xgrad::with_jvp<body, tangent>(x...): a constant among the arguments has no element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::recursive,
        "xgrad::with_jvp<body, tangent>(x...): the body calls itself with arguments of the same shapes, without an end; write a "
        "loop: layers, scan or while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::with_jvp<body, tangent>(x...): body::value cannot be called with these arguments; make it public and static, with "
        "one parameter of type auto for each argument");
    static_assert(slip != region_slip::returned,
        "xgrad::with_jvp<body, tangent>(x...): body::value does not return an expression; return one, or several in a std::tuple");
    static_assert(slip != region_slip::result_literal,
        "xgrad::with_jvp<body, tangent>(x...): a result of the body is a constant without element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::half,
        "xgrad::with_jvp<body, tangent>(x...): the body takes, reads or gives bfloat16 or float16, which bodies cannot hold; "
        "write cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::with_jvp<body, tangent>(x...): arguments and the outer expressions that the body reads are more than 256, or its "
        "results are; join some of them with concat");
    if constexpr (slip != region_slip::none) return detail::refused{};
    else {
        constexpr auto wrong = detail::slip_of_tangent<Body, Tangent, A...>();
        static_assert(wrong != tangent_slip::no_body,
            "xgrad::with_jvp<body, tangent>(x...): tangent is not a defined struct derived from xgrad::region; write struct "
            "tangent : xgrad::region { static constexpr auto value(auto x, auto t) { ... } }");
        static_assert(wrong != tangent_slip::results,
            "xgrad::with_jvp<body, tangent>(x...): a result of the body is not float or double, and has no tangent; compute it outside");
        static_assert(wrong != tangent_slip::no_tangent,
            "xgrad::with_jvp<body, tangent>(x...): no argument is float or double, so that there is no tangent; write call<body>(x)");
        static_assert(wrong != tangent_slip::recursive,
            "xgrad::with_jvp<body, tangent>(x...): the tangent calls itself with arguments of the same shapes, without an end; "
            "give the inner call another tangent");
        static_assert(wrong != tangent_slip::not_called,
            "xgrad::with_jvp<body, tangent>(x...): tangent::value cannot be called with x..., t...; make it public and static, with "
            "one auto parameter for each argument, then for each tangent");
        static_assert(wrong != tangent_slip::returned,
            "xgrad::with_jvp<body, tangent>(x...): tangent::value does not return an expression; return the tangent of each result, "
            "several in a std::tuple");
        static_assert(wrong != tangent_slip::count,
            "xgrad::with_jvp<body, tangent>(x...): tangent::value returns another number of tangents than the body has results; return "
            "one for each, in a std::tuple");
        static_assert(wrong != tangent_slip::shapes,
            "xgrad::with_jvp<body, tangent>(x...): tangent::value returns another shape or element type than that of the result; "
            "write sum<0>(t), broadcast_to<...>(t) or cast<float>(t)");
        static_assert(wrong != tangent_slip::lost,
            "xgrad::with_jvp<body, tangent>(x...): the body reads float or double expressions that are not arguments, so that "
            "their gradients are lost; write with_jvp<body, tangent>(x, w)");
        static_assert(wrong != tangent_slip::nonlinear,
            "xgrad::with_jvp<body, tangent>(x...): tangent::value is not linear in its tangents; write sums of t times what does not "
            "depend on t, as in t * cos(x)");
        static_assert(wrong != tangent_slip::half,
            "xgrad::with_jvp<body, tangent>(x...): the tangent reads bfloat16 or float16, which bodies cannot hold; pass cast<float>(x) as an "
            "argument");
        static_assert(wrong != tangent_slip::too_many,
            "xgrad::with_jvp<body, tangent>(x...): arguments, their tangents, results and what the bodies read are more than 256; "
            "join some of them with concat");
        if constexpr (wrong != tangent_slip::none) return detail::refused{};
        else {
            using bodies = detail::jvp_bodies<Body, Tangent, A...>;
            using node = detail::region_node<detail::jvp_call<bodies, Body, Tangent>, void, A...>;
            using results = detail::body_results<typename bodies::result>;
            if constexpr (results::single) return part<0, node>{};
            else return detail::outputs_of<node, results::count>();
        }
    }
}
namespace detail {
template<int N>
constexpr refused refuse_with_jvp() {
    static_assert(N < 0,
        "xgrad::with_jvp<body, tangent>(x...): body and tangent are not two types between < and >; write structs derived from "
        "xgrad::region");
    return {};
}
}
// These catch with_jvp(body{}, tangent{}, x), with_jvp<body>(x) and lambdas.
template<class... Given>
    requires(sizeof...(Given) != 2)
constexpr auto with_jvp(...) {
    return detail::refuse_with_jvp<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto with_jvp(...) {
    return detail::refuse_with_jvp<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
