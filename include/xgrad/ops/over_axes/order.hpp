// SPDX-License-Identifier: MIT
// What depends on the order of elements: the smallest ones, the n-th one, median, quantiles, positions in sorted rows, and
// whether a class is among the first.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/classify.hpp>
#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/over_axes/order_loops.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/top_k.hpp>

#include <algorithm>
#include <cmath>

XGRAD_NAMESPACE_BEGIN

/// Where searchsorted inserts a value among equal elements: before them, or after them.
enum class side { left, right };

namespace op {
/// The elements of each sorted row before and after `place`, a number in [0, n − 1], and their positions: outputs 0 to 3.
/// Output 4 is memory. NaN is larger than every number; if `Strict`, one NaN makes both NaN. Other places give NaN.
template<bool Strict>
struct order_statistic : row_op {
    static constexpr std::string_view name = "order_statistic";
    static constexpr int outputs = 5;
    static constexpr int flops = 8;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (output < 4) --r.dims.rank;
        if (output == 2 || output == 3) r.type = dtype::int32;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<double const> place, std::span<T> low, std::span<T> high,
        std::span<std::int32_t> low_at, std::span<std::int32_t> high_at, std::span<T> sorted) {
        T nan{};
        if constexpr (!std::is_integral_v<T>) nan = std::numeric_limits<T>::quiet_NaN();
        low[0] = high[0] = nan;
        low_at[0] = high_at[0] = -1;
        std::size_t const numbers = detail::order_loops::count_if(x, [](T e) { return e == e; });
        if (!(place[0] >= 0 && place[0] <= static_cast<double>(x.size()) - 1) || (Strict && numbers < x.size())) return;
        std::size_t const k = static_cast<std::size_t>(place[0]);
        bool const between = place[0] > static_cast<double>(k);
        if (k < numbers) {
            auto const found = detail::order_loops::element(x, numbers, k, between && k + 1 < numbers, sorted);
            low[0] = found.low;
            if (between && k + 1 < numbers) high[0] = found.high;
        }
        // Equal elements are in the order of x, as in sort.
        std::size_t const less = detail::order_loops::count_if(x, [e = low[0]](T a) { return a < e; }),
                          among = k < numbers ? k - less : k - numbers;
        low_at[0] = detail::order_loops::position(x, low[0], among);
        if (!between) high[0] = low[0];
        bool const same = high[0] == low[0] || (high[0] != high[0] && low[0] != low[0]);
        high_at[0] = !between ? low_at[0] : detail::order_loops::position(x, high[0], same ? among + 1 : 0);
    }
    static constexpr void derive(derivation& d) {
        shape const& s = d.info(0).dims;
        for (int k = 0; k < 2; ++k) {
            if (!d.gradients[k].exists()) continue;
            symbol const at = d.output(k + 2), here = xgrad::equal(positions(at, s.extents[s.rank - 1]), apply_with<expand_dims>({-1}, at));
            symbol const part = xgrad::select(here, apply_with<expand_dims>({-1}, d.gradients[k]), 0_c);
            d.out[0] = d.out[0].exists() ? d.out[0] + part : part;
        }
    }
};
/// The axes of a reduction as the last axis of x.
constexpr symbol rows_over(symbol x, axis_set axes) {
    shape const s = x.table->info(x).dims;
    axis_list order{};
    shape rows{};
    for (int i = 0; i < s.rank; ++i) {
        if (axes.has(i)) continue;
        order.push(i);
        rows.extents[rows.rank++] = s.extents[i];
    }
    bool in_order = true;
    for (int i = 0; i < s.rank; ++i) {
        if (!axes.has(i)) continue;
        in_order = in_order && i == order.count;
        order.push(i);
    }
    rows.extents[rows.rank++] = elements_along(s, axes);
    return reshape_to(in_order ? x : apply_with<transpose>({order}, x), rows);
}
/// Of x, or of x and q. Between two elements it is linear.
/// The number between two elements, `part` of the way. Where their distance is infinite, they are weighed: −∞ and 1 give −∞.
constexpr symbol between(symbol low, symbol high, symbol part) {
    symbol const distance = high - low, far = xgrad::isinf(distance);
    symbol const step = xgrad::select(xgrad::logical_or(far, xgrad::equal(low, high)), 0_c, distance);   // ∞ − ∞ is NaN
    symbol const weighed = xgrad::select(far, low, 0_c) * (1_c - part) + xgrad::select(far, high, 0_c) * part;
    return xgrad::select(far, weighed, low + part * step);
}
struct quantile : composite_op {
    struct attributes {
        axis_set axes;
        flag keep_dims;
        double q;
        constexpr auto reduction() const { return to_words(reduction_attributes{axes, keep_dims}); }
    };
    static constexpr std::string_view name = "quantile";
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a) {
        value_info r = mean::infer(v, 1, a.as<attributes>().reduction().view());
        if (r.wrong == fault::none && count > 1 && (v[1].dims.rank != 0 || !is_floating(v[1].type))) r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int count, xgrad::attributes const& a) {
        auto const how = a.as<attributes>();
        value_info const v = t.info(x[0]);
        symbol const rows = rows_over(x[0], how.axes);
        shape numbers = t.info(rows).dims;
        --numbers.rank;
        symbol const q = count > 1 ? apply<cast<double>>(x[1]) : t.constant(how.q, dtype::float64);
        symbol const place = q * (size_of_axes(t, v.dims, how.axes, dtype::float64) - 1_c), part = place - xgrad::floor(place);
        auto const found = apply_all<order_statistic<true>>(rows, broadcast_symbol(place, numbers));
        symbol const low = apply<cast<double>>(std::get<0>(found)), high = apply<cast<double>>(std::get<1>(found));
        symbol const r = reshape_to(between(low, high, part), infer(&v, 1, a).dims);
        return v.type == dtype::float32 ? apply<cast<float>>(r) : r;
    }
};
/// The element number `rank` of each sorted row.
struct nth_element : composite_op {
    struct attributes {
        std::int64_t rank;
    };
    static constexpr std::string_view name = "nth_element";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r = v[0];
        std::int64_t const k = a.as<attributes>().rank;
        if (r.dims.rank < 1) return {r.type, {}, fault::rank};
        if (r.type == dtype::boolean) return {r.type, {}, fault::dtypes};
        extent const& n = r.dims.extents[--r.dims.rank];
        if (!n.is_static()) r.wrong = fault::inner;
        else if (k < 0 || k >= n.constant) r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        symbol const place = t.constant(static_cast<double>(a.as<attributes>().rank), dtype::float64);
        value_info const v = t.info(x[0]);
        return std::get<0>(apply_all<order_statistic<false>>(x[0], broadcast_symbol(place, infer(&v, 1, a).dims)));
    }
};
template<side Side>
struct searchsorted : row_op {
    static constexpr std::string_view name = "searchsorted";
    static constexpr int flops = 8;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r{dtype::int32, v[1].dims, fault::none};
        if (v[0].type != v[1].type || v[0].type == dtype::boolean) r.wrong = fault::dtypes;
        return r;
    }
    template<class T>
    static bool less(T a, T b) {
        return a < b || (a == a && b != b);
    }
    template<class T>
    static void row(std::span<T const> sorted, std::span<T const> values, std::span<std::int32_t> places) {
        for (std::size_t j = 0; j < values.size(); ++j) {
            auto const at = Side == side::left ? std::lower_bound(sorted.begin(), sorted.end(), values[j], less<T>)
                                               : std::upper_bound(sorted.begin(), sorted.end(), values[j], less<T>);
            places[j] = static_cast<std::int32_t>(at - sorted.begin());
        }
    }
    static constexpr void derive(derivation&) {}
};
template<std::int64_t K>
struct in_top_k : row_op {
    static constexpr std::string_view name = "in_top_k";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r{dtype::boolean, v[1].dims, fault::none};
        if (!is_floating(v[0].type)) r.wrong = fault::not_floating;
        else if (!is_integer(v[1].type)) r.wrong = fault::not_integer;
        else if (v[1].dims.rank + 1 != v[0].dims.rank) r.wrong = fault::shapes;
        return r;
    }
    template<class T, class I>
    static void row(std::span<T const> predictions, std::span<I const> target, std::span<bool> among) {
        std::int64_t const at = target[0];
        among[0] = false;
        if (at < 0 || at >= static_cast<std::int64_t>(predictions.size())) return;
        T const of_target = predictions[static_cast<std::size_t>(at)];
        std::int32_t more = 0, infinite = 0;
        for (T const e : predictions) {
            more += e > of_target ? 1 : 0;
            infinite |= e - e == T(0) ? 0 : 1;
        }
        among[0] = more < K && infinite == 0;
    }
    static constexpr void derive(derivation&) {}
};
}

namespace detail {
template<class Q>
constexpr bool is_fraction() {
    if constexpr (is_literal<Q>) return Q::number >= 0 && Q::number <= 1;
    else return true;
}
template<bool Keep, int... Axes, class A, class Q>
constexpr auto quantile_of(A const& x, Q const& q) {
    if constexpr (!Expr<A> || !Expr<Q>) return refuse_operand<A, Q>();
    else {
        static_assert(is_fraction<Q>(), "xgrad::quantile<axes...>(x, q): q is outside of 0 ... 1; write a fraction such as 0.25_c");
        constexpr bool number = is_literal<Q>;
        constexpr double fraction = [] {
            if constexpr (number) return Q::number;
            else return 0.0;
        }();
        using O = with<op::quantile, op::quantile::attributes{axes_of<A, Axes...>(), Keep, fraction}>;
        constexpr fault f = [] {
            if constexpr (number) return fault_of<O, A>();
            else return fault_of<O, A, Q>();
        }();
        static_assert(f != fault::not_floating && f != fault::dtypes,
            "xgrad::quantile<axes...>(x, q), median: x is neither float nor double; write cast<float>(x) first");
        static_assert(f != fault::shapes,
            "xgrad::quantile<axes...>(x, q): q is neither a number nor a scalar of float or double; write 0.25_c, or call it for each q");
        if constexpr (f != fault::none || !is_fraction<Q>()) return refused{};
        else if constexpr (number) return apply<O>(x);
        else return apply<O>(x, q);
    }
}
template<class A, int Function>
constexpr refused refuse_order_axis() {
    static_assert(
        sizeof(A) == 0, "xgrad::median<axes...>(x): a number is an argument; write it in angle brackets: median<1>(x), bottom_k<3>(x)");
    return {};
}
}

/// The K smallest elements along the last axis and their positions (int32), as a tuple, the smallest first. Equal elements
/// keep their order in the row. NaN counts as larger than every number. The last axis must have an integer extent of at
/// least K.
/// Gradient: that of the values at the chosen positions, zero elsewhere.
template<std::int64_t K, class A>
constexpr auto bottom_k(A const& x) {
    using O = with<op::k_of_row<true>, op::k_of_row<true>::attributes{K}>;
    constexpr fault f = detail::fault_of<O, A>();
    static_assert(
        f != fault::rank, "xgrad::bottom_k<k>(x): x is one number and has no axis; write reshape, or give an operand with an axis");
    static_assert(f != fault::dtypes, "xgrad::bottom_k<k>(x): x is bool; write cast<float>(x) or cast<std::int32_t>(x) first");
    static_assert(f != fault::inner,
        "xgrad::bottom_k<k>(x): the last axis of x is a named dimension, which may be shorter than k; declare x with an integer "
        "extent there");
    static_assert(f != fault::shapes, "xgrad::bottom_k<k>(x): k is outside of 1 ... extent of the last axis of x; write a smaller k");
    if constexpr (f != fault::none) return std::tuple<detail::refused, detail::refused>{};
    else return apply_all<O>(x);
}
/// Element number Rank, from 0, of the sorted last axis, which the result does not have: `nth_element<0>(x)` is the smallest
/// one (TensorFlow's nth_element). NaN counts as larger than every number. The last axis must have an integer extent.
/// Gradient: g at the position of this element; of equal elements as in sort.
template<std::int64_t Rank, class A>
constexpr auto nth_element(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else {
        using O = with<op::nth_element, op::nth_element::attributes{Rank}>;
        constexpr fault f = detail::fault_of<O, A>();
        static_assert(f != fault::rank, "xgrad::nth_element<rank>(x): x is one number and has no axis; write expand_dims<0>(x)");
        static_assert(f != fault::dtypes, "xgrad::nth_element<rank>(x): x is bool; write cast<float>(x) or cast<std::int32_t>(x) first");
        static_assert(f != fault::inner,
            "xgrad::nth_element<rank>(x): the last axis of x is a named dimension, which may be too short; declare it with an integer "
            "extent, or write quantile");
        static_assert(
            f != fault::shapes, "xgrad::nth_element<rank>(x): rank is outside of 0 ... extent-1 of the last axis; write a smaller rank");
        if constexpr (f != fault::none) return detail::refused{};
        else return apply<O>(x);
    }
}
/// The number below which the fraction q of the elements is, over the axes (all if none is given): `quantile<1>(x, 0.9_c)`.
/// q is a number or a scalar expression in 0 ... 1. Between two elements it is linear (NumPy's quantile). It is NaN if an
/// element is NaN, for no elements, or if q is outside of its range. keep_dims may be the last argument.
///
/// Gradient: g to the two elements around it, by their weights, or to the first of them if they are equal. Of q,
/// their difference times the number of elements minus 1.
template<int... Axes, class A, class Q>
    requires(!std::is_same_v<Q, keep_dims_tag>)
constexpr auto quantile(A const& x, Q const& q) {
    return detail::quantile_of<false, Axes...>(x, q);
}
template<int... Axes, class A, class Q>
constexpr auto quantile(A const& x, Q const& q, keep_dims_tag) {
    return detail::quantile_of<true, Axes...>(x, q);
}
/// The quantiles of several fractions, which are the first axis of the result: `quantile<1>(x, 0.1_c, 0.5_c, 0.9_c)` is [3, ...]
/// (NumPy's quantile(x, [0.1, 0.5, 0.9])). Each of them is searched for by itself.
/// Gradient: the sum of those of the quantiles.
template<int... Axes, class A, class Q, class R, class... S>
    requires(Expr<R> && (Expr<S> && ...))
constexpr auto quantile(A const& x, Q const& q, R const& second, S const&... more) {
    if constexpr (!Expr<A> || !Expr<Q>) return detail::refuse_operand<A, Q>();
    else {
        auto const first = detail::quantile_of<false, Axes...>(x, q);
        if constexpr (value_of<decltype(first)>.wrong != fault::none) return detail::refused{};
        else return stack<0>(first, detail::quantile_of<false, Axes...>(x, second), detail::quantile_of<false, Axes...>(x, more)...);
    }
}
/// The middle of the sorted elements over the axes (all if none is given), or the mean of the two in the middle. It is NaN
/// if an element is NaN, and for no elements (NumPy's median).
/// Gradient: g to the element in the middle, or half of it to each of the two. If these are equal, the first gets all.
template<int... Axes, class A>
constexpr auto median(A const& x) {
    using namespace literals;
    return detail::quantile_of<false, Axes...>(x, 0.5_c);
}
template<int... Axes, class A>
constexpr auto median(A const& x, keep_dims_tag) {
    using namespace literals;
    return detail::quantile_of<true, Axes...>(x, 0.5_c);
}
/// For each value, the number of elements of `sorted` that are smaller, int32: where to insert it so that the row stays
/// sorted. With side::right it is the number of those that are not larger: `searchsorted<side::right>(sorted, values)`.
/// The last axis of `sorted` is in ascending order, NaN last. It is a vector for values of any shape, or [..., n] for
/// values [..., m] with the same axes before the last (searchsorted of NumPy and TensorFlow).
/// Gradient: none.
template<side Side = side::left, class A, class B>
constexpr auto searchsorted(A const& sorted, B const& values) {
    if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else if constexpr (value_of<A>.dims.rank == 1 && value_of<B>.dims.rank > 1) {
        auto const flat = detail::reshaped_to<shape{1, {value_of<B>.dims.size()}}>(values);
        return detail::reshaped_to<value_of<B>.dims>(searchsorted<Side>(sorted, flat));
    } else {
        constexpr fault f = detail::fault_of<op::searchsorted<Side>, A, B>();
        static_assert(f != fault::rank, "xgrad::searchsorted(sorted, values): sorted has no axis; write a sorted vector");
        static_assert(f != fault::shapes,
            "xgrad::searchsorted(sorted, values): the axes before the last one differ; write one sorted vector for all, or broadcast_to");
        static_assert(f != fault::dtypes,
            "xgrad::searchsorted(sorted, values): sorted and values have different element types, or are bool; write cast<float>(x)");
        if constexpr (f != fault::none) return detail::refused{};
        else return apply<op::searchsorted<Side>>(sorted, values);
    }
}
/// Whether fewer than K classes have a larger prediction than the target: bool, of predictions [..., classes] and targets
/// [...], integers. Classes that tie with the target do not count against it. It is false for a target out of range, and
/// in a row with a prediction that is not finite (TensorFlow's in_top_k).
/// Gradient: none.
template<std::int64_t K, class A, class B>
constexpr auto in_top_k(A const& predictions, B const& targets) {
    static_assert(K >= 1, "xgrad::in_top_k<k>(predictions, targets): k is less than 1; write a number of classes of at least 1");
    if constexpr (K < 1) return detail::refused{};
    else if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else {
        constexpr fault f = detail::fault_of<op::in_top_k<K>, A, B>();
        static_assert(f != fault::rank && f != fault::shapes,
            "xgrad::in_top_k<k>(predictions, targets): the shapes are not [..., classes] and [...]; write squeeze or expand_dims");
        static_assert(f != fault::not_floating && f != fault::not_integer,
            "xgrad::in_top_k<k>(predictions, targets): predictions are not float or double, or targets not integers; write predictions first, "
            "or cast them");
        if constexpr (f != fault::none) return detail::refused{};
        else return apply<op::in_top_k<K>>(predictions, targets);
    }
}
// NumPy's median(x, 1), bottom_k(x, 3).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto median(A const&, N const&...) {
    return detail::refuse_order_axis<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto bottom_k(A const&, N const&...) {
    return detail::refuse_order_axis<A, 1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
