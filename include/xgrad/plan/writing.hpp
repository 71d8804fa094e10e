// SPDX-License-Identifier: MIT
// The plan while its steps are being written:
// the instructions, parameters and operands of all steps so far, and the state of the current step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// A value that is already in a register.
struct known_value {
    int before;   // the previous entry of the same node, or -1
    axis_map map;
    short reg;
    signed char phase;
};

/// A draft whose steps are being written as instructions.
struct writing : draft {
    sequence<plan_step> done;
    sequence<instruction> ins;   // of all steps so far; those of the current step begin at first_ins
    sequence<parameter> params;
    sequence<step_operand> operands;   // of all steps; `node` is the owner of the memory

    // State of the current step.
    int current = 0;
    int first_ins = 0, first_param = 0;
    int phases = 1;
    sequence<draft_operand> draft_operands;
    sequence<known_value> memo;
    sequence<int> memo_of;   // the newest entry of each node
    int memo_begin = 0;      // entries before this one are no longer valid
    // The operations of the product, and of the negation, whose factors are being taken out of a sum.
    op_info const *product = nullptr, *negation = nullptr;

    constexpr writing(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* facts,
        step_draft const* all_steps, member const* all_members)
        : draft(table, extents, request, fuses, facts), ins(1024), params(256), draft_operands(64), memo(1024), memo_of(table.count, -1) {
        steps = all_steps;
        members = all_members;
    }
};

constexpr long long static_size(writing const& plan, extent_id e) {
    extent const& x = plan.pool.values.at[e];
    return x.count == 0 ? x.constant : -1;
}
constexpr plan_step& begin_step(writing& plan, step_kind kind, dtype type, int node) {
    plan_step s{};
    s.kind = kind;
    s.type = type;
    s.node = static_cast<short>(node);
    s.static_inner = s.static_m = s.static_n = s.static_k = -1;
    s.lane = -1;
    s.first_ins = static_cast<short>(plan.first_ins);
    s.first_param = static_cast<short>(plan.first_param);
    s.first_operand = static_cast<short>(plan.operands.count);
    plan.done.push(s);
    return plan.done.last();
}
constexpr void end_step(writing& plan) {
    plan_step& s = plan.done.last();
    s.ins_count = static_cast<short>(plan.ins.count - s.first_ins);
    s.param_count = static_cast<short>(plan.params.count - s.first_param);
    s.operand_count = static_cast<short>(plan.operands.count - s.first_operand);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
