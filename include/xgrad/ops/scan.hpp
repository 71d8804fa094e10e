// SPDX-License-Identifier: MIT
// scan: a loop over a body, its gradient, and the checks of a call.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/captures.hpp>
#include <xgrad/core/shape_names.hpp>
#include <xgrad/ops/scan_body.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
constexpr value_info scan_output(region_info const& r, attributes const& a, int output) { return form_of(r, a).output(output); }
constexpr void derive_scan(derivation& d) {
    attributes const a = *d.attrs;
    op_info const* op = d.table->op(d.result);
    region_form const f = form_of(*op->region, a);
    std::uint64_t given = 0, wanted = 0;
    for (int k = 0; k < f.outputs(); ++k) given |= static_cast<std::uint64_t>(d.gradients[k].exists()) << k;
    for (int k = 0; k < f.operands(); ++k) wanted |= static_cast<std::uint64_t>(d.wanted[k]) << k;
    if (a.word_count == 0) wanted &= connected_operands(*op->region, given);   // others have no gradient, which is not a gradient of zeros
    if (wanted == 0) return;
    auto is_wanted = [&](int k) { return (wanted >> k & 1) != 0; };
    std::uint64_t const bits = wanted | given << 32;
    region_form const g = next_form(f, bits);
    symbol in[max_operands]{};
    int n = 0;
    for (int i = 0; i < f.carries; ++i)
        if (is_floating(f.operand[i]->type))
            in[n++] =
                d.gradients[i].exists() ? d.gradients[i] : broadcast_symbol(d.table->constant(0, f.operand[i]->type), f.operand[i]->dims);
    for (int i = 0; i < f.slices; ++i) in[n++] = d.operands[f.carries + i];
    for (int i = 0; i < f.carries; ++i) in[n++] = d.output(f.history(i));
    for (int k = 0; k < f.stacked; ++k)
        if (d.gradients[f.carries + k].exists()) in[n++] = d.gradients[f.carries + k];
    for (int i = 0; i < f.captures; ++i) in[n++] = d.operands[f.carries + f.slices + i];
    for (int k = 0; k < f.summed; ++k)
        if (d.gradients[f.carries + f.stacked + k].exists()) in[n++] = d.gradients[f.carries + f.stacked + k];
    derivation back{};
    back.table = d.table;
    auto* const times = new std::uint64_t[static_cast<unsigned>(a.word_count + 1)];
    for (int i = 0; i < a.word_count; ++i) times[i] = a.words[i];
    times[a.word_count] = bits;
    back.result = d.table->add(op, in, n, {.words = times, .word_count = a.word_count + 1});
    delete[] times;
    int carry = 0, stacked = g.carries, summed = g.carries + g.stacked;
    for (int k = 0; k < f.operands(); ++k) {
        bool const is_carry = k < f.carries;
        if (is_carry && is_floating(f.operand[k]->type)) {
            if (is_wanted(k)) d.out[k] = back.output(carry);
            ++carry;
        } else if (!is_carry && is_wanted(k)) d.out[k] = back.output(k < f.carries + f.slices ? stacked++ : summed++);
    }
}
/// A loop over the body of `Call`, or over a gradient of it; see form_of.
template<class Call>
struct scan {
private:
    using parts = xgrad::detail::turn_parts<typename Call::body>;

public:
    static constexpr auto parameters = Call::find_parameters(typename Call::carry_numbers{}, typename Call::slice_numbers{});
    static constexpr auto captured =
        xgrad::detail::find_captured(parts::results.at, parts::carries + parts::emitted, parameters.at, Call::carries + Call::slices);
    static constexpr auto paths = xgrad::detail::find_paths<parts::carries + parts::emitted>(
        parts::results.at, parameters.at, Call::carries + Call::slices, captured);
    static constexpr region_info body{Call::carries, Call::slices, captured.count, parts::emitted, parameters.at, captured.at,
        parts::results.at, paths.at, Call::length(), captured.looks_up};

    static constexpr value_info infer(value_info const*, int, attributes const& a) { return scan_output(body, a, 0); }
    static constexpr value_info infer_output(value_info const*, int, attributes const& a, int output) {
        return scan_output(body, a, output);
    }
    static constexpr op_info describe() {
        op_info r = make_op("scan", op_kind::scan, infer, derive_scan);
        r.infer_output = infer_output;
        r.region = &body;
        return r;
    }
};
}

namespace detail {
/// A loop as an expression. Users get its parts.
template<class Call>
struct scan_node;
template<class R, class... C, class... S, auto... Length>
struct scan_node<scan_call<R, carry_list<C...>, carry_list<S...>, Length...>> : expression_base {
    using operation = xgrad::op::scan<scan_call<R, carry_list<C...>, carry_list<S...>, Length...>>;
    static constexpr int count = static_cast<int>(sizeof...(C) + sizeof...(S)) + operation::captured.count;
    static constexpr auto list = [] {
        node_list<count> r{{info_of<C>..., info_of<S>...}};
        for (int i = 0; i < operation::captured.count; ++i)
            r.at[static_cast<int>(sizeof...(C) + sizeof...(S)) + i] = operation::captured.at[i];
        return r;
    }();
    static constexpr node_info info = make_info(op_register<operation>::info, {}, list.at, count);
};

template<class... E>
constexpr bool all_good() {
    return ((value_of<E>.wrong == fault::none) && ...);
}
/// Whether all sequences have the same leading extent.
template<class Call, class... S>
constexpr bool common_length() {
    [[maybe_unused]] extent const length = Call::length();
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
template<class Call, class Body>
constexpr bool carries_stay() {
    constexpr auto parameters = Call::find_parameters(typename Call::carry_numbers{}, typename Call::slice_numbers{});
    for (int i = 0; i < Call::carries; ++i) {
        value_info const &before = parameters.at[i]->value, &after = turn_parts<Body>::results.at[i]->value;
        if (after.wrong == fault::none && (before.type != after.type || !(before.dims == after.dims))) return false;
    }
    return true;
}
template<class Body>
constexpr bool results_good() {
    for (auto const* n : turn_parts<Body>::results.at)
        if (n != nullptr && n->value.wrong != fault::none) return false;
    return true;
}
template<class Body>
constexpr bool can_be_stacked() {
    for (auto const* n : turn_parts<Body>::results.at)
        if (n != nullptr && n->value.wrong == fault::none && (n->value.dims.rank == max_rank || n->value.type == dtype::literal))
            return false;
    return true;
}
template<int Count>
constexpr auto refused_outputs() {
    return []<std::size_t... K>(std::index_sequence<K...>) { return std::tuple<std::conditional_t<(K + 1 > 0), refused, void>...>{}; }(
               std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}
/// Whether neither the results of the body nor the outer expressions that it reads have elements of 16 bits.
template<class Call, class Body>
constexpr bool holds_no_halves() {
    bool whole = true;
    for (auto const* n : turn_parts<Body>::results.at) whole = whole && (n == nullptr || !is_half(n->value.type));
    for (int i = 0; i < op::scan<Call>::captured.count && i < max_operands; ++i)
        whole = whole && !is_half(op::scan<Call>::captured.at[i]->value.type);
    return whole;
}
template<class Call, class Body>
constexpr auto check_body() {
    using parts = turn_parts<Body>;
    static_assert(parts::carries == Call::carries,
        "xgrad::scan<body>(carry(start...), ...): body::value returns more or fewer carries than the loop begins with; return "
        "a carry for each start value");
    if constexpr (parts::carries != Call::carries || !results_good<Body>()) return refused_outputs<Call::carries + parts::emitted>();
    else {
        constexpr bool stay = carries_stay<Call, Body>(), stacked = can_be_stacked<Body>(), whole = holds_no_halves<Call, Body>();
        static_assert(stay, "xgrad::scan<body>(carry(start...), ...): a carry changes its shape or element type in the body; write "
                            "broadcast_to<...>(start) or cast<float>(next)");
        static_assert(!stay || stacked,
            "xgrad::scan<body>(...): a carried or emitted value has six axes already, or is a constant without element type; write "
            "reshape, or cast the constant");
        static_assert(whole,
            "xgrad::scan<body>(...): the body gives or reads bfloat16 or float16, which loops cannot hold; write cast<float>(x) there");
        if constexpr (!stay || !stacked || !whole) return refused_outputs<Call::carries + parts::emitted>();
        else {
            constexpr bool fits = op::scan<Call>::captured.count + Call::carries + Call::slices <= max_operands &&
                                  2 * Call::carries + parts::emitted <= max_outputs;
            static_assert(fits,
                "xgrad::scan<body>(...): carries, sequences and expressions that the body reads, or outputs and history, are more than "
                "32 together; join some of them by concat");
            if constexpr (!fits) return refused_outputs<Call::carries + parts::emitted>();
            else
                return []<int... K>(std::integer_sequence<int, K...>) { return std::tuple<part<K, scan_node<Call>>...>{}; }(
                           std::make_integer_sequence<int, Call::carries + parts::emitted>{});
        }
    }
}
template<class R, auto... Length, class... C, class... S>
constexpr auto make_scan(carry_list<C...>, S const&...) {
    using Call = scan_call<R, carry_list<C...>, carry_list<S...>, Length...>;
    constexpr bool operands = all_good<C..., S...>();
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
        constexpr bool common = common_length<Call, S...>();
        static_assert(common,
            "xgrad::scan<body>(carry(...), sequence...): the sequences have different numbers of iterations; give all of them the "
            "same integer or named dimension as the first axis");
        if constexpr (!common) return refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
        else {
            using Body = typename Call::body;
            constexpr bool returns = turn_parts<Body>::good;
            static_assert(!std::is_void_v<Body>,
                "xgrad::scan<body>(carry(...), sequence...): body::value cannot be called with these arguments; write public static "
                "constexpr auto value(auto h, auto x), a parameter for each carry, then for each sequence");
            static_assert(std::is_void_v<Body> || returns,
                "xgrad::scan<body>(...): body::value does not return its carries; return carry(next...) or carry(next...).emit(y...)");
            if constexpr (!returns) return refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
            else return check_body<Call, Body>();
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
/// The body may use outer expressions, including variables. Expressions that depend on no carry and no slice are
/// computed once, before the loop. Random numbers with a shape that depends on one are drawn in each iteration.
///
/// Gradient: a loop in the opposite direction, which can be differentiated again. It repeats each iteration from the
/// carries at its start, which are kept for all iterations (like JAX's lax.scan with a checkpoint in each iteration).
/// The gradient of outer expressions is summed over the iterations.
template<class Body, auto... Length, class... C, Expr... S>
constexpr auto scan(carry_list<C...> const& start, S const&... sequences) {
    constexpr bool region_body = __is_base_of(region, Body);
    static_assert(region_body, "xgrad::scan<body>(carry(start), sequence...): body is not derived from xgrad::region; derive it");
    if constexpr (!region_body) return detail::refused_outputs<static_cast<int>(sizeof...(C)) + 1>();
    else return detail::make_scan<Body, Length...>(start, sequences...);
}
template<class F, class... A>   // catches scan(body, start, sequence)
constexpr auto scan(F const&, A const&...) {
    static_assert(detail::never<F>,
        "xgrad::scan<body>(carry(start), sequence...): the body is not in angle brackets; write struct body : xgrad::region "
        "and scan<body>(...)");
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
