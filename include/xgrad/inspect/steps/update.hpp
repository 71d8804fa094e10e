// SPDX-License-Identifier: MIT
// Updates of variables in text, cost and picture.
#pragma once

#include <xgrad/inspect/step_counter.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_update {
    static constexpr planner::step_kind kind = planner::step_kind::update;
    static constexpr kernel_text words{"update", "update", "updates", {}, {}};
    static constexpr step_frame frame{"update", "#f1e9f7", "#7d55a0"};
    static constexpr bool writes_behind_reads = false;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        rule_facts const& rule = counter.rules[s.group];
        cost_polynomial n = widen(counter.pool(s.inner));   // elements of the variable
        if (s.sparse) {
            Counter::touch(c.read, rows_of_values(counter, s), s.type);
            Counter::touch(c.read, widen(counter.pool(s.extent[0])), s.index_type);
            n = Counter::times(n, counter.pool(rule.lazy ? s.extent[0] : s.extent[2]));
        } else if (!s.fused) Counter::touch(c.read, n, s.type);
        Counter::touch(c.read, n, s.memory);
        Counter::touch(c.written, n, s.memory);
        for (int k = 0; k < rule.slot_count; ++k) {
            dtype const type = rule.slots[k].type_for(s.type);
            cost_polynomial const numbers = slot_numbers(counter, s, rule.slots[k].scope, n);
            Counter::touch(c.read, numbers, type);
            Counter::touch(c.written, numbers, type);
        }
        c.flops.add(n, rule.flops);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        rule_facts const& rule = w.text.rules[s.group];
        w.out += w.names.variable(s.variable) + " by " + std::string(rule.name);
        if (s.fused) w.out += ", done in step " + std::to_string(index - s.joined_to);
        else if (!s.sparse) w.out += ", gradient " + w.operand_name(s, 0);
        else w.out += ", gradient rows " + w.operand_name(s, 0) + " by " + w.operand_name(s, 1) + (rule.lazy ? "" : ", all rows move");
        w.out += "\n";
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        d.update(index, {});
    }

private:
    template<class Counter>   // indices may share them, as the rows of a bag do
    static constexpr cost_polynomial rows_of_values(Counter const& counter, planner::plan_step const& s) {
        planner::step_operand const& values = counter.plan.operands[s.first_operand];
        cost_polynomial n = widen(counter.pool(s.inner));
        if (counter.moves(values.stride[0])) n = Counter::times(n, counter.pool(s.extent[3]));
        return counter.moves(values.stride[1]) ? Counter::times(n, counter.pool(s.extent[1])) : n;
    }
    /// Numbers of a slot that an update of n elements moves.
    template<class Counter>
    static constexpr cost_polynomial slot_numbers(
        Counter const& counter, planner::plan_step const& s, per scope, cost_polynomial const& n) {
        shape const& v = counter.table.dims(s.node);
        axis_range const axes = axes_of(scope, v.rank);
        if (scope == per::element) return n;
        if (scope == per::row && s.sparse && counter.rules[s.group].lazy) return widen(counter.pool(s.extent[0]));
        cost_polynomial numbers = cost_number(1);
        for (int d = axes.first; d < axes.first + axes.count; ++d) numbers = Counter::times(numbers, v.extents[d]);
        return numbers;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
