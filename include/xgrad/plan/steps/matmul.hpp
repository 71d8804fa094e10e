// SPDX-License-Identifier: MIT
// Steps that compute matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/steps/record.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

constexpr void write_product(writing& plan, plan_step& f, step_draft const& d) {
    int const node = d.anchor;
    id_shape const& s = plan.nodes[node].dims;
    bool const has_rows = s.rank > 2 || s.extents[0] != one_extent, has_columns = s.rank > 2 || s.extents[s.rank - 1] != one_extent;
    for (draft_operand const& operand : plan.draft_operands) {
        step_operand o = finish_operand(plan, operand);
        o.stride[0] = has_rows ? operand.stride[0] : zero_extent;
        o.inner = has_columns ? operand.stride[has_rows ? 1 : 0] : zero_extent;
        plan.operands.push(o);
    }
    f.read_count = static_cast<short>(plan.draft_operands.count);
    auto const how = plan.t.attrs(node).as<product_attributes>();
    f.transpose_a = how.transpose_a;
    f.transpose_b = how.transpose_b;
    dtype const type = plan.nodes[node].type;
    f.memory = type == dtype::float64 && plan.nodes[plan.nodes[node].operands[0]].type != type ? dtype::float32 : type;   // in double
    extent_id m = one_extent, k = zero_extent;
    for (int a = 0; a + 1 < s.rank; ++a) m = plan.pool.multiply(m, s.extents[a]);
    for (int side = 0; side < 2; ++side) {
        int const o = plan.nodes[node].operands[side];
        id_shape const& x = plan.nodes[o].dims;
        memory_view const v = locate(plan, o);
        step_operand operand = operand_of(plan, o, v);
        bool& transposed = side == 0 ? f.transpose_a : f.transpose_b;
        int const first = x.rank - 2, second = x.rank - 1;
        if (side == 0) k = x.extents[transposed ? first : second];
        bool const row_major = x.extents[second] == one_extent || v.stride[second] == one_extent;
        if (!row_major) transposed = !transposed;
        extent_id ld = v.stride[row_major ? first : second];
        if (ld == zero_extent) ld = x.extents[row_major ? second : first];   // one row
        operand.stride[0] = ld;
        plan.operands.push(operand);
    }
    f.extent[0] = m;
    f.extent[1] = s.extents[s.rank - 1];
    f.extent[2] = k;
    f.static_m = static_size(plan, m);
    f.static_n = static_size(plan, f.extent[1]);
    f.in_parts = has_parts_of_rows(f);
    f.static_k = static_size(plan, k);
}
constexpr void copy_factors(draft& plan, int node) {
    need_matrix(plan, plan.nodes[node].operands[0]);
    need_matrix(plan, plan.nodes[node].operands[1]);
}
inline constexpr step_record matmul_record{step_kind::matmul, op_kind::matmul, copy_factors, write_product, nullptr};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
