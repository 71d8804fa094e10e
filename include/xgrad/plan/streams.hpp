// SPDX-License-Identifier: MIT
// Fuses three steps into one pass over a matrix A: y = A x, a loop over y that makes u, and the product of transposed A with u.
// Unrelated steps between them are moved before or after the pass.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN

namespace planner {

template<class Plan>
constexpr step_operand const& operand(Plan const& out, plan_step const& s, int k) {
    return out.operands[s.first_operand + k];
}

// Whether step s writes the memory of its operand k.
template<class Plan>
constexpr bool writes(Plan const& out, plan_step const& s, int k) {
    if (facts_of(s.kind).updates_variable) return false;
    if (!facts_of(s.kind).runs_instructions) return true;   // possibly
    for (int i = s.first_ins; i < s.first_ins + s.ins_count; ++i)
        if (instruction const& w = out.ins[i];   // the sum of a row is in a register until it is stored
            w.operand == k && (w.kind == ins_kind::store || (w.kind == ins_kind::reduce && (w.outer != 0 || w.inner == 0))))
            return true;
    return false;
}
// Whether the order of two steps matters.
template<class Plan>
constexpr bool tied(Plan const& out, int a, int b) {
    plan_step const &x = out.steps[a], &y = out.steps[b];
    if (facts_of(x.kind).updates_variable && facts_of(y.kind).updates_variable && x.variable == y.variable) return true;
    for (plan_step const* update : {&x, &y}) {   // an update and the steps that read its variable
        plan_step const& other = update == &x ? y : x;
        for (int k = 0; facts_of(update->kind).updates_variable && k < other.operand_count; ++k)
            if (step_operand const& o = operand(out, other, k); o.base == step_operand::where::variable && o.index == update->variable)
                return true;
    }
    for (int i = 0; i < x.operand_count; ++i) {
        step_operand const& o = operand(out, x, i);
        for (int k = 0; o.base == step_operand::where::buffer && k < y.operand_count; ++k)
            if (operand(out, y, k).base == o.base && operand(out, y, k).node == o.node && (writes(out, x, i) || writes(out, y, k)))
                return true;
    }
    return false;
}

template<class Plan>
constexpr bool begins(Plan const& out, plan_step const& p) {
    if (!facts_of(p.kind).in_tiles || p.extent[1] != one_extent || p.transpose_a || !is_floating(p.type) || p.memory != p.type)
        return false;
    return p.transpose_b || operand(out, p, p.read_count + 1).stride[0] == one_extent;
}
template<class Plan>
constexpr bool is_transposed(Plan const& out, plan_step const& p, plan_step const& back) {
    if (!facts_of(back.kind).in_tiles || !back.transpose_a || back.extent[1] != one_extent || back.memory != p.memory ||
        back.extent[0] != p.extent[2] || back.extent[2] != p.extent[0])
        return false;
    step_operand const &a = operand(out, p, p.read_count), &b = operand(out, back, back.read_count),
                       &u = operand(out, back, back.read_count + 1);
    if (b.base != a.base || b.node != a.node || b.offset != a.offset || b.stride[0] != a.stride[0]) return false;
    return !back.transpose_b && u.stride[0] == one_extent;
}
// Whether the loop can run on a few elements at a time, as soon as the product has made them. It must also produce the vector of `back`.
template<class Plan>
constexpr bool goes_along(Plan const& out, plan_step const& p, plan_step const& n, plan_step const& back) {
    if (!facts_of(n.kind).over_elements || n.type != p.type || n.outer_rank > 0 || n.lane >= 0 || n.inner != p.extent[0]) return false;
    step_operand const& u = operand(out, back, back.read_count + 1);
    bool stored = false;
    for (int k = n.first_ins; k < n.first_ins + n.ins_count; ++k) {
        instruction const& i = out.ins[k];
        if (i.level >= 2 && i.phase != 0) return false;
        if (i.kind == ins_kind::reduce && (i.inner == 0 || i.outer != 0)) return false;
        if (i.kind != ins_kind::store || i.level < 2) continue;
        step_operand const& o = operand(out, n, i.operand);
        stored = stored || (o.base == u.base && o.node == u.node && o.offset == u.offset && i.inner == 1);
    }
    if (!stored) return false;
    for (int k = p.first_ins; k < p.first_ins + p.ins_count; ++k) {
        if (out.ins[k].kind != ins_kind::store) continue;
        step_operand const& w = operand(out, p, out.ins[k].operand);
        for (int q = 0; q < n.operand_count; ++q) {
            step_operand const& o = operand(out, n, q);
            if (o.base == w.base && o.node == w.node && (o.offset != w.offset || o.inner != w.stride[0])) return false;
        }
    }
    return true;
}
// Whether step `s`, which is between the group and the end, lets an update in the tiles of `back` run before it.
// A step prevents that if its kind may check indices, reads the old value, or updates the same variable.
template<class Plan>
constexpr bool lets_update_pass(Plan const& out, plan_step const& s, plan_step const& update) {
    if (facts_of(s.kind).may_end_call) return false;
    if (facts_of(s.kind).updates_variable && s.variable == update.variable) return false;
    for (int k = 0; k < s.operand_count; ++k)
        if (operand(out, s, k).base == step_operand::where::variable && operand(out, s, k).node == update.node) return false;
    return true;
}
// Makes the steps first, loop and last adjacent.
// Steps that the loop or the last step needs are moved before them if possible, all others after them.
template<class Plan>
constexpr bool bring_together(Plan& out, int first, int loop, int last) {
    bool const fused = out.steps[last].update_at > 0;
    int const count = last - first + 1;
    sequence<bool> needed(count, zero_elements);
    for (int k = last - 1; k > first; --k) {
        if (k == loop) continue;
        bool n = tied(out, k, last) || (k < loop && tied(out, k, loop));
        for (int q = k + 1; q < last && !n; ++q) n = needed.at[q - first] && tied(out, k, q);
        if (n && facts_of(out.steps[k].kind).updates_variable) return false;   // its new value
        needed.at[k - first] = n;
        if (n && (tied(out, first, k) || (k > loop && tied(out, loop, k)))) return false;
        if (!n && fused && !lets_update_pass(out, out.steps[k], out.steps[last + 1])) return false;
    }
    sequence<plan_step> order(count + 1);
    for (int k = first + 1; k < last; ++k)
        if (k != loop && needed.at[k - first]) order.push(out.steps[k]);
    for (int k : {first, loop, last}) order.push(out.steps[k]);
    if (fused) order.push(out.steps[last + 1]);
    for (int k = first + 1; k < last; ++k)
        if (k != loop && !needed.at[k - first]) order.push(out.steps[k]);
    for (int k = 0; k < order.count; ++k) out.steps[first + k] = order.at[k];
    return true;
}

/// Forms all passes over matrices that the plan allows.
template<class Plan>
constexpr void stream(Plan& out) {
    for (int s = 0; s + 2 < out.step_count; ++s) {
        if (!begins(out, out.steps[s])) continue;
        int last = s + 2;
        while (last < out.step_count && !is_transposed(out, out.steps[s], out.steps[last])) ++last;
        int loop = s + 1;
        while (loop < last && !tied(out, s, loop)) ++loop;
        if (last == out.step_count || loop == last || !goes_along(out, out.steps[s], out.steps[loop], out.steps[last])) continue;
        plan_step const product = out.steps[s];
        if (!bring_together(out, s, loop, last)) continue;
        while (out.steps[s].first_operand != product.first_operand || out.steps[s].kind != product.kind)
            ++s;   // to where the product has been moved
        out.steps[s].loop_at = out.steps[s + 1].joined_to = 1;
        out.steps[s].back_at = out.steps[s + 2].joined_to = 2;
        for (int k = 0; k < 3; ++k) out.steps[s + k].in_parts = false;   // the sums of the last step continue from part to part
        s += 2;
    }
}

}   // namespace planner

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
