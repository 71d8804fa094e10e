// SPDX-License-Identifier: MIT
// Kernels of operations' own.
#pragma once

#include <xgrad/plan/kernel_row.hpp>
#include <xgrad/plan/steps/record.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Operands: what is read, then all outputs; stride[0] is the distance along the first axis, inner what lies behind it. What nobody reads is
// scratch memory of `inner` elements, and so is what the kernel asks for behind them. All extents are parameters.
constexpr void write_kernel(writing& plan, plan_step& f, step_draft const& d) {
    int const row = d.anchor;
    row_facts const& r = plan.rows[row];
    kernel_row const k(plan.t, row);
    f.op = plan.t[row].op;
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
        s.inner = row_length(plan, plan.rows[from].dims);
        if (plan.rows[from].placed < 0 && k.layout_of(which) == layout::contiguous) s.stride[0] = s.inner;
        plan.operands.push(s);
    };
    for (int o = 0; o < r.operand_count; ++o) add(o, r.operands[o]);
    auto const add_scratch = [&](dtype type, extent const& elements) {
        step_operand s{};
        s.base = step_operand::where::scratch;
        s.type = type;
        s.row = static_cast<short>(row);
        s.inner = plan.pool.intern(elements);
        plan.operands.push(s);
    };
    for (int o = r.operand_count; o < k.count(); ++o) {
        int const part = plan.t.part_of(row, o - r.operand_count);
        if (part >= 0 && plan.rows[part].live) add(o, part);
        else add_scratch(k[o].type, k.room_of(o));
    }
    if (k.has_scratch()) add_scratch(dtype::boolean, k.scratch_bytes());
}
constexpr void copy_kernel_operands(draft& plan, int row) {
    kernel_row const k(plan.t, row);
    for (int o = 0; o < k.operand_count(); ++o)
        k.layout_of(o) == layout::rows ? need_rows(plan, plan.rows[row].operands[o]) : need_contiguous(plan, plan.rows[row].operands[o]);
}
inline constexpr step_record kernel_record{step_kind::kernel, op_kind::kernel, copy_kernel_operands, write_kernel,
    [](table_view const& t, int row) { return reports_indices(*t[row].op); }};

}   // namespace planner
XGRAD_NAMESPACE_END
