// SPDX-License-Identifier: MIT
// Reverses the order of elements along axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/elementwise.hpp>
#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct reversed_row : row_op {
    static constexpr std::string_view name = "flip";
    static constexpr int flops = 0;
    static constexpr bool half_operands = true;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> x, std::span<T> out) {
        for (std::size_t j = 0; j < x.size(); ++j) out[j] = x[x.size() - 1 - j];
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply<reversed_row>(d.gradient); }
};
struct flip : composite_op {
    struct attributes {
        axis_list axes;
    };
    static constexpr std::string_view name = "flip";
    static constexpr bool half_operands = true;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        axis_list const axes = a.as<attributes>().axes;
        axis_set seen{};
        for (int i = 0; i < axes.count; ++i) {
            if (axes[i] < 0 || axes[i] >= v[0].dims.rank || seen.has(axes[i])) return {v[0].type, {}, fault::axis};
            seen.add(axes[i]);
        }
        return v[0];
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        axis_list const axes = a.as<attributes>().axes;
        symbol r = x[0];
        for (int i = 0; i < axes.count; ++i)
            if (!is_one(t.info(r).dims.extents[axes[i]])) r = axis_from_end(apply<reversed_row>(axis_to_end(r, axes[i])), axes[i]);
        return r;
    }
};
}

/// The elements in reverse order along the axes (all if none is given), like NumPy's flip: `flip<1>(x)` is x[:, ::-1].
/// Gradient: g, flipped.
template<int... Axes, class A>
constexpr auto flip(A const& x) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else {
        constexpr int rank = value_of<A>.dims.rank;
        constexpr op::flip::attributes how{op::axes_in_order<rank, Axes...>()};
        using O = with<op::flip, how>;
        static_assert(detail::fault_of<O, A>() != fault::axis,
            "xgrad::flip<axes...>(x): an axis does not exist in x or is there twice; write different axes of -rank ... rank-1");
        return apply<O>(x);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
