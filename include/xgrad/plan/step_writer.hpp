// SPDX-License-Identifier: MIT
// Writes the finished steps in order, with the updates that run between them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/instructions.hpp>
#include <xgrad/plan/steps.hpp>
#include <xgrad/plan/steps/nest.hpp>
#include <xgrad/plan/steps/update.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Space for a range of steps. Upper bounds for a table of `Nodes` nodes with `Operands` operands and `Updates` updates.
template<int Nodes, int Operands, int Updates>
struct step_storage {
    plan_step steps[Nodes + Operands + 2 * Updates];
    instruction ins[8 * (Nodes + Operands) + 32];
    step_operand operands[8 * (Nodes + Operands) + 5 * Updates + 32];
    parameter params[8 * (Nodes + Operands) + 16];
    extent polynomials[4 * (Nodes + Operands) + 64];
    int step_count, ins_count, operand_count, param_count, polynomial_count;
};

constexpr void write_step(writing& plan, int index) {
    step_draft const& d = plan.steps[index];
    write_instructions(plan, index);
    plan_step& f = begin_step(plan, d.kind, d.type, d.anchor >= 0 ? d.anchor : plan.members[d.last_member].node);
    f.phases = static_cast<short>(plan.phases);
    if (step_record const* r = record_of(d.kind)) r->write(plan, f, d);
    else write_nest(plan, f, d);
    end_step(plan);
}

/// Writes the steps in [first, last) and the updates that run after each of them.
/// The range that starts at 0 also gets the updates that run before all steps.
template<class Fused, class Storage>
constexpr void write(writing& plan, Fused const& fused, int first, int last, Storage& out) {
    auto const [outputs, output_count, updates, update_count, gate] = plan.asked;
    for (int s = first == 0 ? -1 : first; s < last; ++s) {
        if (s >= 0) write_step(plan, s);
        plan.reads_packed = false;   // what follows reads leaves directly, not their packed copies
        for (int k = 0; s == fused.check_at && k < update_count; ++k)
            if (fused.updates[k].checks)
                write_check(plan, updates[k].variable, updates[k].indices, plan.nodes[updates[k].variable].dims.extents[0]);
        for (int i = 0; s == fused.check_at && i < plan.t.count; ++i)
            if (plan.nodes[i].checked_before) {
                int const of = plan.t[i].op->indices.of;
                write_check(plan, of < 0 ? i : plan.t.operand(i, of), indices_of(plan.t, i), plan.pool.intern(index_limit(plan.t, i)));
            }
        // An update that runs inside the tiles of a product must directly follow it.
        for (int k = fused.update_at[s + 1]; k >= 0; k = fused.updates[k].next)
            if (fused.updates[k].fused) write_update(plan, updates[k], fused.updates[k]);
        for (int k = fused.update_at[s + 1]; k >= 0; k = fused.updates[k].next)
            if (!fused.updates[k].fused) write_update(plan, updates[k], fused.updates[k]);
    }
    for (int k = 0; k < plan.done.count; ++k) out.steps[k] = plan.done.at[k];
    for (int k = 0; k < plan.ins.count; ++k) out.ins[k] = plan.ins.at[k];
    for (int k = 0; k < plan.operands.count; ++k) out.operands[k] = plan.operands.at[k];
    for (int k = 0; k < plan.params.count; ++k) out.params[k] = plan.params.at[k];
    out.step_count = plan.done.count;
    out.ins_count = plan.ins.count;
    out.operand_count = plan.operands.count;
    out.param_count = plan.params.count;
    out.polynomial_count = plan.pool.save(out.polynomials);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
