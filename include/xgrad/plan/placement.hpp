// SPDX-License-Identifier: MIT
// Before steps are formed: which nodes are computed at all, which views are copied, what is computed again in each loop, and what is computed where
// a concatenation keeps it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/stages.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The facts of all nodes when all this is chosen.
template<int Nodes>
struct placed_nodes {
    node_facts nodes[Nodes];
    extent polynomials[2 * Nodes + 64];
    int polynomial_count;
};

/// Nodes that must be in memory when all is done.
struct plan_roots {
    sequence<int> outputs;    // what the caller sees
    sequence<int> whole;      // outputs, dense gradients and indices: contiguous
    sequence<int> by_rows;    // values of indexed slices: contiguous rows
    sequence<int> row_axis;   // of each: the first axis within a row
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
        if (plan.nodes[owner(plan, r)].is_leaf) copy(plan, r);   // a leaf asked for as a result
}
// A copy has strides of its own, so the views of it are looked at again.
constexpr void choose_copies(draft& plan, plan_roots const& roots) {
    for (int before = -1, now = 0; now > before; now = count_copies(plan)) {
        before = now;
        choose_more_copies(plan, roots);
    }
}
// A value that is larger than everything it is made of, such as the differences of all pairs: a few operations cost less than its memory.
constexpr int spread_flops(draft const& plan, int i) {   // a large number: it is none
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
// 16 bits as float: what a load does.
constexpr bool widens(draft const& plan, int i) {
    return plan.t[i].op->converts && is_half(plan.nodes[plan.nodes[i].operands[0]].type) && is_floating(plan.nodes[i].type);
}
// What is cheap and reads only memory is computed again in each loop that needs it, instead of being stored.
constexpr void choose_inlined(draft& plan) {
    sequence<bool> const elsewhere_list(plan.t.count, zeros);   // read by something other than an element-wise loop
    bool* const elsewhere = elsewhere_list.at;
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        if (!f.live) continue;
        if (f.view_operand >= 0) {   // seen through or copied: its elements are found by address
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
            if (numbers) f.inlined = inlining::numbers;   // made of constants and sizes
            else if (plan.fuse && spread_flops(plan, i) <= 3) f.inlined = inlining::spread;
            else if (plan.fuse && ((f.type == dtype::boolean && plan.t[i].op->flops <= 1) || plan.t[i].op->cheap || widens(plan, i)))
                f.inlined = inlining::cheap;
        }
        any = any || f.inlined != inlining::none;
    }
    for (int i = 0; any && i < plan.t.count;
         ++i) {   // a loop computes in one element type: a comparison of doubles is no part of a loop of floats
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

// Operands of a concatenation are computed where they belong, if nothing else needs them in one piece.
constexpr void place_concats(draft& plan, plan_roots const& roots) {
    bool any = false;
    for (int i = 0; i < plan.t.count; ++i) any = any || (plan.nodes[i].kind == op_kind::concat && plan.nodes[i].live);
    if (!plan.fuse || !any) return;
    sequence<bool> whole(plan.t.count, zeros);
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
                o.kind != op_kind::concat && o.kind != op_kind::reduce && o.kind != op_kind::part;   // they write rows at any distance
            if (o.kind == op_kind::kernel) rows_apart = kernel_node(plan.t, n).layout_of(o.operand_count) == layout::rows;
            bool fits = o.kind == op_kind::elementwise || (rows_apart && o.dims.rank == 2 && axis == 1);
            if (o.dims.extents[axis] == zero_extent) fits = false;   // beside one element its strides would be those of a single one
            if (times == 1 && fits && is_computed(o) && !o.is_view && !o.copied && o.inlined == inlining::none && !whole.at[n] &&
                o.placed < 0) {
                o.placed = i;
                o.placed_at = at;
            }
            at = plan.pool.add(at, o.dims.extents[axis]);
        }
    }
}

// Of each variable: the stage at whose end it may have moved.
constexpr void find_moves(draft const& plan, node_stages const& stages, sequence<int>& moves) {
    for (int k = 0; k < plan.asked.update_count; ++k) {
        plan_update const& u = plan.asked.updates[k];
        bool early = plan.asked.gate == gating::graph;
        for (int i = u.variable + 1; i < plan.t.count && !early; ++i)
            early = plan.nodes[i].kind == op_kind::updated && plan.t.operand(i, 0) == u.variable && plan.nodes[i].live;
        if (early) moves.at[u.variable] = stages.at(u);
    }
}
// What is made of old values for later stages alone is made there, in the loops that read it, unless it would need copies of variables.
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
            if (signed char& w = wanted.at[f.operands[k]]; k == indices) w = 0;   // indices are looked at before updates
            else if (f.stage < w) w = f.stage;
    }
}
// Whoever reads a variable when its new value may be there already reads a copy of the old one.
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
    sequence<bool> updated(plan.t.count, zeros);
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
        int const from = owner(plan, gradient);   // a gradient that is itself a variable: its value before that one's update
        if (updated.at[from] && (u.dense < 0 || from != u.variable)) roots.outputs.push(gradient);
        if (u.dense < 0 && updated.at[owner(plan, u.indices)]) roots.outputs.push(u.indices);   // likewise the rows that it names
    }
    for (int k = 0; k < update_count; ++k)   // a value that a second update replaces
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
