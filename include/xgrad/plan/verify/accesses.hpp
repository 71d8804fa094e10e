// SPDX-License-Identifier: MIT
// What a step reads and writes, as its kernel does it.
#pragma once

#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/verify/regions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// One operand of a step, or one instruction that touches memory.
struct memory_access {
    memory_region at;
    short operand, ins;   // within the step; no instruction: -1
    bool writes;
    signed char level, phase;
};

class plan_accesses : protected plan_regions {
protected:
    using plan_regions::plan_regions;
    sequence<memory_access> list;   // of the step at hand, reads and writes in the order of its instructions

    constexpr step_operand const& operand_of(plan_step const& s, int operand) const { return p.operands[s.first_operand + operand]; }

    /// Reductions whose sums are kept in memory; others end in a register.
    static constexpr bool keeps_sums(instruction const& i) { return i.outer != 0 || i.inner == 0; }

    constexpr void find_accesses(plan_step const& s) {
        list.clear();
        switch (s.kind) {
        case step_kind::nest: find_in_instructions(s); break;
        case step_kind::matmul:
            find_factors(s);
            find_in_instructions(s);
            break;
        case step_kind::kernel: find_in_kernel(s); break;
        case step_kind::check: add_flat(s, 0, loop_extent(s, 0), false); break;
        case step_kind::scan: find_in_turns(s); break;
        case step_kind::update:
            if (s.fused) break;
            if (!s.sparse) add_flat(s, 0, id(s.inner), false);
            else {
                step_operand const& o = operand_of(s, 0);   // slice n is row (n / extent[1], n % extent[1])
                add(0, -1, false,
                    {id(o.offset), 3, {loop_extent(s, 3), loop_extent(s, 1), id(s.inner)}, {id(o.stride[0]), id(o.stride[1]), one_extent}});
                add_flat(s, 1, loop_extent(s, 0), false);
            }
            break;
        }
    }

private:
    constexpr extent_id loop_extent(plan_step const& s, int k) const { return id(s.extent[k]); }
    constexpr void add(int operand, int ins, bool writes, memory_region r, int level = 2, int phase = 0) {
        normalize(r, writes);
        list.push({r, static_cast<short>(operand), static_cast<short>(ins), writes, static_cast<signed char>(level),
            static_cast<signed char>(phase)});
    }
    constexpr void add_flat(plan_step const& s, int operand, extent_id count, bool writes) {
        add(operand, -1, writes, {id(operand_of(s, operand).offset), 1, {count}, {one_extent}});
    }
    constexpr void add_table(plan_step const& s, int operand, extent_id rows, extent_id columns, bool writes) {
        add(operand, -1, writes,
            {id(operand_of(s, operand).offset), 2, {rows, columns}, {columns, one_extent}});   // their product may not fit
    }
    // The first axis at its distance where the operation says that its kernel can, all else without gaps.
    constexpr void find_in_kernel(plan_step const& s) {
        kernel_node const k(t, s.node);
        for (int w = 0; w < k.count(); ++w) {
            step_operand const& o = operand_of(s, w);
            if (!o.has_memory()) continue;
            shape const& d = k[w].dims;
            extent_id const rows = d.rank > 0 ? id_of(d.extents[0]) : one_extent, columns = id_of(detail::size_behind_first(d));
            if (k.layout_of(w) == layout::contiguous) add_table(s, w, rows, columns, w >= k.operand_count());
            else add(w, -1, w >= k.operand_count(), {id(o.offset), 2, {rows, columns}, {id(o.stride[0]), one_extent}});
        }
    }
    // A transposed factor lies as [k, m] or [n, k].
    constexpr void find_factors(plan_step const& s) {
        for (int side = 0; side < 2; ++side) {
            int const operand = s.read_count + side;
            step_operand const& o = operand_of(s, operand);
            extent_id const rows = loop_extent(s, side == 0 ? 0 : 2), columns = loop_extent(s, side == 0 ? 2 : 1);
            bool const turned = side == 0 ? s.transpose_a : s.transpose_b;
            add(operand, -1, false, {id(o.offset), 2, {turned ? columns : rows, turned ? rows : columns}, {id(o.stride[0]), one_extent}});
        }
    }
    constexpr void find_in_turns(plan_step const& s) {
        region_form const form = form_of(*t[s.node].op->region, t.attrs(s.node));
        for (int k = 0; k < s.operand_count; ++k) {
            step_operand const& o = operand_of(s, k);
            if (!o.has_memory()) continue;
            int const result = k - s.read_count;
            bool const in_turns = result < 0 ? k >= form.carries && k < form.carries + form.slices
                                             : result >= form.carries && result < form.carries + form.stacked;
            add(k, -1, result >= 0,
                {id(o.offset), 2, {in_turns ? loop_extent(s, 0) : one_extent, id(o.inner)}, {id(o.stride[0]), one_extent}});
        }
    }
    constexpr void find_in_instructions(plan_step const& s) {
        bool const product = s.kind == step_kind::matmul;
        for (int k = 0; k < s.ins_count; ++k) {
            instruction const& i = p.ins[s.first_ins + k];
            bool const sums = i.kind == ins_kind::reduce && keeps_sums(i);
            if (i.kind != ins_kind::load && i.kind != ins_kind::store && !sums) continue;
            step_operand const& o = operand_of(s, i.operand);
            memory_region r{};
            r.offset = id(o.offset);
            auto along = [&](extent_id e, extent_id stride) {
                r.extent[r.rank] = e;
                r.stride[r.rank++] = stride;
            };
            if (i.level >= 1) {
                if (product) along(loop_extent(s, 0), id(o.stride[0]));
                else
                    for (int d = 0; d < s.outer_rank; ++d)
                        if (!sums || (i.outer >> d & 1) == 0) along(loop_extent(s, d), id(o.stride[d]));
            }
            if (i.level == 2 && !(sums && i.inner != 0))
                along(product ? loop_extent(s, 1) : id(s.inner), !sums && (i.inner & 3) == 1 ? one_extent : id(o.inner));
            add(i.operand, k, i.kind != ins_kind::load, r, i.level, i.phase);
        }
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
