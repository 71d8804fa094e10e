// SPDX-License-Identifier: MIT
// The pass before steps are formed. It decides:
// - which nodes are computed at all, and which views are copied;
// - which nodes wait for a later stage of updates, and which old values are kept until then;
// - what is computed again in each loop;
// - what is computed directly in the memory of a concatenation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/stages.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The result of the pass: the facts of all nodes.
template<int Nodes>
struct placed_nodes {
    node_facts nodes[Nodes];
    extent polynomials[2 * Nodes + 64];
    int polynomial_count;
};

/// Nodes that must be in memory at the end.
struct plan_roots {
    sequence<int> outputs;    // what the caller sees
    sequence<int> whole;      // outputs, dense gradients and indices: contiguous
    sequence<int> by_rows;    // values of indexed slices: contiguous rows
    sequence<int> row_axis;   // of each entry of by_rows: the first axis within a row
};

constexpr void mark_live(draft& plan, sequence<int> const& roots) {
    for (int r : roots) plan.nodes[r].live = true;
}
constexpr void spread_live(draft& plan) {
    for (int i = plan.t.count; i-- > 0;) {
        node_facts const& f = plan.nodes[i];
        if (!f.live) continue;
        if (f.kind == op_kind::composite) plan.nodes[f.view_operand].live = true;
        else
            for (int k = 0; k < f.operand_count; ++k) plan.nodes[f.operands[k]].live = true;
    }
}

constexpr int count_copies(draft const& plan) {
    int n = 0;
    for (int i = 0; i < plan.t.count; ++i) n += plan.nodes[i].copied;
    return n;
}
constexpr void choose_more_copies(draft& plan, plan_roots const& roots) {
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live) continue;
        if (f.is_view && !f.keeps_elements && plan.nodes[owner(plan, i)].is_number)
            copy(plan, f.view_operand);   // a number has no elements to address
        if (f.kind == op_kind::alias && !f.keeps_elements) need_contiguous(plan, f.view_operand);
        if (step_record const* r = record_of(f.kind)) r->copy_operands(plan, i);
    }
    for (int r : roots.whole) need_contiguous(plan, r);
    for (int k = 0; k < roots.by_rows.count; ++k) need_rows(plan, roots.by_rows.at[k], roots.row_axis.at[k]);
    for (int r : roots.outputs)
        if (plan.nodes[owner(plan, r)].is_leaf) copy(plan, r);   // a leaf that is a result
}
// A copy has new strides, so the views of it are examined again.
constexpr void choose_copies(draft& plan, plan_roots const& roots) {
    for (int before = -1, now = 0; now > before; now = count_copies(plan)) {
        before = now;
        choose_more_copies(plan, roots);
    }
}
// The number of operations of a value that is larger than everything it is made of, such as the differences of all pairs.
// A few operations cost less than its memory. 100: the value is not of this form.
constexpr int spread_flops(draft const& plan, int i) {
    node_facts const& f = plan.nodes[i];
    op_info const& op = *plan.t[i].op;
    if (f.kind != op_kind::elementwise || op.transcendental || op.flops > 1 || !is_floating(f.type)) return 100;
    extent_id space[max_rank]{};
    int const rank = space_of(f.dims, space);
    int flops = op.flops;
    for (int k = 0; k < f.operand_count; ++k) {
        int const at = owner(plan, f.operands[k]);
        node_facts const& o = plan.nodes[at];
        if (o.inlined == inlining::spread) flops += spread_flops(plan, at);
        else if (o.is_number || o.inlined == inlining::numbers) continue;
        else if (o.inlined != inlining::none || space_of(o.dims, space) >= rank) return 100;
    }
    return flops;
}
// A conversion from 8 or 16 bits to float. A load does it for free.
constexpr bool widens(draft const& plan, int i) {
    if (!plan.t[i].op->converts || !is_floating(plan.nodes[i].type)) return false;
    dtype const from = plan.nodes[plan.nodes[i].operands[0]].type;
    return from != dtype::boolean && size_of(from) < 4;
}
// Nodes that are cheap and read only memory are computed again in each loop that needs them, instead of being stored.
constexpr void choose_inlined(draft& plan) {
    // Read by something other than an element-wise loop.
    sequence<bool> const elsewhere_list(plan.t.count, zero_elements);
    bool* const elsewhere = elsewhere_list.at;
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live) continue;
        if (f.view_operand >= 0) {   // resolved or copied: its elements are found by address
            if (!f.keeps_elements) elsewhere[f.view_operand] = true;
            continue;
        }
        if (f.kind != op_kind::elementwise && f.kind != op_kind::reduce && f.kind != op_kind::concat)
            for (int k = 0; k < f.operand_count; ++k) elsewhere[f.operands[k]] = true;
    }
    for (int i = plan.t.count; i-- > 0;)
        if (elsewhere[i] && plan.nodes[i].live && plan.nodes[i].is_view) elsewhere[plan.nodes[i].view_operand] = true;
    bool any = false;
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts& f = plan.nodes[i];
        if ((f.kind != op_kind::elementwise && f.kind != op_kind::index) || elsewhere[i] || f.stored || f.copied || !is_computed(f))
            continue;
        if (f.kind == op_kind::index) f.inlined = plan.fuse ? inlining::cheap : inlining::none;
        else {
            bool numbers = true;
            for (int k = 0; numbers && k < f.operand_count; ++k) {
                node_facts const& o = plan.nodes[owner(plan, f.operands[k])];
                numbers = o.is_number || o.inlined == inlining::numbers;
            }
            if (numbers) f.inlined = inlining::numbers;   // made of constants and sizes only
            else if (plan.fuse && spread_flops(plan, i) <= 3) f.inlined = inlining::spread;
            else if (plan.fuse && ((f.type == dtype::boolean && plan.t[i].op->flops <= 1) || plan.t[i].op->cheap || widens(plan, i)))
                f.inlined = inlining::cheap;
        }
        any = any || f.inlined != inlining::none;
    }
    // A loop computes in one element type. A comparison of doubles cannot be part of a loop over floats.
    for (int i = 0; any && i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live || f.is_view) continue;
        for (int k = 0; k < source_count(f); ++k) {
            int const at = owner(plan, source(f, k));
            node_facts& o = plan.nodes[at];
            if (o.inlined == inlining::none || o.kind != op_kind::elementwise || compute_type(plan, at) == compute_type(plan, i)) continue;
            if (o.inlined != inlining::numbers || !is_floating(o.type) || !is_floating(compute_type(plan, i))) o.inlined = inlining::none;
        }
    }
}

// An operand of a concatenation is computed directly in its place, if nothing else needs it as one contiguous array.
constexpr void place_concats(draft& plan, plan_roots const& roots) {
    bool any = false;
    for (int i = 0; i < plan.t.count; ++i) any = any || (plan.nodes[i].kind == op_kind::concat && plan.nodes[i].live);
    if (!plan.fuse || !any) return;
    sequence<bool> whole(plan.t.count, zero_elements);
    for (int r : roots.whole) whole.at[owner(plan, r)] = true;
    for (int r : roots.by_rows) whole.at[owner(plan, r)] = true;
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live) continue;
        bool const strided = f.kind == op_kind::elementwise || f.kind == op_kind::reduce || f.kind == op_kind::concat ||
                             (f.kind == op_kind::matmul && f.dims.rank == 2);
        if (!strided)
            for (int k = 0; k < f.operand_count; ++k) whole.at[owner(plan, f.operands[k])] = true;
    }
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live || f.kind != op_kind::concat) continue;
        auto const axis = static_cast<int>(plan.t.attrs(i).as<axis_attributes>().axis);
        extent_id at = zero_extent;
        for (int k = 0; k < f.operand_count; ++k) {
            int const n = f.operands[k];
            node_facts& o = plan.nodes[n];
            int times = 0;
            for (int l = 0; l < f.operand_count; ++l) times += f.operands[l] == n;
            bool rows_apart =
                o.kind != op_kind::concat && o.kind != op_kind::reduce && o.kind != op_kind::part;   // these write rows with any distance
            if (o.kind == op_kind::kernel) rows_apart = kernel_node(plan.t, n).layout_of(o.operand_count) == layout::rows;
            bool fits = o.kind == op_kind::elementwise || (rows_apart && o.dims.rank == 2 && axis == 1);
            // Without elements it stays out: next to an operand with one element, its strides would be those of a single element.
            if (o.dims.extents[axis] == zero_extent) fits = false;
            if (times == 1 && fits && is_computed(o) && !o.is_view && !o.copied && o.inlined == inlining::none && !whole.at[n] &&
                o.placed < 0) {
                o.placed = i;
                o.placed_at = at;
            }
            at = plan.pool.add(at, o.dims.extents[axis]);
        }
    }
}

// For each variable, the stage at whose end its value may have changed.
constexpr void find_moves(draft const& plan, node_stages const& stages, sequence<int>& moves) {
    for (int k = 0; k < plan.asked.update_count; ++k) {
        plan_update const& u = plan.asked.updates[k];
        bool early = plan.asked.gate == gating::graph;
        for (int i = u.variable + 1; i < plan.t.count && !early; ++i)
            early = plan.nodes[i].kind == op_kind::updated && plan.t.operand(i, 0) == u.variable && plan.nodes[i].live;
        if (early) moves.at[u.variable] = stages.at(u);
    }
}
// Moves nodes to the later stage that reads them, if they read only old values and all readers are in later stages.
// The loops of that stage then compute them. A node stays if moving it would need a copy of a variable.
constexpr void sink(draft& plan, plan_roots const& roots, sequence<int> const& moves, int last) {
    if (!plan.fuse || plan.asked.gate == gating::graph) return;
    sequence<signed char> wanted(plan.t.count, static_cast<signed char>(last + 1));   // the first stage that reads a node
    for (int r : roots.whole) wanted.at[r] = 0;
    for (int r : roots.by_rows) wanted.at[r] = 0;
    for (int i = plan.t.count; i-- > 0;) {
        node_facts& f = plan.nodes[i];
        if (!f.live) continue;
        if (f.is_view || f.kind == op_kind::elementwise) {
            bool stays = wanted.at[i] > last;
            for (int k = 0; k < f.operand_count; ++k) stays = stays || moves.at[owner(plan, f.operands[k])] < wanted.at[i];
            if (!stays && wanted.at[i] > f.stage) f.stage = wanted.at[i];
        }
        int const indices = reports_indices(*plan.t[i].op) ? plan.t[i].op->indices.operand : -1;
        for (int k = 0; k < f.operand_count; ++k)
            if (signed char& w = wanted.at[f.operands[k]]; k == indices) w = 0;   // indices are checked before updates
            else if (f.stage < w) w = f.stage;
    }
}
// A node that reads a variable when its new value may already be there reads a copy of the old value.
constexpr void keep_old_values(draft& plan, sequence<int> const& moves) {
    for (int i = 0; i < plan.t.count; ++i)
        if (is_computed(plan.nodes[i]) && plan.nodes[i].inlined == inlining::none)
            for_sources(plan, i, [&](int o, bool) {
                if (plan.nodes[i].stage > moves.at[o]) copy(plan, o);
            });
}

template<class Storage>
constexpr void place(draft& plan, Storage& out) {
    auto const [outputs, output_count, updates, update_count, gate] = plan.asked;
    read_table(plan);
    node_stages const stages = stages_of(plan.t, plan.asked);
    for (int i = 0; i < stages.of.count; ++i) plan.nodes[i].stage = stages.of.at[i];
    plan_roots roots;
    for (int k = 0; k < output_count; ++k) {
        roots.outputs.push(outputs[k]);
        roots.whole.push(outputs[k]);
    }
    sequence<bool> updated(plan.t.count, zero_elements);
    for (int k = 0; k < update_count; ++k) updated.at[updates[k].variable] = true;
    for (int k = 0; k < update_count; ++k) {
        plan_update const& u = updates[k];
        int gradient = u.dense;
        if (u.dense >= 0) roots.whole.push(gradient);
        else {
            slice_rows const s = rows_of_slices(plan, u.values);
            gradient = s.node;
            roots.by_rows.push(s.node);
            roots.row_axis.push(s.first);
            roots.whole.push(u.indices);
        }
        // A gradient that is itself a variable is copied: the update needs its value before that variable's own update.
        int const from = owner(plan, gradient);
        if (updated.at[from] && (u.dense < 0 || from != u.variable)) roots.outputs.push(gradient);
        if (u.dense < 0 && updated.at[owner(plan, u.indices)]) roots.outputs.push(u.indices);   // the same for the rows that it names
    }
    // A value that a second update replaces.
    for (int k = 0; k < update_count; ++k)
        if (plan.nodes[updates[k].variable].kind == op_kind::updated) plan.nodes[updates[k].variable].live = true;
    mark_live(plan, roots.whole);
    mark_live(plan, roots.by_rows);
    spread_live(plan);
    sequence<int> moves(stages.count > 1 ? plan.t.count : 0, stages.count);
    if (stages.count > 1) {
        find_moves(plan, stages, moves);
        sink(plan, roots, moves, stages.count - 1);
    }
    choose_copies(plan, roots);
    for (int r : roots.whole) plan.nodes[owner(plan, r)].stored = plan.nodes[owner(plan, r)].whole = true;
    for (int r : roots.by_rows) plan.nodes[owner(plan, r)].stored = plan.nodes[owner(plan, r)].whole = true;
    choose_inlined(plan);
    if (stages.count > 1) keep_old_values(plan, moves);
    place_concats(plan, roots);
    for (int i = 0; i < plan.t.count; ++i) out.nodes[i] = plan.nodes[i];
    out.polynomial_count = plan.pool.save(out.polynomials);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
