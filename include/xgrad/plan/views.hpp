// SPDX-License-Identifier: MIT
// Where the elements of a node are stored. Views (aliases, broadcasts, transposes, slices) are resolved to the node that owns the memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/draft.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Whether an alias only adds or drops axes of extent 1.
constexpr bool same_axes(id_shape const& a, id_shape const& b) {
    int i = 0, k = 0;
    while (true) {
        while (i < a.rank && a.extents[i] == one_extent) ++i;
        while (k < b.rank && b.extents[k] == one_extent) ++k;
        if (i == a.rank || k == b.rank) return i == a.rank && k == b.rank;
        if (a.extents[i++] != b.extents[k++]) return false;
    }
}
/// Fills in what the table says about each node.
constexpr void read_table(draft& plan) {
    int inputs = 0, variables = 0;
    for (int i = 0; i < plan.t.count; ++i) {
        table_node const& r = plan.t.nodes[i];
        node_facts& f = plan.nodes[i];
        f.kind = r.op->kind;
        f.type = r.value.type;
        f.dims = plan.pool.intern(r.value.dims);
        f.operands = plan.t.operand_list + r.first_operand;
        f.operand_count = r.count;
        f.placed = f.step = f.ready = f.view_operand = f.reg = -1;
        f.lane_axis = -1;
        switch (f.kind) {
        case op_kind::input:
        case op_kind::variable:
            f.is_leaf = true;
            f.leaf = f.kind == op_kind::input ? inputs++ : variables++;
            break;
        case op_kind::updated:   // in the memory of the variable
            f.is_leaf = true;
            f.leaf = plan.nodes[f.operands[0]].leaf;
            f.operand_count = 0;
            break;
        case op_kind::constant:
        case op_kind::size: f.is_leaf = f.is_number = true; break;
        case op_kind::random: f.operand_count = 0; break;   // a stream reads no operand
        case op_kind::alias:
            f.is_view = true;
            f.view_operand = f.operands[0];
            f.keeps_elements = same_axes(f.dims, plan.nodes[f.view_operand].dims);
            break;
        case op_kind::composite:
            f.is_view = f.keeps_elements = true;
            f.view_operand = f.operands[r.count - 1];
            break;
        case op_kind::broadcast: f.keeps_elements = true; [[fallthrough]];
        case op_kind::transpose:
        case op_kind::slice:
            f.is_view = true;
            f.view_operand = f.operands[0];
            break;
        default: break;
        }
    }
}

constexpr void copy(draft& plan, int i) {
    plan.nodes[i].copied = true;
    plan.nodes[i].is_view = false;
}
/// While the copy itself is made, its node is treated as a view again.
constexpr void see_through(draft& plan, int i, bool seen) {
    plan.nodes[i].copied = !seen;
    plan.nodes[i].is_view = seen && plan.nodes[i].view_operand >= 0;
}

/// Translates the map of a view's axes to the axes of its operand. For views that keep elements.
constexpr axis_map through(draft const& plan, int i, axis_map const& m) {
    id_shape const &s = plan.nodes[i].dims, &x = plan.nodes[plan.nodes[i].view_operand].dims;
    axis_map r{};
    if (plan.nodes[i].kind == op_kind::alias) {
        int k = 0;
        for (int a = 0; a < x.rank; ++a) {
            r.to[a] = -1;
            if (x.extents[a] == one_extent) continue;
            while (s.extents[k] == one_extent) ++k;
            r.to[a] = m.to[k++];
        }
    } else
        for (int a = 0; a < x.rank; ++a) r.to[a] = x.extents[a] == one_extent ? static_cast<signed char>(-1) : m.to[a + s.rank - x.rank];
    return r;
}
/// The node that owns the memory of node `i`.
constexpr int owner(draft const& plan, int i) {
    while (plan.nodes[i].is_view) i = plan.nodes[i].view_operand;
    return i;
}
constexpr bool is_contiguous(draft const& plan, int i) {
    while (plan.nodes[i].is_view) {
        switch (plan.nodes[i].kind) {
        case op_kind::alias:
        case op_kind::composite: break;
        case op_kind::slice:
            if (plan.t.attrs(i).as<slice_attributes>().step > 1) return false;
            for (int a = 0; a < plan.t.attrs(i).as<slice_attributes>().axis; ++a)
                if (plan.nodes[i].dims.extents[a] != one_extent) return false;
            break;
        default: return false;
        }
        i = plan.nodes[i].view_operand;
    }
    return plan.nodes[i].placed < 0;
}
constexpr void contiguous_strides(draft const& plan, id_shape const& s, extent_id* stride) {
    extent_id n = one_extent;
    for (int a = s.rank; a-- > 0;) {
        stride[a] = s.extents[a] == one_extent ? zero_extent : n;
        if (a > 0) n = plan.pool.multiply(n, s.extents[a]);
    }
}
/// The strides of a node that owns its memory.
constexpr void own_strides(draft const& plan, int i, extent_id* stride) {
    id_shape const& s = plan.nodes[i].dims;
    int const lanes = plan.nodes[i].packed && !plan.reads_packed ? -1 : plan.nodes[i].lane_axis;
    if (lanes < 0) return contiguous_strides(plan, s, stride);
    extent_id n = s.extents[lanes];
    for (int a = s.rank; a-- > 0;) {
        stride[a] = s.extents[a] == one_extent ? zero_extent : a == lanes ? one_extent : n;
        if (a != lanes) n = plan.pool.multiply(n, s.extents[a]);
    }
}
constexpr memory_view locate(draft const& plan, int i) {
    memory_view r{};
    node_facts const& f = plan.nodes[i];
    id_shape const& s = f.dims;
    if (!f.is_view) {
        if (f.placed < 0) {
            r.base = i;
            own_strides(plan, i, r.stride);
            return r;
        }
        memory_view const c = locate(plan, f.placed);
        r.base = c.base;
        auto const axis = static_cast<int>(plan.t.attrs(f.placed).as<axis_attributes>().axis);
        r.offset = plan.pool.add(c.offset, plan.pool.multiply(f.placed_at, c.stride[axis]));
        for (int a = 0; a < s.rank; ++a) r.stride[a] = s.extents[a] == one_extent ? zero_extent : c.stride[a];
        return r;
    }
    id_shape const& x = plan.nodes[f.view_operand].dims;
    memory_view const m = locate(plan, f.view_operand);
    if (f.kind == op_kind::composite) return m;
    r.base = m.base;
    r.offset = m.offset;
    switch (f.kind) {
    case op_kind::alias:
        if (!f.keeps_elements) {   // contiguous: choose_copies has made it so
            contiguous_strides(plan, s, r.stride);
            break;
        }
        for (int a = 0, k = 0; a < s.rank; ++a) {
            if (s.extents[a] == one_extent) continue;
            while (x.extents[k] == one_extent) ++k;
            r.stride[a] = m.stride[k++];
        }
        break;
    case op_kind::broadcast:
        for (int a = 0; a < x.rank; ++a) r.stride[a + s.rank - x.rank] = x.extents[a] == one_extent ? zero_extent : m.stride[a];
        break;
    case op_kind::transpose: {
        axis_list const order = plan.t.attrs(i).as<permutation_attributes>().order;
        for (int a = 0; a < s.rank; ++a) r.stride[a] = m.stride[order[a]];
        break;
    }
    case op_kind::slice: {
        attributes const at = plan.t.attrs(i);
        auto const how = at.as<slice_attributes>();
        extent_id const begin = plan.pool.intern(slice_begin(at));
        for (int a = 0; a < s.rank; ++a) r.stride[a] = s.extents[a] == one_extent ? zero_extent : m.stride[a];
        r.offset = plan.pool.add(r.offset, plan.pool.multiply(begin, m.stride[how.axis]));
        if (how.step > 1) r.stride[how.axis] = plan.pool.scale(r.stride[how.axis], how.step);
        break;
    }
    default: break;
    }
    return r;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
