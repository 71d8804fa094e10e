// SPDX-License-Identifier: MIT
// Copies views that their readers cannot address.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

constexpr void need_contiguous(draft& plan, int i) {
    if (!is_contiguous(plan, i) || plan.nodes[owner(plan, i)].is_number) copy(plan, i);
}
constexpr void need_matrix(draft& plan, int i) {
    if (plan.nodes[i].dims.rank > 2) return need_contiguous(plan, i);
    for (int k = i; plan.nodes[k].is_view; k = plan.nodes[k].view_operand)
        if (plan.nodes[k].kind == op_kind::broadcast) return copy(plan, i);
    if (plan.nodes[owner(plan, i)].is_number) return copy(plan, i);
    memory_view const m = locate(plan, i);
    id_shape const& s = plan.nodes[i].dims;
    bool unit = false;   // rows or columns must be contiguous
    for (int a = 0; a < 2; ++a) unit = unit || s.extents[a] == one_extent || m.stride[a] == one_extent;
    if (!unit) copy(plan, i);
}
// The axes from `first` on must be contiguous; the others may have any stride.
constexpr void need_rows(draft& plan, int i, int first = 1) {
    memory_view const m = locate(plan, i);
    extent_id n = one_extent;
    id_shape const& s = plan.nodes[i].dims;
    for (int a = s.rank; a-- > first;) {
        if (s.extents[a] != one_extent && m.stride[a] != n) copy(plan, i);
        n = plan.pool.multiply(n, s.extents[a]);
    }
    if (plan.nodes[owner(plan, i)].is_number) copy(plan, i);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
