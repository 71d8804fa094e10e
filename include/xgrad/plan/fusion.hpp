// SPDX-License-Identifier: MIT
// Decides which nodes run in one loop. Nodes are visited in topological order.
// Each node joins the last step that has one of its operands, if the order of steps stays valid. Otherwise it opens a new step.
// So the operands of a step never come after it, and no search for cycles is needed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/index_checks.hpp>
#include <xgrad/plan/update_places.hpp>
#include <xgrad/plan/lanes.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The result of forming steps. The instructions depend on nothing else, so they are written in ranges of steps.
/// Each range is a separate constant evaluation, because compilers limit the length of one.
template<int Nodes, int Operands, int Updates>
struct fused_plan {
    node_facts nodes[Nodes];
    step_draft steps[Nodes + Operands];
    member members[Nodes + Operands];
    due_update updates[Updates + 1];
    int update_at[Nodes + Operands + 1];   // the first update after step s, at index s + 1; -1: none
    int range_end[Nodes + Operands + 1];   // the end of each range of steps
    int check_at;
    extent polynomials[2 * Nodes + 64];
    int step_count, range_count, polynomial_count;
};

inline constexpr int full_weight = 200;    // of a step: clang expands a fold expression over at most 256 operands, and stores may follow
inline constexpr int range_weight = 400;   // of one range: number of steps and members

// Operands that node `i` would take from registers of step `s` must run along the same dimensions there.
constexpr bool operands_fit(forming const& plan, int s, int i, int node, axis_map const& m) {
    node_facts const& f = plan.nodes[node];
    if (f.copied && node == i) return false;
    for (int k = 0; k < f.operand_count; ++k) {
        int o = f.operands[k];
        int const from = owner(plan, o);
        if (plan.nodes[from].inlined == inlining::none && plan.nodes[from].step != s) continue;
        axis_map map = f.kind == op_kind::reduce ? m : operand_map(m, f.dims, plan.nodes[o].dims);
        for (; o != from; o = plan.nodes[o].view_operand) {
            if (!plan.nodes[o].keeps_elements) return false;
            map = through(plan, o, map);
        }
        if (plan.nodes[o].inlined != inlining::none) {
            if (!operands_fit(plan, s, i, o, map)) return false;
        } else {
            if (!is_natural(plan, o, map)) return false;
            if (plan.nodes[o].kind == op_kind::reduce && !gives_row_value(plan, o)) return false;
        }
    }
    return true;
}

constexpr bool can_join(forming const& plan, int s, int i) {
    step_draft const& d = plan.steps[s];
    if (!plan.fuse || !facts_of(d.kind).runs_instructions) return false;
    if (plan.nodes[i].copied || plan.nodes[i].kind == op_kind::random || compute_type(plan, i) != d.type) return false;
    extent_id space[max_rank]{};
    id_shape const& loop = loop_shape(plan, i);
    int const rank = space_of(loop, space);
    if (facts_of(d.kind).in_tiles) {
        if (plan.nodes[i].kind != op_kind::elementwise || !has_space(d, space, rank) || rank == 0 || reads_position(plan, i)) return false;
        id_shape const& product = plan.nodes[d.anchor].dims;
        if (product.extents[product.rank - 1] == one_extent) return false;   // a tile of one column would fill one lane of each batch
        // A value for each row: its iteration space is that of the step without the last dimension.
    } else if (!has_space(d, space, rank)) {
        if (rank != d.rank - 1) return false;
        for (int k = 0; k < rank; ++k)
            if (space[k] != d.space[k]) return false;
        if (plan.nodes[i].kind == op_kind::reduce && (rank == 0 || reduced_dims(plan, i) != (1 << rank) - 1)) return false;
        bool row_values = true;   // all its operands in this step are row values
        for_sources(plan, i, [&](int o, bool) {
            row_values = row_values && (plan.nodes[o].step != s || is_row_level(plan, d, o) || gives_row_value(plan, o));
        });
        if (!row_values) return false;
    }
    return operands_fit(plan, s, i, i, natural_map(loop));
}

// The first step of the stage that is being formed.
constexpr int stage_begin(forming const& plan) { return plan.stage_end.count > 0 ? plan.stage_end.at[plan.stage_end.count - 1] + 1 : 0; }

constexpr void assign(forming& plan, int i) {
    int after = stage_begin(plan), candidate = -1;
    for_sources(plan, i, [&](int o, bool) {
        // A value written by several steps (concat, part) is read from memory after its last writer.
        int const first = plan.nodes[o].ready + (plan.nodes[o].step != plan.nodes[o].ready);
        if (first > after) after = first;
        if (plan.nodes[o].step > candidate) candidate = plan.nodes[o].step;
    });
    int full = -1;
    while (candidate >= 0 && plan.steps[candidate].weight >= full_weight) {
        full = candidate;
        candidate = plan.steps[candidate].continued_in;
    }
    if (candidate < 0 || candidate < after || !can_join(plan, candidate, i)) {
        candidate = open_loop(plan, compute_type(plan, i));
        plan.step_list.last().rank = space_of(loop_shape(plan, i), plan.step_list.last().space);
        if (full >= 0 && plan.steps[full].continued_in < 0) plan.step_list.at[full].continued_in = candidate;
    }
    add_member(plan, candidate, i, -1);
    int weight = plan.nodes[i].stored ? 2 : 1;   // itself, its store, its loads
    for_sources(plan, i, [&](int o, bool) { weight += plan.nodes[o].step != candidate; });
    plan.step_list.at[candidate].weight += weight;
    plan.nodes[i].step = plan.nodes[i].ready = candidate;
}
constexpr void assign_anchor(forming& plan, int i, step_kind kind) {
    int const s = open(plan, kind, plan.nodes[i].type, i);
    step_draft& d = plan.step_list.at[s];
    if (facts_of(kind).in_tiles)
        d.rank = plan.nodes[i].dims.rank == 2 ? space_of(plan.nodes[i].dims, d.space) : -1;   // nothing joins a stack of products
    plan.nodes[i].step = plan.nodes[i].ready = s;
}
constexpr void assign_concat(forming& plan, int i) {
    node_facts& f = plan.nodes[i];
    for (int k = 0; k < f.operand_count; ++k) {
        node_facts const& o = plan.nodes[f.operands[k]];
        if (o.placed == i) {
            if (o.ready > f.ready) f.ready = o.ready;
            continue;
        }
        int const s = open_loop(plan, f.type == dtype::boolean ? dtype::float32 : computed_type(f.type));
        plan.step_list.at[s].rank = space_of(o.dims, plan.step_list.at[s].space);
        add_member(plan, s, i, k);
        f.ready = s;
    }
}

// A node needs memory if another step reads it, or if its reader is not an element-wise loop.
constexpr void choose_stored(forming& plan) {
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts& f = plan.nodes[i];
        if (f.inlined != inlining::none || !is_computed(f)) continue;
        if (f.kind == op_kind::part) continue;   // stored in the memory of the operation that has this output
        if (f.placed >= 0 || f.kind == op_kind::concat || f.copied) f.stored = true;
        if (f.kind == op_kind::kernel && plan.t[i].op->infer_output == nullptr) f.stored = true;
        bool const loop = f.kind == op_kind::elementwise || f.kind == op_kind::reduce;
        for_sources(plan, i, [&](int o, bool keeps) {
            if (!plan.nodes[o].is_leaf && (!loop || !keeps || plan.nodes[o].step != f.step)) plan.nodes[o].stored = true;
        });
        if (f.kind == op_kind::reduce && !gives_row_value(plan, i)) f.stored = true;
    }
}
constexpr void form_stage(forming& plan, int stage) {
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts& f = plan.nodes[i];
        if (!f.live || f.inlined != inlining::none || f.stage != stage) continue;
        if (f.is_view) f.ready = plan.nodes[f.view_operand].ready;
        else if (f.copied) assign(plan, i);
        else if (step_record const* r = record_of(f.kind)) assign_anchor(plan, i, r->kind);
        else if (!f.is_leaf) switch (f.kind) {
            case op_kind::part: f.ready = plan.nodes[f.operands[0]].ready; break;
            case op_kind::concat: assign_concat(plan, i); break;
            case op_kind::constant:
            case op_kind::size:
            case op_kind::elementwise:
            case op_kind::reduce:
            case op_kind::index:
            case op_kind::random: assign(plan, i); break;
            case op_kind::input:   // leaves, views, kinds that have a record, and kinds that flattening has expanded
            case op_kind::variable:
            case op_kind::updated:
            case op_kind::alias:
            case op_kind::broadcast:
            case op_kind::transpose:
            case op_kind::slice:
            case op_kind::composite:
            case op_kind::matmul:
            case op_kind::kernel:
            case op_kind::region:
            case op_kind::gradient: break;
            }
    }
    plan.stage_end.push(plan.step_list.count - 1);
}
constexpr void form_steps(forming& plan) {
    int last = 0;
    for (int i = 0; i < plan.t.count; ++i)
        if (plan.nodes[i].stage > last) last = plan.nodes[i].stage;
    for (int stage = 0; stage <= last; ++stage) form_stage(plan, stage);
    choose_stored(plan);
    if (plan.fuse) choose_lanes(plan);
}

// Chooses the step after which each update runs, and the one after which a separate step checks indices.
template<class Storage>
constexpr void place_updates(forming& plan, Storage& out) {
    auto const [outputs, output_count, updates, update_count, gate] = plan.asked;
    for (int s = 0; s <= plan.step_list.count; ++s) out.update_at[s] = -1;
    index_checks checks(plan);
    out.check_at = -1;
    for (int i = 0; i < plan.t.count; ++i)
        if (plan.nodes[i].checked_before)
            if (int const q = plan.nodes[owner(plan, indices_of(plan.t, i))].ready; q > out.check_at) out.check_at = q;
    for (int k = 0; k < update_count; ++k)
        if (checks.open.at[k])
            if (int const q = plan.nodes[owner(plan, updates[k].indices)].ready; q > out.check_at) out.check_at = q;
    if (out.check_at > checks.last) checks.last = out.check_at;
    for (int stage = plan.stage_end.count; stage-- > 0;)   // after the same step, updates of earlier stages come first
        for (int k = update_count; k-- > 0;) {
            if (stage_of(plan, updates[k]) != stage) continue;
            due_update& due = out.updates[k];
            int& first = out.update_at[place_update(plan, updates[k], checks, due.fused) + 1];
            due.checks = checks.open.at[k];
            due.next = first;
            first = k;
        }
}
// Copies the steps, and cuts them into ranges.
template<class Storage>
constexpr void save_steps(forming const& plan, Storage& out) {
    int const n = plan.step_list.count;
    int weight = 0;
    for (int s = 0; s < n; ++s) {
        out.steps[s] = plan.steps[s];
        if (weight >= range_weight) {
            out.range_end[out.range_count++] = s;
            weight = 0;
        }
        ++weight;
        for (int m = plan.steps[s].first_member; m >= 0; m = plan.members[m].next) ++weight;
    }
    out.range_end[out.range_count++] = n;
    out.step_count = n;
}
template<class Storage>
constexpr void form(forming& plan, Storage& out) {
    form_steps(plan);
    find_readers(plan);
    place_updates(plan, out);
    for (int i = 0; i < plan.t.count; ++i) out.nodes[i] = plan.nodes[i];
    for (int i = 0; i < plan.member_list.count; ++i) out.members[i] = plan.members[i];
    save_steps(plan, out);
    out.polynomial_count = plan.pool.save(out.polynomials);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
