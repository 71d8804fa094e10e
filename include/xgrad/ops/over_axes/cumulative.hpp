// SPDX-License-Identifier: MIT
// Cumulative sums, products, extrema and log-sum-exps along an axis. Gradients are cumulative operations too.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/ops/over_axes/cumulative_loops.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/select.hpp>

#include <cmath>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Along the axis in the attributes.
template<class Rule, cumulative How>
struct cumulative_along : composite_op {
    using attributes = axis_attributes;
    static constexpr std::string_view name = Rule::name;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        int const axis = named_axis(a, v[0].dims.rank);
        if (axis < 0 || axis >= v[0].dims.rank) return {v[0].type, {}, fault::axis};
        if (v[0].type == dtype::boolean) return {v[0].type, {}, fault::dtypes};
        if (Rule::floating && !is_floating(v[0].type)) return {v[0].type, {}, fault::not_floating};
        return v[0];
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        shape const s = t.info(x[0]).dims;
        extent outer = static_extent(1), inner = static_extent(1);
        int const axis = named_axis(a, s.rank);
        for (int i = 0; i < s.rank; ++i)
            if (i != axis) (i < axis ? outer : inner) = (i < axis ? outer : inner) * s.extents[i];
        if (axis == s.rank - 1) return applied<cumulative_row<Rule, How>>(x[0]);
        if (is_one(inner)) return reshape_to(applied<cumulative_row<Rule, How>>(reshape_to(x[0], {2, {outer, s.extents[axis]}})), s);
        return reshape_to(applied<cumulative_columns<Rule, How>>(reshape_to(x[0], {3, {outer, s.extents[axis], inner}})), s);
    }
};

/// What rules of numbers share. Four floats are joined first, then with those before: in double nothing overflows.
struct joins_numbers {
    static constexpr int flops = 1;
    static constexpr bool linear = false, floating = false, nan_remains = false;
    template<class T>
    static constexpr bool regroups = !std::is_same_v<T, double>;
    template<class T>
    static constexpr bool by_lanes = false;
    template<class T>
    using element = wide<T>;
    template<class T, class S>
    static T value(S so_far) {
        return static_cast<T>(so_far);
    }
};
struct cumulative_sum : joins_numbers {
    static constexpr std::string_view name = "cumsum";
    static constexpr bool linear = true;
    template<class T>
    static wide<T> start() {
        return 0;
    }
    template<class S>
    static S join(S a, S b) {
        if constexpr (std::is_integral_v<S>) return math::add(a, b);
        else return a + b;
    }
    template<class S>
    static S join_or_nan(S a, S b) {
        return join(a, b);
    }
    template<cumulative How>
    static constexpr symbol slope(symbol, symbol, symbol g) {
        return applied<cumulative_row<cumulative_sum, turned(How)>>(g);
    }
};
struct cumulative_product : joins_numbers {
    static constexpr std::string_view name = "cumprod";
    template<class T>
    static wide<T> start() {
        return 1;
    }
    template<class S>
    static S join(S a, S b) {
        if constexpr (std::is_integral_v<S>) return math::multiply(a, b);
        else return a * b;
    }
    template<class S>
    static S join_or_nan(S a, S b) {
        return join(a, b);
    }
    // The product of the elements before, times the sum over later results of g and the product between. Nothing is divided.
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol, symbol g) {
        constexpr bool reverse = from_end(How);
        symbol const before = applied<cumulative_row<cumulative_product, including(How) | cumulative::exclusive>>(x);
        symbol const own = excludes(How) ? applied<previous_in_row<!reverse>>(g) : g;
        return before * applied<recurrence<true, !reverse>>(x, own);
    }
};
/// The place of the extremum so far, −1 before there is one.
template<class Rule, cumulative How>
struct cumulative_place : row_op {
    static constexpr std::string_view name = "place_so_far";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return {dtype::int32, v[0].dims, fault::none}; }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t> places) {
        T best{};
        std::int32_t place = -1;
        std::size_t const n = x.size();
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t const j = visited<How>(k, n);
            if constexpr (excludes(How)) places[j] = place;
            if (place < 0 || Rule::replaces(best, x[j])) {
                best = x[j];
                place = static_cast<std::int32_t>(j);
            }
            if constexpr (!excludes(How)) places[j] = place;
        }
    }
    static constexpr void derive(derivation&) {}
};
/// NaN is an extremum, and remains it.
template<bool Largest>
struct cumulative_extremum : joins_numbers {
    static constexpr std::string_view name = Largest ? "cummax" : "cummin";
    static constexpr bool nan_remains = true;
    template<class T>
    static constexpr bool regroups = false;
    template<class T>
    static constexpr bool by_lanes = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>;
    template<class T>
    using element = T;
    template<class T>
    static T start() {
        if constexpr (std::is_integral_v<T>) return Largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
        else return Largest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    }
    template<class T>
    static bool replaces(T best, T x) {
        return (Largest ? x > best : x < best) || (x != x && best == best);
    }
    template<class T>
    static T join(T const& best, T const& x) {
        if constexpr (Largest) return x > best ? x : best;
        else return x < best ? x : best;
    }
    template<class T>
    static T join_or_nan(T best, T x) {
        T const joined = join(best, x);
        return x == x ? joined : x;
    }
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol, symbol g) {
        return applied<sum_at_places>(g, applied<cumulative_place<cumulative_extremum, How>>(x));
    }
};
/// The places of cumulative_extremum along the axis in the attributes.
template<bool Largest>
struct cumulative_position {
    static constexpr std::string_view name = Largest ? "cummax_positions" : "cummin_positions";
    static constexpr bool floating = false;
};
template<bool Largest, cumulative How>
struct cumulative_along<cumulative_position<Largest>, How> : composite_op {
    using attributes = axis_attributes;
    using extremum = cumulative_extremum<Largest>;
    static constexpr std::string_view name = cumulative_position<Largest>::name;
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a) {
        value_info r = cumulative_along<extremum, How>::infer(v, count, a);
        r.type = dtype::int32;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        int const axis = named_axis(a, t.info(x[0]).dims.rank);
        return axis_from_end(applied<cumulative_place<extremum, How>>(axis_to_end(x[0], axis)), axis);
    }
    static constexpr symbol derivative(symbol, symbol, symbol) { return {}; }
};
/// The largest element so far, and the sum of e^(x − largest).
struct cumulative_log_sum_exp {
    static constexpr std::string_view name = "cumulative_logsumexp";
    static constexpr int flops = 20;
    static constexpr bool linear = false, floating = true, nan_remains = false;
    template<class T>
    static constexpr bool regroups = false;
    template<class T>
    static constexpr bool by_lanes = false;
    template<class T>
    using element = double;
    struct state {
        double largest, sum;
    };
    template<class T>
    static state start() {
        return {-std::numeric_limits<double>::infinity(), 0};
    }
    static state join(state const& s, double x) {
        if (x > s.largest) return {x, s.sum * std::exp(s.largest - x) + 1};
        return {s.largest, s.sum + (x == s.largest ? 1 : std::exp(x - s.largest))};   // infinite elements may be equal
    }
    template<class T>
    static T value(state const& s) {
        return static_cast<T>(s.largest + std::log(s.sum));
    }
    // With y inclusive: the sum over later k of g e^(x − yₖ) is e^(x − y) h, where h = g + e^(y − y″) h″ and ″ is the next element.
    // No exponent is positive. In double, because the exponents are small differences.
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol result, symbol g) {
        constexpr bool reverse = from_end(How);
        dtype const type = x.table->info(x).type;
        symbol const inside = excludes(How) ? applied<cumulative_row<cumulative_log_sum_exp, including(How)>>(x) : result;
        symbol const own = apply<cast<double>>(excludes(How) ? applied<previous_in_row<!reverse>>(g) : g);
        symbol const y = apply<cast<double>>(inside), lowest = x.table->constant(-std::numeric_limits<double>::infinity(), dtype::float64);
        symbol const safe = xgrad::select(xgrad::equal(y, lowest), 0_c, y);   // −∞ − −∞ is NaN
        symbol const ratio = xgrad::exp(applied<previous_in_row<reverse, true>>(y) - safe);
        symbol const slope = xgrad::exp(apply<cast<double>>(x) - safe) * applied<recurrence<true, !reverse>>(ratio, own);
        return type == dtype::float32 ? apply<cast<float>>(slope) : slope;
    }
};
}

namespace detail {
template<class Rule, int Axis, cumulative How, class A>
constexpr auto accumulated(A const& x) {
    if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        using O = with<op::cumulative_along<Rule, How>, axis_attributes{Axis}>;
        constexpr fault f = fault_of<O, A>();
        static_assert(f != fault::axis,
            "xgrad::cumsum<axis>(x), cumprod, cummax, cummin, cumulative_logsumexp: axis is outside of -rank ... rank-1; write an axis of x");
        static_assert(f != fault::dtypes,
            "xgrad::cumsum<axis>(x), cumprod, cummax, cummin: x is bool; write cast<std::int32_t>(x) or cast<float>(x)");
        static_assert(
            f != fault::not_floating, "xgrad::cumulative_logsumexp<axis>(x): x is neither float nor double; write cast<float>(x) first");
        if constexpr (f != fault::none) return refused{};
        else return apply<O>(x);
    }
}
template<class A, int Function>
constexpr refused refuse_cumulative_axis() {
    static_assert(sizeof(A) == 0,
        "xgrad::cumsum<axis>(x), cumprod, cummax, cummin, cumulative_logsumexp: the axis is an argument; write it in angle brackets: "
        "cumsum<1>(x)");
    return {};
}
}

/// The sums of the elements up to each one along an axis: y[k] = x[0] + ... + x[k]. `cumsum<1, cumulative::exclusive>(x)`
/// omits x[k], and begins with 0. `cumsum<1, cumulative::reverse>(x)` sums from the end (TensorFlow's cumsum). Integers wrap
/// around. Long sums of floats keep their digits: they are in double, along other axes than the last one from 1025 terms.
/// Gradient: the cumsum of g from the other end.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumsum(A const& x) {
    return detail::accumulated<op::cumulative_sum, Axis, How>(x);
}
/// The products of the elements up to each one along an axis, with the forms of cumsum; an exclusive one begins with 1.
/// Products of floats are computed in double. Integers wrap around.
/// Gradient: of an element, the sum over the later results of g times the product of the other elements. Nothing is
/// divided, so it is right at zeros too, where TensorFlow's is NaN.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumprod(A const& x) {
    return detail::accumulated<op::cumulative_product, Axis, How>(x);
}
/// The largest of the elements up to each one along an axis, with the forms of cumsum. An exclusive one begins with -inf,
/// or the lowest integer. From a NaN on all are NaN (NumPy's maximum.accumulate).
/// Gradient: of an element, the sum of g over the results that it is; of equal elements, over those of the first.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummax(A const& x) {
    return detail::accumulated<op::cumulative_extremum<true>, Axis, How>(x);
}
/// The smallest of the elements up to each one along an axis, as cummax. An exclusive one begins with inf, or the largest
/// integer.
/// Gradient: as of cummax.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummin(A const& x) {
    return detail::accumulated<op::cumulative_extremum<false>, Axis, How>(x);
}
/// The positions of cummax along the axis, int32: of equal elements the first one, and of NaN (PyTorch's cummax has the last one of equal
/// elements). An exclusive one begins with −1. The forms are those of cumsum.
/// Gradient: none.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummax_positions(A const& x) {
    return detail::accumulated<op::cumulative_position<true>, Axis, How>(x);
}
/// The positions of cummin along the axis, as cummax_positions.
/// Gradient: none.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummin_positions(A const& x) {
    return detail::accumulated<op::cumulative_position<false>, Axis, How>(x);
}
/// log Σ eˣ over the elements up to each one along an axis, with the forms of cumsum, without overflow. It is -inf as long
/// as all elements are -inf, and begins with -inf if it is exclusive (TensorFlow has the lowest number there).
///
/// Gradient: the sum over the later results y of g e^(x − y); 0 for elements of -inf. It is NaN in a row with inf.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumulative_logsumexp(A const& x) {
    return detail::accumulated<op::cumulative_log_sum_exp, Axis, How>(x);
}

// NumPy's cumsum(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumsum(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumprod(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 1>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cummax(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 2>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cummin(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 3>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumulative_logsumexp(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 4>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
