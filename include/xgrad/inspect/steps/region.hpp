// SPDX-License-Identifier: MIT
// Steps that run bodies: text, cost and picture. The contents of the bodies are shown inside.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_region {
    static constexpr planner::step_kind kind = planner::step_kind::region;
    static constexpr step_frame frame{"", "#f7f7f4", "#8a8a70"};   // no `words`: the policy of the region defines them
    static constexpr bool writes_behind_reads = true;

    // Of a branch: the largest count of its bodies. Of a loop with a condition: one iteration.
    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        region_form const form = form_of(*s.op->region, counter.table.attrs(s.node));
        cost_counts turn = counter.regions[s.first_body];
        for (int b = 1; form.policy == region_policy::branch && b < s.body_count; ++b)
            if (cost_counts const& other = counter.regions[s.first_body + b]; other.flops.constant > turn.flops.constant) turn = other;
        auto size_of_operand = [&](int k) -> cost_polynomial {   // in one iteration
            planner::step_operand const& o = counter.plan.operands[s.first_operand + k];
            return Counter::times(cost_number(static_cast<std::int64_t>(size_of(o.type))), counter.pool(o.inner));
        };
        auto moved = [&](int k) { return size_of_operand(s.read_count + k); };   // what an iteration produces and stores
        if (counter.in_registers[s.first_body]) return count_registers(counter, form, s, turn, size_of_operand, c);
        if (form.policy != region_policy::loop) {   // the body writes its results where they are wanted
            if (form.policy == region_policy::until) c.flops.add(counter.regions[s.first_body + 1].flops);
            c.flops.add(turn.flops);
            c.read.add(turn.read);
            c.written.add(turn.written);
            return;
        }
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
        add_turns<Counter>(turn, counter.pool(s.extent[0]), c);
    }
    template<class Counter>
    static constexpr void add_turns(cost_counts const& turn, extent const& turns, cost_counts& c) {
        c.flops.add(Counter::times(turn.flops, turns));
        c.read.add(Counter::times(turn.read, turns));
        c.written.add(Counter::times(turn.written, turns));
    }
    // Operands are read where they are, and outputs are written once. Nothing else is in memory.
    template<class Counter, class Size>
    static constexpr void count_registers(
        Counter const& counter, region_form const& form, planner::plan_step const& s, cost_counts& turn, Size const& size, cost_counts& c) {
        turn.read = turn.written = {};
        for (int k = 0; k < form.operands(); ++k) (form.is_slice(k) ? turn : c).read.add(size(k));
        for (int k = 0; k < form.outputs(); ++k) {
            bool const in_turns = k >= form.carries && k < form.carries + form.stacked;
            (in_turns ? turn : c).written.add(size(s.read_count + k));
            if (form.loops() && k >= form.carries + form.stacked && k < form.carries + form.stacked + form.summed)
                turn.flops.add(counter.pool(counter.plan.operands[s.first_operand + s.read_count + k].inner));
        }
        if (form.policy == region_policy::until) turn.flops.add(counter.regions[s.first_body + 1].flops);
        add_turns<Counter>(turn, form.policy == region_policy::loop ? counter.pool(s.extent[0]) : static_extent(1), c);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        region_shape const& form = w.text.body_of(index).of;
        if (form.policy == region_policy::loop && form.control > 0)
            w.out += w.operand_at(s, s.read_count - 1) + " turns of at most " + w.extent_of(s.extent[0]) +
                     (form.backwards ? ", backwards" : "") + "\n";
        else if (form.policy == region_policy::loop)
            w.out += w.extent_of(s.extent[0]) + " turns" + (form.backwards ? ", backwards" : "") + "\n";
        else if (form.policy == region_policy::until) w.out += "body 0 while body 1, history of " + w.extent_of(s.extent[0]) + " turns\n";
        else if (form.policy == region_policy::branch)
            w.out += "one of " + std::to_string(s.body_count) + " bodies, selected by " + w.operand_at(s, s.read_count - 1) + "\n";
        else w.out += "a body\n";
        for (int b = 0; b < s.body_count; ++b) {
            if (s.body_count > 1) w.line("body " + std::to_string(b) + ":");
            write_body(w, s, w.text.body_of(index, b), b == 1 && form.policy == region_policy::until ? form.carries : 0);
        }
    }
    // `asked`: of a condition, the number of carries that it may read; otherwise 0.
    template<class Writer, class Body>
    XGRAD_COLD static void write_body(Writer& w, planner::plan_step const& s, Body const& of, int asked) {
        region_shape const& form = of.of;
        auto const text = of.plan();
        Writer body(text);
        int const operands = form.operands();
        auto result = [&](int k) { return body.names(text.output_operands[k]); };
        for (int i = 0; i < text.input_count; ++i) {
            int const k = form.operand_of_input[i];
            if (k < 0) continue;   // read by the gradient only
            std::string const from = w.operand_at(s, k), name(text.inputs[i].name);
            if (k < asked) w.line(name + " = carry " + std::to_string(k) + " of body 0");
            else if (k < form.carries) w.line(name + " from " + from + ", then " + result(k) + " → " + w.operand_at(s, operands + k));
            else if (k < form.carries + form.slices) w.line(name + " = " + from + "[t]");
            else if (name != from) w.line(name + " = " + from);
        }
        int n = form.carries;
        if (asked > 0) w.line("continues while " + result(0));
        for (int k = 0; asked == 0 && k < form.stacked + form.summed; ++k) {
            std::string const to = w.operand_at(s, operands + form.carries + k);
            if (to == "_") continue;
            bool const history = k >= form.emitted && k < form.stacked;
            if (history) w.line("carry " + std::to_string(k - form.emitted) + " before each turn → " + to + "[t]");
            else if (form.policy != region_policy::loop) w.line(result(n++) + " → " + to);
            else w.line(result(n++) + (k < form.stacked ? " → " + to + "[t]" : ", summed → " + to));
        }
        body.write_steps();
        std::string const& steps = body.out;
        for (std::size_t at = 0; at < steps.size();) {
            std::size_t const end = steps.find('\n', at);
            w.line(steps.substr(at, end - at));
            at = end + 1;
        }
        if (of.in_registers) w.line("in registers");
        else w.line((form.policy == region_policy::loop ? "arena of a turn " : "arena of the body ") + body.arena());
    }
    // Each body is drawn in the frame of its step. Its inputs and results are connected to the memory that contains them.
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        for (int b = 0; b < d.text.steps[index].body_count; ++b) draw_body(d, index, b);
    }
    template<class Picture>
    XGRAD_COLD static void draw_body(Picture& d, int index, int number) {
        planner::plan_step const& s = d.text.steps[index];
        std::string const id = d.id(index) + (number > 0 ? "_" + std::to_string(number) : "");
        auto const& of = d.text.body_of(index, number);
        region_shape const& form = of.of;
        region_shape const& first = d.text.body_of(index).of;
        bool const condition = number == 1 && first.policy == region_policy::until;
        auto const text = of.plan();
        Picture body(text, id + "_");
        body.contents();
        d.nodes += body.nodes;
        d.edges += body.edges;
        int const operands = form.operands();
        for (int n = 0; n < text.input_count; ++n)
            if (int const k = form.operand_of_input[n]; k >= 0) d.read(d.operand(s, k), id + "_input" + std::to_string(n));
        if (condition) {   // it reads the carries that the body has made
            for (int n = 0; n < text.input_count; ++n)
                if (int const k = form.operand_of_input[n]; k >= 0 && k < first.carries)
                    d.edge(
                        d.id(index) + "_result" + std::to_string(k), id + "_input" + std::to_string(n), "style=dotted, constraint=false");
            return;
        }
        auto result = [&](int n) { return id + "_result" + std::to_string(n); };
        auto carry = [&](int c) {   // its node in the body
            int n = 0;
            while (form.operand_of_input[n] != c) ++n;
            return id + "_input" + std::to_string(n);
        };
        int n = form.carries;
        for (int k = 0; k < form.carries; ++k) {
            d.wrote(d.operand(s, operands + k), result(k));
            d.edge(result(k), carry(k), "style=dotted, constraint=false");
        }
        for (int k = 0; k < form.stacked + form.summed; ++k) {
            planner::step_operand const& o = d.operand(s, operands + form.carries + k);
            if (!o.has_memory()) continue;
            d.wrote(o, k >= form.emitted && k < form.stacked ? carry(k - form.emitted) : result(n++));
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
