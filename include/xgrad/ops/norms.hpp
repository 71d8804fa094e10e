// SPDX-License-Identifier: MIT
// Norms besides the Euclidean one of ops/reduce.hpp, sums of squares, numbers of elements that are not zero, ranges.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// (Σ|x|ᵖ)^(1/p) of x and p, a number.
struct p_norm : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "p_norm";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r = mean::infer(v, 1, a);
        if (r.wrong == fault::none && v[1].dims.rank != 0) r.wrong = fault::shapes;
        if (r.wrong == fault::none && v[1].type != dtype::literal && v[1].type != r.type) r.wrong = fault::inner;
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        auto const how = a.as<reduction_attributes>();
        symbol const powers = sum_over(xgrad::pow(xgrad::abs(x[0]), x[1]), how.axes, how.keep_dims), none = xgrad::equal(powers, 0_c);
        return xgrad::select(none, 0_c, xgrad::pow(xgrad::select(none, 1_c, powers), 1_c / x[1]));   // the slope of a root is infinite at 0
    }
};
}

namespace detail {
template<class A>
constexpr bool is_boolean() {
    if constexpr (Expr<A>) return value_of<A>.type == dtype::boolean;
    else return false;
}
template<bool Keep, int... Axes, class A, class P>
constexpr auto p_norm_of(A const& x, P const& p) {
    if constexpr (!Expr<A> || !Expr<P>) return refuse_operand<A, P>();
    else {
        using O = with<op::p_norm, reduction_attributes{axes_of<A, Axes...>(), Keep}>;
        constexpr fault f = fault_of<O, A, P>();
        static_assert(f != fault::not_floating && f != fault::dtypes,
            "xgrad::p_norm<axes...>(x, p): x is neither float nor double; write cast<float>(x) first");
        static_assert(f != fault::shapes, "xgrad::p_norm<axes...>(x, p): p has axes; write a number such as 3_c, or a scalar expression");
        static_assert(f != fault::inner, "xgrad::p_norm<axes...>(x, p): p has another element type than x; write cast<float>(p)");
        constexpr bool positive = [] {
            if constexpr (is_literal<P>) return P::number > 0;
            else return true;
        }();
        static_assert(positive, "xgrad::p_norm<axes...>(x, p): p is not above 0; write a positive number, or count_nonzero(x) for p = 0");
        if constexpr (f != fault::none || !positive) return refused{};
        else return apply<O>(x, p);
    }
}
}

/// Σ|x| over the axes (all if none is given).
/// Gradient: g sign(x).
template<int... Axes, class A>
constexpr auto l1_norm(A const& x) {
    return sum<Axes...>(abs(x));
}
template<int... Axes, class A>
constexpr auto l1_norm(A const& x, keep_dims_tag) {
    return sum<Axes...>(abs(x), keep_dims);
}
/// max |x| over the axes (all if none is given), 0 for no elements.
/// Gradient: g sign(x) to the element of largest magnitude; tied elements share it equally.
template<int... Axes, class A>
constexpr auto max_norm(A const& x) {
    return maximum(max<Axes...>(abs(x)), 0_c);
}
template<int... Axes, class A>
constexpr auto max_norm(A const& x, keep_dims_tag) {
    return maximum(max<Axes...>(abs(x), keep_dims), 0_c);
}
/// (Σ|x|ᵖ)^(1/p) over the axes (all if none is given): `p_norm<1>(x, 3_c)` of rows. p is above 0, a number or a scalar
/// expression. l1_norm, norm and max_norm are better for p of 1, 2 and infinity.
///
/// Gradient: g sign(x) (|x| / y)^(p − 1), and 0 where the norm y is 0. Of p, by the chain rule.
template<int... Axes, class A, class P>
    requires(!std::is_same_v<P, keep_dims_tag>)
constexpr auto p_norm(A const& x, P const& p) {
    return detail::p_norm_of<false, Axes...>(x, p);
}
template<int... Axes, class A, class P>
constexpr auto p_norm(A const& x, P const& p, keep_dims_tag) {
    return detail::p_norm_of<true, Axes...>(x, p);
}
/// Σx² over the axes (all if none is given). TensorFlow's l2_loss is half of it.
/// Gradient: 2 g x.
template<int... Axes, class A>
constexpr auto sum_of_squares(A const& x) {
    return sum<Axes...>(square(x));
}
template<int... Axes, class A>
constexpr auto sum_of_squares(A const& x, keep_dims_tag) {
    return sum<Axes...>(square(x), keep_dims);
}
/// The number of elements that are not 0 (of bool: that are true) over the axes (all if none is given): int32. NaN counts.
/// Gradient: none.
template<int... Axes, class A>
constexpr auto count_nonzero(A const& x) {
    if constexpr (detail::is_boolean<A>()) return sum<Axes...>(cast<std::int32_t>(x));
    else return sum<Axes...>(cast<std::int32_t>(not_equal(x, 0_c)));
}
template<int... Axes, class A>
constexpr auto count_nonzero(A const& x, keep_dims_tag) {
    if constexpr (detail::is_boolean<A>()) return sum<Axes...>(cast<std::int32_t>(x), keep_dims);
    else return sum<Axes...>(cast<std::int32_t>(not_equal(x, 0_c)), keep_dims);
}
/// The largest minus the smallest element over the axes (all if none is given).
/// Gradient: g to the largest and −g to the smallest element; tied elements share it equally.
template<int... Axes, class A>
constexpr auto ptp(A const& x) {
    return max<Axes...>(x) - min<Axes...>(x);
}
template<int... Axes, class A>
constexpr auto ptp(A const& x, keep_dims_tag) {
    return max<Axes...>(x, keep_dims) - min<Axes...>(x, keep_dims);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
