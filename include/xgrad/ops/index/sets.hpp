// SPDX-License-Identifier: MIT
// Arrays as sets: the elements of either, of both, of one without those of the other, up to a number that is known.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/unique.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<auto Capacity, class A, class B>
constexpr position_slip slip_of_sets() {
    if constexpr (!Expr<A> || !Expr<B>) return position_slip::no_expression;
    else {
        value_info const &a = value_of<A>, &b = value_of<B>;
        if (a.wrong != fault::none || b.wrong != fault::none) return position_slip::wrong;
        if (!are_extents<Capacity>) return position_slip::extents;
        return a.type != b.type || a.type == dtype::literal || a.type == dtype::boolean || is_half(a.type) ? position_slip::type
                                                                                                           : position_slip::none;
    }
}
template<position_slip Slip>
constexpr void check_sets() {
    static_assert(Slip != position_slip::extents,
        "xgrad: the capacity of union1d, intersect1d or setdiff1d is not an integer of at least 0, or a named dimension; write union1d<8>(a, "
        "b)");
    static_assert(Slip != position_slip::type,
        "xgrad: the operands of union1d, intersect1d or setdiff1d differ in element type, are bool, or have 16 bits; write cast<float>(a)");
}
template<class A>
constexpr auto in_one_row(A const& x) {
    return reshaped_to<shape{1, {value_of<A>.dims.size()}}>(x);
}
enum class set_part { of_both, of_either, of_first };
template<set_part Part, extent Places, class A, class B>
constexpr auto set_of(A const& a, B const& b) {
    if constexpr (Part == set_part::of_either) {
        auto const sorted = std::get<0>(sort(concat<0>(in_one_row(a), in_one_row(b))));
        return masked<Places>(sorted, first_of_equal(stop_gradient(sorted)));
    } else {
        auto const sorted = std::get<0>(sort(in_one_row(a)));
        auto const still = stop_gradient(sorted);
        auto const others = stop_gradient(std::get<0>(sort(in_one_row(b))));
        // NaN is not in a set, as it equals nothing
        auto const in_b =
            logical_and(equal(still, still), less(searchsorted<side::left>(others, still), searchsorted<side::right>(others, still)));
        if constexpr (Part == set_part::of_both) return masked<Places>(sorted, logical_and(first_of_equal(still), in_b));
        else return masked<Places>(sorted, logical_and(first_of_equal(still), logical_not(in_b)));
    }
}
template<set_part Part, auto Capacity, class A, class B>
constexpr auto checked_set(A const& a, B const& b) {
    constexpr position_slip slip = slip_of_sets<Capacity, A, B>();
    check_sets<slip>();
    if constexpr (slip == position_slip::no_expression) return std::tuple{refuse_operand<A, B>(), refused{}};
    else if constexpr (slip != position_slip::none) return std::tuple{refused{}, refused{}};
    else return set_of<Part, make_shape<Capacity>().extents[0]>(a, b);
}
}

/// The different elements of a and b together, in ascending order, and how many there are: `auto const [values, count] = union1d<8>(a, b)`.
/// values [8] end with zeros. Elements beyond them are dropped, but are counted. a and b have any shape. All NaN are one element, the last
/// one (NumPy's union1d, in a fixed size).
/// Gradient: of the values, g at the first of equal elements, where those of a come before those of b.
template<auto Capacity, class A, class B>
constexpr auto union1d(A const& a, B const& b) {
    return detail::checked_set<detail::set_part::of_either, Capacity>(a, b);
}
/// The different elements of a that b has too, as union1d gives them. NaN equals nothing (NumPy's intersect1d).
/// Gradient: of the values, g at the first of equal elements of a; of b none.
template<auto Capacity, class A, class B>
constexpr auto intersect1d(A const& a, B const& b) {
    return detail::checked_set<detail::set_part::of_both, Capacity>(a, b);
}
/// The different elements of a that b does not have, as union1d gives them. NaN of a stays, once (NumPy's setdiff1d).
/// Gradient: of the values, g at the first of equal elements of a; of b none.
template<auto Capacity, class A, class B>
constexpr auto setdiff1d(A const& a, B const& b) {
    return detail::checked_set<detail::set_part::of_first, Capacity>(a, b);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
