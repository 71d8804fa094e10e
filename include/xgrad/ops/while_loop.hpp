// SPDX-License-Identifier: MIT
// while_loop: a body that runs as long as a condition holds.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/scan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The data of a loop with a condition, from the parameters of its body.
template<class Condition, class R, int Capacity, class Carries>
struct while_call;
template<class Condition, class R, int Capacity, class... C>
struct while_call<Condition, R, Capacity, parameter_list<C...>> {
    using parts = turn_parts<decltype(run_body<R, C...>())>;
    static constexpr std::string_view name = "while_loop", body_name = name_of_type<R>();
    static constexpr region_policy policy = region_policy::until;
    static constexpr bool lazy = false, fails = Capacity > 0, differentiable = Capacity > 0, keeps = keeps_values<R>;
    static constexpr value_info const* control = nullptr;
    static constexpr int carries = sizeof...(C), slices = 0, arguments = 0, emitted = 0, body_count = 2;
    static constexpr node_list<carries> parameters{{info_of<C>...}};
    static constexpr node_list<carries + 1> results = [] {
        node_list<carries + 1> r{};
        for (int i = 0; i < carries; ++i) r.at[i] = parts::results.at[i];
        r.at[carries] = info_of<decltype(run_body<Condition, C...>())>;
        return r;
    }();
    static constexpr extent length() { return static_extent(Capacity); }
};
template<class A>
inline constexpr bool is_carry_list = false;
template<class... C>
inline constexpr bool is_carry_list<carry_list<C...>> = true;
template<class E>
constexpr bool is_condition() {
    if constexpr (!Expr<E>) return false;
    else return value_of<E>.wrong != fault::none || (value_of<E>.dims.rank == 0 && value_of<E>.type == dtype::boolean);
}
template<class E>
constexpr bool is_good() {
    if constexpr (Expr<E>) return value_of<E>.wrong == fault::none;
    else return false;
}
template<class Call, int Capacity, class... C>
constexpr auto check_while() {
    constexpr bool stay = carries_stay<Call>();
    constexpr auto const& captured = op::bodies<Call>::captured;
    constexpr bool whole = !any_half(Call::results.at, Call::carries) && !any_half(captured.at, captured.count);
    static_assert(stay,
        "xgrad::while_loop<condition, body>(carry(start...)): a carry changes its shape or element type in the body; keep it: "
        "broadcast_to<...>(start), or cast<float>(next)");
    static_assert(whole,
        "xgrad::while_loop<condition, body>(carry(start...)): a body gives or reads bfloat16 or float16, which loops cannot hold; write "
        "cast<float>(x) there");
    constexpr bool stacked = Capacity == 0 || ((value_of<C>.dims.rank < max_rank) && ...);
    static_assert(stacked,
        "xgrad::while_loop<condition, body, capacity>(carry(start...)): a carry has six axes already, and its history is stacked; reshape "
        "it, or omit the capacity");
    constexpr bool fits = captured.count + Call::carries <= max_region_operands && 2 * Call::carries + 1 <= max_region_outputs;
    static_assert(fits,
        "xgrad::while_loop<condition, body>(carry(start...)): carries and the outer expressions that the bodies read are more than 256, or "
        "carries are more than 127; join some of them with concat");
    if constexpr (!stay || !whole || !stacked || !fits) return refused_outputs<Call::carries>();
    else {
        refuse_other_numbers<Call>();
        return outputs_of<region_node<Call, void, C...>, Call::carries>();
    }
}
/// Asked and Next: what the condition and the body return.
template<int Capacity, class Asked, class Next, class Condition, class Body, class Carries, class... C>
constexpr auto check_bodies() {
    constexpr int count = static_cast<int>(sizeof...(C));
    using parts = turn_parts<Next>;
    constexpr bool asked = !std::is_void_v<Asked>, called = !std::is_void_v<Next>, condition = is_condition<Asked>();
    static_assert(asked,
        "xgrad::while_loop<condition, body>(carry(start...)): condition::value cannot be called with the carries; make it public and "
        "static, with one parameter of type auto for each carry");
    static_assert(!asked || condition,
        "xgrad::while_loop<condition, body>(carry(start...)): condition::value does not return an expression of type bool and rank 0; "
        "write greater(sum(x), 0_c), and the condition before the body");
    constexpr bool asks = asked && condition;
    static_assert(!asks || called,
        "xgrad::while_loop<condition, body>(carry(start...)): body::value cannot be called with the carries; make it public and static, "
        "with one parameter of type auto for each carry");
    static_assert(!asks || !called || parts::good,
        "xgrad::while_loop<condition, body>(carry(start...)): body::value does not return the next carries; write return carry(next...)");
    if constexpr (!asks || !parts::good) return refused_outputs<count>();
    else {
        constexpr bool counted = parts::carries == count, emits = parts::emitted > 0;
        static_assert(counted,
            "xgrad::while_loop<condition, body>(carry(start...)): body::value returns another number of carries than the loop begins "
            "with; return carry(next...) with one for each");
        static_assert(!emits,
            "xgrad::while_loop<condition, body>(carry(start...)): body::value emits values, whose number is not known; keep them in a "
            "carry, or write scan<body>(carry(start).turns(n), sequence)");
        if constexpr (!counted || emits || !all_good(parts::results.at) || !is_good<Asked>()) return refused_outputs<count>();
        else return check_while<while_call<Condition, Body, Capacity, Carries>, Capacity, C...>();
    }
}
}

/// A loop with a condition: `auto const [x] = while_loop<condition, body>(carry(start))`. While the bool
/// `condition::value(carries...)`, of rank 0, is true, `body::value(carries...)` gives the next carries, as
/// `carry(next...)`. Both are structs derived from xgrad::region. The outputs, as a tuple: the carries when the
/// condition is false. They keep their shape and element type. With no iterations they are the start values.
///
/// Gradient: with a capacity, `while_loop<condition, body, 100>`, the loop that repeats the iterations backwards. The
/// carries before each iteration are kept, so there is memory for 100 of them. A step that needs a gradient and more
/// iterations throws value_error, before anything is updated. Without gradients any number of iterations runs. Outer
/// expressions get the sum over the iterations. A capacity of 0 (the default) has no gradient: that is an error when
/// compiling, unless stop_gradient(x) ends it.
template<class Condition, class Body, int Capacity = 0, class... C>
constexpr auto while_loop(carry_list<C...> const&) {
    constexpr int count = static_cast<int>(sizeof...(C));
    constexpr bool bodies = detail::is_body<Condition>() && detail::is_body<Body>(), started = count > 0, good = detail::all_good<C...>();
    constexpr bool typed = ((value_of<C>.type != dtype::literal) && ...), whole = (!is_half(value_of<C>.type) && ...);
    static_assert(bodies,
        "xgrad::while_loop<condition, body>(carry(start...)): condition or body is not a defined struct derived from xgrad::region; write "
        "struct body : xgrad::region { static constexpr auto value(auto h) { ... } }");
    constexpr bool plain = !detail::has_checkpoints<Condition> && !detail::has_checkpoints<Body>;
    static_assert(plain,
        "xgrad::while_loop<condition, gradient_checkpoints<body, k>>(carry(start...)): the number of iterations is not known, so there are no "
        "segments of k; write body itself, or scan with .turns(n)");
    static_assert(Capacity >= 0,
        "xgrad::while_loop<condition, body, capacity>(carry(start...)): the capacity is negative; write the largest number of iterations "
        "that a gradient needs");
    static_assert(started, "xgrad::while_loop<condition, body>(carry(start...)): there is no carry; write carry(start)");
    static_assert(!good || typed,
        "xgrad::while_loop<condition, body>(carry(start...)): a start value is a constant without element type; write cast<float>(0_c) or "
        "constant<float, 0>");
    static_assert(whole,
        "xgrad::while_loop<condition, body>(carry(start...)): a start value is bfloat16 or float16, which loops cannot hold; write "
        "cast<float>(x)");
    if constexpr (!bodies || !plain || Capacity < 0 || !started || !good || !typed || !whole) return detail::refused_outputs<count>();
    else {
        using bodies_of_loop = detail::parameter_list<Condition, Body>;
        using carries = detail::parameters<bodies_of_loop, detail::parameter_role::carry, C...>;
        constexpr bool ends = requires {
            typename detail::body_result<Body, carries>::type;
            typename detail::body_result<Condition, carries>::type;
        };
        static_assert(ends,
            "xgrad::while_loop<condition, body>(carry(start...)): a body contains the loop itself, with carries of the same shapes, "
            "without an end; give the inner loop other bodies");
        if constexpr (!ends) return detail::refused_outputs<count>();
        else
            return detail::check_bodies<Capacity, detail::body_with<Condition, carries>, detail::body_with<Body, carries>, Condition, Body,
                carries, C...>();
    }
}
namespace detail {
template<int N>
constexpr auto refuse_while() {
    static_assert(N < 0,
        "xgrad::while_loop<condition, body>(carry(start...)): condition and body are not two types between < and >; write structs derived "
        "from xgrad::region, then while_loop<condition, body>(carry(start))");
    return refused_outputs<1>();
}
}
template<class Condition, class Body, int Capacity = 0, class... A>
    requires(sizeof...(A) != 1 || !(detail::is_carry_list<A> && ...))
constexpr auto while_loop(A const&...) {
    static_assert(sizeof...(A) > 1000,
        "xgrad::while_loop<condition, body>(carry(start...)): the argument is not carry(...) of the start values alone; scan reads "
        "sequences and has .turns(n), other expressions are read by their names");
    return detail::refused_outputs<1>();
}
// These catch while_loop(condition{}, body{}, carry(start)), while_loop<body>(carry(start)) and lambdas.
template<class... Given>
    requires(sizeof...(Given) != 2)
constexpr auto while_loop(...) {
    return detail::refuse_while<sizeof...(Given)>();
}
template<auto, auto... More>
constexpr auto while_loop(...) {
    return detail::refuse_while<sizeof...(More)>();
}
template<class Condition, class Body, auto Capacity>
constexpr auto while_loop(...) {
    static_assert(detail::never<Body>,
        "xgrad::while_loop<condition, body, capacity>(carry(start...)): the capacity is not an int; write the largest number of "
        "iterations that a gradient needs");
    return detail::refused_outputs<1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
