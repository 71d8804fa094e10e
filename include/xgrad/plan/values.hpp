// SPDX-License-Identifier: MIT
// Emits the instructions that provide values in registers: a value is loaded, computed again, or already in a register.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/writing.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

constexpr step_draft const& current_step(writing const& plan) { return plan.steps[plan.current]; }

constexpr short emit(writing& plan, instruction const& i) {
    plan.ins.push(i);
    return static_cast<short>(plan.ins.count - 1 - plan.first_ins);
}
constexpr instruction const& instruction_at(writing const& plan, short reg) { return plan.ins.at[plan.first_ins + reg]; }
constexpr void remember(writing& plan, int node, axis_map const& m, int phase, short reg) {
    plan.memo.push({plan.memo_of.at[node], m, reg, static_cast<signed char>(phase)});
    plan.memo_of.at[node] = plan.memo.count - 1;
}
constexpr short recall(writing const& plan, int node, axis_map const& m, int phase) {
    short found = -1;   // the oldest one
    for (int i = plan.memo_of.at[node]; i >= plan.memo_begin; i = plan.memo.at[i].before) {
        known_value const& k = plan.memo.at[i];
        if (k.phase != phase && (k.phase > phase || instruction_at(plan, k.reg).level == 2)) continue;
        bool same = true;
        for (int a = 0; same && a < plan.nodes[node].dims.rank; ++a) same = k.map.to[a] == m.to[a];
        if (same) found = k.reg;
    }
    return found;
}

constexpr short add_operand(writing& plan, draft_operand const& s) {
    for (int k = 0; k < plan.draft_operands.count; ++k) {
        draft_operand const& o = plan.draft_operands.at[k];
        if (o.node != s.node || o.base != s.base || o.type != s.type || o.offset != s.offset) continue;
        bool same = true;
        for (int d = 0; same && d < max_rank; ++d) same = o.stride[d] == s.stride[d];
        if (same) return static_cast<short>(k);
    }
    plan.draft_operands.push(s);
    return static_cast<short>(plan.draft_operands.count - 1);
}
constexpr short operand_for(writing& plan, int node, axis_map const& m) {
    memory_view const v = locate(plan, node);
    draft_operand s = memory_of(plan, node, v);
    for (int a = 0; a < plan.nodes[node].dims.rank; ++a)
        if (m.to[a] >= 0) s.stride[m.to[a]] = plan.pool.add(s.stride[m.to[a]], v.stride[a]);
    return add_operand(plan, s);
}
/// The dimension of the inner loop: the dimension of the lanes, or else the last one of the space. For a product it is the columns.
/// -1: the matrix has one column, and that axis is not in the space.
constexpr int inner_dim(writing const& plan) {
    step_draft const& s = plan.steps[plan.current];
    if (!facts_of(s.kind).in_tiles) return s.lane >= 0 && !s.in_blocks ? s.lane : s.rank - 1;
    id_shape const& d = plan.nodes[s.anchor].dims;
    return d.extents[d.rank - 1] == one_extent ? -1 : s.rank - 1;
}
constexpr signed char level_of(writing const& plan, draft_operand const& s) {
    signed char level = 0;
    int const inner = inner_dim(plan);
    for (int d = 0, rank = current_step(plan).rank; d < rank; ++d) {
        if (s.stride[d] == zero_extent) continue;
        if (d == inner) level = 2;
        else if (level < 1) level = 1;
    }
    return level;
}
constexpr unsigned char access_of(writing const& plan, draft_operand const& s) {
    int const inner = inner_dim(plan);
    if (inner < 0) return 0;
    extent_id const e = s.stride[inner];
    bool const lanes = current_step(plan).in_blocks && s.stride[current_step(plan).lane] != zero_extent;
    return static_cast<unsigned char>((e == zero_extent ? 0 : e == one_extent ? 1 : 2) + (lanes ? 4 : 0));
}
constexpr short load(writing& plan, int node, axis_map const& m, int phase) {
    if (short const r = recall(plan, node, m, phase); r >= 0) return r;
    short const operand = operand_for(plan, node, m);
    draft_operand const& s = plan.draft_operands.at[operand];
    instruction i{};
    i.kind = ins_kind::load;
    i.memory = plan.nodes[node].type;
    i.level = level_of(plan, s);
    i.phase = static_cast<signed char>(i.level == 2 ? phase : 0);
    i.inner = access_of(plan, s);
    i.operand = operand;
    short const r = emit(plan, i);
    remember(plan, node, m, i.phase, r);
    return r;
}
constexpr short emit_parameter(writing& plan, parameter const& p) {
    instruction i{};
    i.kind = ins_kind::parameter;
    i.operand = static_cast<short>(plan.params.count - plan.first_param);
    plan.params.push(p);
    return emit(plan, i);
}
constexpr short size(writing& plan, extent_id n) { return emit_parameter(plan, {true, 0, n}); }
constexpr short number(writing& plan, int node) {
    axis_map const none{};
    if (short const r = recall(plan, node, none, 0); r >= 0) return r;
    bool const is_size = plan.nodes[node].kind == op_kind::size;
    short const r = is_size ? size(plan, plan.pool.intern(plan.t.attrs(node).extents[0]))
                            : emit_parameter(plan, {false, plan.t.attrs(node).as<constant_attributes>().value, zero_extent});
    remember(plan, node, none, 0, r);
    return r;
}
// A position: strides as those of an operand, but without memory.
constexpr short position(writing& plan, int node, axis_map const& m, ins_kind kind, int phase) {
    draft_operand s{step_operand::where::position, plan.nodes[node].type, node, zero_extent, {}};
    extent_id stride[max_rank]{};
    id_shape const& dims = plan.nodes[node].dims;
    if (kind == ins_kind::index) stride[dims.rank - 1] = one_extent;
    else contiguous_strides(plan, dims, stride);
    for (int a = 0; a < dims.rank; ++a)
        if (m.to[a] >= 0) s.stride[m.to[a]] = stride[a];
    instruction i{};
    i.kind = kind;
    i.operand = add_operand(plan, s);
    i.level = level_of(plan, s);
    i.phase = static_cast<signed char>(phase);
    i.inner = access_of(plan, s);
    return emit(plan, i);
}

/// How often a register gets a value: 0 once, 1 for each row, 2 for each element.
constexpr signed char value_level(writing const& plan, short reg) {
    return instruction_at(plan, reg).kind == ins_kind::reduce ? static_cast<signed char>(1) : instruction_at(plan, reg).level;
}
constexpr short apply(writing& plan, int node, axis_map const& m, int phase);
/// The register that holds node `node` in pass `phase`. Its axes run along the dimensions given by m.
constexpr short fetch(writing& plan, int node, axis_map const& m, int phase) {
    node_facts const& f = plan.nodes[node];
    if (f.is_view) return f.keeps_elements ? fetch(plan, f.view_operand, through(plan, node, m), phase) : load(plan, node, m, phase);
    if (f.is_number && !f.copied) return number(plan, node);
    if (f.inlined != inlining::none) {
        if (short const r = recall(plan, node, m, phase); r >= 0) return r;
        short const r = f.kind == op_kind::index ? position(plan, node, m, ins_kind::index, phase) : apply(plan, node, m, phase);
        remember(plan, node, m, phase, r);
        return r;
    }
    if (f.step == plan.current && !f.is_leaf) {
        if (f.reg >= 0) {
            signed char const level =
                f.kind == op_kind::reduce && !f.copied ? static_cast<signed char>(1) : instruction_at(plan, f.reg).level;
            if (level < 2 || f.phase == phase) return f.reg;
        }
        if (f.stored) return load(plan, node, m, phase);
        if (short const r = recall(plan, node, m, phase); r >= 0) return r;
        short const r = apply(plan, node, m, phase);   // cheaper to compute again than to store
        remember(plan, node, m, phase, r);
        return r;
    }
    return load(plan, node, m, phase);
}
constexpr short apply(writing& plan, int node, axis_map const& m, int phase) {
    node_facts const& f = plan.nodes[node];
    instruction i{};
    i.kind = ins_kind::apply;
    i.op = plan.t[node].op;
    i.arity = static_cast<unsigned char>(f.operand_count);
    short* regs[3]{&i.a, &i.b, &i.c};
    for (int k = 0; k < f.operand_count && k < 3; ++k) {
        int const o = f.operands[k];
        short const r = *regs[k] = fetch(plan, o, operand_map(m, f.dims, plan.nodes[o].dims), phase);
        signed char const level = value_level(plan, r);
        if (level > i.level) i.level = level;
    }
    i.phase = static_cast<signed char>(phase);
    return emit(plan, i);
}

constexpr void store(writing& plan, int node, short operand, short reg, signed char level, int phase) {
    instruction i{};
    i.kind = ins_kind::store;
    i.memory = plan.nodes[node].type;
    i.a = reg;
    i.level = level;
    i.phase = static_cast<signed char>(phase);
    i.operand = operand;
    i.inner = access_of(plan, plan.draft_operands.at[operand]);
    emit(plan, i);
}
constexpr void store(writing& plan, int node, short reg, signed char level, int phase) {
    store(plan, node, operand_for(plan, node, natural_map(plan.nodes[node].dims)), reg, level, phase);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
