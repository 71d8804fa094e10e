// SPDX-License-Identifier: MIT
// Batch normalization by the statistics of the batch, or by given ones. The last axis has the channels.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/normalization/standardize.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
constexpr axis_set all_but_last(int rank) { return axis_set::all(rank - 1); }
/// standardize(x) · scale + offset of x, scale, offset and ε, over all axes but the last.
struct batch_norm : composite_op {
    static constexpr std::string_view name = "batch_norm";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        if (v[0].dims.rank < 1) return {v[0].type, {}, fault::rank};
        value_info r = normalized_rule(v, 3, all_but_last(v[0].dims.rank));
        for (int k = 1; k < 3 && r.wrong == fault::none; ++k)
            if (v[k].type != r.type || v[k].dims.rank != 1 || !(v[k].dims.extents[0] == r.dims.extents[r.dims.rank - 1]))
                r.wrong = fault::shapes;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, attributes const&) {
        axis_set const axes = all_but_last(t.info(x[0]).dims.rank);
        return apply_with<standardize>({axes, true}, x[0], x[3]) * x[1] + x[2];
    }
    // The sums over the batch are the gradients of scale and offset, so they serve twice.
    static constexpr void derive(derivation& d) {
        shape const channels = d.info(1).dims;
        axis_set const axes = all_but_last(d.info(0).dims.rank);
        auto const s = spread_over(d.operands[0], d.operands[3], axes);
        symbol const y = apply_with<standardize>({axes, true}, d.operands[0], d.operands[3]), gy = d.gradient * y;
        symbol const sum_g = sum_over(d.gradient, axes, false), sum_gy = sum_over(gy, axes, false);
        symbol const inverse = reshape_to(s.inverse, channels), factor = d.operands[1] * inverse;
        symbol const mean_g = sum_g / s.count, mean_gy = sum_gy / s.count;   // before what is as large as x: one loop for each size
        d.out[0] = (d.gradient - (y * mean_gy + mean_g)) * factor;
        d.out[1] = sum_gy;
        d.out[2] = sum_g;
        if (d.wanted[3]) d.out[3] = slope_of_epsilon(sum_gy * d.operands[1], inverse, channels);
    }
    static constexpr op_info describe() {
        op_info r = make_op(name, op_kind::composite, infer, derive);
        r.expand = expand;
        return r;
    }
};
/// The mean over all axes but the last, or the variance, divided by `count − correction`, which is at least 1.
struct channel_moment : composite_op {
    struct attributes {
        std::int64_t order, correction;
    };
    static constexpr std::string_view name = "channel_moment";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) {
        value_info r = v[0];
        r.dims = {};
        r.dims.rank = 1;
        r.dims.extents[0] = v[0].dims.extents[v[0].dims.rank - 1];
        return r;
    }
    // In the terms of spread_over, so the passes over x are the same.
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        value_info const v = t.info(x[0]);
        axis_set const axes = all_but_last(v.dims.rank);
        shape const channels{1, {v.dims.extents[v.dims.rank - 1]}};
        auto const how = a.as<attributes>();
        auto const s = spread_over(x[0], t.constant(0, v.type), axes);
        if (how.order == 1) return reshape_to(s.mean, channels);
        if (how.correction == 0) return reshape_to(s.variance, channels);
        symbol const left = xgrad::maximum(s.count - t.constant(1, v.type), t.constant(1, v.type));
        return reshape_to(s.variance * (s.count / left), channels);
    }
};
}

namespace detail {
template<class A, class E, class... Channel>
constexpr bool fit_channels() {
    if constexpr (!Expr<A> || !Expr<E> || !(Expr<Channel> && ...)) return true;
    else if constexpr (value_of<A>.wrong != fault::none || ((value_of<Channel>.wrong != fault::none) || ...)) return true;
    else {
        constexpr int rank = value_of<A>.dims.rank;
        constexpr dtype type = computed_type(value_of<A>.type), of_epsilon = computed_type(value_of<E>.type);
        if constexpr (rank < 1 || !is_floating(type)) return false;
        else
            return value_of<E>.dims.rank == 0 && (of_epsilon == dtype::literal || of_epsilon == type) &&
                   ((value_of<Channel>.dims.rank == 1 && value_of<Channel>.dims.extents[0] == value_of<A>.dims.extents[rank - 1] &&
                        computed_type(value_of<Channel>.type) == type) &&
                       ...);
    }
}
}

/// Batch normalization in training, TensorFlow's fused_batch_norm with the channels last, for any rank of x [..., channels]:
/// `auto [y, mean, variance] = fused_batch_norm(x, scale, offset)`. y is scale (x − mean) / √(variance of the batch +
/// epsilon) + offset. scale and offset are [channels]. Mean and variance, for moving averages, are over all axes but the
/// last. The returned variance is Bessel's, divided by n − 1, as TensorFlow and PyTorch average it. y uses the one divided
/// by n. Keras averages that one: variance_of_batch(x). Of one element the returned variance is 0. epsilon is 1e-3 if it is
/// not given; TensorFlow raises it to at least 1.001e-5, and this function does not.
///
/// Gradient: of x, scale (g − mean(g) − ŷ mean(g ŷ)) / √(variance + epsilon), where ŷ is y before scale and offset; of
/// scale, Σ g ŷ; of offset, Σ g. Through mean and variance too, where TensorFlow has none.
template<class A, class S, class O, class E = detail::usual_epsilon>
constexpr auto fused_batch_norm(A const& x, S const& scale, O const& offset, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_channels<A, E, S, O>();
    static_assert(fits,
        "xgrad::fused_batch_norm(x, scale, offset, epsilon): x is not float or double, or scale and offset are not of its type and of "
        "shape [channels], its last extent, or epsilon is no number");
    if constexpr (!Expr<A> || !Expr<S> || !Expr<O> || !Expr<E>) return detail::refuse_operand<A, S, O, E>();
    else if constexpr (!fits) return detail::refused{};
    else
        return std::tuple{apply<op::batch_norm>(x, scale, offset, epsilon),
            apply<with<op::channel_moment, op::channel_moment::attributes{1, 0}>>(x),
            apply<with<op::channel_moment, op::channel_moment::attributes{2, 1}>>(x)};
}
/// scale (x − mean) / √(variance + epsilon) + offset with given statistics, all of shape [channels], the last extent of x
/// (tf.nn.batch_normalization, with its order of arguments). epsilon is 1e-3 if it is not given.
/// Gradient: that of its parts. x is multiplied by one number for each channel.
template<class A, class M, class V, class O, class S, class E = detail::usual_epsilon>
constexpr auto batch_normalization(A const& x, M const& mean, V const& variance, O const& offset, S const& scale, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_channels<A, E, M, V, O, S>();
    static_assert(fits,
        "xgrad::batch_normalization(x, mean, variance, offset, scale, epsilon): x is not float or double, or mean to scale are not of "
        "its type and of shape [channels], its last extent");
    if constexpr (!Expr<A> || !Expr<M> || !Expr<V> || !Expr<O> || !Expr<S> || !Expr<E>) return detail::refuse_operand<A, M, V, O, S, E>();
    else if constexpr (!fits) return detail::refused{};
    else {
        auto const inverse = scale / sqrt(variance + epsilon);
        return (x - mean) * inverse + offset;
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
