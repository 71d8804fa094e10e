// SPDX-License-Identifier: MIT
// Variance and standard deviation over axes. ops/top_k.hpp has moments: mean and variance together.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

/// Tag: what a variance subtracts from the number of elements that it divides by. `correction<1>` is the estimate from a
/// sample (NumPy's ddof, PyTorch's correction).
template<std::int64_t Correction>
struct correction_tag {};
template<std::int64_t Correction>
inline constexpr correction_tag<Correction> correction{};

namespace op {
struct variance : composite_op {
    struct attributes {
        axis_set axes;
        flag keep_dims;
        std::int64_t correction;
        constexpr auto reduction() const { return to_words(reduction_attributes{axes, keep_dims}); }
    };
    static constexpr std::string_view name = "variance";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) {
        return mean::infer(v, n, a.as<attributes>().reduction().view());
    }
    // From the differences to the mean: the mean of the squares minus the square of the mean would lose all digits.
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        auto const how = a.as<attributes>();
        value_info const v = t.info(x[0]);
        symbol count = size_of_axes(t, v.dims, how.axes, v.type);
        symbol const average = sum_over(x[0], how.axes, true) / count;
        symbol const squares = sum_over(xgrad::square(x[0] - average), how.axes, how.keep_dims);
        if (how.correction != 0)
            count = xgrad::maximum(count - t.constant(static_cast<double>(how.correction), v.type), t.constant(0, v.type));
        return squares / count;
    }
};
struct stddev : composite_op {
    using attributes = variance::attributes;
    static constexpr std::string_view name = "stddev";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return variance::infer(v, n, a); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        symbol const square = apply_with<variance>(a.as<attributes>(), x[0]), none = xgrad::equal(square, 0_c);
        return xgrad::select(none, 0_c, xgrad::sqrt(xgrad::select(none, 1_c, square)));   // the slope of a root is infinite at 0
    }
};
}

namespace detail {
template<class Op, bool Keep, int... Axes, class A, std::int64_t Correction>
constexpr auto spread(A const& x, correction_tag<Correction>) {
    static_assert(Correction >= 0, "xgrad::variance<axes...>(x, correction<c>), stddev: c is negative; write correction<1> or remove it");
    if constexpr (Correction < 0) return refused{};
    else if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        using O = with<Op, op::variance::attributes{axes_of<A, Axes...>(), Keep, Correction}>;
        constexpr fault f = fault_of<O, A>();
        static_assert(f != fault::not_floating && f != fault::dtypes,
            "xgrad::variance<axes...>(x), stddev: x is neither float nor double; write cast<float>(x) first");
        if constexpr (f != fault::none) return refused{};
        else return apply<O>(x);
    }
}
template<class A, int Function>
constexpr refused refuse_correction() {
    static_assert(sizeof(A) == 0,
        "xgrad::variance<axes...>(x), stddev: a number is an argument; write axes in angle brackets, and correction<1> for a sample: "
        "variance<0>(x, correction<1>)");
    return {};
}
}

/// The mean of the squared differences from the mean, over the axes (all if none is given). `variance<0>(x, correction<1>)`
/// divides by the number of elements minus 1 (NumPy's ddof=1). With keep_dims as the last argument the axes stay with extent
/// 1. It is NaN if nothing is left to divide by.
/// Gradient: 2 g (x − mean) / count, where count is the number that is divided by.
template<int... Axes, class A>
constexpr auto variance(A const& x) {
    return detail::spread<op::variance, false, Axes...>(x, correction<0>);
}
template<int... Axes, class A>
constexpr auto variance(A const& x, keep_dims_tag) {
    return detail::spread<op::variance, true, Axes...>(x, correction<0>);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto variance(A const& x, correction_tag<Correction> corrected) {
    return detail::spread<op::variance, false, Axes...>(x, corrected);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto variance(A const& x, correction_tag<Correction> corrected, keep_dims_tag) {
    return detail::spread<op::variance, true, Axes...>(x, corrected);
}
/// The standard deviation over the axes: the root of variance, with the same arguments.
/// Gradient: g (x − mean) / (count stddev), and 0 where all elements are equal (PyTorch's subgradient; TensorFlow has NaN).
template<int... Axes, class A>
constexpr auto stddev(A const& x) {
    return detail::spread<op::stddev, false, Axes...>(x, correction<0>);
}
template<int... Axes, class A>
constexpr auto stddev(A const& x, keep_dims_tag) {
    return detail::spread<op::stddev, true, Axes...>(x, correction<0>);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto stddev(A const& x, correction_tag<Correction> corrected) {
    return detail::spread<op::stddev, false, Axes...>(x, corrected);
}
template<int... Axes, class A, std::int64_t Correction>
constexpr auto stddev(A const& x, correction_tag<Correction> corrected, keep_dims_tag) {
    return detail::spread<op::stddev, true, Axes...>(x, corrected);
}
// NumPy's var(x, 0), variance<0>(x, 1).
template<int... Axes, class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto variance(A const&, N const&...) {
    return detail::refuse_correction<A, 0>();
}
template<int... Axes, class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto stddev(A const&, N const&...) {
    return detail::refuse_correction<A, 1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
