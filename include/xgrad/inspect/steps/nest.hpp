// SPDX-License-Identifier: MIT
// Loop nests: text, cost and picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_nest {
    static constexpr planner::step_kind kind = planner::step_kind::nest;
    static constexpr kernel_text words{"nest", "loop nest", "loop nests", {}, {}};
    static constexpr step_frame frame{"loop", "#e8f1fb", "#4a78a8"};
    static constexpr bool writes_behind_reads = false;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        counter.count_instructions(counter.plan.steps[index], c);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        w.out += "[";
        for (int d = 0; d < s.outer_rank; ++d) w.out += w.extent_of(s.extent[d]) + (d == s.lane ? " in lanes, " : ", ");
        w.out += w.extent_of(s.inner) + "]";
        auto const lines = w.instructions(index).statements();
        if (lines.count == 1) {
            w.out += "  " + lines.at[0].text + "\n";
            return;
        }
        int passes = 0, phase = -1;
        for (auto const& l : lines) {
            passes += l.phase != phase;
            phase = l.phase;
        }
        if (passes > 1) w.out += ", " + std::to_string(passes) + (s.outer_rank > 0 ? " passes over each row" : " passes");
        w.out += "\n";
        int pass = 0;
        phase = -1;
        for (auto const& l : lines) {
            pass += l.phase != phase;
            std::string const number = passes <= 1 ? "" : l.phase != phase ? std::to_string(pass) + ": " : "   ";
            w.line(number + l.text);
            phase = l.phase;
        }
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        d.instructions(index, {});
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
