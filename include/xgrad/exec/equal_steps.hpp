// SPDX-License-Identifier: MIT
// Steps that do the same: their kernel is instantiated once, for the first of them, and not looked at again for each step.
#pragma once

#include <xgrad/meta/sequence.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// All that a kernel's type is made of, but for the instructions.
template<class Plan>
constexpr bool equal_heads(Plan const& p, int a, int b) {
    plan_step const &x = p.steps[a], &y = p.steps[b];
    if (x.kind != y.kind || x.type != y.type || x.index_type != y.index_type || x.ins_count != y.ins_count ||
        x.static_inner != y.static_inner)
        return false;
    if (x.outer_rank != y.outer_rank || x.lane != y.lane || x.block_rows != y.block_rows || x.phases != y.phases ||
        x.operand_slots != y.operand_slots || x.transpose_a != y.transpose_a || x.transpose_b != y.transpose_b)
        return false;
    return x.static_m == y.static_m && x.static_n == y.static_n && x.static_k == y.static_k && x.sparse == y.sparse && x.fused == y.fused &&
           x.group == y.group && x.op == y.op;
}
constexpr bool equal_instructions(instruction const& x, instruction const& y) {
    return x.kind == y.kind && x.op == y.op && x.combine == y.combine && x.memory == y.memory && x.level == y.level && x.phase == y.phase &&
           x.inner == y.inner && x.outer == y.outer && x.operands == y.operands && x.a == y.a && x.b == y.b && x.c == y.c &&
           x.slot == y.slot;
}
template<class Plan>
constexpr bool equal_kernels(Plan const& p, int a, int b) {
    if (!equal_heads(p, a, b) || p.steps[a].kind == step_kind::scan) return false;   // loops share the programs of their bodies
    if (p.steps[a].kind == step_kind::matmul) {                                      // an update may run in its tiles
        bool const x = a + 1 < p.step_count && p.steps[a + 1].fused, y = b + 1 < p.step_count && p.steps[b + 1].fused;
        if (x != y || (x && !equal_heads(p, a + 1, b + 1))) return false;
    }
    if (p.steps[a].kind == step_kind::row_function)   // element types of operands and outputs
        for (int k = 0; k < p.steps[a].slot_count; ++k)
            if (p.slots[p.steps[a].first_slot + k].type != p.slots[p.steps[b].first_slot + k].type) return false;
    for (int i = p.steps[a].first_ins, k = p.steps[b].first_ins, n = p.steps[a].ins_count; n > 0; --n)
        if (!equal_instructions(p.ins[i++], p.ins[k++])) return false;
    return true;
}

template<int Steps>
struct step_list {
    short at[Steps > 0 ? Steps : 1];
};
/// For each step the first one that is equal to it.
template<int Steps, class Plan>
constexpr step_list<Steps> first_equal_steps(Plan const& p) {
    step_list<Steps> r{};
    sequence<int> heads(64, -1), next(Steps, -1);   // distinct steps, by hash
    for (int s = 0; s < Steps; ++s) {
        plan_step const& f = p.steps[s];
        std::uint64_t h = static_cast<std::uint64_t>(f.kind) * 7 + static_cast<std::uint64_t>(f.ins_count) * 11 +
                          static_cast<std::uint64_t>(f.static_inner) * 13 + static_cast<std::uint64_t>(f.static_m) * 17 +
                          static_cast<std::uint64_t>(f.static_n) * 19 + static_cast<std::uint64_t>(f.static_k) * 23;
        for (int i = f.first_ins, n = f.ins_count; n > 0; --n, ++i)
            if (p.ins[i].op != nullptr) h = h * 31 + p.ins[i].op->hash;
        int& head = heads.at[(h ^ h >> 32 ^ h >> 16) & 63];
        int found = head;
        while (found >= 0 && !equal_kernels(p, found, s)) found = next.at[found];
        if (found < 0) {
            next.at[s] = head;
            head = found = s;
        }
        r.at[s] = static_cast<short>(found);
    }
    return r;
}

}   // namespace detail
XGRAD_NAMESPACE_END
