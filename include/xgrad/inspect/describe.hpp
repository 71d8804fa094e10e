// SPDX-License-Identifier: MIT
// describe: a plan as text, one line for each step. summarize is here as well.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/inspect/step_text.hpp>
#include <xgrad/inspect/summarize.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

class plan_writer {
    static std::string padded(std::string s, std::size_t width) {
        s.append(s.size() < width ? width - s.size() : 0, ' ');
        return s;
    }
    void list(char const* title, named_value const* v, int count, bool mark_fixed) {
        for (int i = 0; i < count; ++i) {
            out += padded(i == 0 ? title : "", 11) + value_text(v[i]);
            if (mark_fixed && !v[i].trained) out += ", not updated";
            out += "\n";
        }
    }

public:
    plan_text const& text;
    memory_names names;
    std::string out;

    explicit plan_writer(plan_text const& t) : text(t), names(t) {}

    // What the kinds of steps write with.
    std::string extent_of(short i) const { return polynomial_text(text.pool[i]); }
    std::string operand_name(planner::plan_step const& s, int k) const { return names(text.operands[s.first_operand + k]); }
    /// An operand whose `inner` is a length and no stride; `_` if nobody reads it.
    std::string operand_at(planner::plan_step const& s, int k) const {
        planner::step_operand o = text.operands[s.first_operand + k];
        o.inner = planner::one_extent;
        return o.has_memory() ? names(o) : "_";
    }
    step_writer instructions(int step) const { return step_writer(text, names, step); }
    void line(std::string const& words) { out += std::string(12, ' ') + words + "\n"; }

    std::string arena() const {
        cost_polynomial sum{};
        for (int b = 0; b < text.block_count; ++b) sum.add(text.blocks[b].bytes);
        return polynomial_text(sum) + " bytes in " + std::to_string(text.block_count) + (text.block_count == 1 ? " block" : " blocks");
    }
    void write_steps() {
        for (int i = 0; i < text.step_count; ++i)
            inspected_steps::visit(text.steps[i].kind, [&](auto kind) {
                std::string const number = std::to_string(i);
                out += std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " ";
                out += padded(std::string(words_of(text, i).title), 8);
                kind.write(*this, i);
            });
    }
    std::string write() {
        int updates = 0;
        for (int i = 0; i < text.step_count; ++i) updates += text.steps[i].kind == planner::step_kind::update;
        out = "steps      " + std::to_string(text.step_count);
        if (updates > 0) out += ", " + std::to_string(updates) + (updates == 1 ? " of them an update" : " of them updates");
        out += "\n";
        list("inputs", text.inputs, text.input_count, false);
        list("variables", text.variables, text.variable_count, updates > 0);
        for (int k = 0; k < text.output_count; ++k) {
            out += padded(k == 0 ? text.output_count == 1 ? "result" : "results" : "", 11) + names(text.output_operands[k]) + " " +
                   shape_text(text.outputs[k].dims) + " " + std::string(to_string(text.outputs[k].type)) + "\n";
        }
        out += "\n";
        write_steps();
        out += "\narena      " + arena() + "\n";
        for (int b = 0; b < text.block_count; ++b) {
            out += padded("  " + std::to_string(b), 11) + polynomial_text(text.blocks[b].bytes) + ":";
            char const* comma = " ";
            for (int k = 0; k < text.buffer_count; ++k) {
                planner::plan_buffer const& q = text.buffers[k];
                if (q.place != b) continue;
                bool const kept = q.last >= text.step_count;
                out += comma + names.buffer(k) + " (" + std::to_string(q.first) +
                       (kept                  ? " to the end"
                           : q.last > q.first ? " to " + std::to_string(q.last)
                                              : "") +
                       ")";
                comma = ", ";
            }
            out += "\n";
        }
        auto cost = [&](char const* title, cost_polynomial const& p, char const* unit) {
            out += padded(title, 11) + (text.fits ? polynomial_text(p) : std::string("a polynomial of too many terms")) + unit + "\n";
        };
        cost("flops", text.cost->flops, "");
        cost("read", text.cost->read, " bytes");
        cost("written", text.cost->written, " bytes");
        return out;
    }
};

inline std::string describe_text(plan_text const& t) { return plan_writer(t).write(); }

}   // namespace detail

/// The plan of a trainer, function or program type as text: inputs, variables, results; each step with what is fused into it; the arena's
/// blocks and who shares them; flops and bytes. The text is the same on every machine: it does not depend on the instruction set.
/// docs/describe.md explains the notation.
template<class X>
std::string describe() {
    if constexpr (detail::is_program<program_type_of<X>>) return detail::describe_text(detail::text_of<program_type_of<X>>());
    else return {};
}
template<class X>
std::string describe(X const&) {
    return describe<X>();
}
/// Writes the description to a stream.
template<class Stream, class X>
void describe(Stream& out, X const&) {
    out << describe<X>();
}

XGRAD_NAMESPACE_END
