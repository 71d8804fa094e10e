// SPDX-License-Identifier: MIT
// What the verifier reads, and what it reports: the rule that a plan breaks, and where.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The rules that a plan must keep.
enum class plan_rule : unsigned char {
    none,
    malformed,         // a number is out of range, or a register is read before it has a value
    disagrees,         // extents, types or nodes are not those of the table
    unwritten,         // reads or returns memory that has not been written in full
    overwritten,       // writes memory that already has a value, or that does not belong to the plan
    shared_bytes,      // two values are in one block at the same time, or a block is smaller than its buffer
    out_of_bounds,     // an address is outside the buffer, input or variable
    early_update,      // updates before the last read of the old value, or against the gating
    unchecked_index,   // an index may be found out of range after something has been updated
    lost_update        // no step applies a gradient, or a step applies one that was not requested
};

/// The first problem of a plan. Operand and instruction are numbers within the step; -1: the number does not apply.
struct plan_finding {
    plan_rule rule = plan_rule::none;
    char const* what = "";
    int step = -1, operand = -1, ins = -1, buffer = -1, other = -1;   // other: the step or buffer that it collides with

    constexpr explicit operator bool() const { return rule != plan_rule::none; }
};

/// Pointers into a plan_storage of any size.
struct plan_view {
    plan_step const* steps;
    instruction const* ins;
    step_operand const* operands;
    parameter const* params;
    plan_buffer const* buffers;
    arena_block const* blocks;
    extent const* polynomials;
    int const *inputs, *variables;
    step_operand const* outputs;
    int step_count, ins_count, operand_count, param_count, buffer_count, block_count, polynomial_count, input_count, variable_count,
        output_count;
};
template<class Plan>
constexpr plan_view view_of(Plan const& p) {
    return {p.steps, p.ins, p.operands, p.params, p.buffers, p.blocks, p.polynomials, p.inputs, p.variables, p.outputs, p.step_count,
        p.ins_count, p.operand_count, p.param_count, p.buffer_count, p.block_count, p.polynomial_count, p.input_count, p.variable_count,
        p.output_count};
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
