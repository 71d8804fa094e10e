// SPDX-License-Identifier: MIT
// Positions of elements: as coordinates or as one number, those that are not zero, and one_hot with two values.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/fill.hpp>
#include <xgrad/ops/partition.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class position_slip { none, no_expression, wrong, extents, type, count, axis, many_axes, shapes };
template<class... A>
constexpr position_slip slip_of_positions(bool extents, bool count) {
    if constexpr (!(Expr<A> && ...)) return position_slip::no_expression;
    else {
        if (!extents) return position_slip::extents;
        if (!count) return position_slip::count;
        if (((value_of<A>.wrong != fault::none) || ...)) return position_slip::wrong;
        return (is_integer(value_of<A>.type) && ...) ? position_slip::none : position_slip::type;
    }
}
template<auto>
inline constexpr refused refused_at{};
template<position_slip Slip>
constexpr void check_coordinates() {
    static_assert(Slip != position_slip::extents,
        "xgrad: the shape of unravel_index<d...>(ids) or ravel_multi_index<d...>(i, j...) is not one to six extents; write integers of at least 0 "
        "or named dimensions");
    static_assert(Slip != position_slip::type,
        "xgrad: an operand of unravel_index<d...>(ids) or ravel_multi_index<d...>(i, j...) is not an integer; write cast<std::int32_t>(ids)");
}
/// The coordinates in S of positions, of which Axis is the last one.
template<shape S, int Axis, class A, class... Done>
constexpr auto coordinates(A const& rest, Done const&... done) {
    if constexpr (Axis == 0) return std::tuple{rest, done...};
    else {
        auto const length = extent_as<S.extents[Axis], cpp_type_t<value_of<A>.type>>();
        auto const above = rest / length;
        return coordinates<S, Axis - 1>(above, rest - above * length, done...);
    }
}
/// The row-major number of coordinates; those before Axis are `before`.
template<shape S, class I, int Axis, class A, class... Rest>
constexpr auto number_of(A const& before, Rest const&... rest);
template<shape S, class I, int Axis, class A, class B, class... Rest>
constexpr auto next_number(A const& before, B const& coordinate, Rest const&... rest) {
    return number_of<S, I, Axis + 1>(cast<I>(before) * extent_as<S.extents[Axis + 1], I>() + cast<I>(coordinate), rest...);
}
template<shape S, class I, int Axis, class A, class... Rest>
constexpr auto number_of(A const& before, Rest const&... rest) {
    if constexpr (sizeof...(Rest) == 0) return before;
    else return next_number<S, I, Axis>(before, rest...);
}
template<class A>
constexpr auto truths(A const& x) {
    if constexpr (value_of<A>.type == dtype::boolean) return x;
    else return not_equal(x, literal<0>{});
}
template<class First, class... C>
constexpr auto side_by_side(std::tuple<First, C...> const&) {
    if constexpr (sizeof...(C) == 0) return expand_dims<-1>(First{});
    else return stack<-1>(First{}, C{}...);
}
template<std::int64_t Depth, int Axis, class A, class On, class Off>
constexpr position_slip slip_of_two_values() {
    if constexpr (!Expr<A> || !Expr<On> || !Expr<Off>) return position_slip::no_expression;
    else {
        value_info const &ids = value_of<A>, &on = value_of<On>, &off = value_of<Off>;
        if (ids.wrong != fault::none || on.wrong != fault::none || off.wrong != fault::none) return position_slip::wrong;
        if (Depth < 0) return position_slip::extents;
        if (!is_integer(ids.type)) return position_slip::type;
        if (ids.dims.rank == max_rank) return position_slip::many_axes;
        if (axis_from_start<A>(Axis, 1) < 0) return position_slip::axis;
        bool const one_type = on.type == off.type || on.type == dtype::literal || off.type == dtype::literal;
        return one_type && on.dims.rank == 0 && off.dims.rank == 0 ? position_slip::none : position_slip::shapes;
    }
}
}

/// The coordinates in an array [D...] of the elements at `ids`, which count in row-major order, as a std::tuple: `auto const [row,
/// column] = unravel_index<3, 4>(ids)`. Ids are int32 or int64, of any shape, and are not checked (NumPy's unravel_index).
/// Gradient: none.
template<auto... D, class A>
constexpr auto unravel_index(A const& ids) {
    using detail::position_slip;
    constexpr bool extents = sizeof...(D) >= 1 && sizeof...(D) <= max_rank && detail::are_extents<D...>;
    constexpr position_slip slip = detail::slip_of_positions<A>(extents, true);
    detail::check_coordinates<slip>();
    if constexpr (slip == position_slip::no_expression) return std::tuple{detail::refuse_operand<A>(), detail::refused_at<D>...};
    else if constexpr (slip != position_slip::none) return std::tuple{detail::refused_at<D>...};
    else return detail::coordinates<make_shape<D...>(), static_cast<int>(sizeof...(D)) - 1>(ids);
}
/// The numbers in row-major order of elements of an array [D...] at coordinates, one operand for each axis. The inverse of
/// unravel_index: `ravel_multi_index<3, 4>(row, column)` is 4 row + column (NumPy's ravel_multi_index).
/// Gradient: none.
template<auto... D, class A, class... B>
constexpr auto ravel_multi_index(A const& first, B const&... rest) {
    using detail::position_slip;
    constexpr bool extents = sizeof...(D) >= 1 && sizeof...(D) <= max_rank && detail::are_extents<D...>;
    constexpr position_slip slip = detail::slip_of_positions<A, B...>(extents, sizeof...(D) == 1 + sizeof...(B));
    static_assert(
        slip != position_slip::count, "xgrad::ravel_multi_index<d...>(i, j...): the operands are not one for each extent; write as many");
    detail::check_coordinates<slip>();
    if constexpr (slip == position_slip::no_expression) return detail::refuse_operand<A, B...>();
    else if constexpr (slip != position_slip::none) return detail::refused{};
    else {
        constexpr bool wide = ((value_of<A>.type == dtype::int64) || ... || (value_of<B>.type == dtype::int64));
        return detail::number_of<make_shape<D...>(), std::conditional_t<wide, std::int64_t, std::int32_t>, 0>(first, rest...);
    }
}
/// The coordinates of the elements that are not zero, in row-major order, and how many there are: `auto const [at, count] =
/// nonzero<8>(x)` is int32 [8, rank] and an int32 number. Rows beyond `count` are zero. Capacity is an integer or a named
/// dimension; elements beyond it are dropped, but are counted. NaN is not zero (NumPy's nonzero and TensorFlow's where, in a fixed size).
/// Gradient: none.
template<auto Capacity, class A>
constexpr auto nonzero(A const& x) {
    using detail::position_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A>) return position_slip::no_expression;
        else {
            if (value_of<A>.wrong != fault::none) return position_slip::wrong;
            if (!detail::are_extents<Capacity>) return position_slip::extents;
            return value_of<A>.dims.rank < 1 ? position_slip::axis : position_slip::none;
        }
    }();
    static_assert(slip != position_slip::extents,
        "xgrad::nonzero<capacity>(x): capacity is not an integer of at least 0, or a named dimension; write nonzero<8>(x)");
    static_assert(slip != position_slip::axis, "xgrad::nonzero<capacity>(x): x is one number and has no axis; write expand_dims<0>(x)");
    if constexpr (slip == position_slip::no_expression) return std::tuple{detail::refuse_operand<A>(), detail::refused{}};
    else if constexpr (slip != position_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr extent places = make_shape<Capacity>().extents[0];
        auto const all = detail::reshaped_to<shape{1, {s.size()}}>(detail::truths(x));
        auto const [at, count] = detail::masked<places>(detail::positions_along<s.size()>{}, all);
        return std::tuple{detail::side_by_side(detail::coordinates<s, s.rank - 1>(at)), count};
    }
}
/// Rows of `off` with `on` at each id, along a new axis: `one_hot<10, 0>(ids, 1_c, -1_c)` is [10, ...]. A negative axis counts from
/// the end of the result. `on` and `off` are numbers of one type; if both are like 1_c, the elements are float. For an id
/// outside 0 ... Depth − 1 all elements are `off` (TensorFlow's one_hot).
/// Gradient: of `on` and `off`, the sums of g at their places; of the ids none.
template<std::int64_t Depth, int Axis = -1, Operand A, Operand On, Operand Off>
constexpr auto one_hot(A const& ids, On const& on, Off const& off) {
    using detail::position_slip;
    constexpr position_slip slip = detail::slip_of_two_values<Depth, Axis, A, On, Off>();
    static_assert(
        slip != position_slip::extents, "xgrad::one_hot<depth, axis>(ids, on, off): depth is negative; write an integer of at least 0");
    static_assert(slip != position_slip::type,
        "xgrad::one_hot<depth, axis>(ids, on, off): ids are neither std::int32_t nor std::int64_t; write cast<std::int32_t>(ids)");
    static_assert(slip != position_slip::many_axes,
        "xgrad::one_hot<depth, axis>(ids, on, off): the result has more than six axes; reshape the ids first");
    static_assert(slip != position_slip::axis,
        "xgrad::one_hot<depth, axis>(ids, on, off): axis is outside of the result; write one of -rank-1 ... rank");
    static_assert(slip != position_slip::shapes,
        "xgrad::one_hot<depth, axis>(ids, on, off): on or off is not one number, or they differ in element type; write 1_c, or cast<float>(on)");
    if constexpr (slip == position_slip::no_expression) return detail::refuse_operand<A, On, Off>();
    else if constexpr (slip != position_slip::none) return detail::refused{};
    else {
        using T = typename decltype(detail::type_between<float, On, Off>())::type;
        constexpr int axis = detail::axis_from_start<A>(Axis, 1);
        auto const places =
            cast<cpp_type_t<value_of<A>.type>>(detail::places_along<static_extent(Depth), value_of<A>.dims.rank + 1, axis>());
        return select(equal(expand_dims<axis>(ids), places), detail::typed_number<T>(on), detail::typed_number<T>(off));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
