// SPDX-License-Identifier: MIT
// The directional derivative of y along tangents of xs, made of two reverse sweeps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>
#include <xgrad/grad/reads.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The first sweep gives g(u), the gradients of y with the seed u. They are linear in u, so their gradient with respect to u is the
/// derivative of y along the seeds of the second sweep, and does not depend on u. u is a separate node of zeros.
class tangent_sweep {
    table_builder& b;

    constexpr symbol zeros(value_info const& v) { return op::broadcast_symbol(b.constant(0, computed_type(v.type)), v.dims); }
    /// Whether `root` depends on u. Later nodes are after earlier ones.
    constexpr bool depends(symbol root, symbol u) {
        sequence<bool> on_u(root.index + 1, false);
        for (int i = u.index; i <= root.index; ++i) {
            on_u.at[i] = i == u.index;
            for (int k = 0; k < b.nodes[i].count; ++k) on_u.at[i] = on_u.at[i] || on_u.at[b.operand(i, k).index];
        }
        return on_u.at[root.index];
    }
    /// The same, where a step over bodies depends only on the operands that its bodies read.
    constexpr bool depends_in_bodies(symbol root, symbol u) {
        mark_flow flow(b.view());
        flow.mark(u.index, 0);
        flow.run(root.index + 1);
        if (!flow.is_marked(root.index)) return false;
        for (int i = u.index; i <= root.index && b.nonlinear_gradient.empty(); ++i)
            if (flow.is_marked(i) && b.nodes[i].op->region != nullptr) b.nonlinear_gradient = nonlinear_gradient_in(*b.nodes[i].op->region);
        return true;
    }

public:
    constexpr explicit tangent_sweep(table_builder& builder) : b(builder) {}

    constexpr symbol run(symbol y, symbol const* xs, symbol const* tangents, int count) {
        value_info const of_y = b.info(y);
        symbol const u = b.set_apart(zeros(of_y));
        sequence<adjoint> const first(count, adjoint{});
        reverse_sweep(b).run(&y, &u, 1, xs, count, nullptr, 0, first.at);
        symbol g[max_region_operands], seeds[max_region_operands];
        int n = 0;
        for (int i = 0; i < count; ++i) {
            adjoint const& a = first.at[i];
            if (!a.exists()) continue;
            value_info const x = b.info(xs[i]);
            symbol const t = op::broadcast_symbol(tangents[i] * b.constant(1, computed_type(x.type)), x.dims);
            g[n] = a.sparse() ? a.values : a.dense;
            seeds[n++] = a.sparse() ? apply<op::gather>(t, a.indices) : t;
        }
        adjoint result{};
        reverse_sweep(b).run(g, seeds, n, &u, 1, nullptr, 0, &result);
        if (!result.exists()) return zeros(of_y);
        symbol const tangent = result.sparse() ? op::densify(result.values, result.indices, of_y.dims) : result.dense;
        if (!b.nonlinear_derivative && u.index <= tangent.index && depends(tangent, u))
            b.nonlinear_derivative = depends_in_bodies(tangent, u);
        return tangent;
    }
};
}

namespace op {
/// Operands: y, the tangents, the xs. The tangents count as ys in the attributes, because no gradient is taken with respect to them.
struct jvp {
    using attributes = gradient_attributes;

    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) { return as_computed(v[0]); }
    static constexpr symbol expand(symbol_table& t, symbol const* in, int, xgrad::attributes const& words) {
        int const count = words.as<attributes>().x_count;
        return xgrad::detail::tangent_sweep(static_cast<table_builder&>(t)).run(in[0], in + 1 + count, in + 1, count);
    }
    static constexpr op_info describe() {
        op_info r = make_op("jvp", op_kind::gradient, infer, nullptr);
        r.expand = expand;
        return r;
    }
};
}

namespace detail {
/// Several expressions as types.
template<class... E>
struct expressions {};

/// The derivative of Y along tangents of Xs, as an expression.
template<class Y, class Xs, class Tangents>
struct tangent;
template<class Y, class... X, class... V>
struct tangent<Y, expressions<X...>, expressions<V...>> : expression_base {
    static constexpr int count = 1 + 2 * static_cast<int>(sizeof...(X));
    static constexpr node_info const* operands[count] = {info_of<Y>, info_of<V>..., info_of<X>...};
    static constexpr auto words =
        to_words(gradient_attributes{static_cast<std::int16_t>(1 + sizeof...(V)), static_cast<std::int16_t>(sizeof...(X)), 0, 1, 0, 0, 0});
    static constexpr node_info info = make_info(op_register<op::jvp>::info, words.view(), operands, count);
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
