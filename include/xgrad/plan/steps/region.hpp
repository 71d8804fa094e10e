// SPDX-License-Identifier: MIT
// Steps that run the bodies of a region: loops, calls, branches.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/steps/record.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Operands in their order: everything that is read, then all outputs. `inner` is the number of elements of one iteration.
// stride[0] is the distance from iteration to iteration. An unused final carry is scratch memory. Any other unused output has no elements.
constexpr void write_region(writing& plan, plan_step& f, step_draft const& d) {
    int const node = d.anchor;
    node_facts const& r = plan.nodes[node];
    region_form const form = form_of(*plan.t[node].op->region, plan.t.attrs(node));
    f.op = plan.t[node].op;
    f.read_count = static_cast<short>(r.operand_count);
    f.extent[0] = plan.pool.intern(form.length);
    f.extent[1] = plan.pool.intern(form.before);
    f.extent[2] = plan.pool.intern(form.in_all);
    f.body_count = static_cast<short>(form.body_count);
    auto add = [&](step_operand s, value_info const& turn, bool in_turns) {
        id_shape const dims = plan.pool.intern(turn.dims);
        s.inner = dims.rank > 0 ? plan.pool.multiply(dims.extents[0], row_length(plan, dims)) : one_extent;
        s.stride[0] = in_turns ? s.inner : zero_extent;
        plan.operands.push(s);
    };
    for (int k = 0; k < r.operand_count; ++k) add(operand_of(plan, r.operands[k]), *form.operand[k], form.is_slice(k));
    for (int k = 0; k < form.outputs(); ++k) {
        bool const carry = k < form.carries;
        value_info const turn = form.output_of_turn(k);
        int const part = plan.t.part_of(node, k);
        if (part >= 0 && plan.nodes[part].live) {
            add(operand_of(plan, part), turn, !carry && k < form.carries + form.stacked);
            continue;
        }
        step_operand s{};
        s.base = step_operand::where::scratch;
        s.type = turn.type;
        s.node = static_cast<short>(node);
        if (carry) add(s, turn, false);
        else plan.operands.push(s);
    }
}
constexpr void copy_region_operands(draft& plan, int node) {
    for (int k = 0; k < plan.nodes[node].operand_count; ++k) need_contiguous(plan, plan.nodes[node].operands[k]);
}
inline constexpr step_record region_record{step_kind::region, op_kind::region, copy_region_operands, write_region,
    [](table_view const& t, int node) { return t[node].op->region->may_fail; }};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
