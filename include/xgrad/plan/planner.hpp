// SPDX-License-Identifier: MIT
// The planner: from a table, its outputs and updates to a plan, in several constant evaluations: what becomes of each row, which steps there are,
// their programs, range by range, and memory. Everything here is constexpr work on tables.
#pragma once

#include <xgrad/plan/arena.hpp>
#include <xgrad/plan/fusion.hpp>
#include <xgrad/plan/placement.hpp>
#include <xgrad/plan/step_writer.hpp>
#include <xgrad/plan/streams.hpp>

XGRAD_NAMESPACE_BEGIN

/// Puts ranges of steps together and lays out memory.
class plan_assembly : row_loops {
    sequence<int> buffer_of;   // of each row
    sequence<plan_buffer> buffers;
    sequence<extent_id> new_id;   // of the polynomials that the plan uses
    sequence<extent_id> used;
    bool too_large = false;

    constexpr void use(extent_id& e) {
        extent_id& n = new_id.at[e];
        if (n < 0) {
            too_large = too_large || pool.values.at[e].overflow;
            n = static_cast<extent_id>(used.count);
            used.push(e);
        }
        e = n;
    }
    constexpr void use(operand_slot& o) {
        use(o.offset);
        use(o.inner);
        for (extent_id& e : o.stride)
            if (e != zero_extent) use(e);
    }

public:
    constexpr plan_assembly(table_view const& table, extent_pool& extents, row_facts const* facts)
        : row_loops(table, extents, facts, nullptr, nullptr), buffer_of(table.count, -1), buffers(256),
          new_id(extents.values.count + 2 * table.count, -1) {
        for (extent_id e : {zero_extent, one_extent}) use(e);
    }

    template<class Range, class Storage>
    constexpr void append(Range const& range, Storage& out) {
        for (int k = 0; k < range.step_count; ++k) {
            plan_step& s = out.steps[out.step_count++];
            s = range.steps[k];
            s.first_ins = static_cast<short>(s.first_ins + out.ins_count);
            s.first_slot = static_cast<short>(s.first_slot + out.slot_count);
            s.first_param = static_cast<short>(s.first_param + out.param_count);
            for (extent_id& e : s.extent)
                if (e != zero_extent) use(e);
            use(s.inner);
        }
        for (int k = 0; k < range.ins_count; ++k) out.ins[out.ins_count++] = range.ins[k];
        for (int k = 0; k < range.slot_count; ++k) {
            out.slots[out.slot_count] = range.slots[k];
            use(out.slots[out.slot_count++]);
        }
        for (int k = 0; k < range.param_count; ++k) {
            out.params[out.param_count] = range.params[k];
            use(out.params[out.param_count++].size);
        }
    }
    // Each row in memory is a buffer, from the first step that has it in a slot to the last one.
    template<class Storage>
    constexpr void lay_out(int const* outputs, int output_count, Storage& out) {
        int const end = out.step_count;
        int from = 0, to = -1;   // steps that run together
        for (int s = 0; s < end; ++s) {
            if (out.steps[s].streamed > 0) {
                from = s;
                to = s + out.steps[s].streamed;
            }
            auto const first = static_cast<short>(out.steps[s].streamed != 0 ? from : s);
            auto const last_use = static_cast<short>(out.steps[s].streamed != 0 ? to : s);
            for (int k = out.steps[s].first_slot, last = k + out.steps[s].slot_count; k < last; ++k) {
                operand_slot& o = out.slots[k];
                if (o.base != operand_slot::where::buffer) continue;
                int& b = buffer_of.at[o.row];
                if (b < 0) {
                    b = buffers.count;
                    buffers.push({o.row, rows[o.row].type, size_of_row(o.row), first, last_use, -1});
                }
                if (last_use > buffers.at[b].last) buffers.at[b].last = last_use;
                o.index = static_cast<short>(b);
            }
        }
        for (int k = 0; k < output_count; ++k) {
            operand_slot o = row_slot(outputs[k]);
            if (o.base == operand_slot::where::buffer) {
                o.index = static_cast<short>(buffer_of.at[o.row]);
                buffers.at[o.index].last = static_cast<short>(end);
            }
            o.row = static_cast<short>(outputs[k]);
            use(o);
            out.outputs[out.output_count++] = o;
        }
        arena_planner arena(pool, end);
        for (plan_buffer& b : buffers) {
            b.place = static_cast<short>(arena.place(pool.scale(b.size, static_cast<std::int64_t>(size_of(b.type))), b.first, b.last));
            use(b.size);
            out.buffers[out.buffer_count++] = b;
        }
        for (; out.block_count < arena.count(); ++out.block_count) out.blocks[out.block_count].bytes = arena.bytes(out.block_count);
        for (int i = 0; i < t.count; ++i) {
            if (rows[i].kind == op_kind::input) out.inputs[out.input_count++] = i;
            if (rows[i].kind == op_kind::variable) out.variables[out.variable_count++] = i;
        }
        for (extent_id e : used) out.polynomials[out.polynomial_count++] = pool.values.at[e];
        out.too_large = too_large;
    }
};

/// The plan of a draft: `D::table` is a table_view, `D::outputs` and `D::updates` are arrays.
template<class D, gating Gate, bool Fuse>
struct planner {
    static constexpr int row_count = D::table.count, operand_count = D::operand_count;

    static constexpr auto place() {
        placed_rows<row_count> r{};
        extent_pool extents;
        placement(D::table, extents, plan_options{Fuse, Gate}).run(D::outputs, D::output_count, D::updates, D::update_count, r);
        return r;
    }
    static constexpr auto placed = place();

    static constexpr auto fuse() {
        fused_plan<row_count, operand_count, D::update_count> r{};
        extent_pool extents(placed.polynomials, placed.polynomial_count);
        fusion(D::table, extents, placed.rows, plan_options{Fuse, Gate}, operand_count)
            .run(D::outputs, D::output_count, D::updates, D::update_count, r);
        return r;
    }
    static constexpr auto fused = fuse();

    template<int Range>
    static constexpr auto write() {
        step_storage<row_count, operand_count, D::update_count> r{};
        auto make = [&](extent const* known, int count) {
            extent_pool extents(known, count);
            step_writer(D::table, extents, fused.rows, fused.steps, fused.members)
                .run(fused, Range == 0 ? 0 : fused.range_end[Range > 0 ? Range - 1 : 0], fused.range_end[Range], D::updates,
                    D::update_count, r);
        };
        if constexpr (Range == 0) make(fused.polynomials, fused.polynomial_count);
        else make(steps<Range - 1>.polynomials, steps<Range - 1>.polynomial_count);
        return r;
    }
    template<int Range>
    static constexpr auto steps = write<Range>();

    template<int... Range>
    static constexpr auto assemble(std::integer_sequence<int, Range...>) {
        constexpr auto const& last = steps<static_cast<int>(sizeof...(Range)) - 1>;
        plan_storage<row_count, (steps<Range>.step_count + ...), (steps<Range>.ins_count + ...), (steps<Range>.slot_count + ...),
            (steps<Range>.param_count + ...), last.polynomial_count + 2 * row_count, D::output_count>
            r{};
        extent_pool extents(last.polynomials, last.polynomial_count);
        plan_assembly a(D::table, extents, fused.rows);
        (a.append(steps<Range>, r), ...);
        if (Fuse) stream_choice(r).run();
        a.lay_out(D::outputs, D::output_count, r);
        return r;
    }
    static constexpr auto make() { return assemble(std::make_integer_sequence<int, fused.range_count>{}); }
};

XGRAD_NAMESPACE_END
