// SPDX-License-Identifier: MIT
// Translates the members of a step into straight-line instructions:
// what is loaded, applied, reduced and stored, how often, and in which pass over the row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/factors.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

constexpr signed char member_level(writing const& plan, int node) {
    if (facts_of(current_step(plan).kind).in_tiles) return 2;
    if (current_step(plan).rank <= 0) return 0;
    return is_row_level(plan, current_step(plan), node) ? static_cast<signed char>(1) : static_cast<signed char>(2);
}

// An expensive value from an earlier pass is stored and read again, not computed again.
constexpr void keep_costly(writing& plan, int node, int phase) {
    if (phase == 0) return;
    for_sources(plan, node, [&](int o, bool) {
        node_facts& f = plan.nodes[o];
        if (f.step != plan.current || f.is_leaf || f.phase >= phase || f.kind == op_kind::reduce ||
            is_row_level(plan, current_step(plan), o))
            return;
        if (plan.t[o].op->transcendental) f.stored = true;
        else keep_costly(plan, o, phase);
    });
}
// Chooses the pass in which each member runs: after the reductions that it needs.
constexpr void choose_phases(writing& plan) {
    step_draft const& s = current_step(plan);
    if (!facts_of(s.kind).over_elements) return;
    bool reduces = false;   // without reductions everything runs in the first pass
    for (int m = s.first_member; m >= 0 && !reduces; m = plan.members[m].next)
        reduces = plan.nodes[plan.members[m].node].kind == op_kind::reduce;
    if (!reduces) return;
    signed char most = 0;
    for (int m = s.first_member; m >= 0; m = plan.members[m].next) {
        if (plan.members[m].copy_operand >= 0) continue;
        int const node = plan.members[m].node;
        signed char p = 0;
        for_sources(plan, node, [&](int o, bool) {
            if (plan.nodes[o].step != plan.current || plan.nodes[o].is_leaf) return;
            auto const q = static_cast<signed char>(plan.nodes[o].phase + (gives_row_value(plan, o) ? 1 : 0));
            if (q > p) p = q;
        });
        plan.nodes[node].phase = p;
        if (p > most) most = p;
    }
    for (int m = most > 0 ? s.first_member : -1; m >= 0; m = plan.members[m].next)
        if (plan.members[m].copy_operand < 0) keep_costly(plan, plan.members[m].node, plan.nodes[plan.members[m].node].phase);
}

constexpr void write_reduce(writing& plan, int node) {
    node_facts& f = plan.nodes[node];
    int const source = f.operands[0];
    id_shape const& s = plan.nodes[source].dims;
    bool const row_level = is_row_level(plan, current_step(plan), node);
    int const mask = reduced_dims(plan, node), last = row_level ? -1 : inner_dim(plan);
    instruction i{};
    i.kind = ins_kind::reduce;
    i.combine = plan.t[node].op->combine;
    i.level = row_level ? 1 : 2;
    i.phase = f.phase;
    i.inner = last >= 0 && (mask >> last & 1) != 0;
    i.outer = static_cast<unsigned char>(last >= 0 ? mask & ~(1 << last) : mask);
    i.memory = f.type;
    if (gives_row_value(plan, node)) {
        i.a = fetch(plan, source, natural_map(s), f.phase);
        f.reg = emit(plan, i);
        if (f.stored) store(plan, node, f.reg, 1, f.phase + 1);
        return;
    }
    bool const of_row = i.inner != 0 && i.outer == 0;   // along the dimension of the lanes
    factored x{-1, -1, false};
    plan.product = nullptr;
    if (of_row && i.combine == monoid::sum && f.type == dtype::float64) x = factor(plan, source, natural_map(s), f.phase);
    else x.reg = fetch(plan, source, natural_map(s), f.phase);
    i.a = x.reg;
    // The sums are kept here. The dimensions are those of the operand without the reduced ones.
    i.operand = operand_for(plan, node, result_map(plan, node));
    short r = emit(plan, i);
    if (!of_row) return;
    if (x.rest >= 0) r = multiply_sum(plan, r, x.rest, current_step(plan).space[last], f.phase + 1);
    if (x.negative) r = combine(plan, plan.negation, r, -1, f.phase + 1);
    store(plan, node, i.operand, r, 1, f.phase + 1);
}

// An operand of a concatenation, copied to its place.
constexpr void write_copy(writing& plan, int node, int operand) {
    node_facts const& f = plan.nodes[node];
    int const o = f.operands[operand];
    id_shape const& s = plan.nodes[o].dims;
    axis_map const map = natural_map(s);
    short const reg = fetch(plan, o, map, 0);
    memory_view const v = locate(plan, node);
    auto const axis = static_cast<int>(plan.t.attrs(node).as<axis_attributes>().axis);
    extent_id at = zero_extent;
    for (int k = 0; k < operand; ++k) at = plan.pool.add(at, plan.nodes[f.operands[k]].dims.extents[axis]);
    draft_operand d{step_operand::where::buffer, f.type, v.base, plan.pool.add(v.offset, plan.pool.multiply(at, v.stride[axis])), {}};
    for (int a = 0; a < s.rank; ++a)
        if (map.to[a] >= 0) d.stride[map.to[a]] = v.stride[a];
    store(plan, node, add_operand(plan, d), reg, current_step(plan).rank > 0 ? 2 : 0, 0);
}
constexpr void write_member(writing& plan, int node) {
    node_facts& f = plan.nodes[node];
    axis_map const map = natural_map(f.dims);
    if (f.is_leaf && f.packed) {
        short const reg = load(plan, node, map, 0);
        plan.reads_packed = true;
        store(plan, node, reg, 2, 0);
        return;
    }
    if (f.copied) {
        see_through(plan, node, true);
        short const reg = fetch(plan, node, map, 0);
        see_through(plan, node, false);
        plan.memo_begin = plan.memo.count;
        store(plan, node, reg, current_step(plan).rank > 0 ? 2 : 0, 0);
        return;
    }
    switch (f.kind) {
    case op_kind::reduce: write_reduce(plan, node); return;
    case op_kind::index: f.reg = position(plan, node, map, ins_kind::index, f.phase); break;
    case op_kind::random: f.reg = position(plan, node, map, ins_kind::random, f.phase); break;
    default: f.reg = apply(plan, node, map, f.phase);
    }
    if (f.stored) store(plan, node, f.reg, member_level(plan, node), f.phase);
}
constexpr void store_product(writing& plan, int node) {
    node_facts const& f = plan.nodes[node];
    if (f.dims.rank == 2) return store(plan, node, f.reg, 2, 0);
    draft_operand s{step_operand::where::buffer, f.type, node, zero_extent, {}};
    s.stride[0] = f.dims.extents[f.dims.rank - 1];
    s.stride[1] = one_extent;
    short const operand = add_operand(plan, s);
    instruction i{};
    i.kind = ins_kind::store;
    i.memory = f.type;
    i.a = f.reg;
    i.level = 2;
    i.inner = 1;
    i.operand = operand;
    emit(plan, i);
}
constexpr void write_instructions(writing& plan, int index) {
    plan.current = index;
    plan.first_ins = plan.ins.count;
    plan.first_param = plan.params.count;
    plan.phases = 1;
    plan.memo_begin = plan.memo.count;
    plan.draft_operands.clear();
    choose_phases(plan);
    step_draft const& s = current_step(plan);
    plan.reads_packed = s.lane >= 0;
    if (facts_of(s.kind).in_tiles) {
        instruction i{};
        i.kind = ins_kind::accumulator;
        i.level = 2;
        plan.nodes[s.anchor].reg = emit(plan, i);
        if (plan.nodes[s.anchor].stored) store_product(plan, s.anchor);
    }
    for (int m = s.first_member; m >= 0; m = plan.members[m].next) {
        member const& w = plan.members[m];
        if (w.copy_operand >= 0) write_copy(plan, w.node, w.copy_operand);
        else write_member(plan, w.node);
    }
    if (s.lane >= 0 && !s.in_blocks) drop_unread(plan);
    for (int k = plan.first_ins; k < plan.ins.count; ++k)
        if (plan.ins.at[k].phase >= plan.phases) plan.phases = plan.ins.at[k].phase + 1;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
