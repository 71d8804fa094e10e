// SPDX-License-Identifier: MIT
// Reductions that omit NaN: NumPy's nansum, nanmean, nanmax, nanvar, nanmedian and the like.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/classify.hpp>
#include <xgrad/ops/over_axes/moments.hpp>
#include <xgrad/ops/over_axes/order.hpp>
#include <xgrad/ops/prod.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The quantile of the elements that are not NaN. `place` is a number for each row, because rows have different counts of them.
struct nan_quantile : composite_op {
    using attributes = quantile::attributes;
    static constexpr std::string_view name = "nan_quantile";
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a) { return quantile::infer(v, count, a); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int count, xgrad::attributes const& a) {
        auto const how = a.as<attributes>();
        value_info const v = t.info(x[0]);
        symbol const rows = rows_over(x[0], how.axes), one = t.constant(1, dtype::float64), zero = t.constant(0, dtype::float64);
        symbol const q = count > 1 ? apply<cast<double>>(x[1]) : t.constant(how.q, dtype::float64);
        symbol const numbers = sum_over(xgrad::select(xgrad::isnan(rows), zero, one), axis_set::of(t.info(rows).dims.rank - 1), false);
        symbol const place = q * (numbers - 1_c), part = place - xgrad::floor(place);
        auto const found = apply_all<order_statistic<false>>(rows, place);
        symbol const low = apply<cast<double>>(std::get<0>(found)), high = apply<cast<double>>(std::get<1>(found));
        symbol const r = reshape_to(between(low, high, part), infer(&v, 1, a).dims);
        return v.type == dtype::float32 ? apply<cast<float>>(r) : r;
    }
};
}

namespace detail {
enum class nan_slip { none, no_expression, wrong, type, correction, fraction, scalar };
template<class A>
constexpr nan_slip nan_slip_of() {
    if constexpr (!Expr<A>) return nan_slip::no_expression;
    else return value_of<A>.wrong != fault::none ? nan_slip::wrong : !is_floating(value_of<A>.type) ? nan_slip::type : nan_slip::none;
}
template<class A, nan_slip Slip = nan_slip_of<A>()>
constexpr bool reduces_numbers() {
    static_assert(Slip != nan_slip::type,
        "xgrad::nan_sum<axes...>(x), nan_mean, nan_max and the like: x is neither float nor double; write sum, mean or max");
    return Slip == nan_slip::none;
}
template<class A>
constexpr auto refuse_numbers() {
    if constexpr (Expr<A>) return refused{};
    else return refuse_operand<A>();
}
/// f(x, keep_dims) or f(x).
template<bool Keep, int... Axes, class A>
constexpr auto sum_kept(A const& x) {
    if constexpr (Keep) return sum<Axes...>(x, keep_dims);
    else return sum<Axes...>(x);
}
/// x where it is a number, else the value.
template<class A, class V>
constexpr auto numbers_or(A const& x, V const& value) {
    return select(isnan(x), value, x);
}
/// How many elements are not NaN, as numbers of the type of x.
template<bool Keep, int... Axes, class A>
constexpr auto count_of_numbers(A const& x) {
    return sum_kept<Keep, Axes...>(cast<cpp_type_t<value_of<A>.type>>(logical_not(isnan(x))));
}
inline constexpr literal<std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())> not_a_number{};
inline constexpr literal<std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())> infinite_number{};
template<bool Keep, int... Axes, class A>
constexpr auto nan_sum_of(A const& x) {
    if constexpr (!reduces_numbers<A>()) return refuse_numbers<A>();
    else return sum_kept<Keep, Axes...>(numbers_or(x, literal<0>{}));
}
template<bool Keep, int... Axes, class A>
constexpr auto nan_prod_of(A const& x) {
    if constexpr (!reduces_numbers<A>()) return refuse_numbers<A>();
    else if constexpr (Keep) return prod<Axes...>(numbers_or(x, whole_literal<1>), keep_dims);
    else return prod<Axes...>(numbers_or(x, whole_literal<1>));
}
template<bool Keep, int... Axes, class A>
constexpr auto nan_mean_of(A const& x) {
    if constexpr (!reduces_numbers<A>()) return refuse_numbers<A>();
    else return sum_kept<Keep, Axes...>(numbers_or(x, literal<0>{})) / count_of_numbers<Keep, Axes...>(x);
}
template<bool Largest, bool Keep, int... Axes, class A>
constexpr auto nan_extremum_of(A const& x) {
    if constexpr (!reduces_numbers<A>()) return refuse_numbers<A>();
    else {
        auto const y = [&] {
            auto const numbers = [&] {
                if constexpr (Largest) return numbers_or(x, -infinite_number);
                else return numbers_or(x, infinite_number);
            }();
            if constexpr (Largest && Keep) return max<Axes...>(numbers, keep_dims);
            else if constexpr (Largest) return max<Axes...>(numbers);
            else if constexpr (Keep) return min<Axes...>(numbers, keep_dims);
            else return min<Axes...>(numbers);
        }();
        return select(equal(count_of_numbers<Keep, Axes...>(x), literal<0>{}), not_a_number, y);
    }
}
template<bool Keep, int... Axes, class A, std::int64_t Correction>
constexpr auto nan_variance_of(A const& x, correction_tag<Correction>) {
    static_assert(Correction >= 0, "xgrad::nan_variance<axes...>(x, correction<c>), nan_stddev: c is negative; write correction<1>");
    if constexpr (Correction < 0) return refused{};
    else if constexpr (!reduces_numbers<A>()) return refuse_numbers<A>();
    else {
        auto const differences = select(isnan(x), literal<0>{}, x - nan_mean_of<true, Axes...>(x));
        auto const divisor = count_of_numbers<Keep, Axes...>(x) - whole_literal<Correction>;
        return sum_kept<Keep, Axes...>(square(differences)) / select(greater(divisor, literal<0>{}), divisor, not_a_number);
    }
}
template<bool Keep, int... Axes, class A, std::int64_t Correction>
constexpr auto nan_stddev_of(A const& x, correction_tag<Correction> corrected) {
    auto const y = nan_variance_of<Keep, Axes...>(x, corrected);
    if constexpr (!Expr<decltype(y)>) return refused{};
    else {
        auto const none = equal(y, literal<0>{});   // the slope of a root is infinite at 0
        return select(none, literal<0>{}, sqrt(select(none, whole_literal<1>, y)));
    }
}
template<bool Keep, int... Axes, class A, class Q>
constexpr auto nan_quantile_of(A const& x, Q const& q) {
    if constexpr (!Expr<Q>) return refuse_operand<Q>();
    else {
        static_assert(is_fraction<Q>(), "xgrad::nan_quantile<axes...>(x, q): q is outside of 0 ... 1; write a fraction such as 0.25_c");
        if constexpr (!reduces_numbers<A>() || !is_fraction<Q>()) return refuse_numbers<A>();
        else {
            constexpr double fraction = [] {
                if constexpr (is_literal<Q>) return Q::number;
                else return 0.0;
            }();
            using O = with<op::nan_quantile, op::quantile::attributes{axes_of<A, Axes...>(), Keep, fraction}>;
            if constexpr (is_literal<Q>) return apply<O>(x);
            else {
                constexpr fault f = fault_of<O, A, Q>();
                static_assert(f != fault::shapes,
                    "xgrad::nan_quantile<axes...>(x, q): q is neither a number nor a scalar of float or double; write 0.25_c");
                if constexpr (f != fault::none) return refused{};
                else return apply<O>(x, q);
            }
        }
    }
}
}

/// The sum of the elements that are not NaN, over the axes (all if none is given): `nan_sum<1>(x)` (NumPy's nansum). It is 0 if all are
/// NaN. These functions take float and double, and keep_dims as the last argument.
/// Gradient: g, and 0 at NaN.
template<int... Axes, class A>
constexpr auto nan_sum(A const& x) {
    return detail::nan_sum_of<false, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto nan_sum(A const& x, keep_dims_tag) {
    return detail::nan_sum_of<true, Axes...>(x);
}
/// The product of the elements that are not NaN (NumPy's nanprod). It is 1 if all are NaN.
/// Gradient: that of prod, and 0 at NaN.
template<int... Axes, class A>
constexpr auto nan_prod(A const& x) {
    return detail::nan_prod_of<false, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto nan_prod(A const& x, keep_dims_tag) {
    return detail::nan_prod_of<true, Axes...>(x);
}
/// The mean of the elements that are not NaN (NumPy's nanmean). It is NaN if all are NaN.
/// Gradient: g, divided by the number of those elements, and 0 at NaN.
template<int... Axes, class A>
constexpr auto nan_mean(A const& x) {
    return detail::nan_mean_of<false, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto nan_mean(A const& x, keep_dims_tag) {
    return detail::nan_mean_of<true, Axes...>(x);
}
/// The largest of the elements that are not NaN (NumPy's nanmax). It is NaN if all are NaN, and for no elements.
/// Gradient: g to the largest element; tied elements share it equally. If that is -inf, NaN take part in the sharing but get 0.
template<int... Axes, class A>
constexpr auto nan_max(A const& x) {
    return detail::nan_extremum_of<true, false, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto nan_max(A const& x, keep_dims_tag) {
    return detail::nan_extremum_of<true, true, Axes...>(x);
}
/// The smallest of the elements that are not NaN (NumPy's nanmin). It is NaN if all are NaN, and for no elements.
/// Gradient: as of nan_max.
template<int... Axes, class A>
constexpr auto nan_min(A const& x) {
    return detail::nan_extremum_of<false, false, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto nan_min(A const& x, keep_dims_tag) {
    return detail::nan_extremum_of<false, true, Axes...>(x);
}
/// The variance of the elements that are not NaN (NumPy's nanvar): `nan_variance<0>(x, correction<1>)` divides by their number minus 1.
/// It is NaN if this is not above 0.
/// Gradient: 2 g (x − mean), divided by that number, and 0 at NaN.
template<int... Axes, class A, std::int64_t Correction = 0>
constexpr auto nan_variance(A const& x, correction_tag<Correction> corrected = {}) {
    return detail::nan_variance_of<false, Axes...>(x, corrected);
}
template<int... Axes, class A>
constexpr auto nan_variance(A const& x, keep_dims_tag) {
    return detail::nan_variance_of<true, Axes...>(x, correction<0>);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto nan_variance(A const& x, correction_tag<Correction> corrected, keep_dims_tag) {
    return detail::nan_variance_of<true, Axes...>(x, corrected);
}
/// The square root of nan_variance, with its forms (NumPy's nanstd).
/// Gradient: that of the variance, divided by twice the deviation, and 0 where this is 0.
template<int... Axes, class A, std::int64_t Correction = 0>
constexpr auto nan_stddev(A const& x, correction_tag<Correction> corrected = {}) {
    return detail::nan_stddev_of<false, Axes...>(x, corrected);
}
template<int... Axes, class A>
constexpr auto nan_stddev(A const& x, keep_dims_tag) {
    return detail::nan_stddev_of<true, Axes...>(x, correction<0>);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto nan_stddev(A const& x, correction_tag<Correction> corrected, keep_dims_tag) {
    return detail::nan_stddev_of<true, Axes...>(x, corrected);
}
/// The quantile of the elements that are not NaN, as `quantile<1>(x, 0.9_c)` (NumPy's nanquantile). It is NaN if all are NaN.
/// Gradient: that of quantile, and 0 at NaN.
template<int... Axes, class A, class Q>
    requires(!std::is_same_v<Q, keep_dims_tag>)
constexpr auto nan_quantile(A const& x, Q const& q) {
    return detail::nan_quantile_of<false, Axes...>(x, q);
}
template<int... Axes, class A, class Q>
constexpr auto nan_quantile(A const& x, Q const& q, keep_dims_tag) {
    return detail::nan_quantile_of<true, Axes...>(x, q);
}
/// The median of the elements that are not NaN (NumPy's nanmedian). It is NaN if all are NaN.
/// Gradient: that of median, and 0 at NaN.
template<int... Axes, class A>
constexpr auto nan_median(A const& x) {
    using namespace literals;
    return detail::nan_quantile_of<false, Axes...>(x, 0.5_c);
}
template<int... Axes, class A>
constexpr auto nan_median(A const& x, keep_dims_tag) {
    using namespace literals;
    return detail::nan_quantile_of<true, Axes...>(x, 0.5_c);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
