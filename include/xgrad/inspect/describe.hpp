// SPDX-License-Identifier: MIT
// describe: a plan as text, one line for each step. summarize: the same in five lines.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/inspect/step_text.hpp>

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

/// Writes piece by piece behind what there is: texts that are put together first would be made, and cleared away, at each place.
class summary_writer {
    plan_text const& t_;
    dim_size const* sizes_;   // ends with an empty one; null: none given
    std::string out_;

    XGRAD_COLD void say(std::initializer_list<message_part> parts) { append(out_, parts); }
    XGRAD_COLD void count(int n, std::string_view one, std::string_view many) { say({n, " ", n == 1 ? one : many}); }
    XGRAD_COLD void number(std::int64_t n) { say({grouped(n)}); }
    XGRAD_COLD void amount(cost_polynomial const& p) {
        if (p.is_static()) number(p.constant);
        else if (sizes_ != nullptr) number(evaluate(p, sizes_));
        else say({polynomial_text(p)});
    }
    /// Elements along axes of a shape.
    XGRAD_COLD static cost_polynomial elements(shape const& s, int first, int axes) {
        cost_polynomial n = cost_number(1);
        for (int d = first; d < first + axes; ++d) n = multiply<12>(n, s.extents[d]);
        return n;
    }
    XGRAD_COLD static int add_intermediates(plan_text const& t, cost_polynomial& bytes) {
        int n = t.buffer_count;
        for (int b = 0; b < t.buffer_count; ++b)
            bytes.add(t.pool[t.buffers[b].size], static_cast<std::int64_t>(size_of(t.buffers[b].type)));
        for (int s = 0; s < t.step_count; ++s)
            if (t.steps[s].kind == planner::step_kind::scan) n += add_intermediates(t.loop(s).body(), bytes);
        return n;
    }
    /// " at batch = 64"
    XGRAD_COLD void given() {
        if (sizes_ == nullptr) return;
        char const* between = " at ";
        for (dim_size const* d = sizes_; d->hash != 0; ++d) {
            dim_info const* const q = dimension(d->hash);
            bool again = q == nullptr;
            for (dim_size const* before = sizes_; before != d; ++before) again = again || before->hash == d->hash;
            if (again) continue;
            say({between, q->name, " = ", d->size});
            between = ", ";
        }
    }
    /// The first of that name in an input, or null.
    XGRAD_COLD dim_info const* dimension(std::uint64_t hash) const {
        for (int i = 0; i < t_.input_count; ++i)
            for (int a = 0; a < t_.inputs[i].dims.rank; ++a)
                for (auto const& term : t_.inputs[i].dims.extents[a].terms)
                    if (dim_info const* const q = term.dims[0]; q != nullptr && q->hash == hash) return q;
        return nullptr;
    }
    XGRAD_COLD void write_parameters() {
        cost_polynomial parameters{};
        for (int i = 0; i < t_.variable_count; ++i) parameters.add(elements(t_.variables[i].dims, 0, t_.variables[i].dims.rank));
        say({"parameters "});
        amount(parameters);
        say({" in "});
        count(t_.variable_count, "variable", "variables");
        for (int g = 0; g < t_.rule_count; ++g) {
            cost_polynomial moved{}, held{};
            for (int s = 0; s < t_.step_count; ++s)
                if (t_.steps[s].kind == planner::step_kind::update && t_.steps[s].group == g) {
                    shape const& v = t_.variables[t_.steps[s].variable].dims;
                    moved.add(elements(v, 0, v.rank));
                    for (int k = 0; k < t_.rules[g].slot_count; ++k) {
                        axis_range const axes = axes_of(t_.rules[g].slots[k].scope, v.rank);
                        held.add(elements(v, axes.first, axes.count));
                    }
                }
            say({"; ", t_.rules[g].name, " moves "});
            amount(moved);
            say({" with "});
            amount(held);
            say({" slot values"});
        }
    }
    /// Steps by what they are called, kind by kind.
    XGRAD_COLD void write_steps() {
        say({"\nsteps      ", t_.step_count, ": "});
        char const* between = "";
        sequence<bool> counted(t_.step_count, false);
        for (kind_words const& kind : inspected_words.at)
            for (int s = 0; s < t_.step_count; ++s) {
                if (t_.steps[s].kind != kind.kind || counted.at[s]) continue;
                kernel_text const& words = words_of(t_, s);
                int n = 0;
                for (int k = s; k < t_.step_count; ++k)
                    if (t_.steps[k].kind == kind.kind && words_of(t_, k).many == words.many) {
                        counted.at[k] = true;
                        ++n;
                    }
                say({between});
                count(n, words.one, words.many);
                between = ", ";
            }
    }
    XGRAD_COLD void write_fused() {
        int of_kind[planner::step_kind_count]{}, operations = 0, in_products = 0, fused = 0;
        for (int s = 0; s < t_.step_count; ++s) {
            planner::plan_step const& p = t_.steps[s];
            ++of_kind[static_cast<int>(p.kind)];
            fused += p.fused;
            for (int k = 0; k < p.ins_count; ++k) {
                planner::ins_kind const i = t_.ins[p.first_ins + k].kind;
                bool const operation = i == planner::ins_kind::apply || i == planner::ins_kind::reduce || i == planner::ins_kind::random;
                operations += operation;
                in_products += operation && p.kind == planner::step_kind::matmul;
            }
        }
        say({"\nfused      "});
        count(operations - in_products, "operation", "operations");
        say({" in "});
        count(of_kind[static_cast<int>(planner::step_kind::nest)], "loop nest", "loop nests");
        if (of_kind[static_cast<int>(planner::step_kind::matmul)] > 0) say({", ", in_products, " in the tiles of products"});
        if (int const updates = of_kind[static_cast<int>(planner::step_kind::update)]; updates > 0) {
            say({", ", fused, " of "});
            count(updates, "update", "updates");
            say({" in the product that makes the gradient"});
        }
    }
    XGRAD_COLD void write_arena() {
        cost_polynomial all{};
        int const intermediates = add_intermediates(t_, all);
        say({"\narena      "});
        if (sizes_ != nullptr || t_.arena->is_static()) {   // as it is allocated
            std::int64_t bytes = 0;
            dim_size const none{};
            for (int b = 0; b < t_.all_block_count; ++b)
                bytes += (evaluate(t_.all_blocks[b], sizes_ != nullptr ? sizes_ : &none) + 63) / 64 * 64;
            number(bytes);
        } else amount(*t_.arena);
        say({" bytes in "});
        count(t_.all_block_count, "block", "blocks");
        say({" for "});
        count(intermediates, "intermediate", "intermediates");
        say({" of "});
        amount(all);
        say({" bytes"});
        given();
    }
    XGRAD_COLD void write_cost() {
        say({"\ncost       "});
        if (!t_.fits) return say({"a polynomial of too many terms\n"});
        amount(t_.cost->flops);
        say({" flops, "});
        amount(t_.cost->read);
        say({" bytes read, "});
        amount(t_.cost->written);
        say({" bytes written in a call"});
        given();
        say({"\n"});
    }

public:
    summary_writer(plan_text const& t, dim_size const* sizes) : t_(t), sizes_(sizes) {}

    XGRAD_COLD std::string write() {
        write_parameters();
        write_steps();
        write_fused();
        write_arena();
        write_cost();
        return std::move(out_);
    }
};

inline std::string summary_text(plan_text const& t, dim_size const* sizes) { return summary_writer(t, sizes).write(); }

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

/// Five lines: parameters and slots, steps by kind, what is fused, arena, cost. With sizes (`summarize(train, batch = 64)`) in numbers,
/// without them as polynomials in the named dimensions. Give all dimensions or none; throws value_error where one is missing.
template<class X, class... D>
std::string summarize(X const&, D const&... sizes) {
    static_assert(detail::are_sizes<D...>, "xgrad: sizes of named dimensions are written batch = 64");
    if constexpr (detail::is_program<program_type_of<X>> && detail::are_sizes<D...>) {
        dim_size const list[]{sizes..., {}};
        return detail::summary_text(detail::text_of<program_type_of<X>>(), sizeof...(D) > 0 ? list : nullptr);
    } else return {};
}

XGRAD_NAMESPACE_END
