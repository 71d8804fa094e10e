// SPDX-License-Identifier: MIT
// Products over axes. Their gradients do not divide, so zeros need no special case.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
template<class T>
constexpr T multiplied(T a, T b) {
    if constexpr (std::is_integral_v<T>) return math::multiply(a, b);
    else return a * b;
}
/// For each element of a row x, the product of all others.
/// With m further operands, the directions t, it is the derivative of this product along all of them. That is the
/// coefficient of the product of all ε in the polynomial Π (x + Σ εₛ tₛ) over the other elements.
/// The gradient with respect to x has one more direction. The gradient with respect to a direction has the incoming
/// gradient in its place. So this operation gives derivatives of all orders.
struct product_of_others : row_op {
    static constexpr std::string_view name = "product_of_others";
    static constexpr int flops = 4;
    static constexpr value_info infer(value_info const* v, int count, attributes const&, int) {
        value_info r = v[0];
        for (int k = 1; k < count; ++k) {
            if (v[k].type != r.type) r.wrong = fault::dtypes;
            if (!(v[k].dims == r.dims)) r.wrong = fault::shapes;
        }
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> out) {
        T before = 1, after = 1;
        for (std::size_t j = 0; j < x.size(); before = multiplied(before, x[j++])) out[j] = before;
        for (std::size_t j = x.size(); j-- > 0; after = multiplied(after, x[j])) out[j] = multiplied(out[j], after);
    }
    template<class T, class... S>
    static void row(std::span<T const> x, std::span<T const> first, S... others_and_out) {
        std::span<T const> const direction[]{first, others_and_out...};
        std::span<T> const out = std::get<sizeof...(S) - 1>(std::tuple{others_and_out...});
        constexpr std::size_t directions = sizeof...(S), all = std::size_t{1} << directions;
        for (std::size_t j = 0; j < x.size(); ++j) {
            T part[all]{1};   // one product for each subset of the directions
            for (std::size_t k = 0; k < x.size(); ++k) {
                if (k == j) continue;
                for (std::size_t set = all; set-- > 0;) {
                    T sum = multiplied(part[set], x[k]);
                    for (std::size_t s = 0; s < directions; ++s)
                        if ((set >> s & 1) != 0) sum += multiplied(part[set & ~(std::size_t{1} << s)], direction[s][k]);
                    part[set] = sum;
                }
            }
            out[j] = part[all - 1];
        }
    }
    static constexpr symbol of(symbol const* operands, int count) {
        return operands[0].table->add(op_register<product_of_others>::info, operands, count, {});
    }
    static constexpr void derive(derivation& d) {
        symbol in[max_operands]{};
        for (int k = 0; k < d.count; ++k) in[k] = d.operands[k];
        for (int k = 1; k < d.count; ++k) {
            if (!d.wanted[k]) continue;
            in[k] = d.gradient;
            d.out[k] = of(in, d.count);
            in[k] = d.operands[k];
        }
        if (!d.wanted[0]) return;
        in[d.count] = d.gradient;
        d.out[0] = of(in, d.count + 1);
    }
};
/// The product of each row.
struct row_product : row_op {
    static constexpr std::string_view name = "prod";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> out) {
        constexpr std::size_t lanes = 8;
        T part[lanes]{1, 1, 1, 1, 1, 1, 1, 1};
        std::size_t i = 0;
        for (; i + lanes <= x.size(); i += lanes)
            for (std::size_t k = 0; k < lanes; ++k) part[k] = multiplied(part[k], x[i + k]);
        for (std::size_t k = 0; i < x.size(); ++i, ++k) part[k] = multiplied(part[k], x[i]);
        for (std::size_t n = lanes / 2; n > 0; n /= 2)
            for (std::size_t k = 0; k < n; ++k) part[k] = multiplied(part[k], part[k + n]);
        out[0] = part[0];
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = apply_with<expand_dims>({-1}, d.gradient) * product_of_others::of(d.operands, 1);
    }
};
/// Reduces axis by axis, starting with the last one.
struct prod : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "prod";
    static constexpr value_info infer(value_info const* v, int n, xgrad::attributes const& a) { return reduce_rule(v, n, a); }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        value_info const v = t.info(x[0]);
        symbol r = x[0];
        for (int axis = v.dims.rank; axis-- > 0;)
            if (a.as<attributes>().axes.has(axis)) r = apply<row_product>(axis_to_end(r, axis));
        return reshape_to(r, reduce_rule(&v, 1, a).dims);
    }
};
}

/// Product over the axes (all if none is given). It is 1 for no elements. Integers wrap around.
/// Gradient: of an element, g times the product of the others, also if elements are zero, as in TensorFlow's
/// tf.reduce_prod. The gradient of that takes n² multiplications for a row of n elements.
template<int... Axes, class A>
constexpr auto prod(A const& x) {
    return detail::reduced<op::prod, 0, Axes...>(x);
}
template<int... Axes, class A>
constexpr auto prod(A const& x, keep_dims_tag) {
    return detail::reduced<op::prod, 1, Axes...>(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
