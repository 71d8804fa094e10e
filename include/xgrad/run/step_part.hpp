// SPDX-License-Identifier: MIT
// A part of a step: some iterations of its outermost loop, with separate scratch memory and findings.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_tile.hpp>
#include <xgrad/run/runtime_plan.hpp>

#include <algorithm>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The length of the loop that is split into parts.
constexpr std::int64_t& length_of(planner::plan_step const& s, step_arguments& a) {
    planner::kind_facts const& kind = planner::facts_of(s.kind);
    if (s.updates_rows()) return a.extent[2];
    bool const by_element = kind.updates_variable || (kind.over_elements && s.part_loop == s.outer_rank);
    return by_element ? a.inner : a.extent[kind.over_elements ? s.part_loop : 0];
}
/// Rows per iteration of a product.
/// If the height is static, an iteration is a tile, and the last one also has the rows that do not fill a tile.
constexpr std::int64_t rows_of_turn(planner::plan_step const& s) {
    return planner::facts_of(s.kind).in_tiles && s.static_m >= 0 ? kernels::detail::tile_rows : 1;
}
/// For a kernel with a joined loop: this many iterations of each form one common iteration.
struct turns_together {
    std::int64_t kernel, loop;
};
constexpr turns_together turns_at_once(step_arguments const& a) {
    std::int64_t const kernel = a.extent[1], loop = a.extent[2];
    return kernel > loop ? turns_together{kernel / loop, 1} : turns_together{1, loop / kernel};
}
/// Bytes of scratch memory that an operand needs: only operands that are scratch memory of the step need any.
inline std::size_t scratch_of_operand(planner::step_operand const& o, operand_argument const& s) {
    return o.base != planner::step_operand::where::scratch ? 0 : (static_cast<std::size_t>(s.inner) * size_of(o.type) + 63) / 64 * 64;
}
/// Bytes of the block between a kernel and its joined loop.
inline std::size_t bytes_passing(runtime_plan const& plan, int index, step_arguments const& a) {
    int const made = planner::handed_operand(plan, index);
    if (made < 0) return 0;
    auto const elements = static_cast<std::size_t>(a.extent[1] * a.extent[3]);
    return (elements * size_of(plan.operands[plan.steps[index].first_operand + made].type) + 63) / 64 * 64;
}
}

/// The number of adjacent steps whose arguments a part of step s needs: the step, and the loop that is joined to it.
constexpr int steps_of_part(planner::plan_step const& s) { return s.hands_on() ? 1 + s.loop_at : 1; }
/// The number of operands of these steps.
constexpr int operands_of_part(runtime_plan const& plan, int index) {
    int n = 0;
    for (int k = 0; k < steps_of_part(plan.steps[index]); ++k) n += plan.steps[index + k].operand_count;
    return n;
}
/// The number of iterations of the loop that is split into parts.
constexpr std::int64_t turns_of(planner::plan_step const& s, step_arguments a) {
    if (s.hands_on()) return a.extent[0] / detail::turns_at_once(a).kernel;
    std::int64_t const rows = detail::rows_of_turn(s), n = detail::length_of(s, a);
    return rows > 1 ? (n - kernels::detail::rows_apart(n, rows)) / rows + (n % rows != 0) : n;
}
/// Bytes of scratch memory of any part of step `index`: operands that are scratch memory, then the memory that the kernel requests.
inline std::size_t part_scratch(runtime_plan const& plan, int index, step_arguments const& a) {
    planner::plan_step const& s = plan.steps[index];
    step_arguments alone = a;
    alone.panels = panel_use::alone;
    std::size_t n = kernel_scratch(plan, index, alone);
    for (int k = 0; k < s.operand_count; ++k) n += detail::scratch_of_operand(plan.operands[s.first_operand + k], a.operands[k]);
    return n + detail::bytes_passing(plan, index, a);
}

namespace detail {
inline void take_turns(runtime_plan const& plan, planner::plan_step const& s, step_arguments& a, operand_argument* operands,
    std::int64_t first, std::int64_t count) {
    std::copy_n(a.operands, s.operand_count, operands);
    if (std::int64_t const rows = rows_of_turn(s); rows > 1) {
        bool const ends = count > 0 && first + count == turns_of(s, a);
        count = ends ? a.extent[0] - first * rows : count * rows;
        first *= rows;
    }
    a.operands = operands;
    auto const move = [&](int operand, std::int64_t elements) {
        planner::step_operand const& o = plan.operands[s.first_operand + operand];
        operands[operand].data +=
            elements * (o.has_memory() ? static_cast<std::int64_t>(size_of(o.type)) : 1);   // a position counts elements
    };
    switch (s.kind) {
    case planner::step_kind::nest:
        for (int k = 0; k < s.operand_count; ++k)
            move(k, first * (s.part_loop < s.outer_rank ? operands[k].stride[s.part_loop] : operands[k].inner));
        break;
    case planner::step_kind::matmul:
        for (int k = 0; k < s.read_count; ++k) move(k, first * operands[k].stride[0]);
        move(s.read_count, s.transpose_a ? first : first * operands[s.read_count].stride[0]);
        break;
    case planner::step_kind::check: move(0, first); break;
    case planner::step_kind::kernel: {
        auto* scratch = static_cast<std::byte*>(a.scratch);
        for (int k = 0; k < s.operand_count; ++k)
            if (std::size_t const bytes = scratch_of_operand(plan.operands[s.first_operand + k], operands[k]); bytes > 0) {
                operands[k].data = scratch;
                scratch += bytes;
            }
        a.scratch = scratch;
        break;
    }
    case planner::step_kind::update:
    case planner::step_kind::region: break;
    }
    a.first = first;
    a.last = first + count;
    if (s.updates_rows()) return;   // each part reads all indices
    length_of(s, a) = count;
}
}

/// Changes the arguments of a step to those of iterations [first, last).
/// - a: copies of the arguments of steps_of_part steps.
///   The first one has its own bad_index, fault and scratch memory (part_scratch bytes, aligned to 64).
/// - operands: space for the operands of the part, operands_of_part of them.
///
/// If plan_step::in_parts is set, the parts of a step may run in any order and in parallel.
/// Together they give results bitwise equal to the whole step.
/// Parts do not share groups of indices. Whole steps that run between them must not either: their `groups` must be null.
inline void take_part(
    runtime_plan const& plan, int index, step_arguments* a, operand_argument* operands, std::int64_t first, std::int64_t last) {
    planner::plan_step const& s = plan.steps[index];
    a->groups = nullptr;   // parts may run in any order
    a->panels = panel_use::alone;
    if (!s.hands_on()) return detail::take_turns(plan, s, *a, operands, first, last - first);
    detail::turns_together const each = detail::turns_at_once(*a);
    planner::plan_step const& loop = plan.steps[index + s.loop_at];
    int const made = planner::handed_operand(plan, index),
              taken = planner::taking_operand(plan, loop, plan.operands[s.first_operand + made]);
    operand_argument* const loop_operands = operands + s.operand_count;
    detail::take_turns(plan, s, a[0], operands, first * each.kernel, (last - first) * each.kernel);
    detail::take_turns(plan, loop, a[s.loop_at], loop_operands, first * each.loop, (last - first) * each.loop);
    operands[made].data = loop_operands[taken].data = static_cast<std::byte*>(a[0].scratch);
    a[0].scratch = static_cast<std::byte*>(a[0].scratch) + detail::bytes_passing(plan, index, a[0]);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
