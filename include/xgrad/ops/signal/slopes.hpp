// SPDX-License-Identifier: MIT
// Slopes of sampled curves, the areas below them up to each point, and polynomials fitted to points.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/matrix_functions.hpp>
#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/over_axes/curves.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
using unit_distance = std::remove_const_t<decltype(whole_literal<1>)>;
enum class slope_slip { none, no_expression, wrong, type, types, axis, points, spacing, order, degree, shape };
/// `Least` points at least along the axis. `Spacing` is a number, or has one axis of the same extent.
template<int Axis, int Least, class Y, class S>
constexpr slope_slip slip_of_slopes() {
    if constexpr (!Expr<Y> || !Expr<S>) return slope_slip::no_expression;
    else {
        value_info const &y = value_of<Y>, &s = value_of<S>;
        if (y.wrong != fault::none || s.wrong != fault::none) return slope_slip::wrong;
        if (!is_floating(y.type)) return slope_slip::type;
        if (!is_literal<S> && s.type != y.type) return slope_slip::types;
        if (Axis < -y.dims.rank || Axis >= y.dims.rank) return slope_slip::axis;
        extent const& n = y.dims.extents[Axis < 0 ? Axis + y.dims.rank : Axis];
        if (n.is_static() && n.constant < Least) return slope_slip::points;
        return s.dims.rank == 0 || (s.dims.rank == 1 && s.dims.extents[0] == n) ? slope_slip::none : slope_slip::spacing;
    }
}
template<class Y, class S, slope_slip Slip>
constexpr auto refuse_slopes() {
    static_assert(Slip != slope_slip::type,
        "xgrad::numerical_gradient<axis>(y, spacing), cumulative_trapezoid<axis>(y, x): y is neither float nor double; write cast<float>(y)");
    static_assert(Slip != slope_slip::types,
        "xgrad::numerical_gradient<axis>(y, spacing), cumulative_trapezoid<axis>(y, x): the operands have different element types; write "
        "cast<float>(x)");
    static_assert(Slip != slope_slip::axis,
        "xgrad::numerical_gradient<axis>(y, spacing), cumulative_trapezoid<axis>(y, x): axis is outside of -rank ... rank-1; write an axis "
        "of y");
    static_assert(Slip != slope_slip::points,
        "xgrad::numerical_gradient<axis>(y, spacing), cumulative_trapezoid<axis>(y, x): the axis has too few points; give more");
    static_assert(Slip != slope_slip::spacing,
        "xgrad::numerical_gradient<axis>(y, spacing), cumulative_trapezoid<axis>(y, x): the second operand is neither a number nor one axis "
        "of the same extent; check its shape");
    if constexpr (Slip == slope_slip::no_expression) return refuse_operand<Y, S>();
    else return refused{};
}
/// Elements From ... n − To of an axis.
template<int Axis, std::int64_t From, std::int64_t To, class A>
constexpr auto part_of_axis(A const& x) {
    constexpr extent n = value_of<A>.dims.extents[Axis];
    return slice<Axis, static_extent(From), n - static_extent(To)>(x);
}
/// Element K of an axis, which remains with extent 1; a negative K counts from the end.
template<int Axis, std::int64_t K, class A>
constexpr auto point_of_axis(A const& x) {
    constexpr extent n = value_of<A>.dims.extents[Axis], at = K < 0 ? n + static_extent(K) : static_extent(K);
    return slice<Axis, at, at + static_extent(1)>(x);
}
/// The distances of neighbouring places, as an axis of `Rank` axes.
template<int Rank, int Axis, class X>
constexpr auto widths_along(X const& x) {
    constexpr extent n = value_of<X>.dims.extents[0];
    return reshaped_to<length_at(Rank, Axis, n - static_extent(1))>(part_of_axis<0, 1, 0>(x) - part_of_axis<0, 0, 1>(x));
}
/// The slope at the first of three points at distances a and b, or at the last one with a and b exchanged and negated.
template<class P, class Q, class R, class W, class V>
constexpr auto slope_at_end(P const& p0, Q const& p1, R const& p2, W const& a, V const& b) {
    using namespace literals;
    return -(2_c * a + b) / (a * (a + b)) * p0 + (a + b) / (a * b) * p1 - a / (b * (a + b)) * p2;
}
}

/// The slopes of samples along an axis, by differences of neighbours (NumPy's gradient). `gradients` is the derivative of a program.
/// `numerical_gradient<0>(y, 0.1_c)` is for samples at distances of 0.1, 1 if none is given. With one axis x of the same extent they are
/// at these places. Inside, the error is of second order in the distance. EdgeOrder is that of both ends, 1 or 2. The axis has at least
/// EdgeOrder + 1 points.
/// Gradient: that of the formula, of the distances too.
template<int Axis = -1, int EdgeOrder = 1, class Y, class S = detail::unit_distance>
constexpr auto numerical_gradient(Y const& y, S const& spacing = {}) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_slopes<Axis, EdgeOrder + 1, Y, S>();
    constexpr bool order = EdgeOrder == 1 || EdgeOrder == 2;
    static_assert(order, "xgrad::numerical_gradient<axis, order>(y, spacing): order is neither 1 nor 2; write one of them");
    if constexpr (slip != detail::slope_slip::none) return detail::refuse_slopes<Y, S, slip>();
    else if constexpr (!order) return detail::refused{};
    else {
        constexpr int rank = value_of<Y>.dims.rank, axis = Axis < 0 ? Axis + rank : Axis;
        constexpr extent n = value_of<Y>.dims.extents[axis];
        constexpr bool two = n == static_extent(2);
        auto const first = detail::point_of_axis<axis, 0>(y);
        auto const second = detail::point_of_axis<axis, 1>(y);
        auto const last = detail::point_of_axis<axis, -1>(y);
        auto const before_last = detail::point_of_axis<axis, -2>(y);
        auto const joined = [](auto const& begin, auto const& inside, auto const& end) {
            if constexpr (two) return concat<axis>(begin, end);
            else return concat<axis>(begin, inside(), end);
        };
        if constexpr (value_of<S>.dims.rank == 0) {
            auto const inside = [&] {
                return (detail::part_of_axis<axis, 2, 0>(y) - detail::part_of_axis<axis, 0, 2>(y)) / (2_c * spacing);
            };
            if constexpr (EdgeOrder == 1) return joined((second - first) / spacing, inside, (last - before_last) / spacing);
            else
                return joined((-1.5_c * first + 2_c * second - 0.5_c * detail::point_of_axis<axis, 2>(y)) / spacing, inside,
                    (1.5_c * last - 2_c * before_last + 0.5_c * detail::point_of_axis<axis, -3>(y)) / spacing);
        } else {
            auto const widths = detail::widths_along<rank, axis>(spacing);
            auto const inside = [&] {
                auto const a = detail::part_of_axis<axis, 0, 1>(widths);
                auto const b = detail::part_of_axis<axis, 1, 0>(widths);
                return a / (b * (a + b)) * detail::part_of_axis<axis, 2, 0>(y) + (b - a) / (a * b) * detail::part_of_axis<axis, 1, 1>(y) -
                       b / (a * (a + b)) * detail::part_of_axis<axis, 0, 2>(y);
            };
            auto const a = detail::point_of_axis<axis, 0>(widths);
            auto const b = detail::point_of_axis<axis, -1>(widths);
            if constexpr (EdgeOrder == 1) return joined((second - first) / a, inside, (last - before_last) / b);
            else
                return joined(
                    detail::slope_at_end(first, second, detail::point_of_axis<axis, 2>(y), a, detail::point_of_axis<axis, 1>(widths)),
                    inside,
                    -detail::slope_at_end(
                        last, before_last, detail::point_of_axis<axis, -3>(y), b, detail::point_of_axis<axis, -2>(widths)));
        }
    }
}
/// The areas below a curve up to each point but the first one, by the trapezoidal rule along an axis, with one element fewer (SciPy's
/// cumulative_trapezoid). The second operand is the distance of the points, 1 if none is given, or their places with one axis. For a
/// first element of 0 write `pad<1, 0, axis>` of the result.
/// Gradient: that of the formula.
template<int Axis = -1, class Y, class X = detail::unit_distance>
constexpr auto cumulative_trapezoid(Y const& y, X const& x = {}) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_slopes<Axis, 1, Y, X>();
    if constexpr (slip != detail::slope_slip::none) return detail::refuse_slopes<Y, X, slip>();
    else {
        constexpr int rank = value_of<Y>.dims.rank, axis = Axis < 0 ? Axis + rank : Axis;
        auto const heights = detail::part_of_axis<axis, 1, 0>(y) + detail::part_of_axis<axis, 0, 1>(y);
        if constexpr (value_of<X>.dims.rank == 0) return (0.5_c * x) * cumsum<axis>(heights);
        else return 0.5_c * cumsum<axis>(heights * detail::widths_along<rank, axis>(x));
    }
}

namespace detail {
template<std::int64_t Degree, class X, class Y, class... W>
constexpr slope_slip slip_of_polyfit() {
    if constexpr (!Expr<X> || !Expr<Y> || !(Expr<W> && ...)) return slope_slip::no_expression;
    else {
        value_info const &x = value_of<X>, &y = value_of<Y>;
        if (x.wrong != fault::none || y.wrong != fault::none || ((value_of<W>.wrong != fault::none) || ...)) return slope_slip::wrong;
        if (!is_floating(x.type) || y.type != x.type || !((value_of<W>.type == x.type) && ...)) return slope_slip::type;
        if (Degree < 0 || Degree > 31) return slope_slip::degree;
        if (x.dims.rank != 1 || y.dims.rank < 1 || y.dims.rank > 2 || !(y.dims.extents[0] == x.dims.extents[0]) ||
            !((value_of<W>.dims == x.dims) && ...))
            return slope_slip::shape;
        return x.dims.extents[0].is_static() && x.dims.extents[0].constant > Degree ? slope_slip::none : slope_slip::points;
    }
}
template<std::int64_t Degree, class X, class Y, class... W>
constexpr auto fitted(X const& x, Y const& y, W const&... weights) {
    constexpr auto slip = slip_of_polyfit<Degree, X, Y, W...>();
    static_assert(slip != slope_slip::type,
        "xgrad::polyfit<degree>(x, y, w): the operands are neither all float nor all double; write cast<double>(x)");
    static_assert(slip != slope_slip::degree, "xgrad::polyfit<degree>(x, y): degree is outside of 0 ... 31; write polyfit<2>(x, y)");
    static_assert(slip != slope_slip::shape,
        "xgrad::polyfit<degree>(x, y, w): the shapes are not [n] for x and w, and [n] or [n, k] for y; check them");
    static_assert(slip != slope_slip::points,
        "xgrad::polyfit<degree>(x, y): the number of points is a named dimension or not above the degree; give more points");
    if constexpr (slip == slope_slip::no_expression) return refuse_operand<X, Y, W...>();
    else if constexpr (slip != slope_slip::none) return refused{};
    else {
        auto const weighted = [&](auto const& matrix) {
            if constexpr (sizeof...(W) == 0) return matrix;
            else return (expand_dims<-1>(weights) * ... * matrix);
        };
        auto const powers = weighted(vander<Degree + 1>(x));
        auto const scale = sqrt(sum<0>(square(powers)));   // columns of the same length: the triangular system keeps its digits
        auto const values = [&] {
            if constexpr (value_of<Y>.dims.rank == 1) return weighted(expand_dims<-1>(y));
            else return weighted(y);
        }();
        auto const c = lstsq(powers / scale, values) / expand_dims<-1>(scale);
        if constexpr (value_of<Y>.dims.rank == 1) return squeeze<-1>(c);
        else return c;
    }
}
}

/// The polynomial of a degree with the least sum of squared errors at points x [n], y [n] or [n, k] (NumPy's polyfit). The result has
/// its coefficients, [Degree + 1] or [Degree + 1, k], the highest power first. polyval computes its values. `polyfit<2>(x, y, w)`
/// multiplies the error at each point by w [n]. n is an integer above the degree. Fewer different x than coefficients give infinities,
/// NaN or huge numbers.
/// Gradient: that of lstsq, of x, y and w.
template<std::int64_t Degree, class X, class Y>
constexpr auto polyfit(X const& x, Y const& y) {
    return detail::fitted<Degree>(x, y);
}
template<std::int64_t Degree, class X, class Y, class W>
constexpr auto polyfit(X const& x, Y const& y, W const& weights) {
    return detail::fitted<Degree>(x, y, weights);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
