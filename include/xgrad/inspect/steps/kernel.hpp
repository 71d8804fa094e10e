// SPDX-License-Identifier: MIT
// Kernels that operations define: text, cost and picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_counter.hpp>
#include <xgrad/inspect/step_frame.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct inspected_kernel {
    static constexpr planner::step_kind kind = planner::step_kind::kernel;
    static constexpr step_frame frame{"", "#e7f5e9", "#4a8a55"};   // no `words`: the operation defines them
    static constexpr bool writes_behind_reads = true;

    template<class Counter>
    static constexpr void count(Counter const& counter, int index, cost_counts& c) {
        planner::plan_step const& s = counter.plan.steps[index];
        planner::kernel_node const k(counter.table, s.node);
        for (int w = 0; w < k.count(); ++w) {
            planner::step_operand const& o = counter.plan.operands[s.first_operand + w];
            if (!o.has_memory() || counter.passes(o)) continue;
            bool const reads = w < k.operand_count(), repeated = k.layout_of(w) == layout::rows && !counter.moves(o.stride[0]);
            extent const elements = repeated ? size_after_first(k[w].dims) : reads ? k.read_of(w) : k[w].dims.size();
            Counter::touch(reads ? c.read : c.written, elements, o.type);
        }
        k.add_flops(c.flops, *s.op);
    }
    template<class Writer>
    XGRAD_COLD static void write(Writer& w, int index) {
        planner::plan_step const& s = w.text.steps[index];
        auto const& kernel = w.text.kernels[index];
        std::string_view const line = kernel.text.line;
        auto const number = [&](std::size_t at) { return line[at] - '0'; };
        for (std::size_t at = 0; at < line.size(); ++at) switch (line[at]) {
            case '@': w.out += std::string(kernel.name) + "(" + operands(w, s, 0, s.read_count) + ")"; break;
            case '%': w.out += w.operand_at(s, number(++at)); break;
            case '#': w.out += w.extent_of(w.text.params[s.first_param + number(++at)].size); break;
            case '>':
                if (line[++at] == '*') w.out += operands(w, s, s.read_count, s.operand_count - kernel.scratch_operands);
                else w.out += w.operand_at(s, s.read_count + number(at));
                break;
            default: w.out += line[at];
            }
        if (s.hands_on()) w.out += ", " + w.extent_of(s.extent[1]) + " turns at a time with step " + std::to_string(index + s.loop_at);
        w.out += "\n";
    }
    template<class Picture>
    XGRAD_COLD static void draw(Picture& d, int index) {
        planner::plan_step const& s = d.text.steps[index];
        auto const& kernel = d.text.kernels[index];
        std::string const id = d.id(index) + "_0";
        d.node(id, std::string(kernel.text.label.empty() ? kernel.name : kernel.text.label), ", fillcolor=\"#c9e8cf\"");
        for (int n = 0; n < s.operand_count; ++n) n < s.read_count ? d.read(d.operand(s, n), id) : d.wrote(d.operand(s, n), id);
    }

private:
    template<class Writer>
    XGRAD_COLD static std::string operands(Writer const& w, planner::plan_step const& s, int first, int last) {
        std::string r;
        for (int k = first; k < last; ++k) r += (k > first ? ", " : "") + w.operand_at(s, k);
        return r;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
