// SPDX-License-Identifier: MIT
// The reverse sweep: adds the gradients of ys with respect to xs to the table that contains them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/op_slip.hpp>
#include <xgrad/graph/flatten.hpp>
#include <xgrad/grad/joined_slices.hpp>
#include <xgrad/grad/unread.hpp>
#include <xgrad/ops/factor.hpp>
#include <xgrad/ops/gather.hpp>

XGRAD_NAMESPACE_BEGIN

/// A gradient, or one contribution to it: nothing (unconnected), a dense tensor, or indexed slices.
struct adjoint {
    symbol dense;
    symbol values, indices;
    constexpr bool exists() const { return dense.exists() || values.exists(); }
    constexpr bool sparse() const { return values.exists(); }
};

/// The axes along which `from` must be summed to get the shape that was broadcast to it.
constexpr axis_set axes_to_sum(shape const& from, shape const& target) {
    axis_set axes{};
    int const shift = from.rank - target.rank;
    for (int i = 0; i < from.rank; ++i)
        if (i < shift || (is_one(target.extents[i - shift]) && !is_one(from.extents[i]))) axes.add(i);
    return axes;
}
/// Whether `from`, summed over axes_to_sum, has the extents of `target` in order. Extents of 1 may be anywhere.
constexpr bool sums_to(shape const& from, shape const& target) {
    axis_set const axes = axes_to_sum(from, target);
    int i = 0, j = 0;
    while (true) {
        while (i < from.rank && (axes.has(i) || is_one(from.extents[i]))) ++i;
        while (j < target.rank && is_one(target.extents[j])) ++j;
        if (i == from.rank || j == target.rank) return i == from.rank && j == target.rank;
        if (!(from.extents[i++] == target.extents[j++])) return false;
    }
}
/// Whether values and indices are slices of a table: for each index, int32 or int64, a value with the shape of a row.
constexpr bool are_slices_of(value_info const& values, value_info const& indices, value_info const& table) {
    if (values.wrong != fault::none || indices.wrong != fault::none || values.type != computed_type(table.type) ||
        !is_integer(indices.type) || is_narrow_index(indices.type))
        return false;
    if (indices.dims.rank != 1 || values.dims.rank != table.dims.rank || !(values.dims.extents[0] == indices.dims.extents[0])) return false;
    for (int i = 1; i < table.dims.rank; ++i)
        if (!(values.dims.extents[i] == table.dims.extents[i])) return false;
    return true;
}
/// Undoes a broadcast: sums `s` to the shape `target`.
constexpr symbol unbroadcast(symbol s, shape const& target) {
    shape const from = s.table->info(s).dims;
    if (from == target) return s;
    axis_set const axes = axes_to_sum(from, target);
    if (axes.bits == 0) return op::reshape_to(s, target);
    op::scaled const v = op::take_factor(s, axes, op::is_single(target));   // a single number is soon summed in double
    if (!v.factor.exists() || s.table->info(s).type == dtype::float64)
        return op::times(op::reshape_to(op::sum_over(v.rest, axes, true), target), v);
    return apply<op::cast<float>>(op::times(op::reshape_to(op::sum_over(apply<op::cast<double>>(v.rest), axes, true), target), v));
}

/// One reverse sweep over a table. Use it once.
class reverse_sweep {
    struct contribution {
        adjoint value;
        int next;
        int output;   // of an operation with several outputs
    };
    table_builder& b;
    struct mark {
        int first, last;   // contributions
        int x;             // the first x that is this node, or -1
        bool reached;      // depends on an x
        bool stopped;
    };
    sequence<mark> marks;   // of each node
    sequence<contribution> list;

    constexpr void record(int node, adjoint const& a, int output = 0) {
        list.push({a, -1, output});
        int const n = list.count - 1;
        mark& m = marks.at[node];
        if (m.first < 0) m.first = n;
        else list.at[m.last].next = n;
        m.last = n;
    }
    constexpr symbol dense(adjoint const& a, int node) {
        return a.sparse() ? op::densify(a.values, a.indices, b.nodes[node].value.dims) : a.dense;
    }

    constexpr adjoint aggregate(int node) {
        int const head = marks.at[node].first;
        if (head < 0) return {};
        if (list.at[head].next < 0) return list.at[head].value;
        bool all_sparse = true, wide = false;
        for (int i = head; i >= 0; i = list.at[i].next) all_sparse = all_sparse && list.at[i].value.sparse();
        for (int i = head; all_sparse && i >= 0; i = list.at[i].next) wide = wide || b.info(list.at[i].value.indices).type == dtype::int64;
        if (all_sparse) {   // concatenated; duplicates are not merged
            symbol values[max_operands]{}, indices[max_operands]{};
            int n = 0;
            for (int i = head; i >= 0; i = list.at[i].next, ++n) {
                if (n == max_operands) {
                    values[0] = op::concat_along(0, values, n);
                    indices[0] = op::concat_along(0, indices, n);
                    n = 1;
                }
                values[n] = list.at[i].value.values;
                indices[n] = wide ? apply<op::cast<std::int64_t>>(list.at[i].value.indices)
                                  : list.at[i].value.indices;   // int32 and int64 mixed: int64
            }
            return {{}, op::concat_along(0, values, n), op::concat_along(0, indices, n)};
        }
        return {sum_of(node), {}, {}};
    }
    // select(c, g, 0) or select(c, 0, g): g where a mask is true, or where it is false. A sign and scalar factors may be around it.
    struct masked {
        symbol mask, rest;
        bool where;
        constexpr symbol apply_to(symbol s) const {
            symbol const zero = s.table->constant(0, s.table->info(s).type);
            return where ? xgrad::select(mask, s, zero) : xgrad::select(mask, zero, s);
        }
    };
    static constexpr int max_masks = 8;
    // The sum of dense contributions. If all have the same mask on the same side, it is applied to their sum.
    // If the sides differ, it selects between two sums.
    constexpr symbol sum_of(int node) {
        masked shared[max_masks]{};
        int const count = take_shared_masks(node, shared);
        symbol sum = sum_of_terms(node);
        for (int k = count; k-- > 0;) sum = shared[k].apply_to(sum);
        return sum;
    }
    // Whether `s` has this mask at any depth. without_mask: `s` without it.
    constexpr bool has_mask(symbol s, masked const& m) {
        masked next{};
        for (int k = 0; k < max_masks && take_mask(s, next); ++k, s = next.rest)
            if (next.mask.index == m.mask.index && next.where == m.where) return true;
        return false;
    }
    constexpr symbol without_mask(symbol s, masked const& m) {
        masked next{};
        if (!take_mask(s, next)) return s;   // the first term had this mask twice, this one only once
        return next.mask.index == m.mask.index && next.where == m.where ? next.rest : next.apply_to(without_mask(next.rest, m));
    }
    // Masks that all terms of a node have are applied to their sum, where the next operation can find them. At most max_masks.
    constexpr int take_shared_masks(int node, masked* shared) {
        int const head = marks.at[node].first;
        if (head < 0 || list.at[head].next < 0 || list.at[head].value.sparse()) return 0;
        masked m{};
        int count = 0;
        symbol rest = list.at[head].value.dense;
        for (int k = 0; k < max_masks && take_mask(rest, m); ++k, rest = m.rest) {
            bool all = true;
            for (int i = list.at[head].next; all && i >= 0; i = list.at[i].next)
                all = !list.at[i].value.sparse() && has_mask(list.at[i].value.dense, m);
            if (all) shared[count++] = m;
        }
        for (int k = 0; k < count; ++k)
            for (int i = head; i >= 0; i = list.at[i].next)
                list.at[i].value.dense = op::broadcast_symbol(without_mask(list.at[i].value.dense, shared[k]), b.nodes[node].value.dims);
        return count;
    }
    constexpr symbol sum_of_terms(int node) {
        int const head = marks.at[node].first;
        masked m{}, next{};
        bool one_mask = !list.at[head].value.sparse() && take_mask(list.at[head].value.dense, m);
        for (int i = list.at[head].next; one_mask && i >= 0; i = list.at[i].next)
            one_mask = !list.at[i].value.sparse() && take_mask(list.at[i].value.dense, next) && next.mask.index == m.mask.index;
        symbol sums[2]{};   // [0]: where the mask is true, or the sum of all; [1]: where it is false
        for (int i = head; i >= 0; i = list.at[i].next) {
            symbol term = dense(list.at[i].value, node);
            if (one_mask) {
                take_mask(term, next);
                term = op::broadcast_symbol(next.rest, b.nodes[node].value.dims);
            }
            symbol& sum = sums[one_mask && !next.where];
            sum = sum.exists() ? detail::sum_of_slices(b, sum, term) : term;
        }
        if (!one_mask) return sums[0];
        if (sums[0].exists() && sums[1].exists()) return xgrad::select(m.mask, sums[0], sums[1]);
        m.where = sums[0].exists();
        return m.apply_to(sums[m.where ? 0 : 1]);
    }

    // The index of the operand that `s` is a multiple of (by a sign or a scalar), or -1.
    constexpr int multiple_of(symbol s) {
        op_info const* const op = b.op(s);
        if (op->negates) return 0;
        bool const quotient = op == op_register<op::div>::info;
        if (!quotient && op != op_register<op::mul>::info) return -1;
        if (b.info(b.operand(s, 1)).dims.rank == 0) return 0;
        return !quotient && b.info(b.operand(s, 0)).dims.rank == 0 ? 1 : -1;
    }
    constexpr bool take_mask(symbol s, masked& m) {
        constexpr int max_factors = 4;
        symbol outer[max_factors]{};
        int factors = 0;
        for (int k = 0; factors < max_factors && (k = multiple_of(s)) >= 0; s = b.operand(s, k)) outer[factors++] = s;
        if (b.op(s) != op_register<op::select>::info) return false;
        double number = 1;
        symbol const a = b.operand(s, 1), c = b.operand(s, 2);
        m.where = b.is_constant(c, number) && number == 0;
        if (!m.where && !(b.is_constant(a, number) && number == 0)) return false;
        m.mask = b.operand(s, 0);
        m.rest = m.where ? a : c;
        while (factors-- > 0) {
            int const k = multiple_of(outer[factors]), n = b.arity(outer[factors]);
            symbol in[2]{m.rest, m.rest};
            if (n == 2) in[1 - k] = b.operand(outer[factors], 1 - k);
            m.rest = b.add(b.op(outer[factors]), in, n, {});
        }
        return true;
    }
    // Takes the masks off a gradient that an element-wise operation receives.
    // They are applied to the result of its derivative instead, so that the branch that a select did not take cannot produce 0 * inf.
    // Sums, signs and scalar factors cannot produce it: their gradients stay as they are.
    constexpr int take_masks(op_info const& op, shape const dims, derivation& d, masked* masks) {
        if (op.kind != op_kind::elementwise || &op == op_register<xgrad::op::add>::info || &op == op_register<xgrad::op::sub>::info ||
            &op == op_register<xgrad::op::select>::info)
            return 0;
        if (int const k = multiple_of(d.result); k >= 0 && (d.count == 1 || !d.wanted[1 - k])) return 0;
        int count = 0;
        while (count < max_masks && take_mask(d.gradient, masks[count])) d.gradient = masks[count++].rest;
        if (count > 0) d.gradient = xgrad::op::broadcast_symbol(d.gradient, dims);
        return count;
    }

    // A gradient with a wrong type, or a shape that does not sum to that of the operand, would be read out of bounds.
    // It is replaced by zeros and reported later.
    constexpr adjoint refused(op_info const& op, value_info const& operand) {
        b.wrong_gradient = op.name;
        return {op::broadcast_symbol(b.constant(0, computed_type(operand.type)), operand.dims), {}, {}};
    }
    constexpr adjoint fitted(op_info const& op, symbol s, value_info const& operand) {
        value_info const from = b.info(s);
        bool const plain = from.wrong == fault::none && from.type == computed_type(operand.type);
        if (plain && from.dims == operand.dims) return {s, {}, {}};
        bool const fits = plain && sums_to(from.dims, operand.dims);
        return fits ? adjoint{unbroadcast(s, operand.dims), {}, {}} : refused(op, operand);
    }
    constexpr adjoint fitted(op_info const& op, symbol values, symbol indices, value_info const& operand) {
        if (indices.exists()) indices = op::as_index(indices);
        bool const fits = indices.exists() && are_slices_of(b.info(values), b.info(indices), operand);
        return fits ? adjoint{{}, values, indices} : refused(op, operand);
    }

    constexpr void visit(int node, adjoint const& total) {
        op_info const* const op = b.nodes[node].op;
        int const count = b.nodes[node].count;
        if (marks.at[node].stopped) return;
        if (op->lacks_derivative && b.lost_gradient.empty())
            b.lost_gradient = op->region != nullptr  ? detail::loop_without_capacity
                              : op->is_last_gradient ? detail::last_gradient
                                                     : op->name;
        if (op->derive == nullptr) return;
        derivation d{};
        d.table = &b;
        d.count = op->kind == op_kind::composite ? count - 1 : count;   // the last operand of a composite is its expansion
        bool any = false;
        for (int k = 0; k < d.count; ++k) {
            d.operands[k] = b.operand(node, k);
            d.wanted[k] = marks.at[d.operands[k].index].reached && has_gradient(b.info(d.operands[k]).type);
            any = any || d.wanted[k];
        }
        if (!any) return;
        d.result = b.at(node);
        if (op->infer_output == nullptr) d.gradient = dense(total, node);
        else {   // each part has one contribution
            for (int i = marks.at[node].first; i >= 0; i = list.at[i].next) d.gradients[list.at[i].output] = list.at[i].value.dense;
            d.gradient = d.gradients[0];
        }
        attributes const a = b.attrs(node);
        d.attrs = &a;
        masked masks[max_masks]{};
        int const mask_count = take_masks(*op, b.nodes[node].value.dims, d, masks);
        op->derive(d);
        if (op->kind == op_kind::region) detail::replace_unread(b, d);
        for (int k = 0; mask_count > 0 && k < d.count; ++k)
            for (int m = mask_count; d.wanted[k] && d.out[k].exists() && m-- > 0;) d.out[k] = masks[m].apply_to(d.out[k]);
        for (int k = 0; k < d.count; ++k) {
            if (!d.wanted[k]) continue;
            if (d.values[k].exists()) record(d.operands[k].index, fitted(*op, d.values[k], d.indices[k], b.info(d.operands[k])));
            else if (d.out[k].exists()) record(d.operands[k].index, fitted(*op, d.out[k], b.info(d.operands[k])));
        }
    }

public:
    /// Whether a gradient of this node passes to operands, or should, but the operation has no derivative (reported).
    static constexpr bool passes(table_node const& n) {
        if (n.op->derive == nullptr && n.op->kind != op_kind::part && !n.op->lacks_derivative) return false;
        return n.op->infer_output != nullptr || has_gradient(n.value.type);
    }
    constexpr explicit reverse_sweep(table_builder& builder) : b(builder) {}

    /// `seeds[i]` is the initial gradient of ys[i], or empty for ones. `stops` are nodes that are not differentiated.
    constexpr void run(symbol const* ys, symbol const* seeds, int y_count, symbol const* xs, int x_count, symbol const* stops,
        int stop_count, adjoint* out) {
        int const n = b.node_count;
        sequence<mark> fresh(n, {-1, -1, -1, false, false});
        marks.swap(fresh);
        sequence<int> same_x(x_count);   // the next x that is the same node
        for (int i = 0; i < x_count; ++i) same_x.push(-1);
        for (int i = x_count; i-- > 0;) {
            mark& m = marks.at[xs[i].index];
            m.reached = true;
            same_x.at[i] = m.x;
            m.x = i;
        }
        for (int i = 0; i < stop_count; ++i) marks.at[stops[i].index].stopped = true;
        for (int i = 0; i < n; ++i) {
            auto const& r = b.nodes[i];
            if (!passes(r) || marks.at[i].stopped) continue;
            int const count = r.op->kind == op_kind::composite ? r.count - 1 : r.count;
            for (int k = 0; k < count && !marks.at[i].reached; ++k) marks.at[i].reached = marks.at[b.operands[r.first_operand + k]].reached;
        }
        for (int i = 0; i < y_count; ++i)
            if (marks.at[ys[i].index].reached) {
                symbol const seed = seeds != nullptr && seeds[i].exists()
                                        ? seeds[i]
                                        : op::broadcast_symbol(b.constant(1, computed_type(b.info(ys[i]).type)), b.info(ys[i]).dims);
                record(ys[i].index, {seed, {}, {}});
            }
        for (int i = n; i-- > 0;) {
            if (marks.at[i].first < 0 || !marks.at[i].reached) continue;
            bool const several = b.nodes[i].op->infer_output != nullptr;   // the gradients are summed at the parts
            adjoint const total = several ? adjoint{} : aggregate(i);
            for (int k = marks.at[i].x; k >= 0; k = same_x.at[k]) out[k] = total;
            if (b.nodes[i].op->kind != op_kind::part) visit(i, total);
            else if (!marks.at[i].stopped)
                record(b.operand(i, 0).index, {dense(total, i), {}, {}}, static_cast<int>(b.attrs(i).as<part_attributes>().output));
        }
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
