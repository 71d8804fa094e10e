// SPDX-License-Identifier: MIT
// Steps that run the kernel of an operation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/steps/record.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Operands in their order: everything that is read, all outputs, then the scratch memory that the kernel asks for.
// stride[0] is the distance along the first axis, inner is the number of elements per entry of that axis.
// All extents of the kernel are parameters.
// An unused output is scratch memory of `inner` elements.
constexpr void write_kernel(writing& plan, plan_step& f, step_draft const& d) {
    int const node = d.anchor;
    node_facts const& r = plan.nodes[node];
    kernel_node const k(plan.t, node);
    f.op = plan.t[node].op;
    f.in_parts = !f.op->kernel->whole;
    f.read_count = static_cast<short>(r.operand_count);
    std::int64_t* const known[]{&f.static_inner, &f.static_m, &f.static_n, &f.static_k};
    int known_count = 0;
    for (int e = 0; e < k.extent_count(); ++e) {
        extent_id const id = plan.pool.intern(k.extent_of(e));
        if (e == 0) f.extent[0] = id;
        plan.params.push({true, 0, id});
        if (k.is_static(e)) *known[known_count++] = static_size(plan, id);
    }
    auto const add = [&](int which, int from) {
        step_operand s = operand_of(plan, from);
        s.inner = row_length(plan, plan.nodes[from].dims);
        if (plan.nodes[from].placed < 0 && k.layout_of(which) == layout::contiguous) s.stride[0] = s.inner;
        plan.operands.push(s);
    };
    for (int o = 0; o < r.operand_count; ++o) add(o, r.operands[o]);
    auto const add_scratch = [&](dtype type, extent const& elements) {
        step_operand s{};
        s.base = step_operand::where::scratch;
        s.type = type;
        s.node = static_cast<short>(node);
        s.inner = plan.pool.intern(elements);
        plan.operands.push(s);
    };
    for (int o = r.operand_count; o < k.count(); ++o) {
        int const part = plan.t.part_of(node, o - r.operand_count);
        if (part >= 0 && plan.nodes[part].live) add(o, part);
        else add_scratch(k[o].type, k.room_of(o));
    }
    if (k.has_scratch()) add_scratch(dtype::boolean, k.scratch_bytes());
}
constexpr void copy_kernel_operands(draft& plan, int node) {
    kernel_node const k(plan.t, node);
    for (int o = 0; o < k.operand_count(); ++o)
        k.layout_of(o) == layout::rows ? need_rows(plan, plan.nodes[node].operands[o])
                                       : need_contiguous(plan, plan.nodes[node].operands[o]);
}
inline constexpr step_record kernel_record{step_kind::kernel, op_kind::kernel, copy_kernel_operands, write_kernel,
    [](table_view const& t, int node) { return reports_indices(*t[node].op); }};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
