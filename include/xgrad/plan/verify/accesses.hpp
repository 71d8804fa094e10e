// SPDX-License-Identifier: MIT
// The memory that a step reads and writes, as its kernel does it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/kinds.hpp>
#include <xgrad/plan/verify/regions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The access of one operand of a step, or of one instruction.
struct memory_access {
    memory_region at;
    short operand, ins;   // numbers within the step; ins is -1 if it is not an instruction
    bool writes;
    signed char level, phase;
};

/// Third layer of the verifier: the memory accesses of a step.
class plan_accesses : protected plan_regions {
protected:
    using plan_regions::plan_regions;
    sequence<memory_access> list;   // of the current step: reads and writes in the order of its instructions

    /// Whether the sums of a reduction are kept in memory. Otherwise they end in a register.
    static constexpr bool keeps_sums(instruction const& i) { return i.outer != 0 || i.inner == 0; }

    constexpr void find_accesses(plan_step const& s) {
        list.clear();
        checked_kinds::visit(s.kind, [&](auto kind) { kind.find_accesses(*this, s); });
    }

public:   // used by the checks of the kinds of steps
    using plan_regions::id;
    using plan_regions::id_of;
    using plan_regions::p;
    using plan_regions::t;
    constexpr step_operand const& operand_of(plan_step const& s, int operand) const { return p.operands[s.first_operand + operand]; }
    constexpr extent_id loop_extent(plan_step const& s, int k) const { return id(s.extent[k]); }
    constexpr void add(int operand, int ins, bool writes, memory_region r, int level = 2, int phase = 0) {
        normalize(r, writes);
        list.push({r, static_cast<short>(operand), static_cast<short>(ins), writes, static_cast<signed char>(level),
            static_cast<signed char>(phase)});
    }
    constexpr void add_flat(plan_step const& s, int operand, extent_id count, bool writes) {
        add(operand, -1, writes, {id(operand_of(s, operand).offset), 1, {count}, {one_extent}});
    }
    constexpr void find_in_instructions(plan_step const& s) {
        bool const product = traits_of(s).multiplies;
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
#include <xgrad/config/macros_end.hpp>
