// SPDX-License-Identifier: MIT
// Steps that check indices: text, cost and picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_check {
    static constexpr planner::step_kind kind = planner::step_kind::check;
    static constexpr kernel_text words{"check", "check of indices", "checks of indices", {}, {}};
    static constexpr step_frame frame{"check", "#f3f3f3", "#777777"};
    static constexpr bool writes_behind_reads = false;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        Counter::touch(c.read, counter.pool(s.extent[0]), s.index_type);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        w.out += "rows of " + table_of(w, s) + " are [0, " + w.extent_of(s.extent[2]) + "): all of " + w.operand_name(s, 0) + "\n";
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        planner::plan_step const& s = d.text.steps[index];
        std::string const id = d.id(index) + "_0";
        d.node(id, "rows of\n" + table_of(d, s) + "?");
        d.read(d.operand(s, 0), id);
    }

private:
    template<class Writer>
    XGRAD_COLD static std::string table_of(Writer const& w, planner::plan_step const& s) {
        return s.variable < 0 ? std::string("a table") : w.names.variable(s.variable);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
