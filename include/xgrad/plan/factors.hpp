// SPDX-License-Identifier: MIT
// Takes factors out of sums of doubles along the lanes: sum(c * x) becomes c * sum(x) if c does not vary along the row.
// Not done for float: the sum without the factors might exceed the largest float (3e38).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/empty_sum.hpp>
#include <xgrad/plan/values.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// A product, split into the part that varies along the row (reg) and the factors that do not vary (rest).
struct factored {
    short reg, rest;   // -1: none
    bool negative;
};
// The register of op(a), or of op(a, b). An equal instruction of this step is used again.
constexpr short combine(writing& plan, op_info const* op, short a, short b, int phase) {
    for (int k = plan.first_ins; k < plan.ins.count; ++k)
        if (instruction const& i = plan.ins.at[k];
            i.kind == ins_kind::apply && i.op == op && i.a == a && i.b == (b < 0 ? 0 : b) && i.phase == phase)
            return static_cast<short>(k - plan.first_ins);
    instruction i{};
    i.kind = ins_kind::apply;
    i.op = op;
    i.arity = b < 0 ? 1 : 2;
    i.a = a;
    i.b = b < 0 ? static_cast<short>(0) : b;
    i.level = value_level(plan, a);
    if (b >= 0 && value_level(plan, b) > i.level) i.level = value_level(plan, b);
    i.phase = static_cast<signed char>(phase);
    return emit(plan, i);
}
// Splits the value of a node, with the axes `m`. The value itself, if it is no product that this step may write in another form.
constexpr factored factor(writing& plan, int node, axis_map m, int phase) {
    for (; plan.nodes[node].is_view && plan.nodes[node].keeps_elements; node = plan.nodes[node].view_operand) m = through(plan, node, m);
    node_facts const& f = plan.nodes[node];
    factored const whole{fetch(plan, node, m, phase), -1, false};
    op_info const* const op = plan.t[node].op;
    bool const multiplies = op->multilinear && f.operand_count == 2 && (plan.product == nullptr || plan.product == op);
    bool const negates = op->negates && f.operand_count == 1;
    if (f.kind != op_kind::elementwise || f.copied || (!multiplies && !negates) || value_level(plan, whole.reg) < 2 ||
        (f.inlined == inlining::none && (f.step != plan.current || f.stored)))
        return whole;
    (multiplies ? plan.product : plan.negation) = op;
    factored part[2]{};
    for (int k = 0; k < f.operand_count; ++k)
        part[k] = factor(plan, f.operands[k], operand_map(m, f.dims, plan.nodes[f.operands[k]].dims), phase);
    if (negates) return {part[0].reg, part[0].rest, !part[0].negative};
    for (int k = 0; k < 2; ++k)
        if (value_level(plan, part[k].reg) < 2) {
            factored const& y = part[1 - k];
            return {y.reg, y.rest < 0 ? part[k].reg : combine(plan, op, part[k].reg, y.rest, phase), y.negative};
        }
    if (part[0].rest < 0 && part[1].rest < 0 && !part[0].negative && !part[1].negative) return whole;
    short const rest = part[0].rest < 0   ? part[1].rest
                       : part[1].rest < 0 ? part[0].rest
                                          : combine(plan, op, part[0].rest, part[1].rest, phase);
    return {combine(plan, op, part[0].reg, part[1].reg, phase), rest, part[0].negative != part[1].negative};
}
constexpr bool is_finite_number(writing const& plan, short reg) {
    instruction const& i = plan.ins.at[plan.first_ins + reg];
    if (i.kind != ins_kind::parameter) return false;
    parameter const& p = plan.params.at[plan.first_param + i.operand];
    return p.is_size || p.value - p.value == 0;
}
// The sum of n terms, multiplied by the factors that were taken out.
// If n may be 0, `unless_empty` keeps infinite factors from making 0 * inf = NaN.
constexpr short multiply_sum(writing& plan, short sum, short rest, extent_id n, int phase) {
    extent const& terms = plan.pool.values.at[n];
    if ((!terms.is_static() || terms.constant < 1) && !is_finite_number(plan, rest))
        rest = combine(plan, op_register<op::unless_empty>::info, rest, size(plan, n), phase);
    return combine(plan, plan.product, sum, rest, phase);
}
constexpr int read_count(instruction const& i) {
    return i.kind == ins_kind::apply ? i.arity : i.kind == ins_kind::reduce || i.kind == ins_kind::store ? 1 : 0;
}
// Removes instructions that are no longer read after factors have been taken out.
constexpr void drop_unread(writing& plan) {
    int const n = plan.ins.count - plan.first_ins;
    sequence<short> place(n, -1);
    instruction* const p = plan.ins.at + plan.first_ins;
    for (int k = n; k-- > 0;) {
        instruction const& i = p[k];
        if (i.kind == ins_kind::store || i.kind == ins_kind::reduce) place.at[k] = 0;
        if (place.at[k] < 0) continue;
        short const read[3]{i.a, i.b, i.c};
        for (int o = 0; o < read_count(i); ++o) place.at[read[o]] = 0;
    }
    int kept = 0;
    for (int k = 0; k < n; ++k) {
        if (place.at[k] < 0) continue;
        instruction i = p[k];
        short* const read[3]{&i.a, &i.b, &i.c};
        for (int o = 0; o < read_count(i); ++o) *read[o] = place.at[*read[o]];
        place.at[k] = static_cast<short>(kept);
        p[kept++] = i;
    }
    plan.ins.count = plan.first_ins + kept;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
