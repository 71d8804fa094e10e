// SPDX-License-Identifier: MIT
// Which loops run with the kernel of an operation's own that makes what they read: some turns of the kernel leave their elements in a block of
// memory, the loop takes them while they are in the first cache, and the next turns leave theirs in the same block.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/assembly.hpp>
#include <xgrad/plan/steps/nest.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

inline constexpr std::int64_t bytes_handed_on = 16384;   // at a time: half of a first cache of 32 kB, beside what the loop itself reads
inline constexpr std::int64_t least_bytes_handed_on =
    32;   // of a turn of the kernel: below, finding them takes longer than reading them again
inline constexpr std::int64_t most_bytes_handed_on = 131072;   // of one turn: beyond the second cache nothing is gained

/// A kernel and a loop, how many turns of each run at a time, and how many elements a turn of the kernel leaves.
struct handed_loop {
    int output, loop;   // operand of the kernel; step. -1: none
    std::int64_t kernel_turns, loop_turns, elements;
};

constexpr std::int64_t static_or_none(extent_pool const& pool, extent_id e) {
    extent const& x = pool.values.at[e];
    return x.is_static() && !x.overflow ? x.constant : -1;
}
/// Elements of `node` for each of `turns` pieces: what lies behind as many leading axes as make up the turns; -1: no static number.
constexpr std::int64_t elements_of_piece(draft const& plan, int node, extent_id turns) {
    id_shape const& s = plan.nodes[node].dims;
    extent_id before = one_extent;
    for (int a = 0; a <= s.rank; ++a) {
        if (before == turns) {
            extent_id n = one_extent;
            for (int b = a; b < s.rank; ++b) n = plan.pool.multiply(n, s.extents[b]);
            return static_or_none(plan.pool, n);
        }
        if (a < s.rank) before = plan.pool.multiply(before, s.extents[a]);
    }
    return -1;
}
/// Elements that each turn of the outermost loop of a nest takes of an operand that it goes through in order, all of it; -1: it does otherwise.
constexpr std::int64_t elements_of_turn(assembling const& plan, plan_step const& n, step_operand const& o) {
    auto const number = [&](extent_id e) { return plan.used.at[e]; };   // of the pool
    extent_id const size = size_of_node(plan, o.node);
    if (o.offset != zero_extent) return -1;
    if (n.outer_rank == 0) return o.inner == one_extent && number(n.inner) == size ? 1 : -1;
    extent_id behind = one_extent;
    if (o.inner != zero_extent) {
        if (o.inner != one_extent) return -1;
        behind = number(n.inner);
    }
    for (int d = n.outer_rank; --d > 0;) {
        if (o.stride[d] == zero_extent) continue;
        if (number(o.stride[d]) != behind) return -1;
        behind = plan.pool.multiply(behind, number(n.extent[d]));
    }
    if (number(o.stride[0]) != behind || plan.pool.multiply(behind, number(n.extent[0])) != size) return -1;
    return static_or_none(plan.pool, behind);
}
/// Whether the caller sees memory of this node.
constexpr bool is_result(draft const& plan, int node) {
    for (int k = 0; k < plan.asked.output_count; ++k)
        if (owner(plan, plan.asked.outputs[k]) == node) return true;
    return false;
}
/// The only step that reads `node` behind step `maker`, if it does so by one operand; -1: none or several.
template<class Plan>
constexpr int only_reader(Plan const& out, int maker, int node) {
    int reader = -1;
    for (int s = 0; s < out.step_count; ++s)
        for (int k = out.steps[s].first_operand, end = k + out.steps[s].operand_count; k < end; ++k) {
            step_operand const& o = out.operands[k];
            if (o.base != step_operand::where::buffer || o.node != node || s == maker) continue;
            if (reader >= 0 || s < maker) return -1;
            reader = s;
        }
    return reader;
}
/// Whether step `n` has another output of the kernel, which it may not read in the same order.
template<class Plan>
constexpr bool takes_another(Plan const& out, plan_step const& kernel, int output, plan_step const& n) {
    for (int w = kernel.read_count; w < kernel.operand_count; ++w)
        if (w != output && taking_operand(out, n, out.operands[kernel.first_operand + w]) >= 0) return true;
    return false;
}
template<class Plan>
constexpr handed_loop find_handed(assembling const& plan, Plan const& out, int index, std::int64_t least) {
    plan_step const& s = out.steps[index];
    handed_loop none{-1, -1, 0, 0, 0};
    for (int w = s.read_count; w < s.operand_count; ++w) {
        step_operand const& o = out.operands[s.first_operand + w];
        if (o.base != step_operand::where::buffer || o.offset != zero_extent || is_result(plan, o.node)) continue;
        int const at = only_reader(out, index, o.node);
        if (at < 0 || o.node != plan.t.part_of(s.node, w - s.read_count)) continue;   // none, or it lies in a concatenation
        plan_step const& n = out.steps[at];
        if (takes_another(out, s, w, n)) continue;
        if (n.kind != step_kind::nest || n.in_pass() || n.lane >= 0) continue;
        if (n.block_rows > 0 || !has_own_turns(n, out.ins + n.first_ins, n.ins_count, 0)) continue;
        if (keeps_sums(n, out.ins + n.first_ins, n.ins_count)) continue;
        bool moves = true;   // an index must be looked at before any update, a variable read, and another output written before it is read
        for (int k = index + 1; k < at; ++k)
            moves = moves && out.steps[k].kind != step_kind::update && !takes_another(out, s, w, out.steps[k]);
        if (!moves) continue;
        std::int64_t const made = elements_of_piece(plan, o.node, plan.used.at[s.extent[0]]),
                           taken = elements_of_turn(plan, n, out.operands[n.first_operand + taking_operand(out, n, o)]);
        if (made <= 0 || taken <= 0 || made * static_cast<std::int64_t>(size_of(o.type)) < least) continue;
        std::int64_t const unit = made > taken ? made : taken, bytes = unit * static_cast<std::int64_t>(size_of(o.type));
        std::int64_t const all = static_or_none(plan.pool, size_of_node(plan, o.node));
        if (unit % made != 0 || unit % taken != 0 || bytes > most_bytes_handed_on) continue;
        if (all >= 0 && all * static_cast<std::int64_t>(size_of(o.type)) <= bytes_handed_on) continue;   // is in the first cache anyway
        std::int64_t const units = bytes < bytes_handed_on ? bytes_handed_on / bytes : 1;
        return {w, at, units * (unit / made), units * (unit / taken), made};
    }
    return none;
}
/// Moves step `index` right before step `loop` and lets them run together.
template<class Plan>
constexpr void join(assembling& plan, Plan& out, int index, handed_loop const& h) {
    plan_step kernel = out.steps[index];
    for (int k = index; k + 1 < h.loop; ++k) out.steps[k] = out.steps[k + 1];
    auto const number = [&](std::int64_t n) {
        extent_id e = plan.pool.intern(static_extent(n));
        plan.use(e);
        return e;
    };
    kernel.loop_at = 1;
    kernel.extent[1] = number(h.kernel_turns);
    kernel.extent[2] = number(h.loop_turns);
    kernel.extent[3] = number(h.elements);
    out.steps[h.loop - 1] = kernel;
    plan_step& n = out.steps[h.loop];
    n.joined_to = 1;
    n.in_parts = false;
    n.part_loop = 0;
    if (n.outer_rank == 0) n.static_inner = -1;   // a part has no static length
}
/// All that a plan allows, of kernels whose turns leave `least` bytes or more.
template<class Plan>
constexpr void hand_on(assembling& plan, Plan& out, std::int64_t least = least_bytes_handed_on) {
    for (int s = 0; s < out.step_count; ++s) {
        if (out.steps[s].kind != step_kind::kernel || !out.steps[s].op->kernel->in_order || out.steps[s].loop_at > 0) continue;
        handed_loop const h = find_handed(plan, out, s, least);
        if (h.loop < 0) continue;
        join(plan, out, s, h);
        if (h.loop - 1 > s) --s;   // another step stands here now
    }
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
