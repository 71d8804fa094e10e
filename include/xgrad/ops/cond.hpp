// SPDX-License-Identifier: MIT
// cond and switch_case: one of several bodies runs, and only that one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/call.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
template<class I>
constexpr bool is_selector(bool boolean) {
    if constexpr (!Expr<I>) return false;
    else return value_of<I>.dims.rank == 0 && (boolean ? value_of<I>.type == dtype::boolean : is_integer(value_of<I>.type));
}
template<class I>
constexpr bool is_refused() {
    if constexpr (!Expr<I>) return false;
    else return value_of<I>.wrong != fault::none;
}
template<dtype Index, class I, class... R, class... A>
constexpr auto select_body(parameter_list<A...> operands) {
    return run_bodies_once<by_index<Index>, I, R...>(operands);
}
}

/// Runs one of two bodies: `cond<then, otherwise>(predicate, x...)` calls `then::value(x...)` if the predicate, a bool
/// of rank 0, is true, and `otherwise::value(x...)` if not. Both are structs derived from xgrad::region. Their results
/// have the same number, element types and shapes. One result gives an expression, several in a std::tuple give a tuple.
///
/// Only the body that is selected runs, and so do the outer expressions that only bodies use. The arguments are
/// computed in any case.
///
/// Gradient: that of the body that ran, which runs again for it. Arguments and outer expressions that it does not use
/// get zeros, as in tf.cond. None passes to the predicate.
template<class Then, class Otherwise, class P, class... A>
constexpr auto cond(P const&, A const&...) {
    using operands = detail::parameter_list<A...>;
    using detail::region_slip;
    constexpr bool silent = detail::is_refused<P>();
    constexpr bool predicate = silent || detail::is_selector<P>(true);
    static_assert(predicate,
        "xgrad::cond<then, otherwise>(predicate, x...): predicate is not an expression of type bool and rank 0; write greater(sum(x), "
        "0_c), or input<\"flag\", bool>; by element, write select(c, a, b)");
    using asked = std::conditional_t<predicate && !silent, operands, detail::refused>;
    constexpr auto slip = detail::slip_of_bodies<detail::by_index<dtype::boolean>, Otherwise, Then>(asked{});
    static_assert(slip != region_slip::no_body,
        "xgrad::cond<then, otherwise>(predicate, x...): a body is not a defined struct derived from xgrad::region; write struct body : "
        "xgrad::region { static constexpr auto value(auto x) { ... } }");
    static_assert(slip != region_slip::no_expression,
        "xgrad::cond<then, otherwise>(predicate, x...): an argument is not an expression; declare an input, or write cast<float>(0.5_c) "
        "for a number");
    static_assert(slip != region_slip::argument_literal,
        "xgrad::cond<then, otherwise>(predicate, x...): a constant among the arguments has no element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::recursive,
        "xgrad::cond<then, otherwise>(predicate, x...): a body runs itself with arguments of the same shapes; all bodies are compiled, so "
        "this has no end; write while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::cond<then, otherwise>(predicate, x...): value of a body cannot be called with these arguments; make it public and static, "
        "with one parameter of type auto for each argument");
    static_assert(slip != region_slip::returned,
        "xgrad::cond<then, otherwise>(predicate, x...): value of a body does not return an expression; return one, or several in a "
        "std::tuple");
    static_assert(slip != region_slip::result_literal,
        "xgrad::cond<then, otherwise>(predicate, x...): a result of a body is a constant without element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::counts,
        "xgrad::cond<then, otherwise>(predicate, x...): the bodies return different numbers of results; return the same number");
    static_assert(slip != region_slip::shapes,
        "xgrad::cond<then, otherwise>(predicate, x...): the bodies return results of different shapes or element types; write "
        "broadcast_to<...>(y) or cast<float>(y)");
    static_assert(slip != region_slip::half,
        "xgrad::cond<then, otherwise>(predicate, x...): a body takes, reads or gives bfloat16 or float16, which bodies cannot hold; write "
        "cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::cond<then, otherwise>(predicate, x...): arguments and the leaves that the bodies read are more than 256, or the results "
        "are; join some of them with concat");
    constexpr bool once = !detail::has_checkpoints<Then> && !detail::has_checkpoints<Otherwise>;
    static_assert(once,
        "xgrad::cond<then, otherwise>(predicate, x...): a body is gradient_checkpoints<body, k>, but a branch has no iterations between "
        "which carries could be kept; write body itself");
    if constexpr (slip != region_slip::none || !once) return detail::refused{};
    else return detail::select_body<dtype::boolean, P, Otherwise, Then>(operands{});
}

namespace detail {
template<int N>
constexpr refused refuse_cond() {
    static_assert(N < 0,
        "xgrad::cond<then, otherwise>(predicate, x...): the bodies are not two types between < and >; write structs derived from "
        "xgrad::region; of two expressions, write select(c, a, b)");
    return {};
}
template<int N>
constexpr refused refuse_switch() {
    static_assert(N < 0,
        "xgrad::switch_case<body...>(index, x...): the bodies are not types between < and >, or the index is missing; write "
        "switch_case<body0, body1>(index, x)");
    return {};
}
}
// These catch cond(predicate, x, y), cond<body>(predicate, x) and lambdas.
template<class... Given>
constexpr auto cond(...) {
    return detail::refuse_cond<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto cond(...) {
    return detail::refuse_cond<sizeof...(More)>();
}

/// Runs one of several bodies: `switch_case<body0, body1, body2>(index, x...)` calls `value(x...)` of body number
/// `index`, an integer of rank 0. An index out of range selects the last body, as in tf.switch_case. Bodies and results
/// are like those of `cond`.
///
/// Gradient: like that of `cond`. None passes to the index.
template<class First, class... Body, class I, class... A>
constexpr auto switch_case(I const&, A const&...) {
    using operands = detail::parameter_list<A...>;
    using detail::region_slip;
    constexpr bool silent = detail::is_refused<I>();
    constexpr bool index = silent || detail::is_selector<I>(false);
    static_assert(index,
        "xgrad::switch_case<body...>(index, x...): index is not an expression of an integer type and rank 0; write input<\"case\", "
        "std::int32_t>, or cast<std::int32_t>(1_c)");
    if constexpr (!index || silent) return detail::refused{};
    else {
        using number = decltype(detail::as_index(I{}));
        constexpr dtype type = value_of<number>.type;
        constexpr auto slip = detail::slip_of_bodies<detail::by_index<type>, First, Body...>(operands{});
        static_assert(slip != region_slip::no_body,
            "xgrad::switch_case<body...>(index, x...): a body is not a defined struct derived from xgrad::region; write struct body : "
            "xgrad::region { static constexpr auto value(auto x) { ... } }");
        static_assert(slip != region_slip::no_expression,
            "xgrad::switch_case<body...>(index, x...): an argument is not an expression; declare an input, or write cast<float>(0.5_c) "
            "for a number");
        static_assert(slip != region_slip::argument_literal,
            "xgrad::switch_case<body...>(index, x...): a constant among the arguments has no element type; write cast<float>(0.5_c)");
        static_assert(slip != region_slip::recursive,
            "xgrad::switch_case<body...>(index, x...): a body runs itself with arguments of the same shapes; all bodies are compiled, so "
            "this has no end; write while_loop");
        static_assert(slip != region_slip::not_called,
            "xgrad::switch_case<body...>(index, x...): value of a body cannot be called with these arguments; make it public and static, "
            "with one parameter of type auto for each argument");
        static_assert(slip != region_slip::returned,
            "xgrad::switch_case<body...>(index, x...): value of a body does not return an expression; return one, or several in a "
            "std::tuple");
        static_assert(slip != region_slip::result_literal,
            "xgrad::switch_case<body...>(index, x...): a result of a body is a constant without element type; write cast<float>(0.5_c)");
        static_assert(slip != region_slip::counts,
            "xgrad::switch_case<body...>(index, x...): the bodies return different numbers of results; return the same number");
        static_assert(slip != region_slip::shapes,
            "xgrad::switch_case<body...>(index, x...): the bodies return results of different shapes or element types; write "
            "broadcast_to<...>(y) or cast<float>(y)");
        static_assert(slip != region_slip::half,
            "xgrad::switch_case<body...>(index, x...): a body takes, reads or gives bfloat16 or float16, which bodies cannot hold; write "
            "cast<float>(x)");
        static_assert(slip != region_slip::too_many,
            "xgrad::switch_case<body...>(index, x...): arguments and the leaves that the bodies read are more than 256, or the results "
            "are; join some of them with concat");
        constexpr bool once = !detail::has_checkpoints<First> && !(detail::has_checkpoints<Body> || ...);
        static_assert(once,
            "xgrad::switch_case<body...>(index, x...): a body is gradient_checkpoints<body, k>, but a branch has no iterations between "
            "which carries could be kept; write body itself");
        if constexpr (slip != region_slip::none || !once) return detail::refused{};
        else return detail::select_body<type, number, First, Body...>(operands{});
    }
}
// These catch switch_case(index, body0{}, body1{}, x) and lambdas.
template<class... Given>
constexpr auto switch_case(...) {
    return detail::refuse_switch<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto switch_case(...) {
    return detail::refuse_switch<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
