// SPDX-License-Identifier: MIT
// Polynomials, interpolation between points, and areas below curves.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/over_axes/order.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class curve_slip { none, no_expression, wrong, type, types, axis, shape };
template<class A, class... B>
constexpr curve_slip slip_of_curves() {
    if constexpr (!Expr<A> || !(Expr<B> && ...)) return curve_slip::no_expression;
    else {
        if (value_of<A>.wrong != fault::none || ((value_of<B>.wrong != fault::none) || ...)) return curve_slip::wrong;
        if (!is_floating(value_of<A>.type)) return curve_slip::type;
        return ((value_of<B>.type == value_of<A>.type) && ...) ? curve_slip::none : curve_slip::types;
    }
}
template<curve_slip Slip>
constexpr void check_curve() {
    static_assert(Slip != curve_slip::type,
        "xgrad::polyval(p, x), vander<n>(x), interp(x, xs, ys), trapezoid<axis>(y, x): an operand is neither float nor double; write "
        "cast<float>(x)");
    static_assert(Slip != curve_slip::types,
        "xgrad::polyval(p, x), interp(x, xs, ys), trapezoid<axis>(y, x): the operands have different element types; write cast<float>(x)");
}
template<std::int64_t K, class P>
constexpr auto coefficient_at(P const& p) {
    return reshaped_to<shape{}>(slice<0, K, K + 1>(p));
}
/// The elements of one axis at ids of one axis. The gradient is dense, unlike that of gather.
template<class A, class I>
constexpr auto elements_at(A const& a, I const& ids) {
    return reshaped_to<value_of<I>.dims>(take<1>(expand_dims<0>(a), ids));
}
template<std::int64_t K, class P, class X>
constexpr auto horner(P const& p, X const& x) {
    if constexpr (K == 0) return coefficient_at<0>(p);
    else return horner<K - 1>(p, x) * x + coefficient_at<K>(p);
}
template<std::int64_t K, class X>
constexpr auto power_by_products(X const& x) {
    if constexpr (K == 0) return ones_like(x);
    else if constexpr (K == 1) return x;
    else return power_by_products<K - 1>(x) * x;
}
/// Points xs and ys [n], of which there are at least one.
template<class X, class Xs, class Ys>
constexpr curve_slip slip_of_interp() {
    constexpr auto slip = slip_of_curves<X, Xs, Ys>();
    if constexpr (slip != curve_slip::none) return slip;
    else {
        shape const &a = value_of<Xs>.dims, &b = value_of<Ys>.dims;
        return a.rank == 1 && a == b && !(a.extents[0] == static_extent(0)) ? curve_slip::none : curve_slip::shape;
    }
}
template<int Axis, class Y, class X>
constexpr curve_slip slip_of_trapezoid() {
    constexpr auto slip = slip_of_curves<Y, X>();
    if constexpr (slip != curve_slip::none) return slip;
    else {
        shape const &y = value_of<Y>.dims, &x = value_of<X>.dims;
        constexpr int axis = Axis < 0 ? Axis + value_of<Y>.dims.rank : Axis;
        if (axis < 0 || axis >= y.rank) return curve_slip::axis;
        if (y.extents[axis] == static_extent(0)) return curve_slip::shape;
        return x == y || x == shape{1, {y.extents[axis]}} ? curve_slip::none : curve_slip::shape;
    }
}
template<int Axis, std::int64_t From, class A>
constexpr auto all_but_one(A const& x) {
    constexpr extent n = value_of<A>.dims.extents[Axis];
    return slice<Axis, static_extent(From), n - static_extent(1 - From)>(x);
}
}

/// The polynomial with coefficients p [n], the highest power first, at each element of x, by Horner's rule (NumPy's polyval). n is an
/// integer of at most 64. Without coefficients it is 0.
/// Gradient: that of the products: of p, the sums of g times the powers of x; of x, g times the derivative.
template<class P, class X>
constexpr auto polyval(P const& p, X const& x) {
    using detail::curve_slip;
    constexpr auto slip = [] {
        constexpr auto of_both = detail::slip_of_curves<P, X>();
        if constexpr (of_both != curve_slip::none) return of_both;
        else {
            shape const& s = value_of<P>.dims;
            return s.rank == 1 && s.extents[0].is_static() && s.extents[0].constant <= 64 ? curve_slip::none : curve_slip::shape;
        }
    }();
    detail::check_curve<slip>();
    static_assert(slip != curve_slip::shape,
        "xgrad::polyval(p, x): p is not one axis of an integer extent of at most 64; give the coefficients first, x second");
    if constexpr (slip == curve_slip::no_expression) return detail::refuse_operand<P, X>();
    else if constexpr (slip != curve_slip::none) return detail::refused{};
    else if constexpr (value_of<P>.dims.extents[0].constant == 0) return zeros_like(x);
    else if constexpr (value_of<P>.dims.extents[0].constant == 1) return broadcast_like(detail::coefficient_at<0>(p), x);
    else return detail::horner<value_of<P>.dims.extents[0].constant - 1>(p, x);
}
/// The powers N − 1, ..., 1, 0 of each element of x, as a new last axis: [..., N] of [...] (NumPy's vander). N is 1 to 32.
/// Gradient: that of the products.
template<std::int64_t N, class X>
constexpr auto vander(X const& x) {
    using detail::curve_slip;
    constexpr auto slip = [] {
        constexpr auto of_x = detail::slip_of_curves<X>();
        if constexpr (of_x != curve_slip::none) return of_x;
        else return N >= 1 && N <= 32 && value_of<X>.dims.rank < max_rank ? curve_slip::none : curve_slip::shape;
    }();
    detail::check_curve<slip>();
    static_assert(slip != curve_slip::shape, "xgrad::vander<n>(x): n is outside of 1 ... 32, or x has six axes; write vander<3>(x)");
    if constexpr (slip == curve_slip::no_expression) return detail::refuse_operand<X>();
    else if constexpr (slip != curve_slip::none) return detail::refused{};
    else
        return []<int... K>(auto const& v, std::integer_sequence<int, K...>) {
            return stack<value_of<X>.dims.rank>(detail::power_by_products<N - 1 - K>(v)...);
        }(x, std::make_integer_sequence<int, static_cast<int>(N)>{});
}
/// The piecewise linear function through the points (xs, ys) at each element of x (NumPy's interp). xs [n] are ascending, ys [n] the
/// values there. Left of the first point it is ys[0], right of the last one ys[n − 1]. Of equal xs the last one counts at this place.
/// NaN gives NaN. xs that are not ascending give arbitrary numbers.
/// Gradient: of ys, g by the weights of the two points around x. Of x, g times the slope right of it, and 0 outside of the points. Of xs,
/// that of the formula.
template<class X, class Xs, class Ys>
constexpr auto interp(X const& x, Xs const& xs, Ys const& ys) {
    using namespace literals;
    using detail::curve_slip;
    constexpr auto slip = detail::slip_of_interp<X, Xs, Ys>();
    detail::check_curve<slip>();
    static_assert(slip != curve_slip::shape,
        "xgrad::interp(x, xs, ys): xs and ys are not one axis of the same extent, at least 1; check their shapes");
    if constexpr (slip == curve_slip::no_expression) return detail::refuse_operand<X, Xs, Ys>();
    else if constexpr (slip != curve_slip::none) return detail::refused{};
    else {
        constexpr extent n = value_of<Xs>.dims.extents[0];
        constexpr shape line{1, {value_of<X>.dims.size()}};
        if constexpr (n == static_extent(1)) return select(equal(x, x), broadcast_like(detail::coefficient_at<0>(ys), x), x);
        else {
            auto const at = detail::reshaped_to<line>(x);
            auto const last = detail::extent_as<n, std::int32_t>() - constant<std::int32_t, 1>;
            auto const zero = constant<std::int32_t, 0>;
            auto const place = searchsorted<side::right>(stop_gradient(xs), stop_gradient(at)) - constant<std::int32_t, 1>;
            auto const left = maximum(minimum(place, last - constant<std::int32_t, 1>), zero);
            auto const right = minimum(left + constant<std::int32_t, 1>, last);
            auto const x0 = detail::elements_at(xs, left);
            auto const y0 = detail::elements_at(ys, left);
            auto const y1 = detail::elements_at(ys, right);
            auto const width = detail::elements_at(xs, right) - x0;
            auto const part = at - x0;
            auto const inside = select(equal(width, 0_c), y0, y0 + (y1 - y0) * (part / select(equal(width, 0_c), 1_c, width)));
            auto const y = select(less(place, zero), y0, select(logical_and(greater_equal(place, last), equal(at, at)), y1, inside));
            return detail::reshaped_to<value_of<X>.dims>(y);
        }
    }
}
/// The area below a curve by the trapezoidal rule over an axis, which is removed: Σ (y[k + 1] + y[k]) (x[k + 1] − x[k]) / 2. x has the
/// shape of y, or one axis of the extent of that axis (NumPy's trapezoid). One point gives 0.
/// Gradient: that of the formula.
template<int Axis = -1, class Y, class X>
constexpr auto trapezoid(Y const& y, X const& x) {
    using namespace literals;
    using detail::curve_slip;
    constexpr auto slip = detail::slip_of_trapezoid<Axis, Y, X>();
    detail::check_curve<slip>();
    static_assert(slip != curve_slip::axis, "xgrad::trapezoid<axis>(y, x): axis is outside of -rank ... rank-1; write an axis of y");
    static_assert(slip != curve_slip::shape,
        "xgrad::trapezoid<axis>(y, x): x has neither the shape of y nor one axis of the same extent, or there are no points; check both");
    if constexpr (slip == curve_slip::no_expression) return detail::refuse_operand<Y, X>();
    else if constexpr (slip != curve_slip::none) return detail::refused{};
    else {
        constexpr int rank = value_of<Y>.dims.rank, axis = Axis < 0 ? Axis + rank : Axis;
        auto const places = [&] {
            if constexpr (value_of<X>.dims.rank == rank) return x;
            else return detail::reshaped_to<detail::length_at(rank, axis, value_of<X>.dims.extents[0])>(x);
        }();
        auto const heights = detail::all_but_one<axis, 1>(y) + detail::all_but_one<axis, 0>(y);
        auto const widths = detail::all_but_one<axis, 1>(places) - detail::all_but_one<axis, 0>(places);
        return 0.5_c * sum<axis>(heights * widths);
    }
}
/// The same for points at a distance of 1: `trapezoid<0>(y)`. For another distance multiply by it.
/// Gradient: g at all points, half of it at the first and the last.
template<int Axis = -1, class Y>
constexpr auto trapezoid(Y const& y) {
    using namespace literals;
    using detail::curve_slip;
    constexpr auto slip = detail::slip_of_trapezoid<Axis, Y, Y>();
    detail::check_curve<slip>();
    static_assert(slip != curve_slip::axis, "xgrad::trapezoid<axis>(y): axis is outside of -rank ... rank-1; write an axis of y");
    static_assert(slip != curve_slip::shape, "xgrad::trapezoid<axis>(y): the axis has no points; give at least one");
    if constexpr (slip == curve_slip::no_expression) return detail::refuse_operand<Y>();
    else if constexpr (slip != curve_slip::none) return detail::refused{};
    else {
        constexpr int axis = Axis < 0 ? Axis + value_of<Y>.dims.rank : Axis;
        return 0.5_c * sum<axis>(detail::all_but_one<axis, 1>(y) + detail::all_but_one<axis, 0>(y));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
