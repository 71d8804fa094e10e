// SPDX-License-Identifier: MIT
// The directional derivative of y along tangents of xs, made of two reverse sweeps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The first sweep gives g(u), the gradients of y with the seed u. They are linear in u, so their gradient with respect to u is the
/// derivative of y along the seeds of the second sweep, and does not depend on u. u is a separate node of zeros.
class tangent_sweep {
    table_builder& b;
    int u_ = 0, second_ = 0;   // the nodes u, and the first of the second sweep
    sequence<int> copy_;       // of each node: where it is without u; -1: not visited
    sequence<bool> depends_;   // of each node: on u, in that copy

    constexpr symbol zeros(value_info const& v) { return op::broadcast_symbol(b.constant(0, computed_type(v.type)), v.dims); }
    constexpr bool depends(int node) const { return node < depends_.count && depends_.at[node]; }
    constexpr int operand_count(int node) const {
        table_node const& n = b.nodes[node];
        return n.op->kind == op_kind::composite ? n.count - 1 : n.count;   // the last operand of a composite is its expansion
    }
    // An operand of the same type and shape that does not depend on u, or zeros.
    constexpr symbol stand_in(int node, value_info const& v) {
        for (int k = 0; k < operand_count(node); ++k)
            if (int const i = b.operand(node, k).index; !depends(i)) {
                value_info const& other = b.info(b.at(copy_.at[i]));
                if (other.type == v.type && other.dims == v.dims) return b.at(copy_.at[i]);
            }
        return zeros(v);
    }
    // The gradient of a loop has the history of the loop as operands. In the second sweep that is the history of g(u). No result of its
    // body depends on it, because g is linear. Another operand takes its place, so that the first sweep does not run.
    constexpr symbol rebuilt(int node) {
        symbol in[max_operands]{};
        int const count = operand_count(node);
        bool changed = false;
        for (int k = 0; k < count; ++k) {
            int const from = b.operand(node, k).index;
            in[k] = b.at(copy_.at[from]);
            if (b.nodes[node].op->kind == op_kind::scan && depends(from)) in[k] = stand_in(node, b.info(in[k]));
            changed = changed || in[k].index != from;
        }
        return changed ? b.add(b.nodes[node].op, in, count, b.attrs(node)) : b.at(node);
    }
    constexpr symbol without_u(symbol root) {
        int const n = b.node_count;
        sequence<bool> needed(n, false);
        needed.at[root.index] = true;
        for (int i = root.index + 1; i-- > u_;)
            for (int k = 0; needed.at[i] && k < operand_count(i); ++k) needed.at[b.operand(i, k).index] = true;
        for (int i = 0; i < n; ++i) {
            copy_.push(i);
            depends_.push(i == u_);
        }
        for (int i = u_ + 1; i <= root.index; ++i) {
            if (!needed.at[i]) continue;
            bool const is_loop = b.nodes[i].op->kind == op_kind::scan && i >= second_;
            if (i >= second_) copy_.at[i] = rebuilt(i).index;
            for (int k = 0; !is_loop && k < operand_count(i); ++k) depends_.at[i] = depends_.at[i] || depends(b.operand(i, k).index);
        }
        if (depends(root.index)) b.nonlinear_derivative = true;
        return b.at(copy_.at[root.index]);
    }

public:
    constexpr explicit tangent_sweep(table_builder& builder) : b(builder) {}

    constexpr symbol run(symbol y, symbol const* xs, symbol const* tangents, int count) {
        value_info const of_y = b.info(y);
        symbol const u = b.set_apart(zeros(of_y));
        u_ = u.index;
        sequence<adjoint> const first(count, adjoint{});
        reverse_sweep(b).run(&y, &u, 1, xs, count, nullptr, 0, first.at);
        symbol g[max_operands]{}, seeds[max_operands]{};
        int n = 0;
        for (int i = 0; i < count; ++i) {
            adjoint const& a = first.at[i];
            if (!a.exists()) continue;
            value_info const x = b.info(xs[i]);
            symbol const t = op::broadcast_symbol(tangents[i] * b.constant(1, computed_type(x.type)), x.dims);
            g[n] = a.sparse() ? a.values : a.dense;
            seeds[n++] = a.sparse() ? apply<op::gather>(t, a.indices) : t;
        }
        second_ = b.node_count;
        adjoint result{};
        reverse_sweep(b).run(g, seeds, n, &u, 1, nullptr, 0, &result);
        if (!result.exists()) return zeros(of_y);
        return without_u(result.sparse() ? op::densify(result.values, result.indices, of_y.dims) : result.dense);
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
