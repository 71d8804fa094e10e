// SPDX-License-Identifier: MIT
// A part of a step: some turns of its outermost loop, with scratch memory and findings of their own.
#pragma once

#include <xgrad/run/runtime_plan.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN

/// How many turns the outermost loop of a step has, of one that runs in parts.
constexpr std::int64_t turns_of(planner::plan_step const& s, step_arguments const& a) {
    bool const by_element = s.kind == planner::step_kind::update || (s.kind == planner::step_kind::nest && s.outer_rank == 0);
    return by_element ? a.inner : a.extent[0];
}

/// Bytes of scratch memory that an operand takes, of one that is memory of the step alone.
inline std::size_t scratch_of_operand(planner::step_operand const& o, operand_argument const& s) {
    return o.base != planner::step_operand::where::scratch ? 0 : (static_cast<std::size_t>(s.inner) * size_of(o.type) + 63) / 64 * 64;
}
/// Bytes of scratch memory of any part of step `index`: its operands that are memory of the step alone, then what its kernel asks for.
inline std::size_t part_scratch(runtime_plan const& plan, int index, step_arguments const& a) {
    planner::plan_step const& s = plan.steps[index];
    std::size_t n = plan.scratch[index] != nullptr ? plan.scratch[index](a) : 0;
    for (int k = 0; k < s.operand_count; ++k) n += scratch_of_operand(plan.operands[s.first_operand + k], a.operands[k]);
    return n;
}

/// Makes of the arguments of a step those of the turns `first` to before `last`: `a` is a copy, with bad_index and scratch memory of its own
/// (part_scratch bytes on a multiple of 64), `operands` a copy of its operands. Parts of a step for which plan_step::in_parts holds may run in any order and at the same time; all of them together leave the
/// bits that the whole step leaves.
inline void take_part(runtime_plan const& plan, planner::plan_step const& s, step_arguments& a, operand_argument* operands,
    std::int64_t first, std::int64_t last) {
    a.operands = operands;
    auto const move = [&](int operand, std::int64_t elements) {
        planner::step_operand const& o = plan.operands[s.first_operand + operand];
        operands[operand].data +=
            elements * (o.has_memory() ? static_cast<std::int64_t>(size_of(o.type)) : 1);   // a position counts elements
    };
    switch (s.kind) {
    case planner::step_kind::nest:
        for (int k = 0; k < s.operand_count; ++k) move(k, first * (s.outer_rank > 0 ? operands[k].stride[0] : operands[k].inner));
        break;
    case planner::step_kind::matmul:
        for (int k = 0; k < s.read_count; ++k) move(k, first * operands[k].stride[0]);
        move(s.read_count, s.transpose_a ? first : first * operands[s.read_count].stride[0]);
        break;
    case planner::step_kind::check: move(0, first); break;
    case planner::step_kind::kernel: {
        auto* scratch = static_cast<std::byte*>(a.scratch);
        for (int k = 0; k < s.operand_count; ++k)
            if (std::size_t const bytes = scratch_of_operand(plan.operands[s.first_operand + k], operands[k]); bytes > 0)
                operands[k].data = std::exchange(scratch, scratch + bytes);
        a.scratch = scratch;
        break;
    }
    case planner::step_kind::update:
    case planner::step_kind::scan: break;
    }
    a.first = first;
    (s.kind == planner::step_kind::update || (s.kind == planner::step_kind::nest && s.outer_rank == 0) ? a.inner : a.extent[0]) =
        last - first;
}

XGRAD_NAMESPACE_END
