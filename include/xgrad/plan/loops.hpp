// SPDX-License-Identifier: MIT
// How a node is mapped to the space of its step, what it reads, and where its memory is.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/views.hpp>

XGRAD_NAMESPACE_BEGIN

namespace planner {

// A block of lanes runs rows up to this length, so that they stay in the cache.
inline constexpr int longest_row = 256;

constexpr bool is_computed(node_facts const& f) { return f.live && (f.copied || !(f.is_view || f.is_leaf)); }
/// The type in which an operation computes a truth value: that of its operands that are none, or float. type_of(k): of operand k.
template<class F>
constexpr dtype type_of_truth(int operands, F const& type_of) {
    dtype d = dtype::float32;
    for (int k = 0; k < operands; ++k)
        if (dtype const o = type_of(k); o != dtype::boolean) d = o;
    return d;
}
constexpr dtype compute_type(draft const& plan, int i) {
    node_facts const& f = plan.nodes[i];
    dtype d = f.type;
    if (d == dtype::boolean && f.kind == op_kind::elementwise && !f.copied)
        d = type_of_truth(f.operand_count, [&](int k) { return plan.nodes[f.operands[k]].type; });
    return d == dtype::boolean || d == dtype::literal ? dtype::float32 : computed_type(d);
}
/// The nodes that a node reads: its operands. A copied view reads the viewed node, a copied leaf reads nothing.
constexpr int source_count(node_facts const& f) { return !f.copied ? f.operand_count : f.is_leaf ? 0 : 1; }
constexpr int source(node_facts const& f, int k) { return f.copied ? f.view_operand : f.operands[k]; }
/// Calls f(node, keeps elements) for the nodes that `i` reads. Views are resolved, and inlined nodes are replaced by what they read.
template<class F>
constexpr void for_sources(draft const& plan, int i, F&& f, bool direct = true) {
    node_facts const& r = plan.nodes[i];
    for (int k = 0, count = source_count(r); k < count; ++k) {
        bool keeps = direct;
        int o = source(r, k);
        for (; plan.nodes[o].is_view; o = plan.nodes[o].view_operand) keeps = keeps && plan.nodes[o].keeps_elements;
        if (plan.nodes[o].inlined != inlining::none) for_sources(plan, o, f, keeps);
        else f(o, keeps);
    }
}

/// The same for an operand of a concatenation that is copied to its place.
template<class F>
constexpr void for_copied(draft const& plan, member const& w, F&& f) {
    int const o = owner(plan, plan.nodes[w.node].operands[w.copy_operand]);
    if (plan.nodes[o].inlined == inlining::none) f(o);
    else for_sources(plan, o, [&](int from, bool) { f(from); });
}

/// Whether the node reads a position along a loop. Nests count positions; blocks of lanes and the tiles of products do not.
constexpr bool reads_position(draft const& plan, int i) {
    node_facts const& f = plan.nodes[i];
    for (int k = 0; k < f.operand_count; ++k)
        if (int const o = owner(plan, f.operands[k]);
            plan.nodes[o].inlined != inlining::none && (plan.nodes[o].kind == op_kind::index || reads_position(plan, o)))
            return true;
    return false;
}

constexpr int space_of(id_shape const& s, extent_id* space) {
    int n = 0;
    for (int a = 0; a < s.rank; ++a)
        if (s.extents[a] != one_extent) space[n++] = s.extents[a];
    return n;
}
constexpr extent_id row_length(draft const& plan, id_shape const& s) {   // number of elements in one row
    extent_id n = one_extent;
    for (int a = 1; a < s.rank; ++a) n = plan.pool.multiply(n, s.extents[a]);
    return n;
}
constexpr extent_id size_of_node(draft const& plan, int node) {
    id_shape const& s = plan.nodes[node].dims;
    return s.rank > 0 ? plan.pool.multiply(s.extents[0], row_length(plan, s)) : one_extent;
}
constexpr id_shape const& loop_shape(draft const& plan, int i) {
    return plan.nodes[i].kind == op_kind::reduce && !plan.nodes[i].copied ? plan.nodes[plan.nodes[i].operands[0]].dims : plan.nodes[i].dims;
}
constexpr bool has_space(step_draft const& s, extent_id const* space, int rank) {
    if (rank != s.rank) return false;
    for (int d = 0; d < rank; ++d)
        if (space[d] != s.space[d]) return false;
    return true;
}
// The k-th axis with an extent above 1 runs along the k-th dimension.
constexpr axis_map natural_map(id_shape const& s) {
    axis_map m{};
    int n = 0;
    for (int a = 0; a < s.rank; ++a) m.to[a] = s.extents[a] == one_extent ? static_cast<signed char>(-1) : static_cast<signed char>(n++);
    return m;
}
// Operands are aligned to the last axes of the result.
constexpr axis_map operand_map(axis_map const& m, id_shape const& result, id_shape const& operand) {
    axis_map r{};
    for (int a = 0; a < operand.rank; ++a)
        r.to[a] = operand.extents[a] == one_extent ? static_cast<signed char>(-1) : m.to[a + result.rank - operand.rank];
    return r;
}
// Of a reduction: the dimensions of the operand without the reduced ones.
constexpr axis_map result_map(draft const& plan, int i) {
    id_shape const& s = plan.nodes[plan.nodes[i].operands[0]].dims;
    axis_map const from = natural_map(s);
    axis_map m{};
    auto const how = plan.t.attrs(i).as<reduction_attributes>();
    int a = 0;
    for (int k = 0; k < s.rank; ++k) {
        bool const reduced = how.axes.has(k);
        if (!reduced) m.to[a++] = from.to[k];
        else if (how.keep_dims) m.to[a++] = -1;
    }
    return m;
}
constexpr bool is_natural(draft const& plan, int i, axis_map const& m) {
    id_shape const& s = plan.nodes[i].dims;
    int n = 0;
    for (int a = 0; a < s.rank; ++a)
        if (m.to[a] != (s.extents[a] == one_extent ? -1 : n++)) return false;
    return true;
}
/// Bit mask of the space dimensions that a reduction sums over.
constexpr int reduced_dims(draft const& plan, int i) {
    id_shape const& s = plan.nodes[plan.nodes[i].operands[0]].dims;
    axis_set const axes = plan.t.attrs(i).as<reduction_attributes>().axes;
    int mask = 0, n = 0;
    for (int a = 0; a < s.rank; ++a)
        if (s.extents[a] != one_extent) {
            if (axes.has(a)) mask |= 1 << n;
            ++n;
        }
    return mask;
}
/// Whether later members of the same step can use the result of a reduction: only if it reduces exactly the last dimension.
constexpr bool gives_row_value(draft const& plan, int i) {
    if (plan.nodes[i].kind != op_kind::reduce || plan.nodes[i].copied) return false;
    extent_id space[max_rank]{};
    int const rank = space_of(plan.nodes[plan.nodes[i].operands[0]].dims, space);
    return rank > 0 && reduced_dims(plan, i) == 1 << (rank - 1) && has_space(plan.steps[plan.nodes[i].step], space, rank);
}
/// Whether node `i` runs once for each row. Other nodes run for each element of the step's space.
constexpr bool is_row_level(draft const& plan, step_draft const& s, int i) {
    extent_id space[max_rank]{};
    int const rank = space_of(loop_shape(plan, i), space);
    return !has_space(s, space, rank);
}
/// The values of indexed slices as rows in memory. Slice p is row (p / inner, p % inner) of `node`. The axes from `first` on form one row.
struct slice_rows {
    int node, first;
    extent_id outer, inner;
};
/// Sees through a reshape to one row for each index. The gradients of a bag, and of a lookup by ids with several axes, have such a reshape.
constexpr slice_rows rows_of_slices(draft const& plan, int values) {
    id_shape const& s = plan.nodes[values].dims;
    slice_rows const plain{values, 1, s.extents[0], one_extent};
    if (plan.nodes[values].kind != op_kind::alias || plan.nodes[values].keeps_elements) return plain;
    int const from = plan.nodes[values].view_operand;
    id_shape const& x = plan.nodes[from].dims;
    if (x.rank == s.rank + 1) {
        bool same = true;
        for (int a = 1; a < s.rank; ++a) same = same && x.extents[a + 1] == s.extents[a];
        if (same) return {from, 2, x.extents[0], x.extents[1]};
    }
    if (x.rank < 2) return plain;
    extent const &length = plan.pool.values.at[row_length(plan, x)], &one = plan.pool.values.at[row_length(plan, s)];
    if (!length.is_static() || !one.is_static() || one.constant <= 0 || length.constant % one.constant != 0) return plain;
    return {from, 1, x.extents[0], plan.pool.intern(static_extent(length.constant / one.constant))};
}

constexpr draft_operand memory_of(draft const& plan, int node, memory_view const& v) {
    draft_operand s{step_operand::where::buffer, plan.nodes[node].type, v.base, v.offset, {}};
    node_facts const& base = plan.nodes[v.base];
    if (base.is_leaf && !base.copied && !(base.packed && plan.reads_packed)) {
        if (base.kind == op_kind::input) s.base = step_operand::where::input;
        if (base.kind == op_kind::variable || base.kind == op_kind::updated) s.base = step_operand::where::variable;
    }
    return s;
}
constexpr step_operand finish_operand(draft const& plan, draft_operand const& d) {
    step_operand s{};
    s.base = d.base;
    s.type = d.type;
    s.node = static_cast<short>(d.node);
    s.offset = d.offset;
    if (d.base == step_operand::where::input || d.base == step_operand::where::variable)
        s.index = static_cast<short>(plan.nodes[d.node].leaf);
    if (d.base == step_operand::where::variable) s.version = static_cast<signed char>(value_of_variable(plan.t, d.node).version);
    return s;
}
constexpr step_operand operand_of(draft const& plan, int node, memory_view const& v) {
    step_operand s = finish_operand(plan, memory_of(plan, node, v));
    s.stride[0] = plan.nodes[node].dims.rank > 0 ? v.stride[0] : zero_extent;
    return s;
}
/// The memory of a node as contiguous rows with the distance `stride[0]`.
constexpr step_operand operand_of(draft const& plan, int node) { return operand_of(plan, node, locate(plan, node)); }

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
