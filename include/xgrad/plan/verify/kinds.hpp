// SPDX-License-Identifier: MIT
// What the verifier knows about each kind of step. It is derived from what the kernels do,
// never from the planner's records of the same kinds: the verifier must not repeat the planner's mistakes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/step_kinds.hpp>
#include <xgrad/plan/verify/finding.hpp>
#include <xgrad/plan/verify/sizes.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// What the checks of all steps ask about a kind. They repeat kind_facts on purpose.
struct kind_traits {
    bool runs_instructions = false;
    bool loops = false;               // its instructions run in nested loops over elements
    bool multiplies = false;          // its instructions run on the elements of a matrix product; two factors come after their operands
    bool has_own_kernel = false;      // its node is an operation with a kernel
    bool runs_bodies = false;         // its node is a region
    bool updates = false;             // changes a variable
    bool checks_indices = false;      // does nothing but look at its indices
    bool may_leave_outputs = false;   // unused outputs need no memory
};

/// Loops over elements: their instructions tell what they access.
struct checked_nest {
    static constexpr step_kind kind = step_kind::nest;
    static constexpr char const* name = "nest";
    static constexpr kind_traits traits{.runs_instructions = true, .loops = true};

    template<class Verifier>
    static constexpr int addressed(Verifier&, int) {
        return 0;
    }
    template<class Verifier>
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        v.find_in_instructions(s);
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const& v, plan_step const& s) {
        return v.has_parts(s, s.part_loop);
    }
};

/// A matrix product: two factors, and the accesses of the instructions on its tiles.
struct checked_product {
    static constexpr step_kind kind = step_kind::matmul;
    static constexpr char const* name = "product";
    static constexpr kind_traits traits{.runs_instructions = true, .multiplies = true};

    template<class Verifier>
    static constexpr int addressed(Verifier& v, int index) {
        return v.p.steps[index].read_count + 2;
    }
    template<class Verifier>   // a transposed factor is stored as [k, m] or [n, k]
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        for (int side = 0; side < 2; ++side) {
            int const operand = s.read_count + side;
            step_operand const& o = v.operand_of(s, operand);
            extent_id const rows = v.loop_extent(s, side == 0 ? 0 : 2), columns = v.loop_extent(s, side == 0 ? 2 : 1);
            bool const turned = side == 0 ? s.transpose_a : s.transpose_b;
            v.add(operand, -1, false,
                {v.id(o.offset), 2, {turned ? columns : rows, turned ? rows : columns}, {v.id(o.stride[0]), one_extent}});
        }
        v.find_in_instructions(s);
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const&, plan_step const& s) {
        return has_parts_of_rows(s);
    }
};

/// The kernel of an operation: all operands and outputs.
struct checked_kernel {
    static constexpr step_kind kind = step_kind::kernel;
    static constexpr char const* name = "kernel";
    static constexpr kind_traits traits{.has_own_kernel = true, .may_leave_outputs = true};

    template<class Verifier>
    static constexpr int addressed(Verifier& v, int index) {
        return v.check_kernel(index) ? v.p.steps[index].operand_count : -1;
    }
    // The first axis may have any stride if the operation says that its kernel supports that. All other axes are contiguous.
    template<class Verifier>
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        kernel_node const k(v.t, s.node);
        for (int w = 0; w < k.count(); ++w) {
            step_operand const& o = v.operand_of(s, w);
            if (!o.has_memory()) continue;
            shape const& d = k[w].dims;
            extent_id const rows = d.rank > 0 ? v.id_of(d.extents[0]) : one_extent, columns = v.id_of(detail::size_after_first(d));
            extent_id const distance = k.layout_of(w) == layout::contiguous ? columns : v.id(o.stride[0]);   // rows * columns may not fit
            v.add(w, -1, w >= k.operand_count(), {v.id(o.offset), 2, {rows, columns}, {distance, one_extent}});
        }
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const& v, plan_step const& s) {
        return !v.t[s.node].op->kernel->whole;
    }
};

/// A step over bodies: carries, slices, captures and outputs.
struct checked_region {
    static constexpr step_kind kind = step_kind::region;
    static constexpr char const* name = "region";
    static constexpr kind_traits traits{.runs_bodies = true, .may_leave_outputs = true};

    template<class Verifier>
    static constexpr int addressed(Verifier& v, int index) {
        plan_step const& s = v.p.steps[index];
        if (v.t[s.node].op->region == nullptr) {
            v.fail(plan_rule::disagrees, "runs bodies of a node that has none", index);
            return -1;
        }
        region_form const form = form_of(*v.t[s.node].op->region, v.t.attrs(s.node));
        int const read = form.operands();
        int bodies = 0;
        for (int i = 0; i < index; ++i) bodies += v.p.steps[i].body_count;
        if (s.body_count != form.body_count || s.first_body != bodies) {
            v.fail(plan_rule::disagrees, "runs other bodies than its own", index);
            return -1;
        }
        if (s.read_count != read) {
            v.fail(plan_rule::disagrees, "reads more or fewer operands than its body", index);
            return -1;
        }
        if (v.id(s.extent[1]) != v.id_of(form.before) || v.id(s.extent[2]) != v.id_of(form.in_all)) {
            v.fail(plan_rule::disagrees, "counts its iterations from another one, for random numbers", index);
            return -1;
        }
        for (int n = 1; n <= s.update_at; ++n)
            if (index + n >= v.p.step_count || v.p.steps[index + n].joined_to != n || v.p.steps[index + n].kind != step_kind::update) {
                v.fail(plan_rule::lost_update, "updates by rows what is no update after it", index);
                return -1;
            }
        return read + v.t.output_count(s.node);
    }
    template<class Verifier>
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        region_form const form = form_of(*v.t[s.node].op->region, v.t.attrs(s.node));
        for (int k = 0; k < s.operand_count; ++k) {
            step_operand const& o = v.operand_of(s, k);
            if (!o.has_memory()) continue;
            int const result = k - s.read_count;
            bool const stacks = result >= form.carries && result < form.carries + form.stacked;
            bool const in_turns = result < 0 ? form.is_slice(k) : stacks;
            extent_id rows = in_turns ? v.loop_extent(s, 0) : one_extent;
            if (stacks && !(form.rows(result) == form.length)) rows = v.id_of(form.rows(result));
            v.add(k, -1, result >= 0, {v.id(o.offset), 2, {rows, v.id(o.inner)}, {v.id(o.stride[0]), one_extent}});
        }
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const&, plan_step const&) {
        return false;
    }
};

/// An update: its gradient, and its indices if it is sparse. A fused update reads registers only.
struct checked_update {
    static constexpr step_kind kind = step_kind::update;
    static constexpr char const* name = "update";
    static constexpr kind_traits traits{.updates = true};

    template<class Verifier>
    static constexpr int addressed(Verifier& v, int index) {
        plan_step const& s = v.p.steps[index];
        return s.fused ? 0 : s.sparse ? 2 : 1;
    }
    template<class Verifier>
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        if (s.fused) return;
        if (!s.sparse) return v.add_flat(s, 0, v.id(s.inner), false);
        step_operand const& o = v.operand_of(s, 0);   // slice n is row (n / extent[1], n % extent[1])
        v.add(0, -1, false,
            {v.id(o.offset), 3, {v.loop_extent(s, 3), v.loop_extent(s, 1), v.id(s.inner)},
                {v.id(o.stride[0]), v.id(o.stride[1]), one_extent}});
        v.add_flat(s, 1, v.loop_extent(s, 0), false);
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const&, plan_step const& s) {
        return s.joined_to == 0;
    }
};

/// A check: its indices.
struct checked_check {
    static constexpr step_kind kind = step_kind::check;
    static constexpr char const* name = "check";
    static constexpr kind_traits traits{.checks_indices = true};

    template<class Verifier>
    static constexpr int addressed(Verifier&, int) {
        return 1;
    }
    template<class Verifier>
    static constexpr void find_accesses(Verifier& v, plan_step const& s) {
        v.add_flat(s, 0, v.loop_extent(s, 0), false);
    }
    template<class Verifier>
    static constexpr bool may_run_in_parts(Verifier const&, plan_step const&) {
        return true;
    }
};

/// Each type has these members:
///
///     kind, name, traits
///     addressed(v, index)         number of operands that the kernel addresses; -1 after a reported fault
///     find_accesses(v, step)      adds the memory that the kernel reads and writes
///     may_run_in_parts(v, step)   whether iterations of the loop that is split write separate memory, and its length is not in the
///                                 type of the kernel
using checked_kinds = step_kinds<checked_nest, checked_product, checked_kernel, checked_region, checked_update, checked_check>;

struct traits_by_kind {
    kind_traits of[step_kind_count];
};
inline constexpr traits_by_kind known_traits = [] {
    traits_by_kind r{};
    checked_kinds::each([&](auto kind) { r.of[static_cast<int>(kind.kind)] = kind.traits; });
    return r;
}();
/// The traits of a step that has passed check_step. Any other step may have no kind.
constexpr kind_traits const& traits_of(plan_step const& s) { return known_traits.of[static_cast<int>(s.kind)]; }

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
