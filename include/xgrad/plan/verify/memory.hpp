// SPDX-License-Identifier: MIT
// Checks memory: everything that is read has been written in full, writes stay in their block,
// and no two values are there at the same time.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/instructions.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Fifth layer of the verifier: lifetimes, and reads and writes of all steps.
class plan_memory : protected plan_instructions {
    using where = step_operand::where;
    struct lifetime {
        int first, last;
    };
    sequence<lifetime> lives_;   // of buffers, as numbers of steps in the order in which they run
    // The parts of a pass over a matrix (product with a vector, loop, transposed product). They run row by row, interleaved.
    static constexpr int alone = 0, first_product = 1, loop_between = 2, second_product = 3;
    // Memory that the product or the loop writes and the next part reads before it is complete.
    struct row_by_row {
        int buffer, part;
        extent_id offset, stride;
    };
    sequence<row_by_row> passing_;

    constexpr extent_id size_of_memory(step_operand const& o) {
        if (o.base == where::buffer) return all_of(o.index);
        return size_of_shape(t.dims(o.base == where::input ? p.inputs[o.index] : p.variables[o.index]));
    }
    constexpr void touch(int buffer, int time) {
        lifetime& l = lives_.at[buffer];
        if (l.first < 0) l.first = time;
        if (time > l.last) l.last = time;
    }
    /// Whether an earlier instruction of the same step has stored what `reader` reads, at the same address.
    constexpr bool is_written_before(plan_step const& s, int reader) const {
        memory_access const& r = list.at[reader];
        step_operand const& o = operand_of(s, r.operand);
        for (int k = 0; r.ins >= 0 && k < list.count; ++k) {
            memory_access const& w = list.at[k];
            if (!w.writes || w.ins < 0 || p.ins[s.first_ins + w.ins].kind != ins_kind::store) continue;
            step_operand const& q = operand_of(s, w.operand);
            bool same = q.base == o.base && q.index == o.index && id(q.offset) == id(o.offset) && id(q.inner) == id(o.inner);
            for (int d = 0; same && d < max_rank - 1; ++d) same = id(q.stride[d]) == id(o.stride[d]);
            if (!same || w.level > r.level) continue;
            if (w.level == 0 ? w.ins < r.ins
                             : w.phase < r.phase || (w.phase == r.phase && w.level == r.level && w.ins < r.ins) ||
                                   (w.phase == r.phase && w.level < r.level))
                return true;
        }
        return false;
    }
    /// Whether the part reads element n directly after the previous part has made element n.
    /// That is allowed in the loop, and for the vector of the second product.
    constexpr bool passes(plan_step const& s, memory_access const& a, int part) const {
        step_operand const& o = operand_of(s, a.operand);
        extent_id const stride =
            part == loop_between ? (a.ins >= 0 && (p.ins[s.first_ins + a.ins].inner & 3) == 1 ? one_extent : id(o.inner)) : id(o.stride[0]);
        if (part == loop_between ? a.level != 2 || a.phase != 0 : a.ins >= 0 || a.operand != s.read_count + 1) return false;
        for (row_by_row const& w : passing_)
            if (w.buffer == o.index && w.part < part && w.offset == id(o.offset) && w.stride == stride) return true;
        return false;
    }

    constexpr bool read(int index, int k, int part) {
        plan_step const& s = p.steps[index];
        memory_access const& a = list.at[k];
        step_operand const& o = operand_of(s, a.operand);
        if (o.base != where::buffer) return true;
        if (is_written(o.index, a.at) || is_written_before(s, k) || (part > first_product && passes(s, a, part))) return true;
        return fail(plan_rule::unwritten, is_touched(o.index) ? "reads what is not written in full" : "reads what no step has written",
            index, a.operand, a.ins, o.index);
    }
    constexpr bool write(int index, memory_access const& a) {
        plan_step const& s = p.steps[index];
        step_operand const& o = operand_of(s, a.operand);
        if (o.base != where::buffer)
            return fail(plan_rule::overwritten, o.base == where::input ? "writes into an input" : "writes into a variable", index,
                a.operand, a.ins);
        if (a.at.conditional)
            return fail(plan_rule::malformed, "writes one place in all iterations of a loop, which may have none", index, a.operand, a.ins,
                o.index);
        if (!plan_regions::write(o.index, a.at))
            return fail(plan_rule::overwritten, "writes where a value is already", index, a.operand, a.ins, o.index);
        return true;
    }
    constexpr bool read_all(int index, int part, int time) {
        plan_step const& s = p.steps[index];
        find_accesses(s);
        for (int k = 0; k < list.count; ++k) {
            memory_access const& a = list.at[k];
            step_operand const& o = operand_of(s, a.operand);
            extent_id const size = size_of_memory(o);
            if (size < 0 && o.base != where::buffer) continue;   // a size that no polynomial holds: only the call knows it
            if (!lies_within(a.at, size))
                return fail(plan_rule::out_of_bounds, a.writes ? "writes beyond its memory" : "reads beyond its memory", index, a.operand,
                    a.ins, o.base == where::buffer ? o.index : -1);
            if (o.base == where::buffer) touch(o.index, time);
        }
        // The tiles of the second product come after all rows.
        for (int k = 0; k < list.count; ++k)
            if (!list.at[k].writes && (part != second_product || list.at[k].ins < 0) && !read(index, k, part)) return false;
        return true;
    }
    constexpr bool write_all(int index) {
        find_accesses(p.steps[index]);
        for (memory_access const& a : list)
            if (a.writes && !write(index, a)) return false;
        return true;
    }
    constexpr void pass_on(int index, int part) {
        plan_step const& s = p.steps[index];
        for (memory_access const& a : list) {
            if (!a.writes || p.ins[s.first_ins + a.ins].kind != ins_kind::store) continue;
            if (part == loop_between && (a.level != 2 || a.phase != 0)) continue;
            step_operand const& o = operand_of(s, a.operand);
            passing_.push({o.index, part, id(o.offset), part == first_product ? id(o.stride[0]) : id(o.inner)});
        }
    }
    // Three steps that run as one, a few rows at a time.
    constexpr bool run_together(int index) {
        plan_step const& s = p.steps[index];
        int const last = index + s.back_at, loop_index = index + s.loop_at;
        if (s.loop_at < 1 || s.back_at <= s.loop_at || last >= p.step_count)
            return fail(plan_rule::malformed, "runs together with steps that are not there", index);
        plan_step const &loop = p.steps[loop_index], &back = p.steps[last];
        if (!traits_of(s).multiplies || !traits_of(loop).loops || !traits_of(back).multiplies || loop.joined_to != s.loop_at ||
            back.joined_to != s.back_at || loop.outer_rank != 0 || loop.lane >= 0 || s.transpose_a || !back.transpose_a ||
            id(s.extent[1]) != one_extent || id(back.extent[1]) != one_extent || id(loop.inner) != id(s.extent[0]) ||
            id(back.extent[0]) != id(s.extent[2]) || id(back.extent[2]) != id(s.extent[0]))
            return fail(plan_rule::malformed, "steps run together that do not visit the same rows", index);
        step_operand const &a = operand_of(s, s.read_count), &b = operand_of(back, back.read_count);
        if (a.base != b.base || a.index != b.index || id(a.offset) != id(b.offset) || id(a.stride[0]) != id(b.stride[0]))
            return fail(plan_rule::malformed, "steps run together that read two matrices", last, back.read_count, -1, -1, index);
        for (plan_step const* product : {&s, &back})
            if (!product->transpose_b && id(operand_of(*product, product->read_count + 1).stride[0]) != one_extent)
                return fail(plan_rule::malformed, "the elements of a vector are not contiguous", index);
        for (int k = 0; k < loop.ins_count; ++k)
            if (instruction const& i = p.ins[loop.first_ins + k]; i.level == 2 && i.phase != 0)
                return fail(plan_rule::malformed, "a loop fused with a product has a second pass over its rows", loop_index, -1, k);
        for (int n = index + 1; n < last; ++n)
            if (n != loop_index && (!traits_of(p.steps[n]).updates || p.steps[n].joined_to != 0))
                return fail(plan_rule::malformed, "a step is between others that run together", n, -1, -1, -1, index);
        passing_.clear();
        if (!read_all(index, first_product, index)) return false;
        pass_on(index, first_product);
        if (!read_all(loop_index, loop_between, index)) return false;
        pass_on(loop_index, loop_between);
        if (!read_all(last, second_product, index) || !write_all(index) || !write_all(loop_index)) return false;
        find_accesses(back);
        for (int k = 0; k < list.count; ++k)
            if (!list.at[k].writes && list.at[k].ins >= 0 && !read(last, k, alone)) return false;
        return write_all(last);
    }

    /// Whether exactly one kernel writes the buffer, and only the loop joined to it reads it.
    constexpr bool is_handed_on(int buffer) const {
        int made = 0, others = 0;
        for (int i = 0; i < p.step_count; ++i)
            for (int k = 0; k < p.steps[i].operand_count; ++k) {
                step_operand const& o = operand_of(p.steps[i], k);
                if (o.base != where::buffer || o.index != buffer) continue;
                plan_step const& s = p.steps[i];
                plan_step const& head = p.steps[s.joined_to > 0 && s.joined_to <= i ? i - s.joined_to : i];
                if (s.hands_on() && i + s.loop_at < p.step_count && handed_operand(p, i) == k) ++made;
                else if (!traits_of(s).loops || !head.hands_on() || head.loop_at != s.joined_to) ++others;
            }
        for (int k = 0; k < p.output_count; ++k) others += p.outputs[k].base == where::buffer && p.outputs[k].index == buffer;
        return made == 1 && others == 0;
    }
    // A kernel that writes its elements in order, and a loop that reads the same elements in the same order.
    constexpr bool run_handed_on(int index) {
        plan_step const& s = p.steps[index];
        auto const wrong = [&](char const* what) { return fail(plan_rule::malformed, what, index); };
        if (s.loop_at != 1 || index + 1 >= p.step_count || p.steps[index + 1].joined_to != 1)
            return wrong("runs together with steps that are not there");
        plan_step const& loop = p.steps[index + 1];
        kernel_info const& kernel = *t[s.node].op->kernel;
        int const output = handed_operand(p, index);
        if (output < 0 || !kernel.in_order || kernel.whole || !traits_of(loop).loops || loop.block_rows != 0 || !has_parts(loop, 0))
            return wrong("a kernel passes to the loop after it what that loop cannot take in parts");
        step_operand const& made = operand_of(s, output);
        for (int w = output + 1; w < s.operand_count; ++w)
            if (taking_operand(p, loop, operand_of(s, w)) >= 0) return wrong("a loop takes two outputs of the kernel before it");
        if (made.node != t.part_of(s.node, output - s.read_count)) return wrong("passes on memory of another node");
        if (!p.buffers[made.index].passing || id(made.offset) != zero_extent) return wrong("passes on memory that holds all of its node");
        std::int64_t const turns = static_value(id(s.extent[1])), loop_turns = static_value(id(s.extent[2])),
                           piece = static_value(id(s.extent[3]));
        extent_id const all = size_of_shape(t.dims(made.node)), loop_length = id(loop.outer_rank > 0 ? loop.extent[0] : loop.inner);
        if (turns < 1 || loop_turns < 1 || piece < 1 || static_value(id(p.buffers[made.index].size)) != turns * piece ||
            multiply(id(s.extent[0]), id_of(static_extent(piece))) != all)
            return wrong("a kernel passes on another number of elements than fit");
        std::int64_t const taken = turns * piece / loop_turns;   // by one iteration of the loop
        if (taken * loop_turns != turns * piece || multiply(loop_length, id_of(static_extent(taken))) != all)
            return wrong("a loop takes another number of elements than the kernel before it passes on");
        find_accesses(loop);
        for (memory_access const& a : list) {   // the accesses of one iteration
            step_operand const& o = operand_of(loop, a.operand);
            if (o.base != where::buffer || o.index != made.index) continue;
            memory_region turn{zero_extent, 0, {}, {}};
            extent_id const step = loop.outer_rank > 0 ? id(o.stride[0]) : id(o.inner);
            for (int d = 1; d < loop.outer_rank; ++d) along(turn, id(loop.extent[d]), id(o.stride[d]));
            if (loop.outer_rank > 0 && a.level == 2) along(turn, id(loop.inner), id(o.inner));
            normalize(turn, false);
            if (a.writes || id(o.offset) != zero_extent || static_value(step) != taken || !lies_within(turn, step))
                return fail(
                    plan_rule::malformed, "a loop takes other elements than the kernel before it passes on", index + 1, a.operand, a.ins);
        }
        if (!read_all(index, alone, index) || !write_all(index)) return false;
        return read_all(index + 1, alone, index) && write_all(index + 1);
    }
    static constexpr void along(memory_region& r, extent_id e, extent_id stride) {
        r.extent[r.rank] = e;
        r.stride[r.rank++] = stride;
    }

    constexpr bool check_sizes() {
        for (int b = 0; b < p.buffer_count; ++b) {
            plan_buffer const& q = p.buffers[b];
            if (q.passing ? !is_handed_on(b) : id(q.size) < 0 || id(q.size) != size_of_shape(t.dims(q.node)))
                return fail(plan_rule::disagrees, "has another size than its node", -1, -1, -1, b);
            extent_id const bytes = multiply(id(q.size), id_of(static_extent(static_cast<std::int64_t>(size_of(q.type)))));
            if (!dominates(id_of(p.blocks[q.place].bytes), bytes))
                return fail(plan_rule::shared_bytes, "is larger than its block", -1, -1, -1, b);
        }
        return true;
    }
    constexpr bool check_lifetimes() {
        for (int b = 0; b < p.buffer_count; ++b) {
            plan_buffer const& q = p.buffers[b];
            lifetime const& live = lives_.at[b];
            for (int k = 0; k < b && live.first >= 0; ++k) {
                lifetime const& other = lives_.at[k];
                if (p.buffers[k].place != q.place || other.first < 0 || other.last < live.first || live.last < other.first) continue;
                return fail(plan_rule::shared_bytes, "overlaps a value that is still needed", live.first, -1, -1, b, k);
            }
        }
        return true;
    }
    constexpr bool check_outputs(plan_request const& r) {
        if (p.output_count != r.output_count) return fail(plan_rule::disagrees, "has more or fewer results than were asked for");
        for (int k = 0; k < p.output_count; ++k) {
            step_operand const& o = p.outputs[k];
            int const node = r.outputs[k];
            if (o.node != node || t.type(node) != o.type)
                return fail(plan_rule::disagrees, "returns another node than was asked for", -1, k);
            int at = node;   // the node whose memory it is a view of
            for (op_kind kind = t.kind(at); o.base == where::buffer && at != p.buffers[o.index].node; kind = t.kind(at))
                if (kind == op_kind::alias || kind == op_kind::slice || kind == op_kind::broadcast || kind == op_kind::transpose)
                    at = t.operand(at, 0);
                else if (kind == op_kind::composite) at = t.operand(at, t[at].count - 1);
                else return fail(plan_rule::disagrees, "returns the memory of another node", -1, k, -1, o.index);
            if (o.base == where::input || !o.has_memory())
                return fail(plan_rule::malformed, "returns what has no memory of the plan", -1, k);
            memory_region all{id(o.offset), 0, {}, {}};
            extent_id elements = one_extent;   // axis by axis: the product of all extents may not fit
            for (int a = t.dims(node).rank; a-- > 0; elements = multiply(elements, id_of(t.dims(node).extents[a]))) {
                all.extent[all.rank] = id_of(t.dims(node).extents[a]);
                all.stride[all.rank++] = elements;
            }
            normalize(all, false);
            if (!lies_within(all, size_of_memory(o))) return fail(plan_rule::out_of_bounds, "a result is beyond its memory", -1, k);
            if (o.base == where::variable) {
                for (int u = 0; u < r.update_count; ++u)
                    if (r.updates[u].variable == p.variables[o.index])
                        return fail(plan_rule::early_update, "a result is the memory of a variable that is updated", -1, k);
                continue;
            }
            if (!is_written(o.index, all)) return fail(plan_rule::unwritten, "returns what is not written in full", -1, k, -1, o.index);
            touch(o.index, p.step_count);
        }
        return true;
    }

protected:
    constexpr plan_memory(table_view const& table, plan_view const& plan)
        : plan_instructions(table, plan), lives_(plan.buffer_count, {-1, -1}) {}

    constexpr bool check_memory(plan_request const& r) {
        if (!check_sizes()) return false;
        for (int i = 0; i < p.step_count; ++i) {
            plan_step const& s = p.steps[i];
            if (s.loop_at > 0 || s.back_at > 0) {
                if (!(traits_of(s).has_own_kernel ? run_handed_on(i) : run_together(i))) return false;
                continue;
            }
            if (s.in_pass()) {
                plan_step const& head = p.steps[s.joined_to <= i ? i - s.joined_to : i];
                if (head.loop_at != s.joined_to && head.back_at != s.joined_to) return fail(plan_rule::malformed, "is never run", i);
                continue;
            }
            if (!read_all(i, alone, i) || !write_all(i)) return false;
        }
        return check_outputs(r) && check_lifetimes();
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
