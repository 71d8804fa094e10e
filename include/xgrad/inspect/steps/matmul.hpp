// SPDX-License-Identifier: MIT
// Matrix products: text, cost and picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_product {
    static constexpr planner::step_kind kind = planner::step_kind::matmul;
    static constexpr kernel_text words{"matmul", "matrix product", "matrix products", {}, {}};
    static constexpr step_frame frame{"product", "#fdeedd", "#b8762c"};
    static constexpr bool writes_behind_reads = false;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        extent const &m = counter.pool(s.extent[0]), &n = counter.pool(s.extent[1]), &k = counter.pool(s.extent[2]);
        element_count left = m, right = k;
        left.multiply(k);
        right.multiply(n);
        counter.count_instructions(s, c);
        Counter::touch(c.read, left, s.memory);
        Counter::touch(c.read, right, s.memory);
        left.multiply(n);
        left.add_to(c.flops, 2);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        std::string const a = w.operand_name(s, s.read_count) + (s.transpose_a ? "ᵀ" : ""),
                          b = w.operand_name(s, s.read_count + 1) + (s.transpose_b ? "ᵀ" : "");
        w.out += "[" + w.extent_of(s.extent[0]) + ", " + w.extent_of(s.extent[1]) + "] = " + a + " · " + b;
        if (s.memory != s.type) w.out += " in double";
        if (s.back_at > 0)
            w.out += ", a few rows at a time with steps " + std::to_string(index + s.loop_at) + " and " + std::to_string(index + s.back_at);
        if (s.update_at > 0) {
            planner::plan_step const& u = w.text.steps[index + s.update_at];
            w.out += ", then " + std::string(w.text.rules[u.group].name) + " on " + w.names.variable(u.variable) + "\n";
            return;
        }
        std::string chain;
        if (w.instructions(index).chain(chain)) {
            w.out += chain + "\n";
            return;
        }
        w.out += "\n";
        for (auto const& l : w.instructions(index).statements()) w.line(l.text);
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        planner::plan_step const& s = d.text.steps[index];
        std::string const p = d.id(index) + "_0";
        d.node(p, std::string(s.transpose_a ? "aᵀ" : "a") + " · " + (s.transpose_b ? "bᵀ" : "b"), ", fillcolor=\"#f8d3a4\"");
        d.read(d.operand(s, s.read_count), p);
        d.read(d.operand(s, s.read_count + 1), p);
        if (s.update_at > 0) d.update(index + s.update_at, p);
        else d.instructions(index, p);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
