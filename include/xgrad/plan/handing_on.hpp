// SPDX-License-Identifier: MIT
// Fuses a kernel of an operation with the loop that reads its output, by blocks that stay in the first-level cache.
// Some iterations of the kernel write their elements to a block, the loop consumes the block, and the next iterations overwrite it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/assembly.hpp>
#include <xgrad/plan/steps/nest.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Size of a block: half of a first-level cache of 32 kB. The other half is for what the loop itself reads.
inline constexpr std::int64_t bytes_handed_on = 16384;
// Minimum per iteration of the kernel: below this, finding the elements takes longer than reading them from memory again.
inline constexpr std::int64_t least_bytes_handed_on = 32;
inline constexpr std::int64_t most_bytes_handed_on = 131072;   // maximum per iteration: beyond the second-level cache nothing is gained

/// The loop to fuse with a kernel. kernel_iterations and loop_iterations are the iterations of each per block.
/// `elements` is the number of elements that one iteration of the kernel writes.
struct handed_loop {
    int output, loop;   // operand of the kernel; step. -1: none
    std::int64_t kernel_iterations, loop_iterations, elements;
};

constexpr std::int64_t static_or_none(extent_pool const& pool, extent_id e) {
    extent const& x = pool.values.at[e];
    return x.is_static() && !x.overflow ? x.constant : -1;
}
/// Elements of `node` in each of `turns` equal pieces.
/// The leading axes must multiply to `turns`; the other axes form one piece. -1: no static number.
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
/// Elements of an operand that each iteration of a nest's outermost loop reads.
/// The nest must read all of the operand in order; otherwise -1.
constexpr std::int64_t elements_of_iteration(assembling const& plan, plan_step const& n, step_operand const& o) {
    auto const number = [&](extent_id e) { return plan.used.at[e]; };   // the number in the pool
    extent_id const size = size_of_node(plan, o.node);
    if (o.offset != zero_extent) return -1;
    if (n.outer_rank == 0) return o.inner == one_extent && number(n.inner) == size ? 1 : -1;
    extent_id inner_size = one_extent;
    if (o.inner != zero_extent) {
        if (o.inner != one_extent) return -1;
        inner_size = number(n.inner);
    }
    for (int d = n.outer_rank; --d > 0;) {
        if (o.stride[d] == zero_extent) continue;
        if (number(o.stride[d]) != inner_size) return -1;
        inner_size = plan.pool.multiply(inner_size, number(n.extent[d]));
    }
    if (number(o.stride[0]) != inner_size || plan.pool.multiply(inner_size, number(n.extent[0])) != size) return -1;
    return static_or_none(plan.pool, inner_size);
}
/// Whether the memory of this node is a result that the caller sees.
constexpr bool is_result(draft const& plan, int node) {
    for (int k = 0; k < plan.asked.output_count; ++k)
        if (owner(plan, plan.asked.outputs[k]) == node) return true;
    return false;
}
/// The only step after `maker` that reads `node`, if it reads it by one operand; -1: none or several.
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
/// Whether step `n` reads another output of the kernel. It may read that one in another order.
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
        if (at < 0 || o.node != plan.t.part_of(s.node, w - s.read_count)) continue;   // none, or the output is stored in a concatenation
        plan_step const& n = out.steps[at];
        if (takes_another(out, s, w, n)) continue;
        if (!facts_of(n.kind).over_elements || n.in_pass() || n.lane >= 0) continue;
        if (n.block_rows > 0 || !has_own_turns(n, out.ins + n.first_ins, n.ins_count, 0)) continue;
        if (keeps_sums(n, out.ins + n.first_ins, n.ins_count)) continue;
        // The kernel moves down to the loop. It must not move across an update:
        // indices are checked before updates, and it may read a variable. Nor may it move across a step that reads another of its outputs.
        bool moves = true;
        for (int k = index + 1; k < at; ++k)
            moves = moves && !facts_of(out.steps[k].kind).updates_variable && !takes_another(out, s, w, out.steps[k]);
        if (!moves) continue;
        std::int64_t const made = elements_of_piece(plan, o.node, plan.used.at[s.extent[0]]),
                           taken = elements_of_iteration(plan, n, out.operands[n.first_operand + taking_operand(out, n, o)]);
        if (made <= 0 || taken <= 0 || made * static_cast<std::int64_t>(size_of(o.type)) < least) continue;
        std::int64_t const unit = made > taken ? made : taken, bytes = unit * static_cast<std::int64_t>(size_of(o.type));
        std::int64_t const all = static_or_none(plan.pool, size_of_node(plan, o.node));
        if (unit % made != 0 || unit % taken != 0 || bytes > most_bytes_handed_on) continue;
        if (all >= 0 && all * static_cast<std::int64_t>(size_of(o.type)) <= bytes_handed_on)
            continue;   // it stays in the first-level cache anyway
        std::int64_t const units = bytes < bytes_handed_on ? bytes_handed_on / bytes : 1;
        return {w, at, units * (unit / made), units * (unit / taken), made};
    }
    return none;
}
/// Moves step `index` to directly before step `loop` and joins the two.
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
    kernel.extent[1] = number(h.kernel_iterations);
    kernel.extent[2] = number(h.loop_iterations);
    kernel.extent[3] = number(h.elements);
    out.steps[h.loop - 1] = kernel;
    plan_step& n = out.steps[h.loop];
    n.joined_to = 1;
    n.in_parts = false;
    n.part_loop = 0;
    if (n.outer_rank == 0) n.static_inner = -1;   // a part has no static length
}
/// Joins all kernels and loops that the plan allows. Only kernels that write at least `least` bytes per iteration are considered.
template<class Plan>
constexpr void hand_on(assembling& plan, Plan& out, std::int64_t least = least_bytes_handed_on) {
    for (int s = 0; s < out.step_count; ++s) {
        if (!facts_of(out.steps[s].kind).has_own_kernel || !out.steps[s].op->kernel->in_order || out.steps[s].loop_at > 0) continue;
        handed_loop const h = find_handed(plan, out, s, least);
        if (h.loop < 0) continue;
        join(plan, out, s, h);
        if (h.loop - 1 > s) --s;   // another step has moved to this position
    }
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
