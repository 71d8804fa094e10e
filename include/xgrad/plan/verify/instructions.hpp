// SPDX-License-Identifier: MIT
// Checks that numbers are in range and that the instructions can run.
// Registers must have values when they are read, the passes must exist, and strides must match accesses.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/accesses.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Fourth layer of the verifier: numbers and instructions.
class plan_instructions : protected plan_accesses {
protected:
    using plan_accesses::plan_accesses;
    plan_finding found;

    constexpr bool check_numbers() {
        for (int b = 0; b < p.buffer_count; ++b) {
            plan_buffer const& q = p.buffers[b];
            if (!is_node(q.node) || !is_polynomial(q.size) || q.place < 0 || q.place >= p.block_count)
                return fail(plan_rule::malformed, "a buffer's node, size or block is out of range", -1, -1, -1, b);
        }
        for (int k = 0; k < p.input_count; ++k)
            if (!is_node(p.inputs[k]) || t.kind(p.inputs[k]) != op_kind::input)
                return fail(plan_rule::malformed, "an input is not an input");
        for (int k = 0; k < p.variable_count; ++k)
            if (!is_node(p.variables[k]) || t.kind(p.variables[k]) != op_kind::variable)
                return fail(plan_rule::malformed, "a variable is not a variable");
        for (int k = 0; k < p.output_count; ++k)
            if (!check_operand(p.outputs[k], -1, k)) return false;
        for (int i = 0; i < p.step_count; ++i)
            if (!check_step(i)) return false;
        return true;
    }

public:   // used by the checks of the kinds of steps
    using plan_accesses::id;
    using plan_accesses::id_of;
    using plan_accesses::p;
    using plan_accesses::t;
    /// Keeps the first finding. Always returns false.
    constexpr bool fail(plan_rule rule, char const* what, int step = -1, int operand = -1, int ins = -1, int buffer = -1, int other = -1) {
        if (!found) found = {rule, what, step, operand, ins, buffer, other};
        return false;
    }
    /// Whether parts of a loop of a nest write separate memory, and the type of the kernel does not contain the length of that loop.
    constexpr bool has_parts(plan_step const& s, int loop) const {
        bool const inner = loop == s.outer_rank;
        if (loop < 0 || loop > s.outer_rank || (inner && s.static_inner >= 0) || (s.lane >= 0 && loop != s.lane)) return false;
        bool runs = id(s.inner) != zero_extent;   // if an axis has no elements, all strides along it are 0
        for (int d = 0; d < s.outer_rank; ++d) runs = runs && id(s.extent[d]) != zero_extent;
        for (int k = 0; k < s.ins_count; ++k) {
            instruction const& i = p.ins[s.first_ins + k];
            if (i.kind == ins_kind::reduce && (inner ? i.inner != 0 || i.level < 2 : (i.outer >> loop & 1) != 0)) return false;
            if (i.kind != ins_kind::store && (i.kind != ins_kind::reduce || !keeps_sums(i))) continue;
            if (i.level < (inner ? 2 : 1)) return false;
            step_operand const& o = operand_of(s, i.operand);
            if (runs && id(inner ? o.inner : o.stride[loop]) == zero_extent) return false;
        }
        return true;
    }
    // Operands, outputs and extents must be those that the table and the operation declare.
    constexpr bool check_kernel(int index) {
        plan_step const& s = p.steps[index];
        if (t.kind(s.node) != op_kind::kernel || s.op != t[s.node].op)
            return fail(plan_rule::disagrees, "runs the kernel of a node that has none", index);
        kernel_node const k(t, s.node);
        if (s.read_count != k.operand_count() || s.operand_count != k.count() + k.has_scratch() || s.param_count != k.extent_count())
            return fail(plan_rule::disagrees, "has other operands or extents than its kernel", index);
        std::int64_t const known[]{s.static_inner, s.static_m, s.static_n, s.static_k};
        int known_count = 0;
        for (int e = 0; e < s.param_count; ++e) {
            parameter const& q = p.params[s.first_param + e];
            bool good = q.is_size && id(q.size) == id_of(k.extent_of(e)) && (e != 0 || id(s.extent[0]) == id(q.size));
            if (good && k.is_static(e)) good = is_static_as(known[known_count++], q.size);
            if (!good) return fail(plan_rule::disagrees, "runs to other extents than the table's", index);
        }
        if (k.has_scratch())
            if (step_operand const& o = operand_of(s, k.count());
                o.base != where::scratch || size_of(o.type) != 1 || id(o.inner) != id_of(k.scratch_bytes()))
                return fail(plan_rule::disagrees, "has another scratch memory than its kernel asks for", index, k.count());
        for (int w = 0; w < k.count(); ++w) {
            step_operand const& o = operand_of(s, w);
            if (o.type != k[w].type) return fail(plan_rule::disagrees, "has an operand of another element type than the table's", index, w);
            extent_id const row_size = id_of(detail::size_after_first(k[w].dims));
            if (o.base == where::scratch ? id(o.inner) != id_of(k.room_of(w))
                                         : id(o.inner) != row_size || (k.layout_of(w) == layout::contiguous && id(o.stride[0]) != row_size))
                return fail(plan_rule::disagrees, "is laid out otherwise than its kernel expects", index, w);
        }
        return true;
    }

private:
    using where = step_operand::where;
    constexpr bool is_polynomial(int e) const { return e >= 0 && e < p.polynomial_count; }
    constexpr bool is_node(int r) const { return r >= 0 && r < t.count; }
    static constexpr bool lies_in(int first, int count, int all) { return first >= 0 && count >= 0 && first + count <= all; }

    constexpr bool check_operand(step_operand const& o, int step, int operand) {
        bool good = is_polynomial(o.offset) && is_polynomial(o.inner);
        for (short e : o.stride) good = good && is_polynomial(e);
        int const count = o.base == where::input      ? p.input_count
                          : o.base == where::variable ? p.variable_count
                          : o.base == where::buffer   ? p.buffer_count
                                                      : 1;
        if (!good || !is_node(o.node) || (o.has_memory() && !lies_in(o.index, 1, count)))
            return fail(plan_rule::malformed, "an operand's numbers are out of range", step, operand);
        if (!o.has_memory()) return true;
        int const node = o.base == where::input      ? p.inputs[o.index]
                         : o.base == where::variable ? p.variables[o.index]
                                                     : p.buffers[o.index].node;
        variable_value const v = o.base == where::variable ? value_of_variable(t, o.node) : variable_value{o.node, 0};
        if ((step >= 0 && (node != v.variable || o.version != v.version)) || t.type(node) != o.type ||
            (o.base == where::buffer && p.buffers[o.index].type != o.type))
            return fail(plan_rule::disagrees, "has another node or element type than the memory it points to", step, operand);
        return true;
    }
    constexpr bool is_static_as(long long known, int e) const { return known < 0 || static_value(id(e)) == known; }
    constexpr bool check_step(int index) {
        plan_step const& s = p.steps[index];
        bool good = is_node(s.node) && lies_in(s.first_ins, s.ins_count, p.ins_count) &&
                    lies_in(s.first_operand, s.operand_count, p.operand_count) && lies_in(s.first_param, s.param_count, p.param_count) &&
                    is_polynomial(s.inner) && s.outer_rank >= 0 && s.outer_rank <= 5 && s.phases >= 0 && s.lane >= -1 &&
                    s.lane < (s.outer_rank > 0 ? s.outer_rank : 1) && s.read_count >= 0 && s.read_count <= s.operand_count;
        for (short e : s.extent) good = good && is_polynomial(e);
        if (!good) return fail(plan_rule::malformed, "a step's numbers are out of range", index);
        for (int k = 0; k < s.operand_count; ++k)
            if (!check_operand(operand_of(s, k), index, k)) return false;
        for (int k = 0; k < s.param_count; ++k)
            if (parameter const& q = p.params[s.first_param + k]; q.is_size && !is_polynomial(q.size))
                return fail(plan_rule::malformed, "a parameter is out of range", index);
        int least = -1;   // number of operands that the kernel addresses
        bool known = false;
        kind_traits traits{};
        checked_kinds::visit(s.kind, [&](auto kind) {
            known = true;
            traits = kind.traits;
            least = kind.addressed(*this, index);
        });
        if (!known) return fail(plan_rule::malformed, "is a step of no kind", index);
        if (least < 0) return false;
        if (s.operand_count < least) return fail(plan_rule::malformed, "has fewer operands than it reads and writes", index);
        if (traits.checks_indices && operand_of(s, 0).type != s.index_type)
            return fail(plan_rule::disagrees, "looks at indices of another type", index, 0);
        for (int k = 0; k < least; ++k) {
            bool const scratch =
                traits.may_leave_outputs && k >= s.read_count && (t[s.node].op->infer_output != nullptr || k > s.read_count);
            if ((!traits.multiplies || k >= s.read_count) && !operand_of(s, k).has_memory() &&
                !(scratch && operand_of(s, k).base == where::scratch))
                return fail(plan_rule::malformed, "an operand has no memory", index, k);
        }
        for (int k = s.read_count; traits.multiplies && k < s.read_count + 2; ++k)
            if (operand_of(s, k).type != s.memory) return fail(plan_rule::disagrees, "multiplies another element type", index, k);
        if (s.in_parts && !may_run_in_parts(s)) return fail(plan_rule::malformed, "runs in parts that meet", index);
        if (traits.has_own_kernel) return true;
        if (!is_static_as(s.static_inner, s.inner) || !is_static_as(s.static_m, s.extent[0]) || !is_static_as(s.static_n, s.extent[1]) ||
            !is_static_as(s.static_k, s.extent[2]))
            return fail(plan_rule::disagrees, "a static extent is not the extent", index);
        if (!traits.runs_instructions) return true;
        for (int k = 0; k < s.ins_count; ++k)
            if (!check_instruction(index, k)) return false;
        return !traits.loops || check_lanes(index);
    }

    constexpr bool may_run_in_parts(plan_step const& s) const {
        bool may = false;
        if (!s.in_pass() || s.hands_on()) checked_kinds::visit(s.kind, [&](auto kind) { may = kind.may_run_in_parts(*this, s); });
        return may;
    }
    // Checks the limits of kernels that keep sums of several rows, or of blocks of lanes, in arrays of fixed length.
    constexpr bool check_lanes(int index) {
        plan_step const& s = p.steps[index];
        if (s.lane < 0 && s.block_rows != 0) {
            long long rows = 1;
            for (int d = 0; d < s.outer_rank; ++d)
                rows = rows < 0 ? rows : static_value(id(s.extent[d])) < 0 ? -1 : rows * static_value(id(s.extent[d]));
            if (rows < 0 || rows > s.block_rows || s.phases != 2)
                return fail(plan_rule::disagrees, "more rows visit a block than it has places for", index);
        }
        if (s.lane < 0) return true;
        long long const row = static_value(id(s.inner));
        if (row < 0 || s.static_inner == -1) return fail(plan_rule::malformed, "rows after lanes have no static length", index);
        for (int k = 0; k < s.ins_count && s.static_inner < 0; ++k)
            if (instruction const& i = p.ins[s.first_ins + k];
                i.kind == ins_kind::reduce && i.level == 2 && i.inner == 0 && row > s.block_rows)
                return fail(plan_rule::disagrees, "keeps more sums of a row than it has places for", index);
        return true;
    }

    /// Whether register `r` has a value for an instruction of this level and pass.
    constexpr bool has_value(plan_step const& s, int reader, int r, int level, int phase) const {
        if (r < 0 || r >= reader) return false;
        instruction const& i = p.ins[s.first_ins + r];
        if (i.kind == ins_kind::store) return false;
        if (traits_of(s).multiplies) return true;   // every tile runs all instructions
        if (i.kind == ins_kind::reduce) return !keeps_sums(i) && level >= 1 && phase > i.phase;
        return i.level == 0 || (i.level == 1 ? level >= 1 && phase >= i.phase : level == 2 && phase == i.phase);
    }
    constexpr bool check_instruction(int index, int k) {
        plan_step const& s = p.steps[index];
        instruction const& i = p.ins[s.first_ins + k];
        bool const product = traits_of(s).multiplies, sums = i.kind == ins_kind::reduce && keeps_sums(i);
        if (i.level < 0 || i.level > 2 || i.phase < 0 || (i.level > 0 && i.phase >= (product ? 1 : s.phases)))
            return fail(plan_rule::malformed, "an instruction belongs to a pass that is not run", index, -1, k);
        int const reads = i.kind == ins_kind::apply ? i.arity : i.kind == ins_kind::reduce || i.kind == ins_kind::store ? 1 : 0;
        short const regs[3]{i.a, i.b, i.c};
        if (reads > 3 || (i.kind == ins_kind::apply && (reads < 1 || i.op == nullptr)))
            return fail(plan_rule::malformed, "an operation has no operands", index, -1, k);
        for (int r = 0; r < reads; ++r)
            if (!has_value(s, k, regs[r], i.level, i.phase))
                return fail(plan_rule::malformed, "an instruction reads a register that has no value there", index, -1, k);
        switch (i.kind) {
        case ins_kind::accumulator:
            if (!product || k != 0) return fail(plan_rule::malformed, "a tile of no product", index, -1, k);
            return true;
        case ins_kind::parameter:
            if (i.level != 0 || !lies_in(i.operand, 1, s.param_count))
                return fail(plan_rule::malformed, "a parameter is out of range", index, -1, k);
            return true;
        case ins_kind::apply: return true;
        case ins_kind::reduce:
            if (product || i.level == 0 || (i.level == 1 && i.inner != 0) || i.combine == monoid::none || (i.outer == 0 && i.inner == 0) ||
                i.outer >> s.outer_rank != 0)
                return fail(plan_rule::malformed, "a reduction over no dimension of the loop", index, -1, k);
            if (s.lane >= 0 && i.outer != 0 && i.outer != (1 << s.outer_rank) - 1)
                return fail(plan_rule::malformed, "lanes reduce over all outer dimensions or none", index, -1, k);
            if (!sums) return true;
            break;
        default: break;
        }
        if (!lies_in(i.operand, 1, product ? s.read_count : s.operand_count))
            return fail(plan_rule::malformed, "an operand is out of range", index, -1, k);
        step_operand const& o = operand_of(s, i.operand);
        if (i.kind == ins_kind::index || i.kind == ins_kind::random) {
            if (o.base != where::position) return fail(plan_rule::malformed, "a position has an address", index, i.operand, k);
        } else {
            if (!o.has_memory()) return fail(plan_rule::malformed, "an access without an address", index, i.operand, k);
            if (i.memory != o.type)
                return fail(plan_rule::disagrees, "an access takes memory for another element type", index, i.operand, k);
        }
        return check_strides(index, k, sums);
    }
    constexpr extent_id inner_extent(plan_step const& s) const { return id(traits_of(s).multiplies ? s.extent[1] : s.inner); }
    // The strides of an operand must match the access of its instruction.
    // Along a dimension that an instruction does not run along, the stride is 0.
    constexpr bool check_strides(int index, int k, bool sums) {
        plan_step const& s = p.steps[index];
        instruction const& i = p.ins[s.first_ins + k];
        step_operand const& o = operand_of(s, i.operand);
        extent_id const inner = id(o.inner);
        int const dims = traits_of(s).multiplies ? 1 : s.outer_rank;
        bool runs = inner_extent(s) != zero_extent;
        for (int d = 0; d < dims; ++d) runs = runs && id(s.extent[d]) != zero_extent;
        if (!runs) return true;   // if an axis has no elements, all strides along it are 0
        for (int d = 0; d < dims; ++d)
            if (bool const kept = !sums || (i.outer >> d & 1) == 0; (i.level < 1 || !kept) && id(o.stride[d]) != zero_extent)
                return fail(plan_rule::disagrees, "an access outside a loop moves with it", index, i.operand, k);
        if (sums) {
            bool const along = i.level == 2 && i.inner == 0;
            if (along ? s.lane < 0 && inner != one_extent && static_value(id(s.inner)) != 1 : inner != zero_extent)
                return fail(plan_rule::disagrees, "sums are not contiguous", index, i.operand, k);
            return true;
        }
        int const access = i.inner & 3;
        if (i.level == 2 ? (access == 0      ? inner != zero_extent
                               : access == 1 ? inner != one_extent
                                             : inner == zero_extent)
                         : inner != zero_extent)
            return fail(plan_rule::disagrees, "the inner stride is not what the access says", index, i.operand, k);
        if (traits_of(s).loops && s.lane >= 0 && i.level > 0 && (i.kind == ins_kind::load || i.kind == ins_kind::store) &&
            id(o.stride[s.lane]) != ((i.inner & 4) != 0 ? one_extent : zero_extent))
            return fail(plan_rule::disagrees, "lanes are not contiguous", index, i.operand, k);
        return true;
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
