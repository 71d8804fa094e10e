// SPDX-License-Identifier: MIT
// describe: a plan as text, one line for each step. Also includes summarize.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/inspect/step_text.hpp>
#include <xgrad/inspect/summarize.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Writes the description of one plan, or of the body of a loop.
class plan_writer {
    // Writes a word and pads it with spaces to that width.
    XGRAD_COLD void add_padded(std::string_view word, std::size_t width) {
        append(out, {word, std::string_view("            ", word.size() < width ? width - word.size() : 0)});
    }
    XGRAD_COLD void list(char const* title, named_value const* v, int count, bool mark_fixed) {
        for (int i = 0; i < count; ++i) {
            add_padded(i == 0 ? title : "", 11);
            append(out, {value_text(v[i]), mark_fixed && !v[i].trained ? ", not updated\n" : "\n"});
        }
    }
    XGRAD_COLD void begin_step(int step, std::string_view title) {
        append(out, {std::string_view("  ", step < 10 ? 2 : step < 100 ? 1 : 0), step, " "});
        add_padded(title, 8);
    }
    XGRAD_COLD void cost(char const* title, cost_polynomial const& p, char const* unit) {
        add_padded(title, 11);
        append(out, {text.fits ? polynomial_text(p) : message({"a polynomial of too many terms"}), unit, "\n"});
    }

public:
    plan_text const& text;
    memory_names names;
    std::string out;

    explicit plan_writer(plan_text const& t) : text(t), names(t) {}

    // Used by the kinds of steps to write their text.
    std::string extent_of(short i) const { return polynomial_text(text.pool[i]); }
    std::string operand_name(planner::plan_step const& s, int k) const { return names(text.operands[s.first_operand + k]); }
    /// An operand whose `inner` is a length and not a stride; `_` if it is not read.
    XGRAD_COLD std::string operand_at(planner::plan_step const& s, int k) const {
        planner::step_operand o = text.operands[s.first_operand + k];
        o.inner = planner::one_extent;
        return o.has_memory() ? names(o) : "_";
    }
    step_writer instructions(int step) const { return step_writer(text, names, step); }
    XGRAD_COLD void line(std::string const& words) { append(out, {"            ", words, "\n"}); }

    XGRAD_COLD std::string arena() const {
        cost_polynomial sum{};
        for (int b = 0; b < text.block_count; ++b) sum.add(text.blocks[b].bytes);
        return message({polynomial_text(sum), " bytes in ", text.block_count, text.block_count == 1 ? " block" : " blocks"});
    }
    XGRAD_COLD void write_steps() {
        for (int i = 0; i < text.step_count; ++i)
            inspected_steps::visit(text.steps[i].kind, [&](auto kind) {
                begin_step(i, words_of(text, i).title);
                kind.write(*this, i);
            });
    }
    XGRAD_COLD std::string write() {
        int updates = 0;
        for (int i = 0; i < text.step_count; ++i) updates += planner::facts_of(text.steps[i].kind).updates_variable;
        append(out, {"steps      ", text.step_count});
        if (updates > 0) append(out, {", ", updates, updates == 1 ? " of them an update" : " of them updates"});
        append(out, {"\n"});
        list("inputs", text.inputs, text.input_count, false);
        list("variables", text.variables, text.variable_count, updates > 0);
        for (int k = 0; k < text.output_count; ++k) {
            add_padded(k == 0 ? text.output_count == 1 ? "result" : "results" : "", 11);
            append(
                out, {names(text.output_operands[k]), " ", shape_text(text.outputs[k].dims), " ", to_string(text.outputs[k].type), "\n"});
        }
        append(out, {"\n"});
        write_steps();
        append(out, {"\narena      ", arena(), "\n"});
        for (int b = 0; b < text.block_count; ++b) {
            add_padded(message({"  ", b}), 11);
            append(out, {polynomial_text(text.blocks[b].bytes), ":"});
            char const* comma = " ";
            for (int k = 0; k < text.buffer_count; ++k) {
                planner::plan_buffer const& q = text.buffers[k];
                if (q.place != b) continue;
                bool const kept = q.last >= text.step_count;
                append(out, {comma, names.buffer(k), " (", q.first});
                if (kept) append(out, {" to the end"});
                else if (q.last > q.first) append(out, {" to ", q.last});
                append(out, {")"});
                comma = ", ";
            }
            append(out, {"\n"});
        }
        cost("flops", text.cost->flops, "");
        cost("read", text.cost->read, " bytes");
        cost("written", text.cost->written, " bytes");
        return out;
    }
};

std::string describe_text(plan_text const& t);
#if XGRAD_COMPILED != 1
XGRAD_HOST std::string describe_text(plan_text const& t) { return plan_writer(t).write(); }
#endif

}   // namespace detail

/// The plan of a trainer, function or program type as text:
/// - inputs, variables and results;
/// - each step with the operations fused into it;
/// - the blocks of the arena and the buffers that share them;
/// - flops and bytes.
///
/// The text does not depend on the instruction set, so it is the same on every machine. docs/describe.md explains the notation.
template<class X>
std::string describe() {
    if constexpr (detail::is_program<program_type_of<X>>) return detail::describe_text(detail::text_of<program_type_of<X>>());
    else return {};
}
template<class X>
[[nodiscard("describe returns text; print it: std::cout << describe(train)")]] std::string describe(X const&) {
    return describe<X>();
}
/// Writes the description to a stream.
template<class Stream, class X>
void describe(Stream& out, X const&) {
    out << describe<X>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
