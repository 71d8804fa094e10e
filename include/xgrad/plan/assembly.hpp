// SPDX-License-Identifier: MIT
// Joins the ranges of steps into one plan and assigns memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/arena.hpp>
#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// A draft whose ranges of steps are being joined and placed in memory.
struct assembling : draft {
    sequence<int> buffer_of;   // of each node
    sequence<plan_buffer> buffers;
    sequence<extent_id> new_id;   // of each number in the pool: the number in the plan, or -1
    sequence<extent_id> used;
    bool too_large = false;

    constexpr assembling(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* facts)
        : draft(table, extents, request, fuses, facts), buffer_of(table.count, -1), buffers(256),
          new_id(extents.values.count + 2 * table.count, -1) {
        for (extent_id e : {zero_extent, one_extent}) use(e);
    }
    /// Replaces the number of a polynomial in the pool by its number in the finished plan.
    constexpr void use(extent_id& e) {
        while (new_id.count <= e) new_id.push(-1);
        extent_id& n = new_id.at[e];
        if (n < 0) {
            too_large = too_large || pool.values.at[e].overflow;
            n = static_cast<extent_id>(used.count);
            used.push(e);
        }
        e = n;
    }
    constexpr void use(step_operand& o) {
        use(o.offset);
        use(o.inner);
        for (extent_id& e : o.stride)
            if (e != zero_extent) use(e);
    }
};

template<class Range, class Storage>
constexpr void append(assembling& plan, Range const& range, Storage& out) {
    for (int k = 0; k < range.step_count; ++k) {
        plan_step& s = out.steps[out.step_count++];
        s = range.steps[k];
        s.first_ins = static_cast<short>(s.first_ins + out.ins_count);
        s.first_operand = static_cast<short>(s.first_operand + out.operand_count);
        s.first_param = static_cast<short>(s.first_param + out.param_count);
        for (extent_id& e : s.extent)
            if (e != zero_extent) plan.use(e);
        plan.use(s.inner);
    }
    for (int k = 0; k < range.ins_count; ++k) out.ins[out.ins_count++] = range.ins[k];
    for (int k = 0; k < range.operand_count; ++k) {
        out.operands[out.operand_count] = range.operands[k];
        plan.use(out.operands[out.operand_count++]);
    }
    for (int k = 0; k < range.param_count; ++k) {
        out.params[out.param_count] = range.params[k];
        plan.use(out.params[out.param_count++].size);
    }
}
// Every node in memory gets a buffer. It lives from the first step that has the node as an operand to the last one.
template<class Storage>
constexpr void lay_out(assembling& plan, Storage& out) {
    int const end = out.step_count;
    for (int s = 0, bodies = 0; s < end; bodies += out.steps[s++].body_count) out.steps[s].first_body = static_cast<short>(bodies);
    int from = 0, to = -1;   // steps that run together
    for (int s = 0; s < end; ++s) {
        if (out.steps[s].loop_at > 0) {
            from = s;
            to = s + out.steps[s].reach();
        }
        auto const first = static_cast<short>(out.steps[s].in_pass() ? from : s);
        auto const last_use = static_cast<short>(out.steps[s].in_pass() ? to : s);
        for (int k = out.steps[s].first_operand, last = k + out.steps[s].operand_count; k < last; ++k) {
            step_operand& o = out.operands[k];
            if (o.base != step_operand::where::buffer) continue;
            int& b = plan.buffer_of.at[o.node];
            if (b < 0) {
                b = plan.buffers.count;
                bool const passing = k - out.steps[s].first_operand == handed_operand(out, s);
                extent_id const size = passing
                                           ? plan.pool.multiply(plan.used.at[out.steps[s].extent[1]], plan.used.at[out.steps[s].extent[3]])
                                           : size_of_node(plan, o.node);
                plan.buffers.push({o.node, plan.nodes[o.node].type, size, first, last_use, -1, passing});
            }
            if (last_use > plan.buffers.at[b].last) plan.buffers.at[b].last = last_use;
            o.index = static_cast<short>(b);
        }
    }
    for (int k = 0; k < plan.asked.output_count; ++k) {
        step_operand o = operand_of(plan, plan.asked.outputs[k]);
        if (o.base == step_operand::where::buffer) {
            o.index = static_cast<short>(plan.buffer_of.at[o.node]);
            plan.buffers.at[o.index].last = static_cast<short>(end);
        }
        o.node = static_cast<short>(plan.asked.outputs[k]);
        plan.use(o);
        out.outputs[out.output_count++] = o;
    }
    arena_planner arena(plan.pool, end);
    for (plan_buffer& b : plan.buffers) {
        b.place = static_cast<short>(arena.place(plan.pool.scale(b.size, static_cast<std::int64_t>(size_of(b.type))), b.first, b.last));
        plan.use(b.size);
        out.buffers[out.buffer_count++] = b;
    }
    for (; out.block_count < arena.count(); ++out.block_count) out.blocks[out.block_count].bytes = arena.bytes(out.block_count);
    for (int i = 0; i < plan.t.count; ++i) {
        if (plan.nodes[i].kind == op_kind::input) out.inputs[out.input_count++] = i;
        if (plan.nodes[i].kind == op_kind::variable) out.variables[out.variable_count++] = i;
    }
    for (extent_id e : plan.used) out.polynomials[out.polynomial_count++] = plan.pool.values.at[e];
    out.too_large = plan.too_large;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
