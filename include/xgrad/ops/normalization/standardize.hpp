// SPDX-License-Identifier: MIT
// Elements of mean 0 and variance 1 over axes, or of mean square 1, each with a gradient of two sums.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// (x − m) s as one operation, so that the difference alone is never stored.
struct scaled_difference : elementwise_op {
    static constexpr std::string_view name = "scaled_difference";
    static constexpr operand_types accepts = operand_types::floating;
    static constexpr int flops = 2;
    XGRAD_INLINE static auto value(auto x, auto m, auto s) { return (x - m) * s; }
    static constexpr symbols derivative(symbol x, symbol m, symbol s, symbol, symbol g) { return {{g * s, -(g * s), g * (x - m)}}; }
};
/// The rule of operations that scale x: x, then the epsilon, a number of the element type of x.
constexpr value_info normalized_rule(value_info const* v, int epsilon, axis_set axes) {
    value_info r = v[0];
    if (!is_floating(r.type)) r.wrong = fault::not_floating;
    else if (!axes.fits(r.dims.rank)) r.wrong = fault::axis;
    else if (v[epsilon].dims.rank != 0 || (v[epsilon].type != dtype::literal && v[epsilon].type != r.type)) r.wrong = fault::inner;
    return r;
}
/// What a standardization is made of. Each part has its axes, with extent 1.
struct spread_of_axes {
    symbol count, mean, variance, inverse;   // inverse: 1 / √(variance + ε)
};
// From the differences to the mean: the mean of the squares minus the square of the mean would lose all digits.
constexpr spread_of_axes spread_over(symbol x, symbol epsilon, axis_set axes) {
    value_info const v = x.table->info(x);
    symbol const count = size_of_axes(*x.table, v.dims, axes, v.type);
    symbol const mean = sum_over(x, axes, true) / count;
    symbol const variance = sum_over(xgrad::square(x - mean), axes, true) / count;
    return {count, mean, variance, 1_c / xgrad::sqrt(variance + epsilon)};
}
/// The gradient by an epsilon that is added to the mean square, with 1 / √ of the sum in `inverse`: −½ Σ g y inverse².
constexpr symbol slope_of_epsilon(symbol gy, symbol inverse, shape const& of) {
    symbol const terms = -(gy * (0.5_c * xgrad::square(inverse)));
    return sum_over(terms, axis_set::all(of.rank), false);
}
/// (x − mean) / √(variance + ε) of x and ε.
struct standardize {
    using attributes = reduction_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        return normalized_rule(v, 1, a.as<attributes>().axes);
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        auto const s = spread_over(x[0], x[1], a.as<attributes>().axes);
        return apply<scaled_difference>(x[0], s.mean, s.inverse);
    }
    // The chain rule would sum over the axes three times, and the third sum would wait for the others. Here sums come before what is as
    // large as x.
    static constexpr void derive(derivation& d) {
        axis_set const axes = d.attrs->as<attributes>().axes;
        auto const s = spread_over(d.operands[0], d.operands[1], axes);
        symbol const gy = d.gradient * d.result;
        symbol const mean_g = sum_over(d.gradient, axes, true) / s.count, mean_gy = sum_over(gy, axes, true) / s.count;
        d.out[0] = (d.gradient - (d.result * mean_gy + mean_g)) * s.inverse;
        if (d.wanted[1]) d.out[1] = slope_of_epsilon(gy, s.inverse, d.info(0).dims);
    }
    static constexpr op_info describe() {
        op_info r = make_op("standardize", op_kind::composite, infer, derive);
        r.expand = expand;
        return r;
    }
};
/// x / √(mean of x² + ε) of x and ε.
struct rms_normalize {
    using attributes = reduction_attributes;
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return standardize::infer(v, n, a); }
    static constexpr symbol inverse_of(symbol x, symbol epsilon, axis_set axes) {
        value_info const v = x.table->info(x);
        return 1_c / xgrad::sqrt(sum_over(xgrad::square(x), axes, true) / size_of_axes(*x.table, v.dims, axes, v.type) + epsilon);
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        return x[0] * inverse_of(x[0], x[1], a.as<attributes>().axes);
    }
    static constexpr void derive(derivation& d) {
        axis_set const axes = d.attrs->as<attributes>().axes;
        value_info const v = d.info(0);
        symbol const inverse = inverse_of(d.operands[0], d.operands[1], axes), gy = d.gradient * d.result;
        symbol const mean_gy = sum_over(gy, axes, true) / size_of_axes(*d.table, v.dims, axes, v.type);
        d.out[0] = (d.gradient - d.result * mean_gy) * inverse;
        if (d.wanted[1]) d.out[1] = slope_of_epsilon(gy, inverse, v.dims);
    }
    static constexpr op_info describe() {
        op_info r = make_op("rms_normalize", op_kind::composite, infer, derive);
        r.expand = expand;
        return r;
    }
};
}

namespace detail {
/// The epsilons of Keras' normalization layers.
using usual_epsilon = decltype(1e-3_c);
using rms_epsilon = decltype(1e-6_c);

template<class Op, int... Axes, class A, class E>
constexpr auto standardized(A const& x, E const& epsilon) {
    if constexpr (!Operand<A> || !Operand<E>) return refuse_operand<A, E>();
    else {
        using O = with<Op, reduction_attributes{axes_of<A, Axes...>(), true}>;
        constexpr fault f = fault_of<O, A, E>();
        static_assert(f != fault::not_floating,
            "xgrad::standardize<axes...>(x), and norms of layers: x is neither float nor double; write cast<float>(x) first");
        static_assert(f != fault::inner, "xgrad::standardize<axes...>(x, epsilon), and norms of layers: epsilon is not a number, or has "
                                         "another element type than x; write 1e-3_c");
        if constexpr (f != fault::none) return refused{};
        else return apply<O>(x, epsilon);
    }
}
}

/// (x − mean) / √(variance + epsilon) over the axes (the last one if none is given), float or double: elements of mean 0 and
/// variance 1 (jax.nn.standardize, tf.image.per_image_standardization without its bound). The variance is the mean of the
/// squared differences from the mean, without a correction. epsilon is a number of rank 0, 1e-3 if it is not given. Equal
/// elements become 0, and NaN if epsilon is 0. An empty axis gives an empty result.
///
/// Gradient: (g − mean(g) − y mean(g y)) / √(variance + epsilon), with means over the axes.
template<int... Axes, class A, class E = detail::usual_epsilon>
constexpr auto standardize(A const& x, E const& epsilon = {}) {
    if constexpr (sizeof...(Axes) == 0) return detail::standardized<op::standardize, -1>(x, epsilon);
    else return detail::standardized<op::standardize, Axes...>(x, epsilon);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
