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
struct with_carry : base_like<R> {
    static constexpr auto value(auto h, auto... rows) { return carry(R::value(h, rows...)); }
};
template<class R>
using body_with_carry = typename checkpoints_like<R, with_carry<typename checkpoints_of<R>::body>>::type;
/// R, whose results are stacked.
template<class R>
struct with_emitted : base_like<R> {
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
template<class R>
using body_with_emitted = typename checkpoints_like<R, with_emitted<typename checkpoints_of<R>::body>>::type;
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
/// The parameters of R if it is called with these of a loop.
template<class R, class Carries, class Rows>
struct loop_arguments;
template<class R, class... Carry, class... Row>
struct loop_arguments<R, parameter_list<Carry...>, parameter_list<Row...>> {
    using type = parameters<parameter_list<R>, parameter_role::argument, Carry..., Row...>;
};
template<class R, class Carries, class Rows>
using arguments_of = typename loop_arguments<R, Carries, Rows>::type;
/// What is wrong with R as the body of a loop. One carry must stay as it is; without a carry the results are stacked.
template<class R, class... Carry, class... Row>
constexpr region_slip slip_of_loop(parameter_list<Carry...>, parameter_list<Row...>) {
    constexpr auto slip = slip_of_bodies<by_call, R>(parameter_list<Carry..., Row...>{});
    if constexpr (slip != region_slip::none) return slip;
    else {
        using results = results_of_body<R, arguments_of<R, parameter_list<Carry...>, parameter_list<Row...>>>;
        if constexpr (sizeof...(Carry) == 0) {
            for (node_info const* n : results::nodes.at)
                if (n->value.dims.rank == max_rank) return region_slip::six_axes;
        } else {
            if (!results::single) return region_slip::returned;
            value_info const &next = results::nodes.at[0]->value, &before = (value_of<Carry>, ...);
            if (next.type != before.type || !(next.dims == before.dims)) return region_slip::changed;
        }
        return region_slip::none;
    }
}
template<class R, auto... Length, class... Carry, class... Slice>
constexpr region_slip slip_of_rows(parameter_list<Carry...>, parameter_list<Slice...>) {
    if constexpr (!is_body<R>()) return region_slip::no_body;
    else if constexpr ((Complex<Carry> || ...) || (Complex<Slice> || ...)) return refuse_complex<Carry..., Slice...>(), region_slip::silent;
    else if constexpr (!(Expr<Carry> && ...)) return region_slip::no_expression;
    else if constexpr (!((has_rows<Slice>()) && ...)) return region_slip::no_rows;
    else if constexpr (!all_good<Carry..., Slice...>()) return region_slip::silent;
    else if constexpr (((value_of<Carry>.type == dtype::literal) || ...)) return region_slip::argument_literal;
    else if constexpr ((is_half(value_of<Carry>.type) || ...) || (is_half(value_of<Slice>.type) || ...)) return region_slip::half;
    else if constexpr (!same_rows<Slice...>()) return region_slip::lengths;
    else if constexpr (!(common_length<Slice...>(make_shape<Length>().extents[0]) && ...)) return region_slip::length;
    else if constexpr (sizeof...(Length) == 0 && (time_is_second<Slice, Carry...> || ...)) return region_slip::order;
    else if constexpr (((value_of<Carry>.dims.rank == max_rank) || ...)) return region_slip::six_axes;
    else {
        using carries = parameters<R, parameter_role::carry, Carry...>;
        using rows = parameters<R, parameter_role::slice, Slice...>;
        if constexpr (!requires { typename body_result<R, arguments_of<R, carries, rows>>::type; }) return region_slip::recursive;
        else return slip_of_loop<R>(carries{}, rows{});
    }
}
/// The name of a trainable variable in the outer expressions that a body reads, or nothing.
template<class R, class H, class... S>
constexpr std::string_view variable_of_all_layers() {
    using arguments = arguments_of<R, parameters<R, parameter_role::carry, H>, parameters<R, parameter_role::slice, S...>>;
    constexpr auto const& captured = op::bodies<once_call<by_call, arguments, R>>::captured;
    node_map seen;
    std::string_view found;
    for (int i = 0; i < captured.count && i < max_region_operands; ++i)
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
}

/// N equal layers: `auto const y = layers<12, block>(x, w, b)`. Layer k is `block::value(h, w[k], b[k])`, where h is the
/// result of the layer before it, x for the first. Row k of w is w[k]. So w is a variable with the weights of all layers,
/// and its first axis has N rows. N is an integer or a named dimension. `block` is a struct derived from
/// xgrad::region. It returns an expression of the shape and element type of x.
///
/// The layer is compiled once: compile time and code do not depend on N. All layers would share a trainable variable
/// that `block` names itself, so it is refused. scan takes such a body.
///
/// Gradient: that of scan. The inputs of the layers are kept, and what each layer keeps; see recompute.
template<auto N, class Body, class H, class... S>
constexpr auto layers(H const& x, S const&... stacked) {
    using detail::region_slip;
    constexpr bool length = detail::are_extents<N>;
    static_assert(
        length, "xgrad::layers<N, body>(x, stacked...): N is not a number of layers; write an integer of at least 0, or a named dimension");
    if constexpr (!length) return detail::refused{};
    else {
        constexpr auto slip = detail::slip_of_rows<Body, N>(detail::parameter_list<H>{}, detail::parameter_list<S...>{});
        static_assert(slip != region_slip::no_body,
            "xgrad::layers<N, body>(x, stacked...): body is not a defined struct derived from xgrad::region; write struct body : "
            "xgrad::region { static constexpr auto value(auto h, auto w) { ... } }");
        static_assert(slip != region_slip::no_expression,
            "xgrad::layers<N, body>(x, stacked...): x is not an expression; give the input of the first layer itself, without carry(...)");
        static_assert(slip != region_slip::no_rows,
            "xgrad::layers<N, body>(x, stacked...): a stacked argument has no first axis; write variable<\"w\", float, N, rows, columns>, "
            "and read a value of all layers in body::value");
        static_assert(slip != region_slip::length && slip != region_slip::lengths,
            "xgrad::layers<N, body>(x, stacked...): the first axis of a stacked argument is not N; write variable<\"w\", float, N, rows, "
            "columns>, and read a value of all layers in body::value");
        static_assert(slip != region_slip::argument_literal,
            "xgrad::layers<N, body>(x, stacked...): x is a constant without element type; write cast<float>(0_c)");
        static_assert(slip != region_slip::recursive,
            "xgrad::layers<N, body>(x, stacked...): the body calls itself with arguments of the same shapes, without an end; write a "
            "larger N");
        static_assert(slip != region_slip::not_called,
            "xgrad::layers<N, body>(x, stacked...): body::value cannot be called with these arguments; make it public and static, with "
            "one parameter of type auto for h and each stacked argument");
        static_assert(slip != region_slip::returned && slip != region_slip::result_literal,
            "xgrad::layers<N, body>(x, stacked...): body::value does not return the next h; return one expression, of the shape and "
            "element type of x, without carry(...)");
        static_assert(slip != region_slip::changed,
            "xgrad::layers<N, body>(x, stacked...): body::value returns another shape or element type than that of x, which the next "
            "layer needs; write broadcast_to<...>(x) or cast<float>(y)");
        static_assert(slip != region_slip::six_axes,
            "xgrad::layers<N, body>(x, stacked...): x has six axes already, and its values in all layers are stacked; reshape it");
        static_assert(slip != region_slip::half,
            "xgrad::layers<N, body>(x, stacked...): a layer takes, reads or gives bfloat16 or float16, which loops cannot hold; write "
            "cast<float>(x)");
        static_assert(slip != region_slip::too_many,
            "xgrad::layers<N, body>(x, stacked...): arguments and the outer expressions that the layer reads are more than 256; join some "
            "of them with concat");
        if constexpr (slip != region_slip::none) return detail::refused{};
        else if constexpr (!detail::variable_of_all_layers<Body, H, S...>().empty()) {
            detail::refuse_variable_of_layers<detail::make_text([] { return detail::variable_of_all_layers<Body, H, S...>(); })>();
            return detail::refused{};
        } else return std::get<0>(scan<detail::body_with_carry<Body>, N>(carry(x), stacked...));
    }
}
namespace detail {
template<int N>
constexpr refused refuse_layers() {
    static_assert(N < 0,
        "xgrad::layers<N, body>(x, stacked...): N and body are not a number and one type between < and >; write struct block : "
        "xgrad::region { ... }, then layers<12, block>(x, w)");
    return {};
}
}
// These catch layers<12>(body{}, x, w), layers<body, 12>(x, w) and lambdas; the last one layers<12, body>().
template<class... Given>
constexpr auto layers(...) {
    return detail::refuse_layers<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto layers(...) {
    return detail::refuse_layers<sizeof...(More)>();
}
template<class, auto, auto... More>
constexpr auto layers(...) {
    return detail::refuse_layers<sizeof...(More)>();
}
template<auto, class Body>
constexpr auto layers() {
    static_assert(detail::never<Body>,
        "xgrad::layers<N, body>(x, stacked...): x is missing; write layers<12, block>(x, w), where x is what the first layer gets");
    return detail::refused{};
}

/// The body for each row: `map<body>(x, y)` stacks `body::value(x[k], y[k])` over the rows k of the first axis of x and
/// y, which have the same number of rows. One result gives an expression, several in a std::tuple give a tuple. The rows
/// are computed one after the other. An operation that takes all rows together is faster.
///
/// Gradient: that of scan.
template<class Body, class First, class... S>
constexpr auto map(First const& x, S const&... more) {
    using detail::region_slip;
    constexpr auto slip = detail::slip_of_rows<Body>(detail::parameter_list<>{}, detail::parameter_list<First, S...>{});
    static_assert(slip != region_slip::no_body,
        "xgrad::map<body>(x...): body is not a defined struct derived from xgrad::region; write struct body : xgrad::region { static "
        "constexpr auto value(auto row) { ... } }");
    static_assert(slip != region_slip::no_rows,
        "xgrad::map<body>(x...): an argument has no rows; give expressions with a first axis, and read a value of all rows in body::value");
    static_assert(slip != region_slip::lengths,
        "xgrad::map<body>(x...): the arguments have different numbers of rows; give their first axes the same integer or named dimension");
    static_assert(slip != region_slip::recursive,
        "xgrad::map<body>(x...): the body maps itself over rows of the same shapes, without an end; write a loop: layers, scan or "
        "while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::map<body>(x...): body::value cannot be called with rows of the arguments; make it public and static, with one parameter "
        "of type auto for each argument");
    static_assert(slip != region_slip::returned && slip != region_slip::result_literal,
        "xgrad::map<body>(x...): body::value does not return an expression with an element type; return one, or several in a std::tuple, "
        "without carry(...)");
    static_assert(slip != region_slip::six_axes,
        "xgrad::map<body>(x...): a result of the body has six axes already, and cannot be stacked; reshape it");
    static_assert(slip != region_slip::half,
        "xgrad::map<body>(x...): the body takes, reads or gives bfloat16 or float16, which loops cannot hold; write cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::map<body>(x...): arguments and the outer expressions that the body reads are more than 256, or its results are; join some "
        "of them with concat");
    if constexpr (slip != region_slip::none) return detail::refused{};
    else {
        using rows = detail::parameters<Body, detail::parameter_role::slice, First, S...>;
        auto const all = scan<detail::body_with_emitted<Body>>(carry(), x, more...);
        if constexpr (detail::results_of_body<Body, rows>::single) return std::get<0>(all);
        else return all;
    }
}
namespace detail {
template<int N>
constexpr refused refuse_map() {
    static_assert(N < 0,
        "xgrad::map<body>(x...): the body is not one type between < and >, or x is missing; write struct body : xgrad::region { ... }, "
        "then map<body>(x)");
    return {};
}
}
// These catch map(body{}, x), map<body>() and lambdas.
template<class... Given>
constexpr auto map(...) {
    return detail::refuse_map<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto map(...) {
    return detail::refuse_map<sizeof...(More)>();
}
template<class, auto, auto... More>
constexpr auto map(...) {
    return detail::refuse_map<sizeof...(More)>();
}
template<auto, class, class... More>
constexpr auto map(...) {
    return detail::refuse_map<sizeof...(More)>();
}

/// One value from all rows: `fold<body>(start, x)` is `body::value(value so far, x[k])` over the rows k of the first axis
/// of x, from the first to the last. It begins with `start`, whose shape and element type the body returns.
///
/// Gradient: that of scan.
template<class Body, class H, class First, class... S>
constexpr auto fold(H const& start, First const& x, S const&... more) {
    using detail::region_slip;
    constexpr auto slip = detail::slip_of_rows<Body>(detail::parameter_list<H>{}, detail::parameter_list<First, S...>{});
    static_assert(slip != region_slip::no_body,
        "xgrad::fold<body>(start, x...): body is not a defined struct derived from xgrad::region; write struct body : xgrad::region { "
        "static constexpr auto value(auto so_far, auto row) { ... } }");
    static_assert(slip != region_slip::no_expression,
        "xgrad::fold<body>(start, x...): start is not an expression; write cast<float>(0_c) for a number, without carry(...)");
    static_assert(slip != region_slip::no_rows,
        "xgrad::fold<body>(start, x...): an argument has no rows; give expressions with a first axis, and read a value of all rows in "
        "body::value");
    static_assert(slip != region_slip::lengths,
        "xgrad::fold<body>(start, x...): the arguments have different numbers of rows; give their first axes the same integer or named "
        "dimension");
    static_assert(slip != region_slip::order,
        "xgrad::fold<body>(start, x...): x begins with the first dimension of start, but rows are along the first axis; write "
        "transpose<1, 0>(x), or scan<body, batch> where that is meant");
    static_assert(slip != region_slip::argument_literal,
        "xgrad::fold<body>(start, x...): start is a constant without element type; write cast<float>(0_c)");
    static_assert(slip != region_slip::recursive,
        "xgrad::fold<body>(start, x...): the body folds itself over rows of the same shapes, without an end; write a loop: layers, scan "
        "or while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::fold<body>(start, x...): body::value cannot be called with start and a row; make it public and static, with one parameter "
        "of type auto for start and each argument");
    static_assert(slip != region_slip::returned && slip != region_slip::result_literal,
        "xgrad::fold<body>(start, x...): body::value does not return the value so far; return one expression, of the shape and element "
        "type of start, without carry(...)");
    static_assert(slip != region_slip::changed,
        "xgrad::fold<body>(start, x...): body::value returns another shape or element type than that of start; write "
        "broadcast_to<...>(start) or cast<float>(y)");
    static_assert(slip != region_slip::six_axes,
        "xgrad::fold<body>(start, x...): start has six axes already, and its values after all rows are stacked; reshape it");
    static_assert(slip != region_slip::half,
        "xgrad::fold<body>(start, x...): the body takes, reads or gives bfloat16 or float16, which loops cannot hold; write "
        "cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::fold<body>(start, x...): arguments and the outer expressions that the body reads are more than 256; join some of them with "
        "concat");
    if constexpr (slip != region_slip::none) return detail::refused{};
    else return std::get<0>(scan<detail::body_with_carry<Body>>(carry(start), x, more...));
}
namespace detail {
template<int N>
constexpr refused refuse_fold() {
    static_assert(N < 0,
        "xgrad::fold<body>(start, x...): the body is not one type between < and >, or x is missing; write struct body : xgrad::region { "
        "... }, then fold<body>(start, x)");
    return {};
}
}
// These catch fold(body{}, start, x), fold<body>(start) and lambdas.
template<class... Given>
constexpr auto fold(...) {
    return detail::refuse_fold<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto fold(...) {
    return detail::refuse_fold<sizeof...(More)>();
}
template<class, auto, auto... More>
constexpr auto fold(...) {
    return detail::refuse_fold<sizeof...(More)>();
}
template<auto, class, class... More>
constexpr auto fold(...) {
    return detail::refuse_fold<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
