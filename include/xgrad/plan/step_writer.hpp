// SPDX-License-Identifier: MIT
// Finished steps: the extents of their loops, merged where strides run on into each other, and their operands as numbers of polynomials.
#pragma once

#include <xgrad/plan/fusion.hpp>
#include <xgrad/plan/kernel_row.hpp>
#include <xgrad/plan/program.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Room for some steps of a table of `Rows` rows with `Operands` operands and `Updates` updates.
template<int Rows, int Operands, int Updates>
struct step_storage {
    plan_step steps[Rows + Operands + 2 * Updates];
    instruction ins[8 * (Rows + Operands) + 32];
    operand_slot slots[8 * (Rows + Operands) + 5 * Updates + 32];
    parameter params[4 * (Rows + Operands) + 16];
    extent polynomials[4 * (Rows + Operands) + 64];
    int step_count, ins_count, slot_count, param_count, polynomial_count;
};

constexpr long long static_size(writing const& plan, extent_id e) {
    extent const& x = plan.pool.values.at[e];
    return x.count == 0 ? x.constant : -1;
}
constexpr plan_step& begin_step(writing& plan, step_kind kind, dtype type, int row) {
    plan_step s{};
    s.kind = kind;
    s.type = type;
    s.row = static_cast<short>(row);
    s.static_inner = s.static_m = s.static_n = s.static_k = -1;
    s.lane = -1;
    s.first_ins = static_cast<short>(plan.first_ins);
    s.first_param = static_cast<short>(plan.first_param);
    s.first_slot = static_cast<short>(plan.operands.count);
    plan.done.push(s);
    return plan.done.last();
}
constexpr void end_step(writing& plan) {
    plan_step& s = plan.done.last();
    s.ins_count = static_cast<short>(plan.ins.count - s.first_ins);
    s.param_count = static_cast<short>(plan.params.count - s.first_param);
    s.slot_count = static_cast<short>(plan.operands.count - s.first_slot);
}

// Where the lanes want it, their dimension becomes the inner one.
constexpr void turn(writing& plan, int lane, int last, extent_id* space) {
    auto const to_end = [&](extent_id* of) {
        extent_id const e = of[lane];
        for (int k = lane; k < last; ++k) of[k] = of[k + 1];
        of[last] = e;
    };
    to_end(space);
    for (draft_slot& s : plan.slots) to_end(s.stride);
    for (int n = plan.first_ins; n < plan.ins.count; ++n)
        if (instruction& i = plan.ins.at[n]; i.kind == ins_kind::reduce)
            i.outer = static_cast<unsigned char>((i.outer & ((1 << lane) - 1)) | i.outer >> (lane + 1) << lane);
}
// Rows along the lanes read the same operands again and again: a long one is left in the cache block by block. Their sums wait meanwhile.
constexpr short rows_side_by_side(writing const& plan, plan_step const& f, int written) {
    constexpr long long most = 1024;
    long long n = 1;
    for (int k = 0; k < f.outer_rank; ++k) {
        long long const e = static_size(plan, f.extent[k]);
        if (e < 0 || e > most) return 0;
        n *= e;
        if (n > most) return 0;
    }
    bool sums = false;
    for (int k = plan.first_ins; k < written; ++k)
        if (instruction const& i = plan.ins.at[k]; i.kind == ins_kind::reduce) {
            if (i.outer != 0 || i.inner == 0) return 0;
            sums = true;
        }
    return static_cast<short>(sums ? n : 0);
}
// Dimensions whose strides run on into each other become one; also the last outer one and the inner one, if nothing happens row by row.
constexpr void finish_nest(writing& plan, plan_step& f, step_draft const& d) {
    int const last = d.rank - 1;
    extent_id space[max_rank]{};   // outer dimensions, then the inner one
    for (int k = 0; k < d.rank; ++k) space[k] = d.space[k];
    if (d.lane >= 0 && !d.in_blocks) turn(plan, d.lane, last, space);
    if (d.in_blocks) f.lane = d.lane;
    int inner = last;   // its position; the slots' strides are arranged alike
    int const written = plan.ins.count;
    bool by_row = false, sums = false, outer_sums = false;
    for (int k = plan.first_ins; k < written; ++k) {
        instruction const& i = plan.ins.at[k];
        if (i.level == 1) by_row = true;
        if (i.kind != ins_kind::reduce) continue;
        sums = true;
        if (i.outer != 0) outer_sums = true;
        if (i.inner != 0 && i.outer == 0 && last > 0) by_row = true;
    }
    sequence<int> kept;   // sums over outer dimensions too, which the kernel keeps in memory
    for (int k = plan.first_ins; outer_sums && !d.in_blocks && k < written; ++k)
        if (plan.ins.at[k].kind == ins_kind::reduce && plan.ins.at[k].outer != 0) kept.push(k);
    for (int k = d.in_blocks ? -1 : last - 1; k >= 0; --k) {
        bool const into_inner = k == inner - 1;
        if (into_inner && by_row) continue;
        bool mergeable = true;
        for (draft_slot const& s : plan.slots)
            if (s.stride[k] != plan.pool.multiply(s.stride[k + 1], space[k + 1])) {
                mergeable = false;
                break;
            }
        for (int n = plan.first_ins; mergeable && sums && n < written; ++n)
            if (instruction const& i = plan.ins.at[n]; i.kind == ins_kind::reduce) {
                bool const a = (i.outer >> k & 1) != 0, b = into_inner ? i.inner != 0 : (i.outer >> (k + 1) & 1) != 0;
                mergeable = a == b;
            }
        if (!mergeable) continue;
        for (draft_slot& s : plan.slots)
            for (int j = k; j < inner; ++j) s.stride[j] = s.stride[j + 1];
        space[k + 1] = plan.pool.multiply(space[k], space[k + 1]);
        for (int j = k; j < inner; ++j) space[j] = space[j + 1];
        --inner;
        for (int n = plan.first_ins; sums && n < written; ++n)
            if (instruction& i = plan.ins.at[n]; i.kind == ins_kind::reduce) {
                int const low = i.outer & ((1 << k) - 1), high = i.outer >> (k + 1);
                i.outer = static_cast<unsigned char>(into_inner ? low : low | high << k);
            }
    }
    for (int k : kept) {   // what became a sum over the inner dimension alone ends in a register
        instruction const r = plan.ins.at[k];
        if (r.outer != 0 || r.inner == 0) continue;
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = r.memory;
        i.level = 1;
        i.phase = static_cast<signed char>(r.phase + 1);
        i.a = static_cast<short>(k - plan.first_ins);
        i.slot = r.slot;
        emit(plan, i);
        if (i.phase >= plan.phases) plan.phases = i.phase + 1;
    }
    f.phases = static_cast<short>(plan.phases);
    f.outer_rank = static_cast<short>(inner > 0 ? inner : 0);
    for (int k = 0; k < inner; ++k) f.extent[k] = space[k];
    f.inner = inner >= 0 ? space[inner] : one_extent;
    f.static_inner = static_size(plan, f.inner);
    if (d.lane >= 0 && !d.in_blocks) f.block_rows = rows_side_by_side(plan, f, written);
    for (draft_slot const& s : plan.slots) {
        operand_slot o = finish_slot(plan, s);
        for (int k = 0; k < inner; ++k) o.stride[k] = s.stride[k];
        o.inner = inner >= 0 ? s.stride[inner] : zero_extent;
        plan.operands.push(o);
    }
}
constexpr void finish_product(writing& plan, plan_step& f, step_draft const& d) {
    int const row = d.anchor;
    id_shape const& s = plan.rows[row].dims;
    bool const has_rows = s.rank > 2 || s.extents[0] != one_extent, has_columns = s.rank > 2 || s.extents[s.rank - 1] != one_extent;
    for (draft_slot const& slot : plan.slots) {
        operand_slot o = finish_slot(plan, slot);
        o.stride[0] = has_rows ? slot.stride[0] : zero_extent;
        o.inner = has_columns ? slot.stride[has_rows ? 1 : 0] : zero_extent;
        plan.operands.push(o);
    }
    f.operand_slots = static_cast<short>(plan.slots.count);
    f.transpose_a = plan.t.attrs(row).integer[0] != 0;
    f.transpose_b = plan.t.attrs(row).integer[1] != 0;
    extent_id m = one_extent, k = zero_extent;
    for (int a = 0; a + 1 < s.rank; ++a) m = plan.pool.multiply(m, s.extents[a]);
    for (int side = 0; side < 2; ++side) {
        int const o = plan.rows[row].operands[side];
        id_shape const& x = plan.rows[o].dims;
        memory_view const v = locate(plan, o);
        operand_slot slot = row_slot(plan, o, v);
        bool& transposed = side == 0 ? f.transpose_a : f.transpose_b;
        int const first = x.rank - 2, second = x.rank - 1;
        if (side == 0) k = x.extents[transposed ? first : second];
        bool const row_major = x.extents[second] == one_extent || v.stride[second] == one_extent;
        if (!row_major) transposed = !transposed;
        extent_id ld = v.stride[row_major ? first : second];
        if (ld == zero_extent) ld = x.extents[row_major ? second : first];   // one row
        slot.stride[0] = ld;
        plan.operands.push(slot);
    }
    f.extent[0] = m;
    f.extent[1] = s.extents[s.rank - 1];
    f.extent[2] = k;
    f.static_m = static_size(plan, m);
    f.static_n = static_size(plan, f.extent[1]);
    f.static_k = static_size(plan, k);
}
// Slots: the operands, then all outputs; stride[0] is the distance along the first axis, inner what lies behind it. What nobody reads is scratch
// memory of `inner` elements. All extents are parameters.
constexpr void finish_kernel(writing& plan, plan_step& f, int row) {
    row_facts const& r = plan.rows[row];
    kernel_row const k(plan.t, row);
    f.op = plan.t[row].op;
    f.operand_slots = static_cast<short>(r.operand_count);
    std::int64_t* const known[]{&f.static_inner, &f.static_m, &f.static_n, &f.static_k};
    int known_count = 0;
    for (int e = 0; e < k.extent_count(); ++e) {
        extent_id const id = plan.pool.intern(k.extent_of(e));
        if (e == 0) f.extent[0] = id;
        if (e == 1) f.inner = id;
        plan.params.push({true, 0, id});
        if (k.is_static(e)) *known[known_count++] = static_size(plan, id);
    }
    auto const add = [&](int which, int from) {
        operand_slot s = row_slot(plan, from);
        s.inner = row_length(plan, plan.rows[from].dims);
        if (plan.rows[from].placed < 0 && k.layout_of(which) == layout::contiguous) s.stride[0] = s.inner;
        plan.operands.push(s);
    };
    for (int o = 0; o < r.operand_count; ++o) add(o, r.operands[o]);
    for (int o = r.operand_count; o < k.count(); ++o) {
        int const part = plan.t.part_of(row, o - r.operand_count);
        if (part >= 0 && plan.rows[part].live) {
            add(o, part);
            continue;
        }
        operand_slot s{};
        s.type = k[o].type;
        s.row = static_cast<short>(row);
        s.inner = plan.pool.intern(k.room_of(o));
        plan.operands.push(s);
    }
}
// Slots: the operands, then all outputs; inner is what one turn reads or writes, stride[0] the distance of turns. Carries that nobody reads
// in the end are scratch memory, other outputs that nobody reads have no elements.
constexpr void finish_scan(writing& plan, plan_step& f, int row) {
    row_facts const& r = plan.rows[row];
    region_form const form = form_of(*plan.t[row].op->region, plan.t.attrs(row));
    f.op = plan.t[row].op;
    f.operand_slots = static_cast<short>(r.operand_count);
    f.extent[0] = plan.pool.intern(form.length);
    auto add = [&](operand_slot s, value_info const& turn, bool in_turns) {
        id_shape const dims = plan.pool.intern(turn.dims);
        s.inner = dims.rank > 0 ? plan.pool.multiply(dims.extents[0], row_length(plan, dims)) : one_extent;
        s.stride[0] = in_turns ? s.inner : zero_extent;
        plan.operands.push(s);
    };
    for (int k = 0; k < r.operand_count; ++k)
        add(row_slot(plan, r.operands[k]), *form.operand[k], k >= form.carries && k < form.carries + form.slices);
    for (int k = 0; k < form.outputs(); ++k) {
        bool const carry = k < form.carries;
        value_info const& turn = carry ? *form.operand[k] : *form.result[k - form.carries];
        int const part = plan.t.part_of(row, k);
        if (part >= 0 && plan.rows[part].live) {
            add(row_slot(plan, part), turn, !carry && k < form.carries + form.stacked);
            continue;
        }
        operand_slot s{};
        s.type = turn.type;
        s.row = static_cast<short>(row);
        if (carry) add(s, turn, false);
        else plan.operands.push(s);
    }
}
constexpr void finish_step(writing& plan, int index) {
    step_draft const& d = plan.steps[index];
    write_program(plan, index);
    plan_step& f = begin_step(plan, d.kind, d.type, d.anchor >= 0 ? d.anchor : plan.members[d.last_member].row);
    f.phases = static_cast<short>(plan.phases);
    if (d.kind == step_kind::nest) finish_nest(plan, f, d);
    else if (d.kind == step_kind::matmul) finish_product(plan, f, d);
    else if (d.kind == step_kind::kernel) finish_kernel(plan, f, d.anchor);
    else finish_scan(plan, f, d.anchor);
    end_step(plan);
}

constexpr void finish_check(writing& plan, plan_update const& u) {
    plan.first_ins = plan.ins.count;
    plan.first_param = plan.params.count;
    plan_step& f = begin_step(plan, step_kind::check, plan.rows[u.indices].type, u.variable);
    f.index_type = plan.rows[u.indices].type;
    f.variable = static_cast<short>(plan.rows[u.variable].leaf);
    f.extent[0] = size_of_row(plan, u.indices);
    f.extent[2] = plan.rows[u.variable].dims.extents[0];
    plan.operands.push(row_slot(plan, u.indices));
    end_step(plan);
}
constexpr void finish_update(writing& plan, plan_update const& u, due_update const& due) {
    plan.first_ins = plan.ins.count;
    plan.first_param = plan.params.count;
    plan_step& f = begin_step(plan, step_kind::update, plan.rows[u.variable].type, u.variable);
    f.group = static_cast<short>(u.group);
    f.variable = static_cast<short>(plan.rows[u.variable].leaf);
    f.sparse = u.dense < 0;
    f.fused = due.fused;
    id_shape const& s = plan.rows[u.variable].dims;
    if (u.dense >= 0) {
        f.inner = size_of_row(plan, u.variable);
        if (!due.fused) plan.operands.push(row_slot(plan, u.dense));
    } else {
        slice_rows const values = rows_of_slices(plan, u.values);
        memory_view const v = locate(plan, values.row);
        f.inner = row_length(plan, s);
        f.static_inner = static_size(plan, f.inner);
        f.extent[0] = size_of_row(plan, u.indices);
        f.extent[2] = s.extents[0];
        f.index_type = plan.rows[u.indices].type;
        operand_slot o = row_slot(plan, values.row, v);
        f.extent[1] = values.inner;
        f.extent[3] = values.outer;
        if (values.inner != one_extent) {
            extent_id const step = values.first == 2 ? v.stride[1] : f.inner;
            if (values.outer == one_extent || o.stride[0] == plan.pool.multiply(step, values.inner)) {   // at one distance all along
                o.stride[0] = step;
                f.extent[1] = one_extent;
                f.extent[3] = f.extent[0];
            } else o.stride[1] = step;
        }
        plan.operands.push(o);
        plan.operands.push(row_slot(plan, u.indices));
    }
    end_step(plan);
}

/// Writes the steps from `first` to before `last` with the updates that run behind them, and those before all steps.
template<class Fused, class Storage>
constexpr void write(writing& plan, Fused const& fused, int first, int last, Storage& out) {
    auto const [outputs, output_count, updates, update_count, gate] = plan.asked;
    for (int s = first == 0 ? -1 : first; s < last; ++s) {
        if (s >= 0) finish_step(plan, s);
        plan.reads_packed = false;   // what follows reads leaves as they are
        for (int k = 0; s == fused.check_at && k < update_count; ++k)
            if (fused.updates[k].checks) finish_check(plan, updates[k]);
        // one that runs inside the product's tiles comes right behind it
        for (int k = fused.update_at[s + 1]; k >= 0; k = fused.updates[k].next)
            if (fused.updates[k].fused) finish_update(plan, updates[k], fused.updates[k]);
        for (int k = fused.update_at[s + 1]; k >= 0; k = fused.updates[k].next)
            if (!fused.updates[k].fused) finish_update(plan, updates[k], fused.updates[k]);
    }
    for (int k = 0; k < plan.done.count; ++k) out.steps[k] = plan.done.at[k];
    for (int k = 0; k < plan.ins.count; ++k) out.ins[k] = plan.ins.at[k];
    for (int k = 0; k < plan.operands.count; ++k) out.slots[k] = plan.operands.at[k];
    for (int k = 0; k < plan.params.count; ++k) out.params[k] = plan.params.at[k];
    out.step_count = plan.done.count;
    out.ins_count = plan.ins.count;
    out.slot_count = plan.operands.count;
    out.param_count = plan.params.count;
    out.polynomial_count = plan.pool.save(out.polynomials);
}

}   // namespace planner
XGRAD_NAMESPACE_END
