// SPDX-License-Identifier: MIT
// A part of a step: some turns of its outermost loop, with scratch memory and findings of their own.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_tile.hpp>
#include <xgrad/run/runtime_plan.hpp>

#include <algorithm>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The number of turns of the loop that parts of a step take.
constexpr std::int64_t& length_of(planner::plan_step const& s, step_arguments& a) {
    bool const by_element = s.kind == planner::step_kind::update || (s.kind == planner::step_kind::nest && s.part_loop == s.outer_rank);
    if (s.kind == planner::step_kind::update && s.sparse) return a.extent[2];
    return by_element ? a.inner : a.extent[s.kind == planner::step_kind::nest ? s.part_loop : 0];
}
/// Rows of a turn of a product: of one whose height is static a tile, with what does not fill one behind the last.
constexpr std::int64_t rows_of_turn(planner::plan_step const& s) {
    return s.kind == planner::step_kind::matmul && s.static_m >= 0 ? kernels::detail::tile_rows : 1;
}
/// Of a kernel and the loop behind it: so many turns of each are one turn of both.
struct turns_together {
    std::int64_t kernel, loop;
};
constexpr turns_together turns_at_once(step_arguments const& a) {
    std::int64_t const kernel = a.extent[1], loop = a.extent[2];
    return kernel > loop ? turns_together{kernel / loop, 1} : turns_together{1, loop / kernel};
}
/// Bytes of scratch memory that an operand takes, of one that is memory of the step alone.
inline std::size_t scratch_of_operand(planner::step_operand const& o, operand_argument const& s) {
    return o.base != planner::step_operand::where::scratch ? 0 : (static_cast<std::size_t>(s.inner) * size_of(o.type) + 63) / 64 * 64;
}
/// Of what a kernel hands on to the loop behind it.
inline std::size_t bytes_passing(runtime_plan const& plan, int index, step_arguments const& a) {
    int const made = planner::handed_operand(plan, index);
    if (made < 0) return 0;
    auto const elements = static_cast<std::size_t>(a.extent[1] * a.extent[3]);
    return (elements * size_of(plan.operands[plan.steps[index].first_operand + made].type) + 63) / 64 * 64;
}
}

/// How many steps stand behind each other of which a part of step s needs the arguments: itself, and the loop that runs with it.
constexpr int steps_of_part(planner::plan_step const& s) { return s.hands_on() ? 1 + s.loop_at : 1; }
/// How many operands those have.
constexpr int operands_of_part(runtime_plan const& plan, int index) {
    int n = 0;
    for (int k = 0; k < steps_of_part(plan.steps[index]); ++k) n += plan.steps[index + k].operand_count;
    return n;
}
/// How many turns the loop has whose turns are the parts of a step.
constexpr std::int64_t turns_of(planner::plan_step const& s, step_arguments a) {
    if (s.hands_on()) return a.extent[0] / detail::turns_at_once(a).kernel;
    std::int64_t const rows = detail::rows_of_turn(s), n = detail::length_of(s, a);
    return rows > 1 ? (n - kernels::detail::rows_apart(n, rows)) / rows + (n % rows != 0) : n;
}
/// Bytes of scratch memory of any part of step `index`: its operands that are memory of the step alone, then what its kernel asks for.
inline std::size_t part_scratch(runtime_plan const& plan, int index, step_arguments const& a) {
    planner::plan_step const& s = plan.steps[index];
    std::size_t n = kernel_scratch(plan, index, a);
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
    case planner::step_kind::scan: break;
    }
    a.first = first;
    a.last = first + count;
    if (s.kind == planner::step_kind::update && s.sparse) return;   // all indices are read by each part
    length_of(s, a) = count;
}
}

/// Makes of the arguments of a step those of the turns `first` to before `last`. `a`: copies for steps_of_part steps, the first one with
/// bad_index and scratch memory of its own (part_scratch bytes on a multiple of 64). `operands`: room for those of the part, operands_of_part of
/// them. Parts of a step for which plan_step::in_parts holds may run in any order and at the same time; all of them together leave
/// the bits that the whole step leaves. Groups of indices are not shared by parts, nor by whole steps (`groups` null) that run between them.
inline void take_part(
    runtime_plan const& plan, int index, step_arguments* a, operand_argument* operands, std::int64_t first, std::int64_t last) {
    planner::plan_step const& s = plan.steps[index];
    a->groups = nullptr;   // parts may run in any order
    if (!s.hands_on()) return detail::take_turns(plan, s, *a, operands, first, last - first);
    detail::turns_together const each = detail::turns_at_once(*a);
    planner::plan_step const& loop = plan.steps[index + s.loop_at];
    int const made = planner::handed_operand(plan, index),
              taken = planner::taking_operand(plan, loop, plan.operands[s.first_operand + made]);
    operand_argument* const behind = operands + s.operand_count;
    detail::take_turns(plan, s, a[0], operands, first * each.kernel, (last - first) * each.kernel);
    detail::take_turns(plan, loop, a[s.loop_at], behind, first * each.loop, (last - first) * each.loop);
    operands[made].data = behind[taken].data = static_cast<std::byte*>(a[0].scratch);
    a[0].scratch = static_cast<std::byte*>(a[0].scratch) + detail::bytes_passing(plan, index, a[0]);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
