// SPDX-License-Identifier: MIT
// Updates of variables: text, cost and picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

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
        element_count n = counter.pool(s.inner);   // elements of the variable
        if (s.sparse) {
            Counter::touch(c.read, rows_of_values(counter, s), s.type);
            Counter::touch(c.read, counter.pool(s.extent[0]), s.index_type);
            n.multiply(counter.pool(rule.lazy ? s.extent[0] : s.extent[2]));
        } else if (!s.fused) Counter::touch(c.read, n, s.type);
        Counter::touch(c.read, n, s.memory);
        Counter::touch(c.written, n, s.memory);
        for (int k = 0; k < rule.slot_count; ++k) {
            dtype const type = rule.slots[k].type_for(s.type);
            element_count const numbers = slot_numbers(counter, s, rule.slots[k].scope, n);
            Counter::touch(c.read, numbers, type);
            Counter::touch(c.written, numbers, type);
        }
        n.add_to(c.flops, rule.flops);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        rule_facts const& rule = w.text.rules[s.group];
        w.out += w.names.variable(s.variable) + " by " + std::string(rule.name);
        if (s.fused) w.out += ", done in step " + std::to_string(index - s.joined_to);
        else if (!s.sparse) w.out += ", gradient " + w.operand_name(s, 0);
        else w.out += ", gradient rows " + w.operand_name(s, 0) + " by " + w.operand_name(s, 1) + (rule.lazy ? "" : ", all rows move");
        if (!s.fused && s.joined_to > 0) w.out += ", row by row in step " + std::to_string(index - s.joined_to);
        w.out += "\n";
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        d.update(index, {});
    }

private:
    // Indices may share rows of values, as in the gradient of a bag.
    template<class Counter>
    static constexpr element_count rows_of_values(Counter const& counter, planner::plan_step const& s) {
        planner::step_operand const& values = counter.plan.operands[s.first_operand];
        element_count n = counter.pool(s.inner);
        if (counter.moves(values.stride[0])) n.multiply(counter.pool(s.extent[3]));
        if (counter.moves(values.stride[1])) n.multiply(counter.pool(s.extent[1]));
        return n;
    }
    /// The numbers of a slot that an update of n elements changes.
    template<class Counter>
    static constexpr element_count slot_numbers(Counter const& counter, planner::plan_step const& s, per scope, element_count const& n) {
        shape const& v = counter.table.dims(s.node);
        axis_range const axes = axes_of(scope, v.rank);
        if (scope == per::element) return n;
        if (scope == per::row && s.sparse && counter.rules[s.group].lazy) return counter.pool(s.extent[0]);
        element_count numbers;
        for (int d = 0; d < axes.count; ++d) numbers.multiply(v.extents[axes.at(d)]);
        return numbers;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
