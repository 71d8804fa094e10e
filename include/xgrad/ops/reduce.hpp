// SPDX-License-Identifier: MIT
// Sums, means, extrema and log-sum-exp over axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

/// Tag: reduced axes are kept, with extent 1.
struct keep_dims_tag {};
inline constexpr keep_dims_tag keep_dims{};

namespace op {
constexpr value_info reduce_rule(value_info const* v, int, attributes const& a) {
    value_info r{v[0].type, {}, v[0].type == dtype::boolean ? fault::dtypes : fault::none};
    auto const how = a.as<reduction_attributes>();
    for (int i = 0; i < v[0].dims.rank; ++i)
        if (!how.axes.has(i)) r.dims.extents[r.dims.rank++] = v[0].dims.extents[i];
        else if (how.keep_dims) r.dims.extents[r.dims.rank++] = static_extent(1);
    if (!how.axes.fits(v[0].dims.rank)) r.wrong = fault::axis;
    return r;
}
constexpr shape kept_shape(shape s, axis_set axes) {
    for (int i = 0; i < max_rank; ++i)   // g++ -O3 warns of a bound that it does not know
        if (i < s.rank && axes.has(i)) s.extents[i] = static_extent(1);
    return s;
}
struct sum {
    using attributes = reduction_attributes;
    static auto combine(auto a, auto b) { return a + b; }
    static constexpr void derive(derivation& d) {
        shape const& x = d.info(0).dims;
        d.out[0] = broadcast_symbol(reshape_to(d.gradient, kept_shape(x, d.attrs->as<attributes>().axes)), x);
    }
    static constexpr op_info describe() {
        op_info r = make_op("sum", op_kind::reduce, reduce_rule, derive);
        r.flops = 1;
        r.combine = monoid::sum;
        return r;
    }
};
constexpr symbol sum_over(symbol x, axis_set axes, bool keep) { return apply_with<sum>({axes, keep}, x); }
struct max {
    using attributes = reduction_attributes;
    // tied elements share the gradient equally
    static constexpr void derive(derivation& d) {
        axis_set const axes = d.attrs->as<attributes>().axes;
        shape const kept = kept_shape(d.info(0).dims, axes);
        dtype const t = d.info(0).type;
        symbol const one = d.table->constant(1, t), zero = d.table->constant(0, t);
        symbol const tied = xgrad::select(xgrad::equal(d.operands[0], reshape_to(d.result, kept)), one, zero);
        d.out[0] = tied * (reshape_to(d.gradient, kept) / sum_over(tied, axes, true));
    }
    static constexpr op_info describe() {
        op_info r = make_op("max", op_kind::reduce, reduce_rule, derive);
        r.flops = 1;
        r.combine = monoid::maximum;
        return r;
    }
};
/// −max(−x). Of signed integers −1 − max(−1 − x), which the smallest one does not overflow. Of unsigned ones c − max(c − x),
/// where c is their largest number.
struct min : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "min";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return reduce_rule(v, n, a); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        auto const largest = [&](symbol s) { return apply_with<max>(a.as<reduction_attributes>(), s); };
        dtype const type = t.info(x[0]).type;
        if (!is_integer(type)) return -largest(-x[0]);
        symbol const turned = t.constant(is_unsigned(type) ? 0x1p64 : -1.0, type);   // 2^64 becomes the largest number
        return turned - largest(turned - x[0]);
    }
};
/// Whether an element is true: the largest of their numbers is 1.
struct any : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "any";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) {
        value_info number = v[0];
        number.type = dtype::int32;
        value_info r = reduce_rule(&number, n, a);
        r.type = dtype::boolean;
        if (v[0].type != dtype::boolean) r.wrong = fault::not_boolean;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        symbol const zero = t.constant(0, dtype::int32), one = t.constant(1, dtype::int32);
        return xgrad::greater(apply_with<max>(a.as<reduction_attributes>(), xgrad::select(x[0], one, zero)), zero);
    }
};
struct all : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "all";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return any::infer(v, n, a); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        return xgrad::logical_not(apply_with<any>(a.as<reduction_attributes>(), xgrad::logical_not(x[0])));
    }
};
/// The number that an extent evaluates to.
struct size {
    struct attributes {
        std::int64_t type;   // a dtype
    };
    static constexpr value_info infer(value_info const*, int, xgrad::attributes const& a) {
        return {static_cast<dtype>(a.as<attributes>().type), {}, fault::none};
    }
    static constexpr op_info describe() { return make_op("size", op_kind::size, infer, nullptr); }
};
constexpr extent elements_along(shape const& s, axis_set axes) {
    extent n = static_extent(1);
    for (int i = 0; i < s.rank; ++i)
        if (axes.has(i)) n = n * s.extents[i];
    return n;
}
constexpr symbol size_of_axes(symbol_table& t, shape const& s, axis_set axes, dtype type) {
    extent const n = elements_along(s, axes);
    if (n.is_static()) return t.constant(static_cast<double>(n.constant), type);
    auto const w = to_words(size::attributes{static_cast<std::int64_t>(type)});
    return t.add(op_register<size>::info, nullptr, 0, w.view(&n, 1));
}
struct mean : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "mean";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) {
        value_info r = reduce_rule(v, n, a);
        if (r.wrong == fault::none && !is_floating(r.type)) r.wrong = fault::not_floating;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        value_info const v = t.info(x[0]);
        auto const how = a.as<reduction_attributes>();
        return sum_over(x[0], how.axes, how.keep_dims) / size_of_axes(t, v.dims, how.axes, v.type);
    }
};
struct log_sum_exp : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "log_sum_exp";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return mean::infer(v, n, a); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        dtype const type = t.info(x[0]).type;
        auto const how = a.as<reduction_attributes>();
        symbol const largest = apply_with<max>({how.axes, true}, x[0]);
        // an infinite maximum would give inf - inf
        symbol const limit = t.constant(type == dtype::float32 ? 3.402823466e38 : 1.7976931348623157e308, type);
        symbol const shift =
            xgrad::stop_gradient(xgrad::select(xgrad::less_equal(xgrad::abs(largest), limit), largest, t.constant(0, type)));
        symbol const r = xgrad::log(sum_over(xgrad::exp(x[0] - shift), how.axes, true)) + shift;
        return how.keep_dims ? r : reshape_to(r, reduce_rule(&t.info(x[0]), 1, a).dims);
    }
};
/// e^(x - max) / sum. Its gradient needs only the result.
struct softmax : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "softmax";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) {
        value_info r = mean::infer(v, n, a);
        if (r.wrong == fault::none) r.dims = v[0].dims;
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        axis_set const axes = a.as<reduction_attributes>().axes;
        symbol const e = xgrad::exp(x[0] - xgrad::stop_gradient(apply_with<max>({axes, true}, x[0])));
        return e / sum_over(e, axes, true);
    }
};
/// (x − max) − log Σ e^(x − max). This form keeps the digits of differences of large numbers.
struct log_softmax : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "log_softmax";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return softmax::infer(v, n, a); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        axis_set const axes = a.as<reduction_attributes>().axes;
        symbol const shifted = x[0] - xgrad::stop_gradient(apply_with<max>({axes, true}, x[0]));
        return shifted - xgrad::log(sum_over(xgrad::exp(shifted), axes, true));
    }
};
/// √Σx².
struct norm : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "norm";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return mean::infer(v, n, a); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        auto const how = a.as<reduction_attributes>();
        return xgrad::sqrt(sum_over(xgrad::square(x[0]), how.axes, how.keep_dims));
    }
};
}

namespace detail {
template<Operand A, int... Axes>
constexpr axis_set axes_of() {
    constexpr int rank = value_of<A>.dims.rank;
    constexpr bool known = ((Axes >= -rank && Axes < rank) && ...);
    static_assert(known || value_of<A>.wrong != fault::none,
        "xgrad: a reduction such as sum<axis>(x) names an axis that x does not have; write axes of -rank ... rank-1");
    if constexpr (!known) return {};
    else if constexpr (sizeof...(Axes) == 0) return axis_set::all(rank);
    else {
        axis_set r{};
        (r.add(Axes < 0 ? Axes + rank : Axes), ...);
        return r;
    }
}
template<class Op, int Keep, int... Axes, class A>
constexpr auto reduced(A const& x) {
    if constexpr (Symbol<A>) {
        int const rank = x.table->info(x).dims.rank;
        axis_set axes = sizeof...(Axes) == 0 ? axis_set::all(rank) : axis_set{};
        (axes.add(Axes < 0 ? Axes + rank : Axes), ...);
        return apply_with<Op>(reduction_attributes{axes, Keep != 0}, x);
    } else if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        using O = with<Op, reduction_attributes{axes_of<A, Axes...>(), Keep != 0}>;
        constexpr fault f = fault_of<O, A>();
        static_assert(f != fault::dtypes, "xgrad: the operand of a reduction is bool; write cast<float>(x) or cast<std::int32_t>(x) first");
        static_assert(
            f != fault::not_floating, "xgrad: the operand of this reduction is neither float nor double; write cast<float>(x) first");
        static_assert(
            f != fault::not_boolean, "xgrad::any(x), all(x): the operand is not bool; write a comparison first, such as any<1>(x > 0_c)");
        return apply<O>(x);
    }
}
}

/// Sum over the axes (all if none is given; negative ones count from the end). sum<0>(x, keep_dims) keeps the axes with
/// extent 1.
/// Gradient: g, repeated along the axes.
template<int... Axes, class A>
constexpr auto sum(A const& x) {
    return detail::reduced<op::sum, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto sum(A const& x, keep_dims_tag) {
    return detail::reduced<op::sum, 1, Axes...>(x);
}
/// Mean over the axes.
/// Gradient: g, divided by the number of elements and repeated along the axes.
template<int... Axes, class A>
constexpr auto mean(A const& x) {
    return detail::reduced<op::mean, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto mean(A const& x, keep_dims_tag) {
    return detail::reduced<op::mean, 1, Axes...>(x);
}
/// Maximum over the axes. For an empty axis it is -inf.
/// Gradient: g to the largest element; tied elements share it equally.
template<int... Axes, class A>
constexpr auto max(A const& x) {
    return detail::reduced<op::max, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto max(A const& x, keep_dims_tag) {
    return detail::reduced<op::max, 1, Axes...>(x);
}
template<int... Axes, class A, class B>
    requires((Operand<A> || Operand<B>) && !std::is_same_v<B, keep_dims_tag>)
constexpr auto max(A const&, B const&) {
    static_assert(sizeof(A) == 0,
        "xgrad::max<axes...>(x): two operands are given, and max is over axes of one; write maximum(a, b) for the larger of two");
    return detail::refused{};
}
/// Minimum over the axes. For an empty axis it is inf.
/// Gradient: g to the smallest element; tied elements share it equally.
template<int... Axes, class A>
constexpr auto min(A const& x) {
    return detail::reduced<op::min, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto min(A const& x, keep_dims_tag) {
    return detail::reduced<op::min, 1, Axes...>(x);
}
template<int... Axes, class A, class B>
    requires((Operand<A> || Operand<B>) && !std::is_same_v<B, keep_dims_tag>)
constexpr auto min(A const&, B const&) {
    static_assert(sizeof(A) == 0,
        "xgrad::min<axes...>(x): two operands are given, and min is over axes of one; write minimum(a, b) for the smaller of two");
    return detail::refused{};
}
/// Whether any element is true, over the axes: bool. For an empty axis it is false.
/// Gradient: none.
template<int... Axes, class A>
constexpr auto any(A const& x) {
    return detail::reduced<op::any, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto any(A const& x, keep_dims_tag) {
    return detail::reduced<op::any, 1, Axes...>(x);
}
/// Whether all elements are true, over the axes: bool. For an empty axis it is true.
/// Gradient: none.
template<int... Axes, class A>
constexpr auto all(A const& x) {
    return detail::reduced<op::all, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto all(A const& x, keep_dims_tag) {
    return detail::reduced<op::all, 1, Axes...>(x);
}
/// The Euclidean norm √Σx² over the axes (TensorFlow's norm): `norm<1>(x)` of rows, `norm(x)` of all elements.
/// Gradient: g x / ‖x‖, and 0 where the norm is 0 (PyTorch's subgradient; TensorFlow has NaN).
template<int... Axes, class A>
constexpr auto norm(A const& x) {
    return detail::reduced<op::norm, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto norm(A const& x, keep_dims_tag) {
    return detail::reduced<op::norm, 1, Axes...>(x);
}
/// log Σ eˣ over the axes, without overflow (Blanchard, Higham, Higham 2021, "Accurately computing the log-sum-exp and
/// softmax functions"). If all elements are -inf it is -inf, and with +inf it is +inf. In both cases the gradient is
/// NaN, as in TensorFlow and PyTorch.
/// Gradient: g softmax(x).
template<int... Axes, class A>
constexpr auto log_sum_exp(A const& x) {
    return detail::reduced<op::log_sum_exp, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto log_sum_exp(A const& x, keep_dims_tag) {
    return detail::reduced<op::log_sum_exp, 1, Axes...>(x);
}
/// eˣ / Σ eˣ over the axes (the last one if none is given). It is NaN if all elements are -inf or one is +inf, as in
/// TensorFlow and PyTorch.
/// Gradient: y (g − Σ g y) over the axes.
template<int... Axes, class A>
constexpr auto softmax(A const& x) {
    if constexpr (sizeof...(Axes) == 0) return softmax<-1>(x);
    else return detail::reduced<op::softmax, 0, Axes...>(x);
}
/// The logarithm of softmax over the axes (the last one if none is given): x − max − log Σ e^(x − max). It is exact for
/// large numbers, where `x - log_sum_exp(x)` loses digits. It is NaN if all elements are -inf or one is +inf, as in
/// TensorFlow and PyTorch.
/// Gradient: g − softmax(x) Σ g over the axes.
template<int... Axes, class A>
constexpr auto log_softmax(A const& x) {
    if constexpr (sizeof...(Axes) == 0) return log_softmax<-1>(x);
    else return detail::reduced<op::log_softmax, 0, Axes...>(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
