// SPDX-License-Identifier: MIT
// scan: a loop over a region, its body. It has carries, sequences and emitted values.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape_names.hpp>
#include <xgrad/ops/scan_body.hpp>
#include <xgrad/ops/scan_checkpoints.hpp>
#include <xgrad/ops/scan_lengths.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The number of iterations that a program computes. Void: that of the sequences.
template<class N>
struct given_turns {
    static constexpr bool given = true;
    static constexpr value_info number{value_of<N>.type, {}, fault::none};
    static constexpr value_info const* control = &number;
};
template<>
struct given_turns<void> {
    static constexpr bool given = false;
    static constexpr value_info const* control = nullptr;
};
/// The data of a loop, from the parameters of its body.
template<class R, class Turns, class Carries, class Slices, auto Length>
struct scan_call;
template<class R, class Turns, class... C, class... S, auto Length>
struct scan_call<R, Turns, parameter_list<C...>, parameter_list<S...>, Length> {
    using body = decltype(run_body<R, C..., S...>());
    using parts = turn_parts<body>;
    static constexpr std::string_view name = "scan";
    static constexpr region_policy policy = region_policy::loop;
    static constexpr std::string_view body_name = name_of_body<R>();
    static constexpr bool lazy = false, fails = Turns::given, differentiable = true, keeps = keeps_values<R>;
    static constexpr value_info const* control = Turns::control;
    static constexpr int carries = sizeof...(C), slices = sizeof...(S), arguments = 0, emitted = parts::emitted, body_count = 1;
    static constexpr node_list<carries + slices> parameters{{info_of<C>..., info_of<S>...}};
    static constexpr auto const& results = parts::results;
    static constexpr extent length() { return extent_of_argument<Length>(); }
    static constexpr extent before() { return turns_before<R>; }
    static constexpr extent in_all() { return turns_in_all<R> == static_extent(0) ? length() : turns_in_all<R>; }
};
/// The number of iterations of a loop, given or that of its sequences.
template<class Sequences, auto... Length>
struct loop_length {
    static constexpr extent value = make_shape<Length...>().extents[0];
};
template<class First, class... S>
struct loop_length<carry_list<First, S...>> : extent_of_axis<First, 0> {};

/// Whether all sequences have this leading extent.
template<class... S>
constexpr bool common_length(extent const& length) {
    return ((value_of<S>.dims.rank > 0 && value_of<S>.dims.extents[0] == length) && ...);
}
/// Finds swapped axes: a sequence [batch, time, ...] with a carry [batch, ...] that has no time axis.
constexpr bool begins_with_that_of(shape const& sequence, shape const& carry) {
    if (sequence.rank < 2 || carry.rank < 1) return false;
    extent const &first = sequence.extents[0], &second = sequence.extents[1];
    if (first.is_static() || second.is_static() || first == second || !(carry.extents[0] == first)) return false;
    for (int i = 0; i < carry.rank; ++i)
        if (carry.extents[i] == second) return false;
    return true;
}
template<fixed_string... Shapes>
constexpr void refuse_sequence_and_carry() {
    static_assert(sizeof...(Shapes) == 0,
        "xgrad::scan<body>(carry(start), sequence): the sequence begins with a carry's first dimension, but its first axis is "
        "time; write transpose<1, 0, 2>(sequence), or scan<body, batch> for such a time");
}
template<class S, class... C>
inline constexpr bool time_is_second = (begins_with_that_of(value_of<S>.dims, value_of<C>.dims) || ...);
template<class Call>
constexpr bool carries_stay() {
    for (int i = 0; i < Call::carries; ++i) {
        value_info const &before = Call::parameters.at[i]->value, &after = Call::results.at[i]->value;
        if (after.wrong == fault::none && (before.type != after.type || !(before.dims == after.dims))) return false;
    }
    return true;
}
template<class Call>
constexpr bool can_be_stacked() {
    for (auto const* n : Call::results.at)
        if (n != nullptr && n->value.wrong == fault::none && (n->value.dims.rank == max_rank || n->value.type == dtype::literal))
            return false;
    return true;
}
/// Whether slices and emitted values have at most this number of axes less one.
template<class Call>
constexpr bool can_be_in_segments(int most) {
    for (int i = Call::carries; i < Call::carries + Call::slices; ++i)
        if (Call::parameters.at[i]->value.dims.rank + 1 > most) return false;
    for (int i = Call::carries; i < Call::carries + Call::emitted; ++i)
        if (Call::results.at[i]->value.dims.rank + 1 > most) return false;
    return true;
}
template<class Call, class Turns, class... Operand>
constexpr auto check_body() {
    constexpr int outputs = Call::carries + Call::emitted;
    constexpr bool stay = carries_stay<Call>(), stacked = can_be_stacked<Call>();
    constexpr auto const& captured = op::bodies<Call>::captured;
    constexpr bool whole = !any_half(Call::results.at, outputs) && !any_half(captured.at, captured.count);
    static_assert(stay,
        "xgrad::scan<body>(carry(start...), ...): a carry changes its shape or element type in the body; write broadcast_to<...>(start) or cast<float>(next)");
    static_assert(!stay || stacked,
        "xgrad::scan<body>(...): a carried or emitted value has six axes already, or is a constant without element type; write reshape, or cast the constant");
    static_assert(
        whole, "xgrad::scan<body>(...): the body gives or reads bfloat16 or float16, which loops cannot hold; write cast<float>(x) there");
    if constexpr (!stay || !stacked || !whole) return refused_outputs<outputs>();
    else {
        constexpr bool fits = captured.count + Call::carries + Call::slices + Call::fails <= max_region_operands &&
                              outputs + Call::carries <= max_region_outputs;
        static_assert(fits,
            "xgrad::scan<body>(...): carries, sequences and expressions that the body reads, or outputs and history, are more than 256 together; join some of them by concat");
        if constexpr (!fits) return refused_outputs<outputs>();
        else {
            refuse_other_numbers<Call>();
            return outputs_of<region_node<Call, Turns, Operand...>, outputs>();
        }
    }
}
// Whether the loop `Call` of a body R with checkpoints can be divided into segments.
template<class Call, class R, auto Length>
constexpr bool check_checkpoints() {
    if constexpr (!has_checkpoints<R>) return true;
    else {
        constexpr bool good = checkpoints_of<R>::good, divides = divided<Length, checkpoints_of<R>::every>::good,
                       room = can_be_in_segments<Call>(max_rank - 1);
        static_assert(good,
            "xgrad::scan<gradient_checkpoints<body, k>>(...): k is less than 1; write the number of iterations between two kept carries, "
            "such as the root of all iterations");
        static_assert(divides,
            "xgrad::scan<gradient_checkpoints<body, k>>(...): the number of iterations cannot be divided by k; write a k of at most 1023, and "
            "a named dimension of its own for the number of iterations");
        static_assert(room,
            "xgrad::scan<gradient_checkpoints<body, k>>(...): a sequence has six axes, or an emitted value five, but a loop over segments "
            "needs one more; write reshape");
        return good && divides && room;
    }
}
// The loop itself, of which everything has been checked but what a loop can hold.
template<class R, class Turns, auto Length, class... C, class... S>
constexpr auto run_loop(parameter_list<C...> start, parameter_list<S...> sequences) {
    if constexpr (has_checkpoints<R>) {
        constexpr int every = checkpoints_of<R>::every;
        return run_segments<typename checkpoints_of<R>::body, every, Turns, Length>(start, sequences);
    } else {
        using carries = parameters<R, parameter_role::carry, C...>;
        using slices = parameters<R, parameter_role::slice, S...>;
        return check_body<scan_call<R, given_turns<Turns>, carries, slices, Length>, Turns, C..., S...>();
    }
}
// Call: the loop as if its rows had one length.
template<class Call, class R, class N, int Axis, auto Length, class... C, class... S>
constexpr auto check_rows(parameter_list<C...> start, parameter_list<S...>) {
    constexpr bool carried = (has_rows_of<N, Axis>(value_of<C>, 0) && ...), read = (has_rows_of<N, Axis>(value_of<S>, 1) && ...);
    constexpr bool emitted = [] {
        for (int k = Call::carries; k < Call::carries + Call::emitted; ++k)
            if (!has_rows_of<N, Axis>(Call::results.at[k]->value, 0)) return false;
        return true;
    }();
    static_assert(carried,
        "xgrad::scan<body>(carry(start...).lengths(n), ...): the first axis of a carry is not that of n; write lengths<axis>(n) if its "
        "rows are along another axis");
    static_assert(!carried || read,
        "xgrad::scan<body>(carry(start...).lengths(n), sequence...): a sequence is not [time, rows of n, ...]; write broadcast_to<time, "
        "batch, ...>(sequence), or lengths<axis>(n)");
    static_assert(!carried || !read || emitted,
        "xgrad::scan<body>(carry(start...).lengths(n), ...): the first axis of an emitted value is not that of n; emit a value for each "
        "row, without a sum over the rows");
    if constexpr (!carried || !read || !emitted) return refused_outputs<Call::carries + Call::emitted>();
    else {
        using body = body_of_rows<typename checkpoints_of<R>::body, Axis, Call::carries>;
        using running = node<with_shape<op::running_rows, shape{1, {extent_of_argument<Length>()}}>, N>;
        using count = node<op::iterations_of_rows, N>;
        return run_loop<typename checkpoints_like<R, body>::type, count, Length>(start, parameter_list<S..., running>{});
    }
}
template<class Turns>
inline constexpr bool counts_rows = false;
template<class N, int Axis>
inline constexpr bool counts_rows<row_lengths<N, Axis>> = true;
template<class R, class Turns, auto Length, class Carries, class Slices, class... C, class... S>
constexpr auto check_result(parameter_list<C...> start, parameter_list<S...> sequences) {
    using result = body_with<R, Carries, Slices>;
    using parts = turn_parts<result>;
    constexpr bool called = !std::is_void_v<result>, returns = parts::good;
    static_assert(called,
        "xgrad::scan<body>(carry(...), sequence...): body::value cannot be called with these arguments; write public static "
        "constexpr auto value(auto h, auto x), a parameter for each carry, then for each sequence");
    static_assert(!called || returns,
        "xgrad::scan<body>(...): body::value does not return its carries; return carry(next...) or carry(next...).emit(y...)");
    if constexpr (!returns) return refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
    else {
        constexpr bool counted = parts::carries == sizeof...(C);
        static_assert(counted,
            "xgrad::scan<body>(carry(start...), ...): body::value returns more or fewer carries than the loop begins with; "
            "return a carry for each start value");
        if constexpr (!counted || !all_good(parts::results.at)) return refused_outputs<static_cast<int>(sizeof...(C)) + parts::emitted>();
        else {
            constexpr bool plain = std::is_void_v<Turns> || counts_rows<Turns>;
            using call = scan_call<R, given_turns<std::conditional_t<plain, void, Turns>>, Carries, Slices, Length>;
            if constexpr (!counts_rows<Turns> && !has_checkpoints<R>) return check_body<call, Turns, C..., S...>();
            else if constexpr (!carries_stay<call>() || !can_be_stacked<call>()) return check_body<call, void, C..., S...>();
            else if constexpr (!check_checkpoints<call, R, Length>()) return refused_outputs<call::carries + call::emitted>();
            else if constexpr (counts_rows<Turns>)
                return [&]<class N, int Axis>(row_lengths<N, Axis>) { return check_rows<call, R, N, Axis, Length>(start, sequences); }(
                           Turns{});
            else return run_loop<R, Turns, Length>(start, sequences);
        }
    }
}
template<class Turns>
constexpr bool good_turns() {
    if constexpr (std::is_void_v<Turns>) return true;
    else if constexpr (counts_rows<Turns>) return []<class N, int Axis>(row_lengths<N, Axis>) { return all_good<N>(); }(Turns{});
    else return all_good<Turns>();
}
// Turns: the number of iterations, or row_lengths, or void.
template<class R, class Turns, auto... Length, class... C, class... S>
constexpr auto make_scan(carry_list<C...>, S const&...) {
    constexpr bool operands = all_good<C..., S...>() && good_turns<Turns>();
    constexpr bool typed = ((value_of<C>.type != dtype::literal) && ...) && ((value_of<S>.type != dtype::literal) && ...);
    constexpr bool whole = (!is_half(value_of<C>.type) && ...) && (!is_half(value_of<S>.type) && ...);
    constexpr bool one_length = sizeof...(Length) <= 1 && are_extents<Length...>;
    static_assert(one_length, "xgrad::scan<body, length>(...): there are several lengths; write one, an integer or a named dimension");
    static_assert(sizeof...(Length) + sizeof...(S) > 0,
        "xgrad::scan<body>(carry(...)): the number of iterations is missing; write scan<body, 10>(...) or a named dimension");
    static_assert(!operands || typed,
        "xgrad::scan<body>(carry(start), sequence...): a constant has no element type; write cast<float>(0_c) or constant<float, 0>");
    static_assert(
        whole, "xgrad::scan<body>(carry(start), sequence...): a carry or sequence is bfloat16 or float16; write cast<float>(x) there");
    constexpr bool ordered = sizeof...(Length) > 0 || !(time_is_second<S, C...> || ...);
    if constexpr (!ordered) refuse_sequence_and_carry<shape_name<S>..., shape_name<C>...>();
    if constexpr (!operands || !typed || !whole || !one_length || !ordered || sizeof...(Length) + sizeof...(S) == 0)
        return refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
    else {
        using length = loop_length<carry_list<S...>, Length...>;
        constexpr bool common = common_length<S...>(length::value);
        static_assert(common,
            "xgrad::scan<body>(carry(...), sequence...): the sequences have different numbers of iterations; give all of them the "
            "same integer or named dimension as the first axis");
        if constexpr (!common) return refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
        else {
            using carries = parameters<R, parameter_role::carry, C...>;
            using slices = parameters<R, parameter_role::slice, S...>;
            constexpr bool ends = requires { typename body_result<R, carries, slices>::type; };
            static_assert(ends,
                "xgrad::scan<body>(carry(start), sequence...): the body contains the loop itself, with the same shapes, without an end; "
                "give the inner loop another body");
            if constexpr (!ends) return refused_outputs<static_cast<int>(sizeof...(C))>();
            else return check_result<R, Turns, extent_argument<length>(), carries, slices>(parameter_list<C...>{}, parameter_list<S...>{});
        }
    }
}
}

/// A loop: `auto const [last, all] = scan<body>(carry(start), sequence)`. Iteration t calls
/// `body::value(carries..., slices...)`. The carries are those of the previous iteration, and a slice is row t of a
/// sequence (its first axis is time). It returns `carry(next...)` or `carry(next...).emit(y...)`. The outputs, as a
/// tuple: the carries after the last iteration, then each y stacked over the iterations, [length, y...]. The carries
/// keep their shape and element type. Without sequences, give the length: `scan<body, 10>(carry(start))`. With no
/// iterations the carries are unchanged.
///
/// `carry(start).turns(n)` runs n iterations: an integer of rank 0, at least 0 and at most the length. Rows of sequences
/// after them are neither read nor differentiated, and rows of stacked values after them are zeros. Another number is a
/// value_error, before anything is updated.
///
/// `carry(start).lengths(n)` runs n[i] iterations for row i: integers of shape [rows], at least 0 and at most the length.
/// The rows are along the first axis of the carries, slices and emitted values, or `lengths<1>(n)` names the axis. A row
/// that has ended keeps its carries, and its stacked values are zeros, as in tf.nn.dynamic_rnn. Its padding is neither
/// read nor differentiated: in its place the body gets 0.5, or 0 for integers. The body computes its rows separately.
/// The loop stops at the end of the longest row. Another length is a value_error, before anything is updated.
///
/// The body may use outer expressions, including variables. Expressions that depend on no carry and no slice are
/// computed once, before the loop. Random numbers with a shape that depends on one are drawn in each iteration.
///
/// Gradient: a loop in the opposite direction, which can be differentiated again. The carries at the start of each
/// iteration are kept for it, and the values that the body keeps; see recompute. The gradient of outer expressions is
/// summed over the iterations.
template<class Body, auto... Length, class... C, Expr... S>
constexpr auto scan(carry_list<C...> const& start, S const&... sequences) {
    constexpr bool region_body = detail::is_body<Body>();
    static_assert(region_body, "xgrad::scan<body>(carry(start), sequence...): body is not derived from xgrad::region; derive it");
    if constexpr (!region_body) return detail::refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
    else return detail::make_scan<Body, void, Length...>(start, sequences...);
}
template<class Body, auto... Length, class N, class... C, Expr... S>
constexpr auto scan(detail::counted_carries<N, C...> const&, S const&... sequences) {
    constexpr bool region_body = detail::is_body<Body>();
    static_assert(region_body, "xgrad::scan<body>(carry(start), sequence...): body is not derived from xgrad::region; derive it");
    if constexpr (!region_body) return detail::refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
    else return detail::make_scan<Body, N, Length...>(carry_list<C...>{}, sequences...);
}
template<class F, class... A>   // catches scan(body, start, sequence)
constexpr auto scan(F const&, A const&...) {
    static_assert(detail::never<F>,
        "xgrad::scan<body>(carry(start), sequence...): the body is not in angle brackets; write struct body : xgrad::region "
        "and scan<body>(...)");
    return detail::refused_outputs<2>();
}
// Catches scan<body>() and scan<body, 10>().
template<class Body, auto... Length>
constexpr auto scan() {
    static_assert(detail::never<Body>,
        "xgrad::scan<body>(carry(start), sequence...): the carries are missing; write carry(start), or carry() for a body without carries");
    return detail::refused_outputs<2>();
}
// Catches scan<[](auto h, auto x) { ... }>(carry(start), sequence).
template<auto Body, auto... Length, class... A>
constexpr auto scan(A const&...) {
    static_assert(detail::never<std::tuple<A...>>,
        "xgrad::scan<body>(carry(start), sequence...): a lambda or a number is given as the body; write struct body : "
        "xgrad::region { static constexpr auto value(auto h, auto x) { ... } }");
    return detail::refused_outputs<2>();
}
template<class Body, auto... Length, class C, class... S>
    requires(!requires(C c) { []<class... X>(carry_list<X...> const&) {}(c); } || !(Expr<S> && ...))
constexpr auto scan(C const&, S const&...) {
    static_assert(sizeof(C) == 0,
        "xgrad::scan<body>(carry(start), sequence...): the first argument is not carry(...), or another is not an expression; "
        "write carry(start...), then expressions with time as their first axis");
    return detail::refused_outputs<2>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
