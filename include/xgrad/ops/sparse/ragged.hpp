// SPDX-License-Identifier: MIT
// Rows of different lengths, one after the other: chosen rows, filled rows, ranges.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/over_axes/order.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/sparse/row_offsets.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// One zero, [1].
template<Element T>
inline constexpr auto zero_row = repeated_to<shape{1, {static_extent(1)}}>(constant<T, 0>);
/// [rows + 1] offsets of rows with these lengths.
template<class N>
constexpr auto offsets_of(N const& lengths) {
    using I = cpp_type_t<value_of<N>.type>;
    return concat<0>(zero_row<I>, cumsum<0>(lengths));
}
template<class O>
constexpr auto lengths_of_rows(O const& offsets) {
    constexpr extent n = value_of<O>.dims.extents[0];
    return slice<0, static_extent(1), n>(offsets) - slice<0, static_extent(0), one_less(n)>(offsets);
}
/// Of each of Capacity places its row, or the number of rows after the last one.
template<extent Capacity, class O>
constexpr auto rows_of_places(O const& offsets) {
    using I = cpp_type_t<value_of<O>.type>;
    constexpr extent n = value_of<O>.dims.extents[0];
    return cast<I>(searchsorted<side::right>(slice<0, static_extent(1), n>(offsets), cast<I>(positions_along<Capacity>{})));
}
/// Rows of values at `at`, or the rows of zeros where `there` is false.
template<class V, class P, class M>
constexpr auto rows_where(V const& values, P const& at, M const& there) {
    using I = cpp_type_t<value_of<P>.type>;
    constexpr shape row = [] {
        shape s = value_of<V>.dims;
        s.extents[0] = static_extent(1);
        return s;
    }();
    auto const with_zeros = concat<0>(values, repeated_to<row>(constant<cpp_type_t<value_of<V>.type>, 0>));
    return gather(with_zeros, select(there, at, number_of<I, value_of<V>.dims.extents[0]>()));
}
enum class ragged_slip { none, no_expression, wrong, offsets, values, ids, number };
template<class V, class O>
constexpr ragged_slip slip_of_ragged() {
    if constexpr (!Expr<V> || !Expr<O>) return ragged_slip::no_expression;
    else {
        value_info const &v = value_of<V>, &o = value_of<O>;
        if (v.wrong != fault::none || o.wrong != fault::none) return ragged_slip::wrong;
        if (!is_integer(o.type) || o.dims.rank != 1) return ragged_slip::offsets;
        return v.dims.rank >= 1 && v.type != dtype::literal && v.type != dtype::boolean && !is_half(v.type) ? ragged_slip::none
                                                                                                            : ragged_slip::values;
    }
}
template<ragged_slip Slip>
constexpr void check_ragged() {
    static_assert(Slip != ragged_slip::offsets,
        "xgrad::ragged_gather<capacity>(values, offsets, ids), ragged_fill_empty_rows: the offsets are not integers [rows + 1]; write "
        "cast<std::int32_t>(offsets)");
    static_assert(Slip != ragged_slip::values,
        "xgrad::ragged_gather<capacity>(values, offsets, ids), ragged_fill_empty_rows: values have no axis, are bool, or have 16 bits; write "
        "cast<float>(values)");
}
}

/// The rows `ids` of rows of different lengths, as a tuple: `auto const [rows, starts] = ragged_gather<16>(values, offsets, ids)`. Row
/// r of the operand has values[offsets[r]] to before values[offsets[r + 1]]; offsets are integers [rows + 1] that rise from 0, ids
/// integers [n] of any integer type. rows are [16, ...] with zeros after the last one, and `starts` [n + 1] the offsets of the result.
/// Elements beyond 16 are dropped, but are counted by `starts`. An id out of range is a value_error (TensorFlow's gather of a
/// RaggedTensor, in a fixed size).
/// Gradient: of the values, the sum of g over the places that have the element.
template<auto Capacity, class V, class O, class A>
constexpr auto ragged_gather(V const& values, O const& offsets, A const& ids) {
    using detail::ragged_slip;
    constexpr ragged_slip slip = [] {
        constexpr ragged_slip r = detail::slip_of_ragged<V, O>();
        if constexpr (!Expr<A>) return ragged_slip::no_expression;
        else if constexpr (r != ragged_slip::none) return r;
        else if constexpr (value_of<A>.wrong != fault::none) return ragged_slip::wrong;
        else
            return detail::are_extents<Capacity> && is_integer(value_of<A>.type) && value_of<A>.dims.rank == 1 ? ragged_slip::none
                                                                                                               : ragged_slip::ids;
    }();
    detail::check_ragged<slip>();
    static_assert(slip != ragged_slip::ids,
        "xgrad::ragged_gather<capacity>(values, offsets, ids): ids are not integers [n], or capacity is no integer of at least 0 or named "
        "dimension; write ragged_gather<16>(values, offsets, ids)");
    if constexpr (slip == ragged_slip::no_expression) return std::tuple{detail::refuse_operand<V, O, A>(), detail::refused{}};
    else if constexpr (slip != ragged_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        using I = cpp_type_t<value_of<O>.type>;
        constexpr extent places = make_shape<Capacity>().extents[0];
        constexpr auto one = constant<I, 1>;
        auto const chosen = cast<I>(ids);
        auto const first = gather(offsets, chosen);
        auto const starts = detail::offsets_of(gather(offsets, chosen + one) - first);
        auto const row = detail::rows_of_places<places>(starts);
        auto const there = less(row, detail::number_of<I, value_of<A>.dims.extents[0]>());
        auto const from = concat<0>(first, detail::zero_row<I>);
        auto const at = gather(from, row) + detail::places_in_rows<places>(starts, row);
        return std::tuple{detail::rows_where(values, at, there), starts};
    }
}
/// Rows of different lengths, in which each empty row gets the number, as a tuple: `auto const [filled, starts, empty] =
/// ragged_fill_empty_rows(values, offsets, 0_c)`. Values are [n, ...] and offsets integers [rows + 1] that rise from 0. `filled` is [n
/// + rows, ...] with zeros after the last element, `starts` its offsets, and `empty` [rows] says which rows were empty (TensorFlow's
/// RaggedFillEmptyRows, with offsets in place of numbers of rows).
/// Gradient: of the values, g at their new places; of the number, the sum of g where it is.
template<class V, class O, class A>
constexpr auto ragged_fill_empty_rows(V const& values, O const& offsets, A const& number) {
    using detail::ragged_slip;
    constexpr ragged_slip slip = [] {
        constexpr ragged_slip r = detail::slip_of_ragged<V, O>();
        if constexpr (!Expr<A>) return ragged_slip::no_expression;
        else if constexpr (r != ragged_slip::none) return r;
        else if constexpr (value_of<A>.wrong != fault::none) return ragged_slip::wrong;
        else
            return value_of<A>.dims.rank == 0 && (value_of<A>.type == dtype::literal || value_of<A>.type == value_of<V>.type)
                       ? ragged_slip::none
                       : ragged_slip::number;
    }();
    detail::check_ragged<slip>();
    static_assert(slip != ragged_slip::number,
        "xgrad::ragged_fill_empty_rows(values, offsets, number): the number is an array, or has another element type than the values; write "
        "a number such as 0_c");
    if constexpr (slip == ragged_slip::no_expression)
        return std::tuple{detail::refuse_operand<V, O, A>(), detail::refused{}, detail::refused{}};
    else if constexpr (slip != ragged_slip::none) return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}};
    else {
        using I = cpp_type_t<value_of<O>.type>;
        constexpr extent rows = detail::one_less(value_of<O>.dims.extents[0]), places = value_of<V>.dims.extents[0] + rows;
        auto const lengths = detail::lengths_of_rows(offsets);
        auto const empty = equal(lengths, constant<I, 0>);
        auto const starts = detail::offsets_of(maximum(lengths, constant<I, 1>));
        auto const row = detail::rows_of_places<places>(starts);
        auto const is_empty = greater(gather(concat<0>(cast<I>(empty), detail::zero_row<I>), row), constant<I, 0>);
        auto const there = logical_and(less(row, detail::number_of<I, rows>()), logical_not(is_empty));
        auto const at = gather(offsets, row) + detail::places_in_rows<places>(starts, row);
        constexpr shape whole = detail::ones_after_first(detail::replaced(value_of<V>.dims, 0, 1, shape{1, {places}}));
        return std::tuple{select(detail::reshaped_to<whole>(is_empty), number, detail::rows_where(values, at, there)), starts, empty};
    }
}

namespace detail {
template<auto Capacity, class A, class B, class C>
constexpr ragged_slip slip_of_ranges() {
    if constexpr (!Expr<A> || !Expr<B> || !Expr<C>) return ragged_slip::no_expression;
    else {
        value_info const &a = value_of<A>, &b = value_of<B>, &c = value_of<C>;
        if (a.wrong != fault::none || b.wrong != fault::none || c.wrong != fault::none) return ragged_slip::wrong;
        bool const same = b.type == a.type && c.type == a.type && b.dims == a.dims && c.dims == a.dims;
        bool const numbers = is_floating(a.type) || a.type == dtype::int32 || a.type == dtype::int64;
        return are_extents<Capacity> && same && numbers && a.dims.rank == 1 ? ragged_slip::none : ragged_slip::values;
    }
}
/// How many numbers are from a start to before a limit; 0 for steps of 0.
template<class A, class B, class C>
constexpr auto range_lengths(A const& starts, B const& limits, C const& steps) {
    using T = cpp_type_t<value_of<A>.type>;
    constexpr auto zero = constant<T, 0>;
    if constexpr (is_floating(value_of<A>.type)) {
        auto const still = equal(steps, zero);
        return maximum(select(still, zero, ceil((limits - starts) / select(still, constant<T, 1>, steps))), zero);
    } else {
        constexpr auto one = constant<T, 1>;
        auto const up = (limits - starts + steps - one) / steps;
        auto const down = (starts - limits - steps - one) / -steps;
        return maximum(select(greater(steps, zero), up, down), zero);
    }
}
}
/// Rows start, start + step, ... to before the limit, for each of n starts, limits and steps, as a tuple: `auto const [values, offsets]
/// = ragged_range<16>(starts, limits, steps)`. All three are [n] of one type: integers of 32 or 64 bits, float or double. values are
/// [16] with zeros after the last one, and `offsets` int32 [n + 1] says where rows begin. Numbers beyond 16 are dropped, but are
/// counted. A step of 0 makes an empty row, in TensorFlow an error (TensorFlow's ragged.range, in a fixed size).
/// Gradient: of starts and steps, by the formula of each number; of the limits none.
template<auto Capacity, class A, class B, class C>
constexpr auto ragged_range(A const& starts, B const& limits, C const& steps) {
    using detail::ragged_slip;
    constexpr ragged_slip slip = detail::slip_of_ranges<Capacity, A, B, C>();
    static_assert(slip != ragged_slip::values,
        "xgrad::ragged_range<capacity>(starts, limits, steps): they are not [n] of one type of 32 or 64 bits, or capacity is no integer of at "
        "least 0 or named dimension; write ragged_range<16>(starts, limits, steps)");
    if constexpr (slip == ragged_slip::no_expression) return std::tuple{detail::refuse_operand<A, B, C>(), detail::refused{}};
    else if constexpr (slip != ragged_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        constexpr extent places = make_shape<Capacity>().extents[0];
        auto const offsets = detail::offsets_of(cast<std::int32_t>(detail::range_lengths(starts, limits, steps)));
        auto const row = detail::rows_of_places<places>(offsets);
        constexpr auto none = detail::zero_row<T>;   // the row after the last one
        auto const place = detail::places_in_rows<places>(offsets, row);
        return std::tuple{gather(concat<0>(starts, none), row) + cast<T>(place) * gather(concat<0>(steps, none), row), offsets};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
