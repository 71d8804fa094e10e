// SPDX-License-Identifier: MIT
// Axes moved, removed, inserted and joined; a quarter turn; differences of neighbours. All are made of transpose, reshape, slice and flip.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/classify.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class axes_slip { none, no_expression, wrong, axis, repeated, extent, many_axes };
/// Axes counted from 0; -1 for one that does not exist.
template<int Rank, int... Axes>
constexpr auto axes_from_start() {
    struct axes {
        int at[sizeof...(Axes)];
    };
    return axes{{(Axes < -Rank || Axes >= Rank ? -1 : Axes < 0 ? Axes + Rank : Axes)...}};
}
/// Axes that do not exist, or are there twice.
template<int Rank, int... Axes>
constexpr axes_slip slip_of_each_axis() {
    axis_set seen{};
    for (int const axis : axes_from_start<Rank, Axes...>().at) {
        if (axis < 0) return axes_slip::axis;
        if (seen.has(axis)) return axes_slip::repeated;
        seen.add(axis);
    }
    return axes_slip::none;
}
/// `More` axes are there besides those of A.
template<class A, int More, int... Axes>
constexpr axes_slip slip_of_axes() {
    if constexpr (!Expr<A>) return axes_slip::no_expression;
    else {
        if (value_of<A>.wrong != fault::none) return axes_slip::wrong;
        if (value_of<A>.dims.rank + More > max_rank) return axes_slip::many_axes;
        return slip_of_each_axis<value_of<A>.dims.rank + More, Axes...>();
    }
}
/// The permutation that puts axis `from` at `to`.
constexpr permutation_attributes axis_moved(int rank, int from, int to) {
    permutation_attributes r{};
    for (int i = 0, other = 0; i < rank; ++i) {
        if (other == from) ++other;
        r.order.push(i == to ? from : other++);
    }
    return r;
}
/// The permutation that exchanges two axes.
constexpr permutation_attributes axes_exchanged(int rank, int a, int b) {
    permutation_attributes r{};
    for (int i = 0; i < rank; ++i) r.order.push(i == a ? b : i == b ? a : i);
    return r;
}
/// s without the axes.
template<int... Axes>
constexpr shape without_axes(shape const& s) {
    axis_set gone{};
    (gone.add(Axes < 0 ? Axes + s.rank : Axes), ...);
    shape r{};
    for (int i = 0; i < s.rank; ++i)
        if (!gone.has(i)) r.extents[r.rank++] = s.extents[i];
    return r;
}
/// s with extents of 1 at the axes, which count in the result.
template<int... Axes>
constexpr shape with_axes(shape const& s) {
    axis_set ones{};
    shape r{s.rank + static_cast<int>(sizeof...(Axes)), {}};
    (ones.add(Axes < 0 ? Axes + r.rank : Axes), ...);
    for (int i = 0, k = 0; i < r.rank; ++i) r.extents[i] = ones.has(i) ? static_extent(1) : s.extents[k++];
    return r;
}
}

/// x with axis From at the place To; the other axes keep their order: `moveaxis<-1, 1>(image)` is [n, c, h, w] of [n, h, w, c].
/// Negative axes count from the end (NumPy's moveaxis).
/// Gradient: g with the axis moved back.
template<int From, int To, class A>
constexpr auto moveaxis(A const& x) {
    using detail::axes_slip;
    constexpr axes_slip from = detail::slip_of_axes<A, 0, From>(), to = detail::slip_of_axes<A, 0, To>();
    constexpr bool exist = from != axes_slip::axis && to != axes_slip::axis;
    static_assert(exist, "xgrad::moveaxis<from, to>(x): from or to is outside of -rank ... rank-1; write axes of x");
    if constexpr (from == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (!exist || from != axes_slip::none) return detail::refused{};
    else {
        constexpr int rank = value_of<A>.dims.rank;
        constexpr auto at = detail::axes_from_start<rank, From, To>();
        if constexpr (at.at[0] == at.at[1]) return x;
        else return apply<with<op::transpose, detail::axis_moved(rank, at.at[0], at.at[1])>>(x);
    }
}
/// x with two axes exchanged: `swapaxes<0, -1>(x)`. Negative axes count from the end (NumPy's swapaxes).
/// Gradient: g with the axes exchanged.
template<int First, int Second, class A>
constexpr auto swapaxes(A const& x) {
    using detail::axes_slip;
    constexpr axes_slip first = detail::slip_of_axes<A, 0, First>(), second = detail::slip_of_axes<A, 0, Second>();
    constexpr bool exist = first != axes_slip::axis && second != axes_slip::axis;
    static_assert(exist, "xgrad::swapaxes<a, b>(x): an axis is outside of -rank ... rank-1; write axes of x");
    if constexpr (first == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (!exist || first != axes_slip::none) return detail::refused{};
    else {
        constexpr int rank = value_of<A>.dims.rank;
        constexpr auto at = detail::axes_from_start<rank, First, Second>();
        if constexpr (at.at[0] == at.at[1]) return x;
        else return apply<with<op::transpose, detail::axes_exchanged(rank, at.at[0], at.at[1])>>(x);
    }
}
/// Removes several axes of extent 1: `squeeze<0, -1>(x)`. All axes count in x.
/// Gradient: g in the shape of x.
template<int First, int Second, int... More, class A>
constexpr auto squeeze(A const& x) {
    using detail::axes_slip;
    constexpr auto slip = [] {
        constexpr axes_slip of_axes = detail::slip_of_axes<A, 0, First, Second, More...>();
        if constexpr (of_axes != axes_slip::none) return of_axes;
        else {
            constexpr shape s = value_of<A>.dims;
            for (int const axis : detail::axes_from_start<s.rank, First, Second, More...>().at)
                if (!is_one(s.extents[axis])) return axes_slip::extent;
            return axes_slip::none;
        }
    }();
    static_assert(slip != axes_slip::axis && slip != axes_slip::repeated,
        "xgrad::squeeze<axes...>(x): an axis does not exist in x or is there twice; write different axes of -rank ... rank-1");
    static_assert(slip != axes_slip::extent,
        "xgrad::squeeze<axes...>(x): the extent of an axis is not 1; write sum<axis>(x) or slice that axis first");
    if constexpr (slip == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != axes_slip::none) return detail::refused{};
    else return detail::reshaped_to<detail::without_axes<First, Second, More...>(value_of<A>.dims)>(x);
}
/// Inserts several axes of extent 1: `expand_dims<0, -1>(x)` is [1, n, 1] of [n]. All axes count in the result (NumPy's
/// expand_dims).
/// Gradient: g in the shape of x.
template<int First, int Second, int... More, class A>
constexpr auto expand_dims(A const& x) {
    using detail::axes_slip;
    constexpr axes_slip slip = detail::slip_of_axes<A, 2 + static_cast<int>(sizeof...(More)), First, Second, More...>();
    static_assert(slip != axes_slip::axis && slip != axes_slip::repeated,
        "xgrad::expand_dims<axes...>(x): an axis is outside of the result or is there twice; write different axes, counted in the result");
    static_assert(slip != axes_slip::many_axes,
        "xgrad::expand_dims<axes...>(x): the result has more than six axes, the most that a tensor can have; write reshape first");
    if constexpr (slip == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != axes_slip::none) return detail::refused{};
    else return detail::reshaped_to<detail::with_axes<First, Second, More...>(value_of<A>.dims)>(x);
}
/// x with the axes First to Last joined to one: `flatten<1>(x)` is [n, h·w] of [n, h, w]. All axes if none is given. A number
/// becomes [1] (PyTorch's flatten).
/// Gradient: g in the shape of x.
template<int First = 0, int Last = -1, class A>
constexpr auto flatten(A const& x) {
    using detail::axes_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A>) return axes_slip::no_expression;
        else if constexpr (value_of<A>.wrong != fault::none) return axes_slip::wrong;
        else {
            constexpr int rank = value_of<A>.dims.rank > 0 ? value_of<A>.dims.rank : 1;
            constexpr auto axes = detail::axes_from_start<rank, First, Last>();
            return axes.at[0] >= 0 && axes.at[1] >= axes.at[0] ? axes_slip::none : axes_slip::axis;
        }
    }();
    static_assert(slip != axes_slip::axis,
        "xgrad::flatten<first, last>(x): an axis is outside of -rank ... rank-1, or last comes before first; write first, then last");
    if constexpr (slip == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != axes_slip::none) return detail::refused{};
    else {
        constexpr shape whole = [] {
            constexpr shape s = value_of<A>.dims;
            constexpr int rank = s.rank > 0 ? s.rank : 1;
            constexpr auto axes = detail::axes_from_start<rank, First, Last>();
            shape r{1, {static_extent(1)}};
            if (s.rank == 0) return r;
            r.rank = 0;
            for (int i = 0; i < s.rank; ++i)
                if (i > axes.at[0] && i <= axes.at[1]) r.extents[r.rank - 1] = r.extents[r.rank - 1] * s.extents[i];
                else r.extents[r.rank++] = s.extents[i];
            return r;
        }();
        return detail::reshaped_to<whole>(x);
    }
}
/// All elements of x in row-major order, with one axis (NumPy's ravel).
/// Gradient: g in the shape of x.
template<class A>
constexpr auto ravel(A const& x) {
    return flatten(x);
}
/// x with at least one axis: a number becomes [1] (NumPy's atleast_1d).
/// Gradient: g in the shape of x.
template<class A>
constexpr auto atleast_1d(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (value_of<A>.wrong != fault::none || value_of<A>.dims.rank >= 1) return x;
    else return expand_dims<0>(x);
}
/// x with at least two axes; new ones come first: [1, n] of [n] (NumPy's atleast_2d).
/// Gradient: g in the shape of x.
template<class A>
constexpr auto atleast_2d(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (value_of<A>.wrong != fault::none || value_of<A>.dims.rank >= 2) return x;
    else return expand_dims<0>(atleast_1d(x));
}
/// x with at least three axes: [1, n, 1] of [n], and [m, n, 1] of [m, n] (NumPy's atleast_3d).
/// Gradient: g in the shape of x.
template<class A>
constexpr auto atleast_3d(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (value_of<A>.wrong != fault::none || value_of<A>.dims.rank >= 3) return x;
    else return expand_dims<-1>(atleast_2d(x));
}
/// x turned by Turns quarter turns from axis First to axis Second: `rot90(x)` of the first two axes, `rot90<-1>(x)` the other
/// way (NumPy's rot90).
/// Gradient: g, turned back.
template<int Turns = 1, int First = 0, int Second = 1, class A>
constexpr auto rot90(A const& x) {
    using detail::axes_slip;
    constexpr axes_slip slip = detail::slip_of_axes<A, 0, First, Second>();
    static_assert(slip != axes_slip::axis && slip != axes_slip::repeated,
        "xgrad::rot90<turns, a, b>(x): an axis does not exist in x or is there twice; write two different axes of -rank ... rank-1");
    if constexpr (slip == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != axes_slip::none) return detail::refused{};
    else {
        constexpr int turns = (Turns % 4 + 4) % 4;
        if constexpr (turns == 0) return x;
        else if constexpr (turns == 1) return swapaxes<First, Second>(flip<Second>(x));
        else if constexpr (turns == 2) return flip<First, Second>(x);
        else return flip<Second>(swapaxes<First, Second>(x));
    }
}
/// The differences of neighbours along an axis, x[i + 1] − x[i]; Order times one after the other. The extent becomes smaller by
/// Order, at least 0. For bool whether neighbours differ (NumPy's diff).
/// Gradient: the negative differences of g, with zeros outside.
template<int Axis = -1, int Order = 1, class A>
constexpr auto diff(A const& x) {
    using detail::axes_slip;
    constexpr axes_slip slip = detail::slip_of_axes<A, 0, Axis>();
    static_assert(slip != axes_slip::axis, "xgrad::diff<axis, order>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(Order >= 0, "xgrad::diff<axis, order>(x): order is negative; write an integer of at least 0");
    if constexpr (Order < 0) return detail::refused{};
    else if constexpr (slip == axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != axes_slip::none) return detail::refused{};
    else {
        constexpr int axis = detail::axis_from_start<A>(Axis);
        constexpr extent n = value_of<A>.dims.extents[axis];
        if constexpr (Order == 0 || (n.is_static() && n.constant == 0)) return x;
        else {
            auto const after = slice<axis, static_extent(1), n>(x);
            auto const before = slice<axis, static_extent(0), n - static_extent(1)>(x);
            if constexpr (value_of<A>.type == dtype::boolean) return diff<axis, Order - 1>(logical_xor(after, before));
            else return diff<axis, Order - 1>(after - before);
        }
    }
}
/// Another name of unstack: the parts along an axis as a std::tuple.
/// Gradient: that of unstack.
template<int Axis = 0, class A>
constexpr auto unbind(A const& x) {
    return unstack<Axis>(x);
}

namespace detail {
template<class A, int Function>
constexpr refused refuse_places_of_axes() {
    static_assert(sizeof(A) == 0,
        "xgrad: an axis is an argument; write it in angle brackets: moveaxis<0, 2>(x), swapaxes<0, 1>(x), flatten<1>(x), diff<0>(x)");
    return {};
}
}
// NumPy's moveaxis(x, 0, 2), swapaxes(x, 0, 1), PyTorch's flatten(x, 1), NumPy's diff(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto moveaxis(A const&, N const&...) {
    return detail::refuse_places_of_axes<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto swapaxes(A const&, N const&...) {
    return detail::refuse_places_of_axes<A, 1>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto flatten(A const&, N const&...) {
    return detail::refuse_places_of_axes<A, 2>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto diff(A const&, N const&...) {
    return detail::refuse_places_of_axes<A, 3>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
