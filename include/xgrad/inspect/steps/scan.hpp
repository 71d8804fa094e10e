// SPDX-License-Identifier: MIT
// Loops over a region: text, cost and picture. The contents of the body are shown inside.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_scan {
    static constexpr planner::step_kind kind = planner::step_kind::scan;
    static constexpr kernel_text words{"scan", "loop over a body", "loops over a body", {}, {}};
    static constexpr step_frame frame{"loop over time", "#f7f7f4", "#8a8a70"};
    static constexpr bool writes_behind_reads = true;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        region_form const form = form_of(*s.op->region, counter.table.attrs(s.node));
        int loop = 0;
        for (int k = 0; k < index; ++k) loop += counter.plan.steps[k].kind == kind;
        cost_counts turn = counter.regions[loop];
        auto moved = [&](int k) -> cost_polynomial {   // size of what an iteration produces and stores
            planner::step_operand const& o = counter.plan.operands[s.first_operand + s.read_count + k];
            return Counter::times(cost_number(static_cast<std::int64_t>(size_of(o.type))), counter.pool(o.inner));
        };
        for (int k = 0; k < form.carries; ++k) {
            c.read.add(moved(k));   // at the start
            c.written.add(moved(k));
            turn.read.add(moved(k));
            turn.written.add(moved(k));
        }
        for (int k = form.carries; k < form.outputs(); ++k) {
            bool const summed = k >= form.carries + form.stacked;
            turn.read.add(moved(k), summed ? 2 : 1);
            turn.written.add(moved(k));
            planner::step_operand const& o = counter.plan.operands[s.first_operand + s.read_count + k];
            if (!summed) continue;
            c.written.add(moved(k));   // zeros
            turn.flops.add(counter.pool(o.inner));
        }
        extent const& turns = counter.pool(s.extent[0]);
        c.flops.add(Counter::times(turn.flops, turns));
        c.read.add(Counter::times(turn.read, turns));
        c.written.add(Counter::times(turn.written, turns));
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        auto const& loop = w.text.loop(index);
        auto const text = loop.body();
        Writer body(text);
        int const operands = loop.carries + loop.slices + loop.captures;
        auto result = [&](int k) { return body.names(text.output_operands[k]); };
        w.out += w.extent_of(s.extent[0]) + " turns" + (loop.backwards ? ", backwards" : "") + "\n";
        for (int i = 0; i < text.input_count; ++i) {
            int const k = loop.operand_of_input[i];
            std::string const from = w.operand_at(s, k), name(text.inputs[i].name);
            if (k < loop.carries) w.line(name + " from " + from + ", then " + result(k) + " → " + w.operand_at(s, operands + k));
            else if (k < loop.carries + loop.slices) w.line(name + " = " + from + "[t]");
            else if (name != from) w.line(name + " = " + from);
        }
        int n = loop.carries;
        for (int k = 0; k < loop.stacked + loop.summed; ++k) {
            std::string const to = w.operand_at(s, operands + loop.carries + k);
            if (to == "_") continue;
            bool const history = k >= loop.emitted && k < loop.stacked;
            if (history) w.line("carry " + std::to_string(k - loop.emitted) + " before each turn → " + to + "[t]");
            else w.line(result(n++) + (k < loop.stacked ? " → " + to + "[t]" : ", summed → " + to));
        }
        body.write_steps();
        std::string const& steps = body.out;
        for (std::size_t at = 0; at < steps.size();) {
            std::size_t const end = steps.find('\n', at);
            w.line(steps.substr(at, end - at));
            at = end + 1;
        }
        w.line("arena of a turn " + body.arena());
    }
    // The body is drawn in the frame of its loop. Its inputs and results are connected to the memory that contains them.
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        planner::plan_step const& s = d.text.steps[index];
        std::string const id = d.id(index);
        auto const& loop = d.text.loop(index);
        auto const text = loop.body();
        Picture body(text, id + "_");
        body.contents();
        d.nodes += body.nodes;
        d.edges += body.edges;
        int const operands = loop.carries + loop.slices + loop.captures;
        for (int n = 0; n < text.input_count; ++n) d.read(d.operand(s, loop.operand_of_input[n]), id + "_input" + std::to_string(n));
        auto result = [&](int n) { return id + "_result" + std::to_string(n); };
        auto carry = [&](int c) {   // its node in the body
            int n = 0;
            while (loop.operand_of_input[n] != c) ++n;
            return id + "_input" + std::to_string(n);
        };
        int n = loop.carries;
        for (int k = 0; k < loop.carries; ++k) {
            d.wrote(d.operand(s, operands + k), result(k));
            d.edge(result(k), carry(k), "style=dotted, constraint=false");
        }
        for (int k = 0; k < loop.stacked + loop.summed; ++k) {
            planner::step_operand const& o = d.operand(s, operands + loop.carries + k);
            if (!o.has_memory()) continue;
            d.wrote(o, k >= loop.emitted && k < loop.stacked ? carry(k - loop.emitted) : result(n++));
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
