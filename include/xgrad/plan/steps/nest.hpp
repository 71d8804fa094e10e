// SPDX-License-Identifier: MIT
// Loop nests. Adjacent dimensions whose strides allow it are merged into one, and the dimension of the lanes becomes the last one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/values.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Moves the dimension of the lanes to the end.
constexpr void turn(writing& plan, int lane, int last, extent_id* space) {
    auto const to_end = [&](extent_id* of) {
        extent_id const e = of[lane];
        for (int k = lane; k < last; ++k) of[k] = of[k + 1];
        of[last] = e;
    };
    to_end(space);
    for (draft_operand& s : plan.draft_operands) to_end(s.stride);
    for (int n = plan.first_ins; n < plan.ins.count; ++n)
        if (instruction& i = plan.ins.at[n]; i.kind == ins_kind::reduce)
            i.outer = static_cast<unsigned char>((i.outer & ((1 << lane) - 1)) | i.outer >> (lane + 1) << lane);
}
/// Rows up to this length have it in the type of the kernel: they are a few batches, without tests at their end.
/// Longer lengths are passed at run time.
inline constexpr long long held_row = 64, held_by_lanes = 4;
// Rounded up to one of three sizes, so that many numbers of rows or elements share a kernel.
constexpr short room_for(long long n, long long most) {
    return static_cast<short>(4 * n > most ? most : 16 * n > most ? most / 4 : most / 16);
}
// For nests with blocks of lanes that keep a sum for each element of a row: the space for these sums.
constexpr short rows_of_sums(writing const& plan, plan_step const& f) {
    for (int k = f.first_ins; k < plan.ins.count; ++k)
        if (instruction const& i = plan.ins.at[k]; i.kind == ins_kind::reduce && i.level == 2 && i.inner == 0)
            return room_for(f.static_inner, longest_row);
    return 0;
}

// Several rows that read the same long operands visit them together, one block after the other, so that the blocks stay in the cache.
// Meanwhile the sums of all rows are kept. Returns the space for them, or 0.
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
    return sums ? room_for(n, most) : short{0};
}
inline constexpr long long long_row = 4096;   // elements

/// Whether each iteration of a loop writes separate memory: nothing is summed over that loop or stored outside it.
/// `loop` is an outer loop of the nest or (outer_rank) the inner one.
constexpr bool has_own_turns(plan_step const& f, instruction const* ins, int count, int loop) {
    bool const inner = loop == f.outer_rank;
    if (f.lane >= 0 && loop != f.lane) return false;
    for (int k = 0; k < count; ++k) {
        instruction const& i = ins[k];
        if (i.kind == ins_kind::store && (i.level < (inner ? 2 : 1) || (f.lane >= 0 && (i.inner & 4) == 0))) return false;
        if (i.kind == ins_kind::reduce && (inner ? i.inner != 0 || i.level < 2 : (i.outer >> loop & 1) != 0)) return false;
    }
    return true;
}
/// Whether the kernel of a nest may keep sums over outer dimensions in scratch memory, not only in registers.
constexpr bool keeps_sums(plan_step const& f, instruction const* ins, int count) {
    int columns = 0;   // the outer dimensions over which columns are summed
    for (int k = 0; k < count; ++k) {
        instruction const& i = ins[k];
        if (i.kind != ins_kind::reduce || i.outer == 0) continue;
        if (f.phases > 1 || i.level < 2 || i.inner != 0 || (columns != 0 && columns != i.outer)) return true;
        columns = i.outer;
    }
    for (int k = 0; k < count; ++k)
        if (columns != 0 && ins[k].kind == ins_kind::reduce && ins[k].outer == 0) return true;
    return false;
}
/// The loop that a nest is split along: the outermost one that can be split and has no length in the type of the kernel. -1: none.
constexpr int loop_of_parts(plan_step const& f, instruction const* ins, int count) {
    for (int loop = 0; loop < f.outer_rank + (f.static_inner < 0); ++loop)
        if (has_own_turns(f, ins, count, loop)) return loop;
    return -1;
}
// Merges adjacent dimensions if the strides of all operands allow it. Returns the position of the inner dimension after that.
// The last outer dimension and the inner one are merged only if nothing happens once per row (by_row).
constexpr int merge_dimensions(writing& plan, step_draft const& d, extent_id* space, bool by_row, bool sums) {
    int const last = d.rank - 1, written = plan.ins.count;
    int inner = last;
    for (int k = d.in_blocks ? -1 : last - 1; k >= 0; --k) {
        bool const into_inner = k == inner - 1;
        if (into_inner && by_row) continue;
        bool mergeable = true;
        for (draft_operand const& s : plan.draft_operands)
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
        for (draft_operand& s : plan.draft_operands)
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
    return inner;
}
// Adds a store of each of these sums that is now over the inner dimension only, because it ends in a register.
constexpr void store_register_sums(writing& plan, sequence<int> const& kept) {
    for (int k : kept) {
        instruction const r = plan.ins.at[k];
        if (r.outer != 0 || r.inner == 0) continue;
        instruction i{};
        i.kind = ins_kind::store;
        i.memory = r.memory;
        i.level = 1;
        i.phase = static_cast<signed char>(r.phase + 1);
        i.a = static_cast<short>(k - plan.first_ins);
        i.operand = r.operand;
        emit(plan, i);
        if (i.phase >= plan.phases) plan.phases = i.phase + 1;
    }
}
constexpr void write_nest(writing& plan, plan_step& f, step_draft const& d) {
    int const last = d.rank - 1;
    extent_id space[max_rank]{};   // outer dimensions, then the inner one
    for (int k = 0; k < d.rank; ++k) space[k] = d.space[k];
    if (d.lane >= 0 && !d.in_blocks) turn(plan, d.lane, last, space);
    if (d.in_blocks) f.lane = d.lane;
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
    // Sums over outer dimensions too. The kernel keeps them in memory.
    sequence<int> kept;
    for (int k = plan.first_ins; outer_sums && !d.in_blocks && k < written; ++k)
        if (plan.ins.at[k].kind == ins_kind::reduce && plan.ins.at[k].outer != 0) kept.push(k);
    int const inner = merge_dimensions(plan, d, space, by_row, sums);   // its position; strides of operands have the same order
    store_register_sums(plan, kept);
    f.phases = static_cast<short>(plan.phases);
    f.outer_rank = static_cast<signed char>(inner > 0 ? inner : 0);
    for (int k = 0; k < inner; ++k) f.extent[k] = space[k];
    f.inner = inner >= 0 ? space[inner] : one_extent;
    f.static_inner = static_size(plan, f.inner);
    if (f.outer_rank == 0 && !sums && f.static_inner >= long_row)
        f.static_inner = -1;   // a static length gains nothing, and such a loop could not run in parts
    if (d.lane >= 0 && !d.in_blocks) f.block_rows = rows_side_by_side(plan, f, written);
    int const loop = loop_of_parts(f, plan.ins.at + plan.first_ins, plan.ins.count - plan.first_ins);
    f.in_parts = loop >= 0;
    f.part_loop = static_cast<short>(f.in_parts ? loop : 0);
    if (f.static_inner > (f.lane < 0 ? held_row : held_by_lanes)) {
        if (f.lane >= 0) f.block_rows = rows_of_sums(plan, f);
        f.static_inner = run_time_length;
    }
    for (draft_operand const& s : plan.draft_operands) {
        step_operand o = finish_operand(plan, s);
        for (int k = 0; k < inner; ++k) o.stride[k] = s.stride[k];
        o.inner = inner >= 0 ? s.stride[inner] : zero_extent;
        plan.operands.push(o);
    }
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
