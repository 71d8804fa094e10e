// SPDX-License-Identifier: MIT
// From the members of a step to its straight-line program: what is loaded, applied, reduced and stored, once, for each row, or for each element,
// and in which pass over the row.
#pragma once

#include <xgrad/plan/fusion.hpp>

XGRAD_NAMESPACE_BEGIN

struct draft_slot {
    operand_slot::where base;
    int row;                       // whose memory it is
    dtype type;
    extent offset;
    extent stride[max_rank]{};     // by dimension of the step's space
};

struct step_program {
    std::vector<instruction> ins;
    std::vector<draft_slot> slots;
    std::vector<parameter> params;
    std::vector<extent> sizes;     // of parameters that are sizes
    int phases = 1;
};

class program_writer : protected fusion {
    struct known {   // a value that is in a register already
        int row;
        int phase;
        axis_map map;
        short reg;
    };
    int current = 0;               // step
    step_program* out = nullptr;
    std::vector<known> memo;

protected:
    std::vector<signed char> phase_of;    // in which pass a member runs
    std::vector<short> reg_of;
    std::vector<step_program> programs;

    constexpr program_writer(table_view const& table, plan_options o) : fusion(table, o), phase_of(table.count, 0), reg_of(table.count, -1) {}

    constexpr step_draft const& step() const { return steps[current]; }

    constexpr short emit(instruction const& i) {
        out->ins.push_back(i);
        return static_cast<short>(out->ins.size() - 1);
    }
    constexpr bool same_map(int row, axis_map const& a, axis_map const& b) const {
        for (int k = 0; k < t.dims(row).rank; ++k)
            if (a.to[k] != b.to[k]) return false;
        return true;
    }
    constexpr short recall(int row, axis_map const& m, int phase) const {
        for (auto const& k : memo)
            if (k.row == row && (out->ins[k.reg].level < 2 ? k.phase <= phase : k.phase == phase) && same_map(row, k.map, m)) return k.reg;
        return -1;
    }

    constexpr short slot_for(int row, axis_map const& m) {
        memory_view const v = locate(row);
        draft_slot s{operand_slot::where::buffer, v.base, t.type(row), v.offset};
        if (copied[v.base] == 0) {
            if (t.kind(v.base) == op_kind::input) s.base = operand_slot::where::input;
            if (t.kind(v.base) == op_kind::variable) s.base = operand_slot::where::variable;
        }
        for (int a = 0; a < t.dims(row).rank; ++a)
            if (m.to[a] >= 0) s.stride[m.to[a]] = s.stride[m.to[a]] + v.stride[a];
        return add_slot(s);
    }
    constexpr short add_slot(draft_slot const& s) {
        for (std::size_t k = 0; k < out->slots.size(); ++k) {
            draft_slot const& o = out->slots[k];
            bool same = o.base == s.base && o.row == s.row && o.type == s.type && o.offset == s.offset;
            for (int d = 0; same && d < max_rank; ++d) same = o.stride[d] == s.stride[d];
            if (same) return static_cast<short>(k);
        }
        out->slots.push_back(s);
        return static_cast<short>(out->slots.size() - 1);
    }
    /// The last dimension of the space is the inner one; of a product the columns, which a matrix of one column lacks.
    constexpr int inner_dim() const {
        if (step().kind != step_kind::matmul) return step().rank - 1;
        shape const& s = t.dims(step().anchor);
        return is_one(s.extents[s.rank - 1]) ? -1 : step().rank - 1;
    }
    constexpr signed char level_of(draft_slot const& s) const {
        signed char level = 0;
        for (int d = 0; d < step().rank; ++d)
            if (!(s.stride[d] == static_extent(0))) level = d == inner_dim() ? 2 : (level < 1 ? 1 : level);
        return level;
    }
    constexpr unsigned char access_of(draft_slot const& s) const {
        if (inner_dim() < 0) return 0;
        extent const& e = s.stride[inner_dim()];
        return e == static_extent(0) ? 0 : e == static_extent(1) ? 1 : 2;
    }
    constexpr short load(int row, axis_map const& m, int phase) {
        if (short const r = recall(row, m, phase); r >= 0) return r;
        short const slot = slot_for(row, m);
        draft_slot const& s = out->slots[slot];
        instruction i{};
        i.kind = ins_kind::load;
        i.memory = t.type(row);
        i.level = level_of(s);
        i.phase = static_cast<signed char>(i.level == 2 ? phase : 0);
        i.inner = access_of(s);
        i.slot = slot;
        short const r = emit(i);
        memo.push_back({row, i.phase, m, r});
        return r;
    }
    constexpr short number(int row) {
        axis_map const none{};
        if (short const r = recall(row, none, 0); r >= 0) return r;
        instruction i{};
        i.kind = ins_kind::parameter;
        i.slot = static_cast<short>(out->params.size());
        bool const is_size = t.kind(row) == op_kind::size;
        out->params.push_back({is_size, is_size ? 0 : t.attrs(row).number, static_cast<short>(out->sizes.size())});
        if (is_size) out->sizes.push_back(t.attrs(row).target.extents[0]);
        short const r = emit(i);
        memo.push_back({row, 0, none, r});
        return r;
    }
    // A position: the address that a slot would have, without memory.
    constexpr short position(int row, axis_map const& m, ins_kind kind, int phase) {
        draft_slot s{operand_slot::where::none, row, t.type(row), static_extent(0)};
        extent stride[max_rank]{};
        shape const& dims = t.dims(row);
        if (kind == ins_kind::index) stride[dims.rank - 1] = static_extent(1);
        else contiguous_strides(dims, stride);
        for (int a = 0; a < dims.rank; ++a)
            if (m.to[a] >= 0) s.stride[m.to[a]] = stride[a];
        instruction i{};
        i.kind = kind;
        i.slot = add_slot(s);
        i.level = level_of(out->slots[i.slot]);
        i.phase = static_cast<signed char>(phase);
        i.inner = access_of(out->slots[i.slot]);
        return emit(i);
    }

    /// The register that holds row `row`, whose axes run along the dimensions m, in pass `phase`.
    constexpr short fetch(int row, axis_map const& m, int phase) {
        if (is_view(row)) return keeps_elements(row) ? fetch(view_operand(row), through(row, m), phase) : load(row, m, phase);
        if (is_number(row) && copied[row] == 0) return number(row);
        if (inlined[row] != 0) {
            if (short const r = recall(row, m, phase); r >= 0) return r;
            short const r = t.kind(row) == op_kind::index ? position(row, m, ins_kind::index, phase) : apply(row, m, phase);
            memo.push_back({row, phase, m, r});
            return r;
        }
        if (step_of[row] == current && !is_leaf(row)) {
            if (reg_of[row] >= 0) {
                signed char const level = t.kind(row) == op_kind::reduce && copied[row] == 0 ? static_cast<signed char>(1) : out->ins[reg_of[row]].level;
                if (level < 2 || phase_of[row] == phase) return reg_of[row];
            }
            if (stored[row] != 0) return load(row, m, phase);
            if (short const r = recall(row, m, phase); r >= 0) return r;
            short const r = apply(row, m, phase);   // cheaper to compute again than to keep
            memo.push_back({row, phase, m, r});
            return r;
        }
        return load(row, m, phase);
    }
    constexpr short apply(int row, axis_map const& m, int phase) {
        instruction i{};
        i.kind = ins_kind::apply;
        i.op = t[row].op;
        i.operands = static_cast<short>(t[row].count);
        short* regs[3]{&i.a, &i.b, &i.c};
        for (int k = 0; k < t[row].count && k < 3; ++k) {
            int const o = t.operand(row, k);
            *regs[k] = fetch(o, operand_map(m, t.dims(row), t.dims(o)), phase);
            signed char const level = value_level(*regs[k]);
            if (level > i.level) i.level = level;
        }
        i.phase = static_cast<signed char>(phase);
        return emit(i);
    }
    /// When a register's value exists: 0 once, 1 for each row, 2 for each element.
    constexpr signed char value_level(short reg) const { return out->ins[reg].kind == ins_kind::reduce ? static_cast<signed char>(1) : out->ins[reg].level; }

    constexpr void store(int row, short reg, signed char level, int phase) {
        axis_map m = natural_map(t.dims(row));
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = t.type(row);
        i.a = reg;
        i.level = level;
        i.phase = static_cast<signed char>(phase);
        i.slot = slot_for(row, m);
        i.inner = access_of(out->slots[i.slot]);
        emit(i);
    }

    constexpr signed char member_level(int row) const {
        if (step().kind == step_kind::matmul) return 2;
        if (step().rank <= 0) return 0;
        return is_row_level(step(), row) ? static_cast<signed char>(1) : static_cast<signed char>(2);
    }

    // In which pass each member runs: after the reductions that it needs.
    constexpr void choose_phases() {
        auto const& s = step();
        for (auto const& m : s.members) {
            if (m.copy_operand >= 0 || s.kind != step_kind::nest) continue;
            signed char p = 0;
            for_sources(m.row, [&](int o, bool) {
                if (step_of[o] != current || is_leaf(o)) return;
                auto const q = static_cast<signed char>(phase_of[o] + (gives_row_value(o) ? 1 : 0));
                if (q > p) p = q;
            });
            phase_of[m.row] = p;
        }
        for (auto const& m : s.members)
            if (m.copy_operand < 0 && s.kind == step_kind::nest) keep_costly(m.row, phase_of[m.row]);
    }
    // A costly value of an earlier pass is stored and read again.
    constexpr void keep_costly(int row, int phase) {
        for_sources(row, [&](int o, bool) {
            if (step_of[o] != current || is_leaf(o) || phase_of[o] >= phase || t.kind(o) == op_kind::reduce || is_row_level(step(), o)) return;
            if (t[o].op->transcendental) stored[o] = 1;
            else keep_costly(o, phase);
        });
    }

    constexpr void write_reduce(int row) {
        int const source = t.operand(row, 0);
        bool const row_level = is_row_level(step(), row);
        int const mask = reduced_dims(row), last = row_level ? -1 : inner_dim();
        instruction i{};
        i.kind = ins_kind::reduce;
        i.combine = t[row].op->combine;
        i.level = row_level ? 1 : 2;
        i.phase = phase_of[row];
        i.a = fetch(source, natural_map(t.dims(source)), phase_of[row]);
        i.inner = last >= 0 && (mask >> last & 1) != 0;
        i.outer = static_cast<unsigned char>(last >= 0 ? mask & ~(1 << last) : mask);
        i.memory = t.type(row);
        if (!gives_row_value(row)) {   // where the sums are kept: the operand's dimensions without the reduced ones
            axis_map const from = natural_map(t.dims(source));
            axis_map m{};
            int a = 0;
            for (int k = 0; k < t.dims(source).rank; ++k) {
                bool const reduced = (t.attrs(row).integer[0] >> k & 1) != 0;
                if (!reduced) m.to[a++] = from.to[k];
                else if (t.attrs(row).integer[1] != 0) m.to[a++] = -1;
            }
            i.slot = slot_for(row, m);
            emit(i);
            return;
        }
        reg_of[row] = emit(i);
        if (stored[row] != 0) store(row, reg_of[row], 1, phase_of[row] + 1);
    }

    constexpr void write_member(member const& m) {
        int const row = m.row;
        if (m.copy_operand >= 0) {   // an operand of a concatenation, copied into place
            int const o = t.operand(row, m.copy_operand);
            axis_map const map = natural_map(t.dims(o));
            short const reg = fetch(o, map, 0);
            memory_view const v = locate(row);
            auto const axis = static_cast<int>(t.attrs(row).integer[0]);
            extent at = static_extent(0);
            for (int k = 0; k < m.copy_operand; ++k) at = at + t.dims(t.operand(row, k)).extents[axis];
            draft_slot s{operand_slot::where::buffer, v.base, t.type(row), v.offset + at * v.stride[axis]};
            for (int a = 0; a < t.dims(o).rank; ++a)
                if (map.to[a] >= 0) s.stride[map.to[a]] = v.stride[a];
            instruction i{};
            i.kind = ins_kind::store;
            i.memory = t.type(row);
            i.a = reg;
            i.level = step().rank > 0 ? 2 : 0;
            i.slot = add_slot(s);
            i.inner = access_of(out->slots[i.slot]);
            emit(i);
            return;
        }
        axis_map const map = natural_map(t.dims(row));
        if (copied[row] != 0) {
            copied[row] = 0;   // read as the view that it is
            short const reg = fetch(row, map, 0);
            copied[row] = 1;
            memo.clear();
            store(row, reg, step().rank > 0 ? static_cast<signed char>(2) : static_cast<signed char>(0), 0);
            return;
        }
        switch (t.kind(row)) {
        case op_kind::reduce: write_reduce(row); return;
        case op_kind::index: reg_of[row] = position(row, map, ins_kind::index, phase_of[row]); break;
        case op_kind::random: reg_of[row] = position(row, map, ins_kind::random, phase_of[row]); break;
        default: reg_of[row] = apply(row, map, phase_of[row]);
        }
        if (stored[row] != 0) store(row, reg_of[row], member_level(row), phase_of[row]);
    }
    constexpr void write_program(int index) {
        current = index;
        programs.push_back({});
        out = &programs.back();
        memo.clear();
        choose_phases();
        auto const& s = step();
        if (s.kind == step_kind::matmul) {
            instruction i{};
            i.kind = ins_kind::accumulator;
            i.level = 2;
            reg_of[s.anchor] = emit(i);
            if (stored[s.anchor] != 0) store_product(s.anchor);
        }
        for (auto const& m : s.members) write_member(m);
        for (auto const& i : out->ins)
            if (i.phase + 1 > out->phases) out->phases = i.phase + 1;
    }
    constexpr void store_product(int row) {
        shape const& d = t.dims(row);
        if (d.rank == 2) return store(row, reg_of[row], 2, 0);
        draft_slot s{operand_slot::where::buffer, row, t.type(row), static_extent(0)};
        s.stride[0] = d.extents[d.rank - 1];
        s.stride[1] = static_extent(1);
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = t.type(row);
        i.a = reg_of[row];
        i.level = 2;
        i.inner = 1;
        i.slot = add_slot(s);
        emit(i);
    }
};

XGRAD_NAMESPACE_END
