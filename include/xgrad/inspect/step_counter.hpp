// SPDX-License-Identifier: MIT
// Flops and bytes of steps as polynomials. The kinds of steps use it to count.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/rule_state.hpp>
#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/plan.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// Counts of one step or of a whole program.
struct cost_counts {
    cost_polynomial flops;
    cost_polynomial read;      // bytes
    cost_polynomial written;   // bytes
};

namespace detail {
/// What the planner may know about an update rule.
struct rule_facts {
    std::string_view name;
    slot_info const* slots;   // of a variable
    int slot_count;
    int flops;   // per element
    bool lazy;   // touches only the rows of a sparse gradient
};
template<class R>
constexpr rule_facts facts_of_rule() {
    return {R::name, rule_slots<R>.first, slot_count<R>, flops_of<R>, R::sparse == std::remove_cvref_t<decltype(R::sparse)>::lazy};
}
template<class Tuple>
struct rule_list;
template<class... R>
struct rule_list<std::tuple<R...>> {
    static constexpr int count = sizeof...(R);
    static constexpr rule_facts facts[sizeof...(R) + 1] = {facts_of_rule<R>()..., {}};
};

constexpr cost_polynomial cost_number(std::int64_t n) {
    cost_polynomial r{};
    r.constant = n;
    return r;
}
/// A product of extents, stored as pointers to its factors. They must outlive it. Usually one factor is named and the others are numbers:
/// this avoids multiplications of polynomials, which took most of the compile time of counting.
class element_count {
    extent const* factors_[max_rank + 1]{};
    int count_ = 0;

public:
    constexpr element_count() = default;
    constexpr element_count(extent const& e) { multiply(e); }
    constexpr void multiply(extent const& e) { factors_[count_++] = &e; }
    constexpr void add_to(cost_polynomial& sum, std::int64_t often) const {
        extent const* named[max_rank + 1];
        int names = 0;
        for (int k = 0; k < count_; ++k)
            if (factors_[k]->is_static() && !factors_[k]->overflow) often *= factors_[k]->constant;
            else named[names++] = factors_[k];
        if (names == 0) {
            sum.constant += often;
            return;
        }
        if (names == 1) {
            sum.add(*named[0], often);
            return;
        }
        cost_polynomial wide = xgrad::multiply<12>(*named[0], *named[1]);
        for (int k = 2; k < names; ++k) wide = xgrad::multiply<12>(wide, *named[k]);
        sum.add(wide, often);
    }
};

/// The counts of the steps of one plan.
template<class Plan>
struct step_counter {
    cost_counts const* regions;   // one run of each body
    bool const* in_registers;     // of each body
    Plan const& plan;
    table_view table;
    rule_facts const* rules;

    constexpr extent const& pool(short i) const { return plan.polynomials[i]; }
    constexpr bool moves(short stride) const { return !(pool(stride) == static_extent(0)); }
    static constexpr cost_polynomial times(cost_polynomial const& a, extent const& b) { return multiply<12>(a, b); }

    /// The number of different elements of an operand that a step visits.
    constexpr element_count elements(planner::plan_step const& s, planner::step_operand const& o) const {
        element_count n;
        for (int d = 0; d < s.outer_loops(); ++d)
            if (moves(o.stride[d])) n.multiply(pool(s.extent[d]));
        if (moves(o.inner)) n.multiply(pool(s.inner_loop()));
        return n;
    }
    /// How often an instruction of a level runs.
    constexpr element_count repetitions(planner::plan_step const& s, int level) const {
        element_count n;
        for (int d = 0; level > 0 && d < s.outer_loops(); ++d) n.multiply(pool(s.extent[d]));
        if (level > 1) n.multiply(pool(s.inner_loop()));
        return n;
    }
    static constexpr void touch(cost_polynomial& bytes, element_count const& n, dtype type, std::int64_t often = 1) {
        n.add_to(bytes, often * static_cast<std::int64_t>(size_of(type)));
    }
    /// Whether an operand is passed from step to step in the first-level cache.
    constexpr bool passes(planner::step_operand const& o) const {
        return o.base == planner::step_operand::where::buffer && plan.buffers[o.index].passing;
    }
    constexpr void count_instructions(planner::plan_step const& s, cost_counts& c) const {
        std::int64_t flops[3]{};   // of one execution of each level
        for (int k = 0; k < s.ins_count; ++k) {
            planner::instruction const& i = plan.ins[s.first_ins + k];
            if (i.kind == planner::ins_kind::apply) flops[i.level] += i.op->flops;
            if (i.kind == planner::ins_kind::reduce) ++flops[i.level];
            if (i.kind == planner::ins_kind::random) flops[i.level] += table[plan.operands[s.first_operand + i.operand].node].op->flops;
        }
        for (int level = 0; level < 3; ++level)
            if (flops[level] > 0) repetitions(s, level).add_to(c.flops, flops[level]);
        for (int k = 0; k < s.operand_count; ++k) {
            bool read = false, written = false;
            for (int q = 0; q < s.ins_count; ++q) {
                planner::instruction const& i = plan.ins[s.first_ins + q];
                if (i.operand != k) continue;
                read = read || i.kind == planner::ins_kind::load;
                written = written || i.kind == planner::ins_kind::store || (i.kind == planner::ins_kind::reduce && i.outer != 0);
                if (i.kind == planner::ins_kind::reduce && i.inner == 0) written = true;
            }
            planner::step_operand const& o = plan.operands[s.first_operand + k];
            if (passes(o)) continue;
            if (read) touch(c.read, elements(s, o), o.type);
            if (written) touch(c.written, elements(s, o), o.type);
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
