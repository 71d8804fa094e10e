// SPDX-License-Identifier: MIT
// layers, map and fold: loops over a body that returns expressions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/call.hpp>
#include <xgrad/ops/scan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// R, whose result is the next carry.
template<class R>
struct with_carry : region {
    static constexpr auto value(auto h, auto... rows) { return carry(R::value(h, rows...)); }
};
/// R, whose results are stacked.
template<class R>
struct with_emitted : region {
    static constexpr auto value(auto... rows) { return emit(R::value(rows...)); }

private:
    template<Expr E>
    static constexpr auto emit(E const& y) {
        return carry().emit(y);
    }
    template<class... E>
    static constexpr auto emit(std::tuple<E...> const&) {
        return carry().emit(E{}...);
    }
};
template<class S>
constexpr bool has_rows() {
    if constexpr (Expr<S>) return value_of<S>.wrong != fault::none || (value_of<S>.dims.rank > 0 && value_of<S>.type != dtype::literal);
    else return false;
}
template<class... S>
constexpr bool same_rows() {
    if constexpr (sizeof...(S) == 0) return true;
    else {
        extent const all[]{value_of<S>.dims.extents[0]...};
        for (extent const& e : all)
            if (!(e == all[0])) return false;
        return true;
    }
}
template<class R, class... Carry, class... Slice>
constexpr body_slip slip_of_rows(parameter_list<Carry...>, parameter_list<Slice...>) {
    if constexpr (!((has_rows<Slice>()) && ...) || !(Expr<Carry> && ...)) return body_slip::no_expression;
    else if constexpr (!all_good<Carry..., Slice...>()) return body_slip::silent;
    else if constexpr (((value_of<Carry>.type == dtype::literal) || ...)) return body_slip::argument_literal;
    else if constexpr ((is_half(value_of<Carry>.type) || ...) || (is_half(value_of<Slice>.type) || ...)) return body_slip::half;
    else if constexpr (!same_rows<Slice...>()) return body_slip::shapes;
    else {
        constexpr auto carries = parameters<R, parameter_role::carry, Carry...>{};
        constexpr auto rows = parameters<R, parameter_role::slice, Slice...>{};
        return []<class... C, class... S>(parameter_list<C...>, parameter_list<S...>) {
            return slip_of_bodies<by_call, R>(parameter_list<C..., S...>{});
        }(carries, rows);
    }
}
/// The name of a trainable variable in the outer expressions that a body reads, or nothing.
template<class R, class H, class... S>
constexpr std::string_view variable_of_all_layers() {
    constexpr auto body = []<class... C, class... P>(parameter_list<C...>, parameter_list<P...>) {
        return std::type_identity<once_call<by_call, parameter_list<C..., P...>, R>>{};
    }(parameters<R, parameter_role::carry, H>{}, parameters<R, parameter_role::slice, S...>{});
    constexpr auto const& captured = op::bodies<typename decltype(body)::type>::captured;
    node_map seen;
    std::string_view found;
    for (int i = 0; i < captured.count && i < max_operands; ++i)
        walk(seen, captured.at[i], [&](node_info const* n, int const*) {
            if (n->op->kind == op_kind::variable && n->attrs.template as<variable_attributes>().trainable != 0) found = n->attrs.name;
            return 0;
        });
    return found;
}
template<fixed_string Variable>
constexpr void refuse_variable_of_layers() {
    static_assert(sizeof(Variable) == 0,
        "xgrad::layers<N, body>(x, stacked...): the body reads a trainable variable, which all layers would "
        "share; pass it stacked, with a first axis of N, or write scan where sharing is meant");
}
template<class R, class H, class... S>
constexpr bool keeps_carry() {
    using rows = parameters<R, parameter_role::slice, S...>;
    using results = body_results<body_with<R, parameters<R, parameter_role::carry, H>, rows>>;
    if constexpr (!results::single) return false;
    else {
        value_info const& v = results::nodes.at[0]->value;
        return v.type == value_of<H>.type && v.dims == value_of<H>.dims;
    }
}
}

/// N equal layers: `auto const y = layers<12, block>(x, w, b)`. Layer k is `block::value(h, w[k], b[k])`, where h is the
/// result of the layer before it, or x for the first. w[k] is row k of w, for example of a variable that holds the
/// weights of all layers. The first axis of w and b has N rows. N is an integer or a named dimension. `block` is a struct
/// derived from xgrad::region. It returns an expression of the shape and element type of x.
///
/// The layer is compiled once: compile time and code do not depend on N. All layers would share a trainable variable
/// that `block` names itself, so it is refused. scan takes such a body.
///
/// Gradient: that of scan. The inputs of the layers are kept, and each layer runs again for its gradient.
template<auto N, class Body, class H, class... S>
constexpr auto layers(H const& x, S const&... stacked) {
    using detail::body_slip;
    constexpr bool length = detail::are_extents<N>;
    static_assert(
        length, "xgrad::layers<N, body>(x, stacked...): N is not a number of layers, an integer of at least 0, or a named dimension");
    constexpr auto slip = detail::slip_of_rows<Body>(detail::parameter_list<H>{}, detail::parameter_list<S...>{});
    static_assert(slip != body_slip::no_body,
        "xgrad::layers<N, body>(x, stacked...): body is no struct derived from xgrad::region; write struct "
        "body : xgrad::region { static constexpr auto value(auto h, auto w) { ... } }");
    static_assert(slip != body_slip::no_expression,
        "xgrad::layers<N, body>(x, stacked...): x is no expression, or a stacked argument has no first axis for the layers; write "
        "variable<\"w\", float, N, rows, columns>");
    static_assert(slip != body_slip::not_called,
        "xgrad::layers<N, body>(x, stacked...): body::value cannot be called with these arguments; make it public and static, with a "
        "parameter of type auto for h and for each stacked argument");
    static_assert(slip != body_slip::returned && slip != body_slip::result_literal,
        "xgrad::layers<N, body>(x, stacked...): body::value does not return an expression of the shape and element type of x");
    static_assert(slip != body_slip::shapes,
        "xgrad::layers<N, body>(x, stacked...): the first axes of the stacked arguments differ; the first axis of each has N rows");
    static_assert(slip != body_slip::argument_literal,
        "xgrad::layers<N, body>(x, stacked...): x is a constant without element type; write cast<float>(0_c)");
    static_assert(slip != body_slip::half,
        "xgrad::layers<N, body>(x, stacked...): a layer takes, reads or gives bfloat16 or float16, which loops cannot hold; write cast<float>(x)");
    static_assert(slip != body_slip::too_many,
        "xgrad::layers<N, body>(x, stacked...): the arguments and the outer expressions that the layer reads are more than 32; join some of "
        "them with concat");
    if constexpr (!length || slip != body_slip::none) return detail::refused{};
    else {
        constexpr bool rows = detail::common_length<S...>(make_shape<N>().extents[0]);
        static_assert(
            rows, "xgrad::layers<N, body>(x, stacked...): the first axis of a stacked argument does not have N rows, one for each layer");
        constexpr bool keeps = detail::keeps_carry<Body, H, S...>();
        static_assert(keeps, "xgrad::layers<N, body>(x, stacked...): body::value returns another shape or element type than that of x, so "
                             "that the next layer cannot read it");
        if constexpr (!rows || !keeps) return detail::refused{};
        else if constexpr (!detail::variable_of_all_layers<Body, H, S...>().empty()) {
            detail::refuse_variable_of_layers<detail::make_text([] { return detail::variable_of_all_layers<Body, H, S...>(); })>();
            return detail::refused{};
        } else return std::get<0>(scan<detail::with_carry<Body>, N>(carry(x), stacked...));
    }
}

/// The body for each row: `map<body>(x, y)` stacks `body::value(x[k], y[k])` over the rows k of the first axis of x and
/// y, which have the same number of rows. One result gives an expression, several in a std::tuple give a tuple. The rows
/// are computed one after the other. An operation that takes all rows together is faster.
///
/// Gradient: the body runs again for each row.
template<class Body, class First, class... S>
constexpr auto map(First const& x, S const&... more) {
    using detail::body_slip;
    constexpr auto slip = detail::slip_of_rows<Body>(detail::parameter_list<>{}, detail::parameter_list<First, S...>{});
    static_assert(slip != body_slip::no_body, "xgrad::map<body>(x...): body is no struct derived from xgrad::region; write struct body : "
                                              "xgrad::region { static constexpr auto value(auto row) { ... } }");
    static_assert(
        slip != body_slip::no_expression, "xgrad::map<body>(x...): an argument is no expression with a first axis, whose rows are mapped");
    static_assert(slip != body_slip::not_called,
        "xgrad::map<body>(x...): body::value cannot be called with rows of the arguments; make it public and static, with one "
        "parameter of type auto for each argument");
    static_assert(slip != body_slip::returned && slip != body_slip::result_literal,
        "xgrad::map<body>(x...): body::value does not return an expression with an element type, or several in a std::tuple");
    static_assert(
        slip != body_slip::shapes, "xgrad::map<body>(x...): the arguments have different numbers of rows; their first axes must agree");
    static_assert(slip != body_slip::half,
        "xgrad::map<body>(x...): the body takes, reads or gives bfloat16 or float16, which loops cannot hold; write cast<float>(x)");
    static_assert(slip != body_slip::too_many,
        "xgrad::map<body>(x...): the arguments and the outer expressions that the body reads are more than 32; join some of them with concat");
    if constexpr (slip != body_slip::none) return detail::refused{};
    else {
        using rows = detail::parameters<Body, detail::parameter_role::slice, First, S...>;
        auto const all = scan<detail::with_emitted<Body>>(carry(), x, more...);
        if constexpr (detail::results_of_body<Body, rows>::single) return std::get<0>(all);
        else return all;
    }
}

/// One value from all rows: `fold<body>(start, x)` is `body::value(value so far, x[k])` over the rows k of the first axis
/// of x, from the first to the last. It begins with `start`, whose shape and element type the body returns.
///
/// Gradient: that of scan.
template<class Body, class H, class First, class... S>
constexpr auto fold(H const& start, First const& x, S const&... more) {
    using detail::body_slip;
    constexpr auto slip = detail::slip_of_rows<Body>(detail::parameter_list<H>{}, detail::parameter_list<First, S...>{});
    static_assert(slip != body_slip::no_body,
        "xgrad::fold<body>(start, x...): body is no struct derived from xgrad::region; write struct body : "
        "xgrad::region { static constexpr auto value(auto so_far, auto row) { ... } }");
    static_assert(slip != body_slip::no_expression,
        "xgrad::fold<body>(start, x...): start is no expression, or an argument is no expression with a first axis, whose rows are folded");
    static_assert(slip != body_slip::not_called,
        "xgrad::fold<body>(start, x...): body::value cannot be called with start and rows of the arguments; make it public and static, with "
        "one parameter of type auto for each");
    static_assert(slip != body_slip::returned && slip != body_slip::result_literal,
        "xgrad::fold<body>(start, x...): body::value does not return an expression of the shape and element type of start");
    static_assert(slip != body_slip::shapes,
        "xgrad::fold<body>(start, x...): the arguments have different numbers of rows; their first axes must agree");
    static_assert(slip != body_slip::argument_literal,
        "xgrad::fold<body>(start, x...): start is a constant without element type; write cast<float>(0_c)");
    static_assert(slip != body_slip::half,
        "xgrad::fold<body>(start, x...): the body takes, reads or gives bfloat16 or float16, which loops cannot hold; write cast<float>(x)");
    static_assert(slip != body_slip::too_many,
        "xgrad::fold<body>(start, x...): the arguments and the outer expressions that the body reads are more than 32; join some of them "
        "with concat");
    if constexpr (slip != body_slip::none) return detail::refused{};
    else {
        constexpr bool keeps = detail::keeps_carry<Body, H, First, S...>();
        static_assert(keeps, "xgrad::fold<body>(start, x...): body::value returns another shape or element type than that of start; write "
                             "broadcast_to<...>(start) or cast<float>(y)");
        if constexpr (!keeps) return detail::refused{};
        else return std::get<0>(scan<detail::with_carry<Body>>(carry(start), x, more...));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
