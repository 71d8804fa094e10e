// SPDX-License-Identifier: MIT
// Update steps, and the steps that check their indices. They do not belong to a node.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/fusion.hpp>
#include <xgrad/plan/writing.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// The indices must be below an extent of the node `of`.
constexpr void write_check(writing& plan, int of, int indices, extent_id limit) {
    plan.first_ins = plan.ins.count;
    plan.first_param = plan.params.count;
    plan_step& f = begin_step(plan, step_kind::check, plan.nodes[indices].type, of);
    op_kind const memory = plan.nodes[owner(plan, of)].kind;
    f.index_type = plan.nodes[indices].type;
    f.variable = static_cast<short>(memory == op_kind::variable || memory == op_kind::updated ? plan.nodes[owner(plan, of)].leaf : -1);
    f.extent[0] = size_of_node(plan, indices);
    f.extent[2] = limit;
    f.in_parts = true;
    plan.operands.push(operand_of(plan, indices));
    end_step(plan);
}
constexpr void write_update(writing& plan, plan_update const& u, due_update const& due) {
    plan.first_ins = plan.ins.count;
    plan.first_param = plan.params.count;
    plan_step& f = begin_step(plan, step_kind::update, plan.nodes[u.dense >= 0 ? u.dense : u.values].type, u.variable);
    f.memory = plan.nodes[u.variable].type;
    f.group = static_cast<short>(u.group);
    f.variable = static_cast<short>(plan.nodes[u.variable].leaf);
    f.sparse = u.dense < 0;
    f.fused = due.fused;
    for (int k = plan.done.count - 1; due.fused && f.joined_to == 0; --k)   // the product that runs it
        if (plan_step& product = plan.done.at[k - 1]; facts_of(product.kind).in_tiles && product.node == owner(plan, u.dense))
            product.update_at = f.joined_to = static_cast<short>(plan.done.count - k);
    id_shape const& s = plan.nodes[u.variable].dims;
    f.extent[4] = plan.pool.scale(row_length(plan, s), u.column_sums * static_cast<int>(sizeof(double)));
    if (u.dense >= 0) {
        f.inner = size_of_node(plan, u.variable);
        if (u.whole) f.extent[2] = s.rank > 0 ? s.extents[0] : one_extent;
        f.in_parts = !due.fused && !u.whole;
        if (!due.fused) plan.operands.push(operand_of(plan, u.dense));
    } else {
        slice_rows const values = rows_of_slices(plan, u.values);
        memory_view const v = locate(plan, values.node);
        f.inner = row_length(plan, s);
        f.static_inner = static_size(plan, f.inner);
        f.in_parts = !u.whole;
        f.extent[0] = size_of_node(plan, u.indices);
        f.extent[2] = s.extents[0];
        f.index_type = plan.nodes[u.indices].type;
        step_operand o = operand_of(plan, values.node, v);
        f.extent[1] = values.inner;
        f.extent[3] = values.outer;
        if (values.inner != one_extent) {
            extent_id const step = values.first == 2 ? v.stride[1] : f.inner;
            if (values.outer == one_extent ||
                o.stride[0] == plan.pool.multiply(step, values.inner)) {   // all slices have the same distance
                o.stride[0] = step;
                f.extent[1] = one_extent;
                f.extent[3] = f.extent[0];
            } else o.stride[1] = step;
        }
        plan.operands.push(o);
        plan.operands.push(operand_of(plan, u.indices));
    }
    end_step(plan);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
