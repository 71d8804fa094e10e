// SPDX-License-Identifier: MIT
// Elements in another arrangement: stack, unstack, split, roll, repeat, tile, pad. Each is made of slices, concat and reshape.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/slice.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// What pad puts around an axis: a number, the elements mirrored at the outermost one (without it, or with it), or the
/// outermost element. As in NumPy and TensorFlow.
enum class padding { constant, reflect, symmetric, edge };

namespace detail {
enum class arrange_slip { none, no_expression, wrong, axis, length, many_axes, parts, differ };
/// The axis of A counted from 0, or -1.
template<class A>
constexpr int axis_from_start(int axis, int more = 0) {
    int const rank = value_of<A>.dims.rank + more;
    return axis < -rank || axis >= rank ? -1 : axis < 0 ? axis + rank : axis;
}
/// The length of an axis of A that is known while compiling, or -1.
template<class A>
constexpr std::int64_t static_length(int axis) {
    extent const& e = value_of<A>.dims.extents[axis];
    return e.is_static() ? e.constant : -1;
}
template<int Axis, class A>
constexpr arrange_slip slip_of_axis(bool needs_length) {
    if constexpr (!Expr<A>) return arrange_slip::no_expression;
    else {
        if (value_of<A>.wrong != fault::none) return arrange_slip::wrong;
        int const axis = axis_from_start<A>(Axis);
        if (axis < 0) return arrange_slip::axis;
        return needs_length && static_length<A>(axis) < 0 ? arrange_slip::length : arrange_slip::none;
    }
}
/// x with `length` in place of the extent of an axis.
constexpr shape with_extent(shape s, int axis, extent const& length) {
    s.extents[axis] = length;
    return s;
}
/// The copies are a new axis: after that of x if each element is repeated, else before it.
template<class A, int Axis, std::int64_t Times, bool Each>
constexpr auto repeated(A const& x) {
    constexpr shape s = value_of<A>.dims;
    constexpr shape wide = around_axis(s, Axis, Each);
    constexpr shape all = with_extent(wide, Each ? 2 : 1, static_extent(Times));
    constexpr shape whole = with_extent(s, Axis, s.extents[Axis] * static_extent(Times));
    return reshaped_to<whole>(repeated_to<all>(reshaped_to<wide>(x)));
}
}

/// Joins expressions of one shape along a new axis: `stack<0>(a, b)` is [2, ...]. A negative axis counts from the end of the
/// result.
/// Gradient: of each operand, its part of g.
template<int Axis = 0, class A, class... B>
constexpr auto stack(A const& first, B const&... rest) {
    using detail::arrange_slip;
    constexpr auto slip = [] {
        if constexpr (!(Expr<A> && ... && Expr<B>)) return arrange_slip::no_expression;
        else if (value_of<A>.wrong != fault::none || ((value_of<B>.wrong != fault::none) || ...)) return arrange_slip::wrong;
        else if (value_of<A>.dims.rank == max_rank) return arrange_slip::many_axes;
        else if (detail::axis_from_start<A>(Axis, 1) < 0) return arrange_slip::axis;
        else if (sizeof...(B) >= max_operands) return arrange_slip::parts;
        else
            return ((value_of<A>.dims == value_of<B>.dims && value_of<A>.type == value_of<B>.type) && ...) ? arrange_slip::none
                                                                                                           : arrange_slip::differ;
    }();
    static_assert(
        slip != arrange_slip::many_axes, "xgrad::stack<axis>(a, b...): the operands have six axes already; join them with concat");
    static_assert(slip != arrange_slip::axis,
        "xgrad::stack<axis>(a, b...): axis is outside of the axes of the result; write one of -rank-1 ... rank");
    static_assert(slip != arrange_slip::parts,
        "xgrad::stack<axis>(a, b...): more than 32 operands are given; stack groups of them, and join these with concat");
    static_assert(slip != arrange_slip::differ,
        "xgrad::stack<axis>(a, b...): the operands differ in shape or element type; write broadcast_to, reshape or cast<float>(x)");
    if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A, B...>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else return concat<detail::axis_from_start<A>(Axis, 1)>(expand_dims<Axis>(first), expand_dims<Axis>(rest)...);
}
/// The parts of x along an axis as a std::tuple, without this axis: `auto const [a, b] = unstack<1>(x)` of x [..., 2]. The
/// extent of the axis is an integer of 1 to 32.
/// Gradient: g at the elements of the part, zero elsewhere.
template<int Axis = 0, class A>
constexpr auto unstack(A const& x) {
    using detail::arrange_slip;
    constexpr auto slip = [] {
        constexpr auto of_axis = detail::slip_of_axis<Axis, A>(true);
        if constexpr (of_axis != arrange_slip::none) return of_axis;
        else {
            constexpr std::int64_t n = detail::static_length<A>(detail::axis_from_start<A>(Axis));
            return n >= 1 && n <= max_operands ? arrange_slip::none : arrange_slip::parts;
        }
    }();
    static_assert(slip != arrange_slip::axis, "xgrad::unstack<axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != arrange_slip::length,
        "xgrad::unstack<axis>(x): the extent of the axis is a named dimension, so the number of parts is not known; write slice, or map "
        "over rows");
    static_assert(
        slip != arrange_slip::parts, "xgrad::unstack<axis>(x): the axis does not have 1 to 32 parts; write slice, or map over rows");
    if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else {
        constexpr int axis = detail::axis_from_start<A>(Axis);
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple{squeeze<axis>(slice<axis, static_cast<std::int64_t>(K), static_cast<std::int64_t>(K) + 1>(x))...};
        }(std::make_index_sequence<static_cast<std::size_t>(detail::static_length<A>(axis))>{});
    }
}
/// x in Parts equal pieces along an axis as a std::tuple: `auto const [i, f, g, o] = split<4, 1>(gates)`. The extent is an
/// integer that Parts divides.
/// Gradient: g at the elements of the piece, zero elsewhere.
template<int Parts, int Axis = 0, class A>
constexpr auto split(A const& x) {
    using detail::arrange_slip;
    constexpr auto slip = [] {
        constexpr auto of_axis = detail::slip_of_axis<Axis, A>(true);
        if constexpr (of_axis != arrange_slip::none) return of_axis;
        else {
            constexpr std::int64_t n = detail::static_length<A>(detail::axis_from_start<A>(Axis));
            if constexpr (Parts < 1 || Parts > max_operands) return arrange_slip::parts;
            else return n % Parts == 0 ? arrange_slip::none : arrange_slip::parts;
        }
    }();
    static_assert(slip != arrange_slip::axis, "xgrad::split<parts, axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != arrange_slip::length,
        "xgrad::split<parts, axis>(x): the extent of the axis is a named dimension; write slice<axis, begin, end>(x) for each piece");
    static_assert(slip != arrange_slip::parts,
        "xgrad::split<parts, axis>(x): parts is not an integer of 1 to 32 that divides the extent of the axis; write slice<axis, begin, "
        "end>(x) for unequal pieces");
    if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else {
        constexpr int axis = detail::axis_from_start<A>(Axis);
        constexpr std::int64_t n = detail::static_length<A>(axis) / Parts;
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple{slice<axis, static_cast<std::int64_t>(K) * n, static_cast<std::int64_t>(K + 1) * n>(x)...};
        }(std::make_index_sequence<static_cast<std::size_t>(Parts)>{});
    }
}
/// The elements moved by Shift places along an axis; those that leave the end come back at the beginning (NumPy's roll). A
/// negative Shift moves towards the beginning. The extent is an integer.
/// Gradient: g, moved back.
template<std::int64_t Shift, int Axis = 0, class A>
constexpr auto roll(A const& x) {
    using detail::arrange_slip;
    constexpr auto slip = detail::slip_of_axis<Axis, A>(true);
    static_assert(slip != arrange_slip::axis, "xgrad::roll<shift, axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != arrange_slip::length,
        "xgrad::roll<shift, axis>(x): the extent of the axis is a named dimension; join slices: concat<0>(slice<0, n - 1, n>(x), "
        "slice<0, 0, n - 1>(x))");
    if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else {
        constexpr int axis = detail::axis_from_start<A>(Axis);
        constexpr std::int64_t n = detail::static_length<A>(axis);
        constexpr std::int64_t by = n > 0 ? (Shift % n + n) % n : 0;
        if constexpr (by == 0) return x;
        else return concat<axis>(slice<axis, n - by, n>(x), slice<axis, std::int64_t{0}, n - by>(x));
    }
}
/// Each element Times times in succession along an axis (NumPy's repeat): a, a, b, b.
/// Gradient: the sums of g over the copies.
template<std::int64_t Times, int Axis = 0, class A>
constexpr auto repeat(A const& x) {
    using detail::arrange_slip;
    constexpr auto slip = detail::slip_of_axis<Axis, A>(false);
    static_assert(slip != arrange_slip::axis, "xgrad::repeat<times, axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(Times >= 0, "xgrad::repeat<times, axis>(x): times is negative; write an integer of at least 0");
    if constexpr (Times < 0) return detail::refused{};
    else if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else return detail::repeated<A, detail::axis_from_start<A>(Axis), Times, true>(x);
}
/// All elements Times times one after the other along an axis (NumPy's tile): a, b, a, b.
/// Gradient: the sums of g over the copies.
template<std::int64_t Times, int Axis = 0, class A>
constexpr auto tile(A const& x) {
    using detail::arrange_slip;
    constexpr auto slip = detail::slip_of_axis<Axis, A>(false);
    static_assert(slip != arrange_slip::axis, "xgrad::tile<times, axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(Times >= 0, "xgrad::tile<times, axis>(x): times is negative; write an integer of at least 0");
    if constexpr (Times < 0) return detail::refused{};
    else if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != arrange_slip::none) return detail::refused{};
    else return detail::repeated<A, detail::axis_from_start<A>(Axis), Times, false>(x);
}

namespace detail {
template<class A, int Axis, std::int64_t Length, class V>
constexpr auto filled(V const& value) {
    constexpr shape s = with_extent(value_of<A>.dims, Axis, static_extent(Length));
    return repeated_to<s>(cast<cpp_type_t<value_of<A>.type>>(value));
}
template<class A, int Axis, std::int64_t Length, class E>
constexpr auto spread_edge(E const& edge) {
    return repeated_to<with_extent(value_of<A>.dims, Axis, static_extent(Length))>(edge);
}
// Joins the blocks that have elements.
template<int Axis, std::int64_t Before, std::int64_t After, class A, class F, class G>
constexpr auto around(A const& x, F const& before, G const& after) {
    if constexpr (Before == 0 && After == 0) return x;
    else if constexpr (Before == 0) return concat<Axis>(x, after());
    else if constexpr (After == 0) return concat<Axis>(before(), x);
    else return concat<Axis>(before(), x, after());
}
template<std::int64_t Before, std::int64_t After, padding How, int Axis, class A>
constexpr arrange_slip slip_of_pad() {
    constexpr auto of_axis = slip_of_axis<Axis, A>(How != padding::constant);
    if constexpr (of_axis != arrange_slip::none || How == padding::constant) return of_axis;
    else {
        constexpr std::int64_t n = static_length<A>(axis_from_start<A>(Axis)), most = Before > After ? Before : After;
        constexpr std::int64_t room = How == padding::reflect ? n - 1 : How == padding::symmetric ? n : n > 0 ? most : 0;
        return most <= room ? arrange_slip::none : arrange_slip::parts;
    }
}
}

/// x with Before elements before, and After elements after, those of an axis: `pad<1, 2>(x)`. `pad<1, 1, 1>(x, value)` pads
/// axis 1, and `pad<2, 2, 0, padding::reflect>(x)` mirrors. The value of padding::constant is a number or a scalar
/// expression, 0 if none is given. The other forms need an extent that is an integer. reflect has at most extent − 1
/// elements on a side, symmetric at most extent (NumPy's pad, TensorFlow's pad and mirror_pad).
///
/// Gradient: of x, the part of g without the padding; what repeats an element adds to it. Of the value, the sum of its parts.
template<std::int64_t Before, std::int64_t After, int Axis = 0, padding How = padding::constant, class A, class V = literal<0>>
constexpr auto pad(A const& x, V const& value = {}) {
    using detail::arrange_slip;
    constexpr bool lengths = Before >= 0 && After >= 0;
    static_assert(
        lengths, "xgrad::pad<before, after, axis>(x): before or after is negative; write slice<axis, begin, end>(x) to remove elements");
    if constexpr (!lengths) return detail::refused{};
    else {
        constexpr auto slip = detail::slip_of_pad<Before, After, How, Axis, A>();
        static_assert(
            slip != arrange_slip::axis, "xgrad::pad<before, after, axis>(x): axis is outside of -rank ... rank-1; write an axis of x");
        static_assert(slip != arrange_slip::length,
            "xgrad::pad<before, after, axis, how>(x): the extent of the axis is a named dimension, which only padding::constant takes; "
            "write an integer");
        static_assert(slip != arrange_slip::parts,
            "xgrad::pad<before, after, axis, how>(x): the axis has too few elements for this padding; pad less, or with padding::edge");
        constexpr bool number = Operand<V> && How == padding::constant;
        static_assert(number || std::is_same_v<V, literal<0>>,
            "xgrad::pad<before, after, axis, how>(x, value): the value is not a number such as 1_c or a scalar expression, or "
            "padding::constant is not meant; remove it");
        if constexpr (!number && !std::is_same_v<V, literal<0>>) return detail::refused{};
        else if constexpr (slip == arrange_slip::no_expression) return detail::refuse_operand<A>();
        else if constexpr (slip != arrange_slip::none) return detail::refused{};
        else {
            constexpr int axis = detail::axis_from_start<A>(Axis);
            [[maybe_unused]] constexpr std::int64_t n = detail::static_length<A>(axis), m = How == padding::reflect ? 1 : 0;
            if constexpr (How == padding::constant)
                return detail::around<axis, Before, After>(
                    x, [&] { return detail::filled<A, axis, Before>(value); }, [&] { return detail::filled<A, axis, After>(value); });
            else if constexpr (How == padding::edge)
                return detail::around<axis, Before, After>(
                    x, [&] { return detail::spread_edge<A, axis, Before>(slice<axis, std::int64_t{0}, std::int64_t{1}>(x)); },
                    [&] { return detail::spread_edge<A, axis, After>(slice<axis, n - 1, n>(x)); });
            else
                return detail::around<axis, Before, After>(
                    x, [&] { return flip<axis>(slice<axis, m, m + Before>(x)); },
                    [&] { return flip<axis>(slice<axis, n - m - After, n - m>(x)); });
        }
    }
}

namespace detail {
template<class A, int Function>
constexpr refused refuse_places_argument() {
    static_assert(sizeof(A) == 0,
        "xgrad: a number of parts, places or copies is an argument; write it in angle brackets: split<4, 1>(x), roll<2>(x), repeat<3>(x), "
        "tile<3>(x), pad<1, 2>(x)");
    return {};
}
}
// NumPy's split(x, 4), roll(x, 2), repeat(x, 3), tile(x, 3) and pad(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto split(A const&, N const&...) {
    return detail::refuse_places_argument<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto roll(A const&, N const&...) {
    return detail::refuse_places_argument<A, 1>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto repeat(A const&, N const&...) {
    return detail::refuse_places_argument<A, 2>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto tile(A const&, N const&...) {
    return detail::refuse_places_argument<A, 3>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto pad(A const&, N const&...) {
    return detail::refuse_places_argument<A, 4>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
