// SPDX-License-Identifier: MIT
// The table of a graph, built by constexpr code that simplifies nodes on the way to their memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/graph/node_store.hpp>
#include <xgrad/graph/nodes.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// Adds nodes and simplifies them:
/// - equal nodes become one node, and identities are removed;
/// - an alias is a node with the elements of its operand in another shape: reshapes of reshapes become one alias;
/// - transposes become part of matrix products;
/// - the two operands of a commutative operation are put in one order, so that a + b and b + a are one node.
struct table_builder final : node_store {
    using node_store::node_store;
    constexpr symbol add(op_info const* op, symbol const* x, int count, attributes const& a) override {
        if (count < few_operands) {   // constant evaluation initializes every element of an array, so small arrays are faster
            symbol in[few_operands];
            value_info const* v[few_operands];
            return add(op, x, count, a, in, v);
        }
        symbol in[max_region_operands + 1];
        value_info const* v[max_region_operands];
        return add(op, x, count, a, in, v);
    }

    /// A separate node with the value of `s`, which is never merged with another one. A gradient with respect to an expression needs it:
    /// without it `s` could be simplified away, or shared with uses that the gradient must not count.
    constexpr symbol set_apart(symbol s) {
        if (!has_gradient(info(s).type)) return s;
        auto const w = to_words(op::watched::attributes{node_count});
        return add(op_register<op::watched>::info, &s, 1, w.view());
    }

private:
    static constexpr int few_operands = 4;
    // Writes the operands to `in`, with space for one more, and their values to `v`.
    constexpr symbol add(op_info const* op, symbol const* x, int count, attributes const& a, symbol* in, value_info const** v) {
        bool half = false, wrong = false, literal = false, plain = true;   // plain: no constants, broadcasts or aliases
        for (int i = 0; i < count; ++i) {
            in[i] = x[i];
            table_node const& n = nodes[x[i].index];
            dtype const type = n.value.type;
            if (type == dtype::literal) literal = true;
            else if (is_half(type)) half = true;
            if (n.value.wrong != fault::none) wrong = true;
            op_kind const kind = n.op->kind;
            if (kind == op_kind::constant || kind == op_kind::broadcast || kind == op_kind::alias) plain = false;
        }
        if (half && !takes_half(*op))
            for (int i = 0; i < count; ++i)
                if (is_half(info(in[i]).type)) in[i] = add(op_register<op::cast<float>>::info, &in[i], 1, {});
        plain = plain && !half && !literal;
        if (op->kind == op_kind::elementwise) {
            if (literal) adopt_type(in, count);
            if (!plain) strip_broadcasts(in, count);
        }
        if (op->kind == op_kind::composite) {
            if (literal) adopt_type(in, count);
            if (op->owned > 0)   // this variable belongs to one call of a layer; a call with another x is recorded in shared_layer
                own(static_cast<std::uint64_t>(in[op->owned].index), in[0].index, attrs(in[op->owned].index).name, shared_layer);
            symbol const expanded = op->expand(*this, in, count, a);
            if (op->derive == nullptr) return expanded;
            in[count] = expanded;
            return insert(op, in, count + 1, a, info(expanded));
        }
        if (op->kind == op_kind::gradient) return op->expand(*this, in, count, a);
        if (op->kind == op_kind::part) return insert(op, in, 1, a, output(in[0].index, static_cast<int>(a.as<part_attributes>().output)));
        for (int i = 0; i < count; ++i) v[i] = &nodes[in[i].index].value;
        value_info r = half || wrong ? infer(*op, v, count, a) : detail::infer_good(*op, v, count, a, false);
        if (r.wrong == fault::repeated) r.wrong = fault::none;   // an error only where a user wrote it; derivatives may make it
        if (literal && op->kind == op_kind::elementwise && r.type != dtype::literal)   // cast and comparisons of literals
            for (int i = 0; i < count; ++i)
                if (nodes[in[i].index].op->kind != op_kind::constant) in[i] = typed(in[i], is_floating(r.type) ? r.type : dtype::float64);
        if (op->kind == op_kind::elementwise)
            if (symbol const s = simpler_elementwise(op, in, count, r, plain); s.exists()) return s;
        if (op->kind == op_kind::alias && op->derive != nullptr) return add_alias(in[0], r);
        if (op->kind == op_kind::reduce) {
            auto const how = a.as<reduction_attributes>();
            if (reduces_nothing(info(in[0]).dims, how.axes)) return add_alias(in[0], r);
            if (symbol const s = simpler_reduction(op, in[0], how, r); s.exists()) return s;
        }
        if (op->kind == op_kind::broadcast && r.dims == info(in[0]).dims) return in[0];
        if (op->kind == op_kind::matmul) return add_matmul(op, in, a, r);
        if (op->commutative && count == 2 && in[1].index < in[0].index) {
            symbol const t = in[0];
            in[0] = in[1];
            in[1] = t;
        }
        return insert(op, in, count, a, r);
    }

    // Output `k` of node `i`. The gradient of a step over bodies may have hundreds, which are added one after another.
    constexpr value_info output(int i, int k) {
        if (nodes[i].op->region == nullptr || attrs(i).word_count == 0) return view().output(i, k);
        if (last_gradient_ != i) {
            last_form_ = form_of(*nodes[i].op->region, attrs(i));
            last_gradient_ = i;
        }
        return last_form_.output(k);
    }
    int last_gradient_ = -1;
    region_form last_form_;   // of that node

    static constexpr bool reduces_nothing(shape const& s, axis_set axes) {
        for (int i = 0; i < s.rank; ++i)
            if (axes.has(i) && !is_one(s.extents[i])) return false;
        return true;
    }
    // Sums over the same elements become one node, whatever axes of extent 1 they have.
    constexpr symbol simpler_reduction(op_info const* op, symbol x, reduction_attributes a, value_info const& r) {
        if (!look_below(x, a.axes) && !a.keep_dims) return {};
        auto const plain = to_words(reduction_attributes{a.axes, false});
        return add_alias(add(op, &x, 1, plain.view()), r);
    }
    // If x is a reshape, replaces x by the operand of the reshape and `axes` by the same axes there. False: that is not possible.
    constexpr bool look_below(symbol& x, axis_set& axes) {
        if (nodes[x.index].op->kind != op_kind::alias || nodes[x.index].op->derive == nullptr) return false;
        symbol const source = operand(x.index, 0);
        shape const &s = info(x).dims, &below = info(source).dims;
        axis_set moved{};
        for (int i = 0, k = 0;; ++i, ++k) {
            while (i < s.rank && is_one(s.extents[i])) ++i;
            while (k < below.rank && is_one(below.extents[k])) ++k;
            if (i == s.rank && k == below.rank) break;
            if (i == s.rank || k == below.rank || !(s.extents[i] == below.extents[k])) return false;
            if (axes.has(i)) moved.add(k);
        }
        x = source;
        axes = moved;
        return true;
    }
    // Literals get the type of the other operands.
    constexpr void adopt_type(symbol* in, int count) {
        dtype t = dtype::literal;
        for (int i = 0; i < count; ++i)
            if (dtype const d = info(in[i]).type; d != dtype::literal && (t == dtype::literal || t == dtype::boolean)) t = d;
        if (t == dtype::literal || t == dtype::boolean) return;
        for (int i = 0; i < count; ++i) in[i] = typed(in[i], t);
    }
    // An expression of literals only, computed in type `t`.
    constexpr symbol typed(symbol s, dtype t) {
        if (info(s).type != dtype::literal) return s;
        int const i = s.index;
        if (nodes[i].op->kind == op_kind::constant) return constant(number_at(i), t);
        symbol in[max_operands]{};
        int const count = nodes[i].count - (nodes[i].op->kind == op_kind::composite);   // without its expansion
        for (int k = 0; k < count; ++k) in[k] = typed(operand(i, k), t);
        return add(nodes[i].op, in, count, attrs(i));
    }
    // Removes the broadcast of an operand if another operand already has the resulting shape.
    constexpr void strip_broadcasts(symbol* in, int count) {
        bool any = false;
        for (int i = 0; i < count; ++i) any = any || nodes[in[i].index].op->kind == op_kind::broadcast;
        if (!any) return;
        shape full{};
        for (int i = 0; i < count; ++i)
            if (!broadcast_into(full, info(in[i]).dims)) return;
        for (int i = 0; i < count; ++i) {
            if (nodes[in[i].index].op->kind != op_kind::broadcast) continue;
            symbol const source = operand(in[i].index, 0);
            shape s = info(source).dims;
            for (int k = 0; k < count; ++k)
                if (k != i && !broadcast_into(s, info(in[k]).dims)) return;
            if (s == full) in[i] = source;
        }
    }
    constexpr symbol simpler_elementwise(op_info const* op, symbol const* in, int count, value_info const& r, bool plain) {
        double c = 0;
        if (!plain && op->has_identity && count == 2) {
            for (int k = 0; k < (op->commutative ? 2 : 1); ++k)
                if (symbol const x = in[k], unit = in[1 - k]; is_constant(unit, c) && c == op->identity && info(x).type == r.type) {
                    if (info(x).dims == r.dims) return x;
                    if (op_info const* repeat = nodes[unit.index].op; repeat->kind == op_kind::broadcast)
                        return insert(repeat, &x, 1, shape_attributes(r.dims), r);
                }
        }
        if (op->self_inverse && nodes[in[0].index].op == op) return operand(in[0].index, 0);
        if (op->converts && info(in[0]).type == r.type) return in[0];
        return {};
    }
    constexpr symbol add_alias(symbol x, value_info const& r) {
        while (nodes[x.index].op->kind == op_kind::alias && nodes[x.index].op->derive != nullptr) x = operand(x.index, 0);
        if (r.dims == info(x).dims) return x;
        if (nodes[x.index].op->kind == op_kind::broadcast) {   // an alias of a broadcast number is a broadcast too
            symbol const source = operand(x.index, 0);
            bool single = true;
            for (int i = 0; i < info(source).dims.rank; ++i) single = single && is_one(info(source).dims.extents[i]);
            if (single) {
                symbol s = source;
                while (nodes[s.index].op->kind == op_kind::alias && nodes[s.index].op->derive != nullptr) s = operand(s.index, 0);
                if (info(s).dims.rank == 0) return insert(nodes[x.index].op, &s, 1, shape_attributes(r.dims), r);
            }
        }
        return insert(
            op_register<op::reshaped>::info, &x, 1, shape_attributes(r.dims), r);   // all aliases with one source and shape are one node
    }
    constexpr symbol add_matmul(op_info const* op, symbol* in, attributes const& a, value_info const& r) {
        auto how = a.as<product_attributes>();
        for (int k = 0; k < 2; ++k)
            if (nodes[in[k].index].op->kind == op_kind::transpose && info(in[k]).dims.rank == 2 && info(in[0]).dims.rank == 2 &&
                info(in[1]).dims.rank == 2 && attrs(in[k].index).as<permutation_attributes>().order[0] == 1) {
                in[k] = operand(in[k].index, 0);
                flag& transposed = k == 0 ? how.transpose_a : how.transpose_b;
                transposed = !transposed;
            }
        auto const w = to_words(how);
        return insert(op, in, 2, w.view(), r);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
