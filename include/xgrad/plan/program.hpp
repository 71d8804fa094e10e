// SPDX-License-Identifier: MIT
// From the members of a step to its straight-line program: what is loaded, applied, reduced and stored, once, for each row, or for each element,
// and in which pass over the row.
#pragma once

#include <xgrad/plan/factors.hpp>

XGRAD_NAMESPACE_BEGIN

class program_writer : protected factor_writer {
protected:
    using factor_writer::factor_writer;

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
        i.inner = last >= 0 && (mask >> last & 1) != 0;
        i.outer = static_cast<unsigned char>(last >= 0 ? mask & ~(1 << last) : mask);
        i.memory = f.type;
        if (gives_row_value(row)) {
            i.a = fetch(source, natural_map(s), f.phase);
            f.reg = emit(i);
            if (f.stored) store(row, f.reg, 1, f.phase + 1);
            return;
        }
        bool const of_row = i.inner != 0 && i.outer == 0;   // along the dimension of the lanes
        factored x{-1, -1, false};
        product = nullptr;
        if (of_row && i.combine == monoid::sum) x = factor(source, natural_map(s), f.phase);
        else x.reg = fetch(source, natural_map(s), f.phase);
        i.a = x.reg;
        i.slot = slot_for(row, result_map(row));   // where the sums are kept: the operand's dimensions without the reduced ones
        short r = emit(i);
        if (!of_row) return;
        if (x.rest >= 0) r = multiply_sum(r, x.rest, step().space[last], f.phase + 1);
        if (x.negative) r = combine(negation, r, -1, f.phase + 1);
        store(row, i.slot, r, 1, f.phase + 1);
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
        if (s.lane >= 0 && !s.in_blocks) drop_unread();
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
