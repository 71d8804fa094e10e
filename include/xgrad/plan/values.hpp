// SPDX-License-Identifier: MIT
// The values of a step's program: what is loaded, computed again or in a register already, once, for each row, or for each element.
#pragma once

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN

class value_writer : protected row_loops {
protected:
    struct known {    // a value that is in a register already
        int before;   // the last one of the same row, or -1
        axis_map map;
        short reg;
        signed char phase;
    };
    int current = 0;   // step
    sequence<known> memo;
    sequence<int> memo_of;   // the last one of each row
    int memo_begin = 0;      // what lies before is forgotten

    sequence<instruction> ins;   // of all steps so far; those of this one begin at first_ins
    sequence<parameter> params;
    sequence<draft_slot> slots;   // of this step
    int first_ins = 0, first_param = 0;
    int phases = 1;   // of this step

    constexpr value_writer(
        table_view const& table, extent_pool& extents, row_facts const* facts, step_draft const* all_steps, member const* all_members)
        : row_loops(table, extents, facts, all_steps, all_members), memo(1024), memo_of(table.count, -1), ins(1024), params(256),
          slots(64) {}

    constexpr step_draft const& step() const { return steps[current]; }

    constexpr short emit(instruction const& i) {
        ins.push(i);
        return static_cast<short>(ins.count - 1 - first_ins);
    }
    constexpr instruction const& at(short reg) const { return ins.at[first_ins + reg]; }
    constexpr void remember(int row, axis_map const& m, int phase, short reg) {
        memo.push({memo_of.at[row], m, reg, static_cast<signed char>(phase)});
        memo_of.at[row] = memo.count - 1;
    }
    constexpr short recall(int row, axis_map const& m, int phase) const {
        short found = -1;   // the first one
        for (int i = memo_of.at[row]; i >= memo_begin; i = memo.at[i].before) {
            known const& k = memo.at[i];
            if (k.phase != phase && (k.phase > phase || at(k.reg).level == 2)) continue;
            bool same = true;
            for (int a = 0; same && a < rows[row].dims.rank; ++a) same = k.map.to[a] == m.to[a];
            if (same) found = k.reg;
        }
        return found;
    }

    constexpr short slot_for(int row, axis_map const& m) {
        memory_view const v = locate(row);
        draft_slot s = memory_of(row, v);
        for (int a = 0; a < rows[row].dims.rank; ++a)
            if (m.to[a] >= 0) s.stride[m.to[a]] = pool.add(s.stride[m.to[a]], v.stride[a]);
        return add_slot(s);
    }
    constexpr short add_slot(draft_slot const& s) {
        for (int k = 0; k < slots.count; ++k) {
            draft_slot const& o = slots.at[k];
            if (o.row != s.row || o.base != s.base || o.type != s.type || o.offset != s.offset) continue;
            bool same = true;
            for (int d = 0; same && d < max_rank; ++d) same = o.stride[d] == s.stride[d];
            if (same) return static_cast<short>(k);
        }
        slots.push(s);
        return static_cast<short>(slots.count - 1);
    }
    /// The last dimension of the space is the inner one, or that of the lanes; of a product the columns, which a matrix of one column lacks.
    constexpr int inner_dim() const {
        step_draft const& s = steps[current];
        if (s.kind != step_kind::matmul) return s.lane >= 0 && !s.in_blocks ? s.lane : s.rank - 1;
        id_shape const& d = rows[s.anchor].dims;
        return d.extents[d.rank - 1] == one_extent ? -1 : s.rank - 1;
    }
    constexpr signed char level_of(draft_slot const& s) const {
        signed char level = 0;
        int const inner = inner_dim();
        for (int d = 0, rank = step().rank; d < rank; ++d) {
            if (s.stride[d] == zero_extent) continue;
            if (d == inner) level = 2;
            else if (level < 1) level = 1;
        }
        return level;
    }
    constexpr unsigned char access_of(draft_slot const& s) const {
        int const inner = inner_dim();
        if (inner < 0) return 0;
        extent_id const e = s.stride[inner];
        bool const lanes = step().in_blocks && s.stride[step().lane] != zero_extent;
        return static_cast<unsigned char>((e == zero_extent ? 0 : e == one_extent ? 1 : 2) + (lanes ? 4 : 0));
    }
    constexpr short load(int row, axis_map const& m, int phase) {
        if (short const r = recall(row, m, phase); r >= 0) return r;
        short const slot = slot_for(row, m);
        draft_slot const& s = slots.at[slot];
        instruction i{};
        i.kind = ins_kind::load;
        i.memory = rows[row].type;
        i.level = level_of(s);
        i.phase = static_cast<signed char>(i.level == 2 ? phase : 0);
        i.inner = access_of(s);
        i.slot = slot;
        short const r = emit(i);
        remember(row, m, i.phase, r);
        return r;
    }
    constexpr short emit_parameter(parameter const& p) {
        instruction i{};
        i.kind = ins_kind::parameter;
        i.slot = static_cast<short>(params.count - first_param);
        params.push(p);
        return emit(i);
    }
    constexpr short size(extent_id n) { return emit_parameter({true, 0, n}); }
    constexpr short number(int row) {
        axis_map const none{};
        if (short const r = recall(row, none, 0); r >= 0) return r;
        bool const is_size = rows[row].kind == op_kind::size;
        short const r =
            is_size ? size(pool.intern(t.attrs(row).target.extents[0])) : emit_parameter({false, t.attrs(row).number, zero_extent});
        remember(row, none, 0, r);
        return r;
    }
    // A position: the address that a slot would have, without memory.
    constexpr short position(int row, axis_map const& m, ins_kind kind, int phase) {
        draft_slot s{operand_slot::where::none, rows[row].type, row, zero_extent, {}};
        extent_id stride[max_rank]{};
        id_shape const& dims = rows[row].dims;
        if (kind == ins_kind::index) stride[dims.rank - 1] = one_extent;
        else contiguous_strides(dims, stride);
        for (int a = 0; a < dims.rank; ++a)
            if (m.to[a] >= 0) s.stride[m.to[a]] = stride[a];
        instruction i{};
        i.kind = kind;
        i.slot = add_slot(s);
        i.level = level_of(s);
        i.phase = static_cast<signed char>(phase);
        i.inner = access_of(s);
        return emit(i);
    }

    /// The register that holds row `row`, whose axes run along the dimensions m, in pass `phase`.
    constexpr short fetch(int row, axis_map const& m, int phase) {
        row_facts const& f = rows[row];
        if (f.is_view) return f.keeps_elements ? fetch(f.view_operand, through(row, m), phase) : load(row, m, phase);
        if (f.is_number && !f.copied) return number(row);
        if (f.inlined != 0) {
            if (short const r = recall(row, m, phase); r >= 0) return r;
            short const r = f.kind == op_kind::index ? position(row, m, ins_kind::index, phase) : apply(row, m, phase);
            remember(row, m, phase, r);
            return r;
        }
        if (f.step == current && !f.is_leaf) {
            if (f.reg >= 0) {
                signed char const level = f.kind == op_kind::reduce && !f.copied ? static_cast<signed char>(1) : at(f.reg).level;
                if (level < 2 || f.phase == phase) return f.reg;
            }
            if (f.stored) return load(row, m, phase);
            if (short const r = recall(row, m, phase); r >= 0) return r;
            short const r = apply(row, m, phase);   // cheaper to compute again than to keep
            remember(row, m, phase, r);
            return r;
        }
        return load(row, m, phase);
    }
    constexpr short apply(int row, axis_map const& m, int phase) {
        row_facts const& f = rows[row];
        instruction i{};
        i.kind = ins_kind::apply;
        i.op = t[row].op;
        i.operands = static_cast<short>(f.operand_count);
        short* regs[3]{&i.a, &i.b, &i.c};
        for (int k = 0; k < f.operand_count && k < 3; ++k) {
            int const o = f.operands[k];
            short const r = *regs[k] = fetch(o, operand_map(m, f.dims, rows[o].dims), phase);
            signed char const level = value_level(r);
            if (level > i.level) i.level = level;
        }
        i.phase = static_cast<signed char>(phase);
        return emit(i);
    }
    /// When a register's value exists: 0 once, 1 for each row, 2 for each element.
    constexpr signed char value_level(short reg) const {
        return at(reg).kind == ins_kind::reduce ? static_cast<signed char>(1) : at(reg).level;
    }

    constexpr void store(int row, short reg, signed char level, int phase) {
        store(row, slot_for(row, natural_map(rows[row].dims)), reg, level, phase);
    }
    constexpr void store(int row, short slot, short reg, signed char level, int phase) {
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = rows[row].type;
        i.a = reg;
        i.level = level;
        i.phase = static_cast<signed char>(phase);
        i.slot = slot;
        i.inner = access_of(slots.at[slot]);
        emit(i);
    }
};

XGRAD_NAMESPACE_END
