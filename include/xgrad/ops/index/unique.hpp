// SPDX-License-Identifier: MIT
// The different elements of an array, up to a number that is known.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/positions.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/over_axes/order.hpp>
#include <xgrad/ops/sort.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Of a sorted row [n], whether each element is the first of equal ones. All NaN are equal.
template<class A>
constexpr auto first_of_equal(A const& sorted) {
    constexpr extent n = value_of<A>.dims.extents[0];
    constexpr auto zero = constant<std::int32_t, 0>;
    constexpr positions_along<n> place{};
    auto const before = reshaped_to<shape{1, {n}}>(take<1>(expand_dims<0>(sorted), maximum(place - constant<std::int32_t, 1>, zero)));
    return logical_or(equal(place, zero), logical_and(equal(before, before), not_equal(before, sorted)));
}
}

/// The different elements of x in ascending order, as a tuple: `auto const [values, positions, counts, count] = unique<8>(x)`. values [8]
/// end with zeros, counts [8] (int32) say how often each occurs, and `count` how many different elements there are. positions (int32)
/// have the shape of x: values[positions] is x. Capacity is an integer or a named dimension. Elements beyond it are dropped, but are
/// counted, and have positions. All NaN are one element, the last one (NumPy's unique, in a fixed size).
/// Gradient: of the values, g at the first of the equal elements in x; none of the others.
template<auto Capacity, class A>
constexpr auto unique(A const& x) {
    using detail::position_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A>) return position_slip::no_expression;
        else {
            if (value_of<A>.wrong != fault::none) return position_slip::wrong;
            if (!detail::are_extents<Capacity>) return position_slip::extents;
            if (value_of<A>.type == dtype::literal || value_of<A>.type == dtype::boolean || is_half(value_of<A>.type))
                return position_slip::type;
            return value_of<A>.dims.rank < 1 ? position_slip::axis : position_slip::none;
        }
    }();
    static_assert(slip != position_slip::extents,
        "xgrad::unique<capacity>(x): capacity is not an integer of at least 0, or a named dimension; write unique<8>(x)");
    static_assert(slip != position_slip::type,
        "xgrad::unique<capacity>(x): x is bool, or has 16 bits; write cast<std::int32_t>(x) or cast<float>(x)");
    static_assert(slip != position_slip::axis, "xgrad::unique<capacity>(x): x is one number and has no axis; write expand_dims<0>(x)");
    if constexpr (slip != position_slip::none) {
        if constexpr (slip == position_slip::no_expression)
            return std::tuple{detail::refuse_operand<A>(), detail::refused{}, detail::refused{}, detail::refused{}};
        else return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}, detail::refused{}};
    } else {
        constexpr extent n = value_of<A>.dims.size(), places = make_shape<Capacity>().extents[0];
        constexpr auto one = constant<std::int32_t, 1>;
        auto const all = detail::reshaped_to<shape{1, {n}}>(x);
        auto const sorted = std::get<0>(sort(all));
        auto const still = stop_gradient(sorted);
        auto const now = stop_gradient(all);
        auto const first = detail::first_of_equal(still);
        auto const [values, count] = detail::masked<places>(sorted, first);
        auto const numbers = cumsum<0>(cast<std::int32_t>(first)) - one;
        auto const at = detail::reshaped_to<shape{1, {n}}>(take<1>(expand_dims<0>(numbers), searchsorted<side::left>(still, now)));
        auto const total = searchsorted<side::right>(still, stop_gradient(values)) - searchsorted<side::left>(still, stop_gradient(values));
        auto const counts = select(less(detail::positions_along<places>{}, count), total, constant<std::int32_t, 0>);
        return std::tuple{values, detail::reshaped_to<value_of<A>.dims>(at), counts, count};
    }
}
// catches unique(x)
template<class A>
constexpr auto unique(A const&) {
    static_assert(
        detail::never<A>, "xgrad::unique<capacity>(x): there is no capacity, the most elements that the result has; write unique<8>(x)");
    return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}, detail::refused{}};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
