// SPDX-License-Identifier: MIT
// Flops and bytes of steps as polynomials: what the kinds of steps count with.
#pragma once

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
/// What the planner's side may know of an update rule.
struct rule_facts {
    std::string_view name;
    slot_info const* slots;   // those of a variable
    int slot_count;
    int flops;   // per element
    bool lazy;   // touches only the rows of a sparse gradient
};
template<class R>
constexpr rule_facts facts_of_rule() {
    rule_facts f{R::name, rule_slots<R>.first, slot_count<R>, 0, R::sparse == std::remove_cvref_t<decltype(R::sparse)>::lazy};
    if constexpr (requires { R::flops; }) f.flops = R::flops;
    return f;
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
constexpr cost_polynomial widen(extent const& e) {
    cost_polynomial r{};
    r.add(e);
    return r;
}

/// The counts of the steps of one plan.
template<class Plan>
struct step_counter {
    cost_counts const* regions;   // a turn of each loop
    Plan const& plan;
    table_view table;
    rule_facts const* rules;

    constexpr extent const& pool(short i) const { return plan.polynomials[i]; }
    constexpr bool moves(short stride) const { return !(pool(stride) == static_extent(0)); }
    static constexpr cost_polynomial times(cost_polynomial const& a, extent const& b) { return multiply<12>(a, b); }

    /// Different elements of an operand that a step visits.
    constexpr cost_polynomial elements(planner::plan_step const& s, planner::step_operand const& o) const {
        cost_polynomial n = cost_number(1);
        if (s.kind == planner::step_kind::matmul) {
            if (moves(o.stride[0])) n = times(n, pool(s.extent[0]));
            return moves(o.inner) ? times(n, pool(s.extent[1])) : n;
        }
        for (int d = 0; d < s.outer_rank; ++d)
            if (moves(o.stride[d])) n = times(n, pool(s.extent[d]));
        return moves(o.inner) ? times(n, pool(s.inner)) : n;
    }
    /// How often an instruction of a level runs.
    constexpr cost_polynomial repetitions(planner::plan_step const& s, int level) const {
        cost_polynomial n = cost_number(1);
        if (s.kind == planner::step_kind::matmul) {
            if (level > 0) n = times(n, pool(s.extent[0]));
            return level > 1 ? times(n, pool(s.extent[1])) : n;
        }
        if (level > 0)
            for (int d = 0; d < s.outer_rank; ++d) n = times(n, pool(s.extent[d]));
        return level > 1 ? times(n, pool(s.inner)) : n;
    }
    static constexpr void touch(cost_polynomial& bytes, cost_polynomial const& n, dtype type, std::int64_t often = 1) {
        bytes.add(n, often * static_cast<std::int64_t>(size_of(type)));
    }
    /// What is handed on from step to step in the first cache.
    constexpr bool passes(planner::step_operand const& o) const {
        return o.base == planner::step_operand::where::buffer && plan.buffers[o.index].passing;
    }
    constexpr void count_instructions(planner::plan_step const& s, cost_counts& c) const {
        cost_polynomial const runs[3] = {repetitions(s, 0), repetitions(s, 1), repetitions(s, 2)};   // of each level
        for (int k = 0; k < s.ins_count; ++k) {
            planner::instruction const& i = plan.ins[s.first_ins + k];
            cost_polynomial const& n = runs[i.level];
            if (i.kind == planner::ins_kind::apply) c.flops.add(n, i.op->flops);
            if (i.kind == planner::ins_kind::reduce) c.flops.add(n);
            if (i.kind == planner::ins_kind::random) c.flops.add(n, table[plan.operands[s.first_operand + i.operand].node].op->flops);
        }
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

/// The frame of a step in a picture; without a title it has that of the step's words.
struct step_frame {
    std::string_view title, fill, line;
};

}   // namespace detail
XGRAD_NAMESPACE_END
