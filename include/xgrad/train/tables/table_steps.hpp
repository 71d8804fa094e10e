// SPDX-License-Identifier: MIT
// The steps of a plan that move tables by rows, and those that read the tables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/plan.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The updates by indexed rows for which `Is::template of<Rule>(step)` holds.
template<class P, class Is>
struct table_steps {
    static constexpr bool is_table(int i) {
        planner::plan_step const s = P::plan.steps[i];
        return s.updates_rows() && [&]<std::size_t... G>(std::index_sequence<G...>) {
            return ((s.group == static_cast<int>(G) && Is::template of<std::tuple_element_t<G, typename P::rules>>(s)) || ...);
        }(std::make_index_sequence<std::tuple_size_v<typename P::rules>>{});
    }
    static constexpr int count() {
        int all = 0;
        for (int i = 0; i < P::plan.step_count; ++i) all += is_table(i);
        return all;
    }
    /// The name of the table that an update moves.
    static constexpr std::string_view name_of(int update) { return P::runtime.view().variables[P::plan.steps[update].variable].name; }
    static constexpr int step_of(int k) {
        int i = 0;
        for (;; ++i)
            if (is_table(i) && k-- == 0) return i;
    }
    /// Whether only that update and steps for which `reads(step)` holds use the table. What bodies read are operands of their step.
    template<class Reads>
    static constexpr bool is_only_read_by(int update, Reads const& reads) {
        using where = planner::step_operand::where;
        short const variable = P::plan.steps[update].variable;
        auto const is = [&](planner::step_operand const& o) { return o.base == where::variable && o.index == variable; };
        for (int j = 0; j < P::plan.step_count; ++j) {
            planner::plan_step const s = P::plan.steps[j];
            if (j != update && planner::facts_of(s.kind).updates_variable && s.variable == variable) return false;
            for (int k = 0; k < s.operand_count; ++k)
                if (is(P::plan.operands[s.first_operand + k]) && !reads(s)) return false;
        }
        for (int k = 0; k < P::plan.output_count; ++k)
            if (is(P::plan.outputs[k])) return false;
        return true;
    }
};

constexpr bool looks_up_rows(planner::plan_step const& s) {
    return planner::facts_of(s.kind).has_own_kernel &&
           (s.op->name == std::string_view("gather") || s.op->name == std::string_view("embedding_bag"));
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
