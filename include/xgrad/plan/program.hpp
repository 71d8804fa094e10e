// SPDX-License-Identifier: MIT
// From the members of a step to its straight-line program: what is loaded, applied, reduced and stored, once, for each row, or for each element,
// and in which pass over the row.
#pragma once

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN

class program_writer : protected row_loops {
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

protected:
    sequence<instruction> ins;   // of all steps so far; those of this one begin at first_ins
    sequence<parameter> params;
    sequence<draft_slot> slots;   // of this step
    int first_ins = 0, first_param = 0;
    int phases = 1;   // of this step

    constexpr program_writer(
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
        for (int d = 0, rank = step().rank; d < rank; ++d)
            if (s.stride[d] != zero_extent) level = d == inner ? 2 : (level < 1 ? 1 : level);
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
    constexpr short number(int row) {
        axis_map const none{};
        if (short const r = recall(row, none, 0); r >= 0) return r;
        instruction i{};
        i.kind = ins_kind::parameter;
        i.slot = static_cast<short>(params.count - first_param);
        bool const is_size = rows[row].kind == op_kind::size;
        params.push({is_size, is_size ? 0 : t.attrs(row).number, is_size ? pool.intern(t.attrs(row).target.extents[0]) : zero_extent});
        short const r = emit(i);
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

    constexpr signed char member_level(int row) const {
        if (step().kind == step_kind::matmul) return 2;
        if (step().rank <= 0) return 0;
        return is_row_level(step(), row) ? static_cast<signed char>(1) : static_cast<signed char>(2);
    }

    // In which pass each member runs: after the reductions that it needs.
    constexpr void choose_phases() {
        step_draft const& s = step();
        if (s.kind != step_kind::nest) return;
        signed char most = 0;
        for (int m = s.first_member; m >= 0; m = members[m].next) {
            if (members[m].copy_operand >= 0) continue;
            int const row = members[m].row;
            signed char p = 0;
            for_sources(row, [&](int o, bool) {
                if (rows[o].step != current || rows[o].is_leaf) return;
                auto const q = static_cast<signed char>(rows[o].phase + (gives_row_value(o) ? 1 : 0));
                if (q > p) p = q;
            });
            rows[row].phase = p;
            if (p > most) most = p;
        }
        for (int m = most > 0 ? s.first_member : -1; m >= 0; m = members[m].next)
            if (members[m].copy_operand < 0) keep_costly(members[m].row, rows[members[m].row].phase);
    }
    // A costly value of an earlier pass is stored and read again.
    constexpr void keep_costly(int row, int phase) {
        if (phase == 0) return;
        for_sources(row, [&](int o, bool) {
            row_facts& f = rows[o];
            if (f.step != current || f.is_leaf || f.phase >= phase || f.kind == op_kind::reduce || is_row_level(step(), o)) return;
            if (t[o].op->transcendental) f.stored = true;
            else keep_costly(o, phase);
        });
    }

    constexpr void write_reduce(int row) {
        row_facts& f = rows[row];
        int const source = f.operands[0];
        id_shape const& s = rows[source].dims;
        bool const row_level = is_row_level(step(), row);
        int const mask = reduced_dims(row), last = row_level ? -1 : inner_dim();
        instruction i{};
        i.kind = ins_kind::reduce;
        i.combine = t[row].op->combine;
        i.level = row_level ? 1 : 2;
        i.phase = f.phase;
        i.a = fetch(source, natural_map(s), f.phase);
        i.inner = last >= 0 && (mask >> last & 1) != 0;
        i.outer = static_cast<unsigned char>(last >= 0 ? mask & ~(1 << last) : mask);
        i.memory = f.type;
        if (!gives_row_value(row)) {   // where the sums are kept: the operand's dimensions without the reduced ones
            i.slot = slot_for(row, result_map(row));
            emit(i);
            return;
        }
        f.reg = emit(i);
        if (f.stored) store(row, f.reg, 1, f.phase + 1);
    }

    // An operand of a concatenation, copied into place.
    constexpr void write_copy(int row, int operand) {
        row_facts const& f = rows[row];
        int const o = f.operands[operand];
        id_shape const& s = rows[o].dims;
        axis_map const map = natural_map(s);
        short const reg = fetch(o, map, 0);
        memory_view const v = locate(row);
        auto const axis = static_cast<int>(t.attrs(row).integer[0]);
        extent_id at = zero_extent;
        for (int k = 0; k < operand; ++k) at = pool.add(at, rows[f.operands[k]].dims.extents[axis]);
        draft_slot d{operand_slot::where::buffer, f.type, v.base, pool.add(v.offset, pool.multiply(at, v.stride[axis])), {}};
        for (int a = 0; a < s.rank; ++a)
            if (map.to[a] >= 0) d.stride[map.to[a]] = v.stride[a];
        store(row, add_slot(d), reg, step().rank > 0 ? 2 : 0, 0);
    }
    constexpr void write_member(int row) {
        row_facts& f = rows[row];
        axis_map const map = natural_map(f.dims);
        if (f.is_leaf && f.packed) {
            short const reg = load(row, map, 0);
            reads_packed = true;
            store(row, reg, 2, 0);
            return;
        }
        if (f.copied) {
            see_through(row, true);
            short const reg = fetch(row, map, 0);
            see_through(row, false);
            memo_begin = memo.count;
            store(row, reg, step().rank > 0 ? 2 : 0, 0);
            return;
        }
        switch (f.kind) {
        case op_kind::reduce: write_reduce(row); return;
        case op_kind::index: f.reg = position(row, map, ins_kind::index, f.phase); break;
        case op_kind::random: f.reg = position(row, map, ins_kind::random, f.phase); break;
        default: f.reg = apply(row, map, f.phase);
        }
        if (f.stored) store(row, f.reg, member_level(row), f.phase);
    }
    constexpr void write_program(int index) {
        current = index;
        first_ins = ins.count;
        first_param = params.count;
        phases = 1;
        memo_begin = memo.count;
        slots.clear();
        choose_phases();
        step_draft const& s = step();
        reads_packed = s.lane >= 0;
        if (s.kind == step_kind::matmul) {
            instruction i{};
            i.kind = ins_kind::accumulator;
            i.level = 2;
            rows[s.anchor].reg = emit(i);
            if (rows[s.anchor].stored) store_product(s.anchor);
        }
        for (int m = s.first_member; m >= 0; m = members[m].next) {
            member const& w = members[m];
            if (w.copy_operand >= 0) write_copy(w.row, w.copy_operand);
            else write_member(w.row);
        }
        for (int k = first_ins; k < ins.count; ++k)
            if (ins.at[k].phase >= phases) phases = ins.at[k].phase + 1;
    }
    constexpr void store_product(int row) {
        row_facts const& f = rows[row];
        if (f.dims.rank == 2) return store(row, f.reg, 2, 0);
        draft_slot s{operand_slot::where::buffer, f.type, row, zero_extent, {}};
        s.stride[0] = f.dims.extents[f.dims.rank - 1];
        s.stride[1] = one_extent;
        short const slot = add_slot(s);
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = f.type;
        i.a = f.reg;
        i.level = 2;
        i.inner = 1;
        i.slot = slot;
        emit(i);
    }
};

XGRAD_NAMESPACE_END
