// SPDX-License-Identifier: MIT
// call: a body with parameters that is compiled once; and what it shares with branches: bodies that run once.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/bodies.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What a body that runs once returns: an expression, or several in a std::tuple.
template<class Result>
struct body_results {
    static constexpr bool good = false;
};
template<Expr E>
struct body_results<E> {
    static constexpr bool good = true, single = true;
    static constexpr int count = 1;
    static constexpr node_list<1> nodes{{info_of<E>}};
};
template<Expr... E>
    requires(sizeof...(E) > 0)
struct body_results<std::tuple<E...>> {
    static constexpr bool good = true, single = false;
    static constexpr int count = sizeof...(E);
    static constexpr node_list<count> nodes{{info_of<E>...}};
};

/// How a body runs once: because it is called, or because an index selects it among several.
struct by_call {
    static constexpr std::string_view name = "call";
    static constexpr region_policy policy = region_policy::call;
    static constexpr bool lazy = false;
    static constexpr value_info const* control = nullptr;
};
template<dtype Index>
struct by_index {
    static constexpr value_info index{Index, {}, fault::none};
    static constexpr std::string_view name = "branch";
    static constexpr region_policy policy = region_policy::branch;
    static constexpr bool lazy = true;
    static constexpr value_info const* control = &index;
};
/// The results of R, which runs once.
template<class R, class Parameters>
using results_of_body = body_results<body_with<R, Parameters>>;
/// The data of bodies that run once.
template<class How, class Parameters, class... R>
struct once_call;
template<class How, class... P, class First, class... R>
struct once_call<How, parameter_list<P...>, First, R...> : How {
    static constexpr std::string_view body_name = name_of_type<First>();
    static constexpr bool fails = false, differentiable = true, keeps = How::policy == region_policy::call && keeps_values<First>;
    static constexpr int carries = 0, slices = 0, arguments = sizeof...(P), emitted = results_of_body<First, parameter_list<P...>>::count,
                         body_count = 1 + sizeof...(R);
    static constexpr node_list<arguments> parameters{{info_of<P>...}};
    static constexpr node_list<emitted* body_count> results = [] {
        node_list<emitted * body_count> r{};
        int n = 0;
        auto add = [&](auto const& nodes) {
            for (int i = 0; i < emitted; ++i) r.at[n++] = nodes.at[i];
        };
        add(results_of_body<First, parameter_list<P...>>::nodes);
        (add(results_of_body<R, parameter_list<P...>>::nodes), ...);
        return r;
    }();
    static constexpr extent length() { return static_extent(1); }
};

/// What is wrong with bodies that run once, or with their arguments.
enum class region_slip : unsigned char {
    none,
    silent,   // an expression that has been refused already
    no_expression,
    no_rows,   // or a sequence without a first axis
    no_body,
    not_called,
    recursive,   // a body runs itself
    returned,
    argument_literal,
    half,
    result_literal,
    counts,     // bodies return different numbers of results
    shapes,     // or results of different shapes or element types
    lengths,    // sequences have different numbers of rows
    length,     // or another number of rows than wanted
    order,      // or begin with the first dimension of a carry
    changed,    // a carry changes its shape or element type
    six_axes,   // a value that is stacked has six axes already
    too_many
};
template<class How, class... R>
constexpr region_slip slip_of_bodies(refused) {
    return region_slip::silent;
}
template<class How, class... R, class... Operand>
constexpr region_slip slip_of_bodies(parameter_list<Operand...>) {
    if constexpr (!(is_body<R>() && ...)) return region_slip::no_body;
    else if constexpr ((Complex<Operand> || ...)) return refuse_complex<Operand...>(), region_slip::silent;
    else if constexpr (!(Expr<Operand> && ...)) return region_slip::no_expression;
    else if constexpr (!all_good<Operand...>()) return region_slip::silent;
    else if constexpr (((value_of<Operand>.type == dtype::literal) || ...)) return region_slip::argument_literal;
    else if constexpr ((is_half(value_of<Operand>.type) || ...)) return region_slip::half;
    else {
        using given = parameters<parameter_list<R...>, parameter_role::argument, Operand...>;
        if constexpr (!((requires { typename body_result<R, given>::type; }) && ...)) return region_slip::recursive;
        else if constexpr ((std::is_void_v<body_with<R, given>> || ...)) return region_slip::not_called;
        else if constexpr ((Complex<body_with<R, given>> || ...)) return refuse_complex<body_with<R, given>...>(), region_slip::silent;
        else if constexpr (!(results_of_body<R, given>::good && ...)) return region_slip::returned;
        else {
            constexpr int counts[]{results_of_body<R, given>::count...}, count = counts[0];
            if constexpr (!((results_of_body<R, given>::count == count) && ...)) return region_slip::counts;
            else if constexpr (!(all_good(results_of_body<R, given>::nodes.at) && ...)) return region_slip::silent;
            else {
                using Call = once_call<How, given, R...>;
                constexpr int all = count * Call::body_count;
                for (int i = 0; i < all; ++i) {
                    value_info const &v = Call::results.at[i]->value, &first = Call::results.at[i % count]->value;
                    if (v.type == dtype::literal) return region_slip::result_literal;
                    if (v.type != first.type || !(v.dims == first.dims)) return region_slip::shapes;
                }
                constexpr auto const& captured = op::bodies<Call>::captured;
                if (any_half(Call::results.at, all) || any_half(captured.at, captured.count)) return region_slip::half;
                if (captured.count + Call::arguments + (Call::control != nullptr) > max_region_operands || count > max_region_outputs)
                    return region_slip::too_many;
                return region_slip::none;
            }
        }
    }
}
/// The outputs of bodies that run once: an expression, or a tuple.
template<class How, class Control, class... R, class... Operand>
constexpr auto run_bodies_once(parameter_list<Operand...>) {
    using given = parameters<parameter_list<R...>, parameter_role::argument, Operand...>;
    using Call = once_call<How, given, R...>;
    using node = region_node<Call, Control, Operand...>;
    refuse_other_numbers<Call>();
    constexpr bool single = (results_of_body<R, given>::single && ...);
    if constexpr (single) return part<0, node>{};
    else return outputs_of<node, Call::emitted>();
}
}

/// Runs a body: `auto const y = call<block>(x, w)` calls `block::value(x, w)`, a struct derived from xgrad::region. Its
/// arguments are expressions, and it may use outer expressions too. It returns an expression, or several in a
/// std::tuple; then call returns a tuple.
///
/// Each body is compiled once for the element types and shapes of its arguments, however often it is called. Variables
/// that it names are the same in all calls, like those of a function; give it others as arguments. Outer expressions
/// that depend on no argument are computed once, outside. Two calls draw the same random numbers, unless they run in
/// different iterations of a loop.
///
/// Gradient: it reads the arguments, and what the body keeps for it; see recompute. It can be differentiated again.
template<class Body, class... A>
constexpr auto call(A const&...) {
    using operands = detail::parameter_list<A...>;
    constexpr auto slip = detail::slip_of_bodies<detail::by_call, Body>(operands{});
    using detail::region_slip;
    static_assert(slip != region_slip::no_body,
        "xgrad::call<body>(x...): body is not a defined struct derived from xgrad::region; write struct body : xgrad::region { static "
        "constexpr auto value(auto x) { ... } }");
    static_assert(slip != region_slip::no_expression,
        "xgrad::call<body>(x...): an argument is not an expression; declare an input, or write cast<float>(0.5_c) for a number");
    static_assert(slip != region_slip::argument_literal,
        "xgrad::call<body>(x...): a constant among the arguments has no element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::recursive,
        "xgrad::call<body>(x...): the body calls itself with arguments of the same shapes, without an end; write a loop: layers, scan or "
        "while_loop");
    static_assert(slip != region_slip::not_called,
        "xgrad::call<body>(x...): body::value cannot be called with these arguments; make it public and static, with one parameter of "
        "type auto for each argument");
    static_assert(slip != region_slip::returned,
        "xgrad::call<body>(x...): body::value does not return an expression; return one, or several in a std::tuple");
    static_assert(slip != region_slip::result_literal,
        "xgrad::call<body>(x...): a result of the body is a constant without element type; write cast<float>(0.5_c)");
    static_assert(slip != region_slip::half,
        "xgrad::call<body>(x...): the body takes, reads or gives bfloat16 or float16, which bodies cannot hold; write cast<float>(x)");
    static_assert(slip != region_slip::too_many,
        "xgrad::call<body>(x...): arguments and the outer expressions that the body reads are more than 256, or its results are; join some "
        "of them with concat");
    constexpr bool once = !detail::has_checkpoints<Body>;
    static_assert(once,
        "xgrad::call<gradient_checkpoints<body, k>>(x...): a call has no iterations between which carries could be kept; write "
        "call<recompute<body>>(x...)");
    if constexpr (slip != region_slip::none || !once) return detail::refused{};
    else return detail::run_bodies_once<detail::by_call, void, Body>(operands{});
}

namespace detail {
template<int N>
constexpr refused refuse_call() {
    static_assert(N < 0,
        "xgrad::call<body>(x...): the body is not one type between < and >; write struct body : xgrad::region { ... }, then call<body>(x)");
    return {};
}
}
// These catch call(body{}, x), call(x) and call<[](auto x) { ... }>(x). The ellipsis makes every other function better, also one
// of a program that has this name.
template<class... Given>
    requires(sizeof...(Given) != 1)
constexpr auto call(...) {
    return detail::refuse_call<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto call(...) {
    return detail::refuse_call<sizeof...(More)>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
