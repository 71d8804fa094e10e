// SPDX-License-Identifier: MIT
// Finds steps that do the same. Their kernel is instantiated once, for the first of them, so templates do not process each step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/sequence.hpp>
#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Whether two kernels of operations have equal attributes, and equal element types and ranks of their operands and outputs.
template<class Plan>
constexpr bool equal_operands(Plan const& p, table_view const& t, planner::plan_step const& x, planner::plan_step const& y) {
    if (x.operand_count != y.operand_count || planner::kernel_ranks(t, x.node) != planner::kernel_ranks(t, y.node) ||
        !t.attrs(x.node).equals(t.attrs(y.node)))
        return false;
    for (int k = 0; k < x.operand_count; ++k)
        if (p.operands[x.first_operand + k].type != p.operands[y.first_operand + k].type) return false;
    return true;
}
constexpr bool equal_forms(planner::plan_step const& x, planner::plan_step const& y) {
    return static_cast<planner::step_form const&>(x) == static_cast<planner::step_form const&>(y);
}
template<class Plan>
constexpr bool equal_kernels(Plan const& p, table_view const& t, int a, int b) {
    planner::plan_step const &x = p.steps[a], &y = p.steps[b];
    if (!equal_forms(x, y) || planner::facts_of(x.kind).runs_bodies) return false;   // loops share the programs of their bodies
    if (planner::facts_of(x.kind).in_tiles) {                                        // an update may run in its tiles
        if ((x.update_at > 0) != (y.update_at > 0)) return false;
        if (x.update_at > 0 && !equal_forms(p.steps[a + x.update_at], p.steps[b + y.update_at])) return false;
    }
    if (planner::facts_of(x.kind).has_own_kernel && !equal_operands(p, t, x, y)) return false;
    for (int i = x.first_ins, k = y.first_ins, n = x.ins_count; n > 0; --n)
        if (!(p.ins[i++] == p.ins[k++])) return false;
    return true;
}

/// The distinct kernels of a plan, and the kernel of each step.
template<int Steps>
struct step_kernels_of {
    short first[Steps > 0 ? Steps : 1];   // of each step: the first step that is equal to it
    // Of each step: number of its entry. An entry is a kernel, or nothing if the step runs as part of an earlier one.
    short number[Steps > 0 ? Steps : 1];
    short head[Steps > 0 ? Steps : 1];   // of each number: the first step with this entry
    int count;                           // of numbers
};
/// Whether steps a and b have the same entry. A step may run other steps with it, which must be equal too.
template<int Steps, class Plan>
constexpr bool same_entry(Plan const& p, step_kernels_of<Steps> const& k, int a, int b) {
    planner::plan_step const &x = p.steps[a], &y = p.steps[b];
    if (k.first[a] != k.first[b] || (x.joined_to > 0) != (y.joined_to > 0) || x.loop_at != y.loop_at || x.back_at != y.back_at)
        return false;
    for (int at : {x.loop_at, x.back_at})
        if (at > 0 && k.first[a + at] != k.first[b + at]) return false;
    if (!x.hands_on()) return true;
    planner::plan_step const &n = p.steps[a + x.loop_at], &m = p.steps[b + y.loop_at];
    int const made = planner::handed_operand(p, a);
    return made == planner::handed_operand(p, b) && x.operand_count == y.operand_count && n.operand_count == m.operand_count &&
           planner::taking_operand(p, n, p.operands[x.first_operand + made]) ==
               planner::taking_operand(p, m, p.operands[y.first_operand + made]);
}
/// The distinct kernels of a plan.
template<int Steps, class Plan>
constexpr step_kernels_of<Steps> find_kernels(Plan const& p, table_view const& t) {
    step_kernels_of<Steps> r{};
    sequence<int> heads(64, -1), next(Steps, -1);   // distinct steps, by hash
    for (int s = 0; s < Steps; ++s) {
        planner::plan_step const& f = p.steps[s];
        std::uint64_t h = static_cast<planner::step_numbers const&>(f).hash();
        for (int i = f.first_ins, n = f.ins_count; n > 0; --n, ++i)
            if (p.ins[i].op != nullptr) h = h * 31 + p.ins[i].op->hash;
        int& head = heads.at[(h ^ h >> 32 ^ h >> 16) & 63];
        int found = head;
        while (found >= 0 && !equal_kernels(p, t, found, s)) found = next.at[found];
        if (found < 0) {
            next.at[s] = head;
            head = found = s;
        }
        r.first[s] = static_cast<short>(found);
    }
    sequence<int> last(Steps, -1), before;   // of each first step: the numbers of the entries of equal steps
    for (int s = 0; s < Steps; ++s) {
        int& of = last.at[r.first[s]];
        int found = of;
        while (found >= 0 && !same_entry(p, r, r.head[found], s)) found = before.at[found];
        if (found < 0) {
            before.push(of);
            r.head[r.count] = static_cast<short>(s);
            of = found = r.count++;
        }
        r.number[s] = static_cast<short>(found);
    }
    return r;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
