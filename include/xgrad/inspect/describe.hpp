// SPDX-License-Identifier: MIT
// describe: a plan as text, one line for each step. summarize: the same in five lines.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/inspect/step_text.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

class plan_writer {
    // A word with spaces up to that width.
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

    // What the kinds of steps write with.
    std::string extent_of(short i) const { return polynomial_text(text.pool[i]); }
    std::string operand_name(planner::plan_step const& s, int k) const { return names(text.operands[s.first_operand + k]); }
    /// An operand whose `inner` is a length and no stride; `_` if nobody reads it.
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
                begin_step(i, words_of(kind, text, i).title);
                kind.write(*this, i);
            });
    }
    XGRAD_COLD std::string write() {
        int updates = 0;
        for (int i = 0; i < text.step_count; ++i) updates += text.steps[i].kind == planner::step_kind::update;
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

class summary_writer {
    plan_text const& t_;
    dim_size const* sizes_;   // ends with an empty one; null: none given

    XGRAD_COLD static std::string count(int n, std::string_view one, std::string_view many) {
        return message({n, " ", n == 1 ? one : many});
    }
    struct counted_steps {
        kernel_text const* words;
        int count;
    };
    /// By what they are called, kind by kind.
    sequence<counted_steps> count_steps() const {
        sequence<counted_steps> list;
        auto const add = [&](kernel_text const& words) {
            for (auto& k : list)
                if (k.words->many == words.many) {
                    ++k.count;
                    return;
                }
            list.push({&words, 1});
        };
        inspected_steps::each([&](auto kind) {
            for (int s = 0; s < t_.step_count; ++s)
                if (t_.steps[s].kind == kind.kind) add(words_of(kind, t_, s));
        });
        return list;
    }
    XGRAD_COLD std::string amount(cost_polynomial const& p) const {
        if (!p.is_static() && sizes_ == nullptr) return polynomial_text(p);
        return grouped(p.is_static() ? p.constant : evaluate(p, sizes_));
    }
    XGRAD_COLD static int add_intermediates(plan_text const& t, cost_polynomial& bytes) {
        int n = t.buffer_count;
        for (int b = 0; b < t.buffer_count; ++b)
            bytes.add(t.pool[t.buffers[b].size], static_cast<std::int64_t>(size_of(t.buffers[b].type)));
        for (int s = 0; s < t.step_count; ++s)
            if (t.steps[s].kind == planner::step_kind::scan) n += add_intermediates(t.loop(s).body(), bytes);
        return n;
    }
    XGRAD_COLD std::string given() const {   // " at batch = 64"
        std::string s;
        if (sizes_ == nullptr) return s;
        for (dim_size const* d = sizes_; d->hash != 0; ++d)
            for (int i = 0; i < t_.input_count && d->hash != 0; ++i)
                for (int a = 0; a < t_.inputs[i].dims.rank; ++a)
                    for (auto const& term : t_.inputs[i].dims.extents[a].terms)
                        if (dim_info const* q = term.dims[0]; q != nullptr && q->hash == d->hash) {
                            std::string const part = message({q->name, " = ", d->size});
                            if (s.find(part) == std::string::npos) append(s, {s.empty() ? " at " : ", ", part});
                        }
        return s;
    }

public:
    summary_writer(plan_text const& t, dim_size const* sizes) : t_(t), sizes_(sizes) {}

    XGRAD_COLD std::string write() const {
        cost_polynomial parameters{};
        for (int i = 0; i < t_.variable_count; ++i) parameters.add(t_.variables[i].dims.size());
        std::string out = message({"parameters ", amount(parameters), " in ", count(t_.variable_count, "variable", "variables")});
        for (int g = 0; g < t_.rule_count; ++g) {
            cost_polynomial moved{}, held{};
            for (int s = 0; s < t_.step_count; ++s)
                if (t_.steps[s].kind == planner::step_kind::update && t_.steps[s].group == g) {
                    shape const& v = t_.variables[t_.steps[s].variable].dims;
                    moved.add(v.size());
                    for (int k = 0; k < t_.rules[g].slot_count; ++k) {
                        axis_range const axes = axes_of(t_.rules[g].slots[k].scope, v.rank);
                        extent numbers = static_extent(1);
                        for (int d = axes.first; d < axes.first + axes.count; ++d) numbers = numbers * v.extents[d];
                        held.add(numbers);
                    }
                }
            append(out, {"; ", t_.rules[g].name, " moves ", amount(moved), " with ", amount(held), " slot values"});
        }
        int nests = 0, products = 0, updates = 0, operations = 0, in_products = 0, fused = 0;
        for (int s = 0; s < t_.step_count; ++s) {
            planner::plan_step const& p = t_.steps[s];
            nests += p.kind == planner::step_kind::nest;
            products += p.kind == planner::step_kind::matmul;
            updates += p.kind == planner::step_kind::update;
            fused += p.fused;
            for (int k = 0; k < p.ins_count; ++k) {
                planner::ins_kind const i = t_.ins[p.first_ins + k].kind;
                bool const operation = i == planner::ins_kind::apply || i == planner::ins_kind::reduce || i == planner::ins_kind::random;
                operations += operation;
                in_products += operation && p.kind == planner::step_kind::matmul;
            }
        }
        append(out, {"\nsteps      ", t_.step_count, ": "});
        char const* between = "";
        for (auto const& k : count_steps()) {
            append(out, {between, count(k.count, k.words->one, k.words->many)});
            between = ", ";
        }
        append(out,
            {"\nfused      ", count(operations - in_products, "operation", "operations"), " in ", count(nests, "loop nest", "loop nests")});
        if (products > 0) append(out, {", ", in_products, " in the tiles of products"});
        if (updates > 0) append(out, {", ", fused, " of ", count(updates, "update", "updates"), " in the product that makes the gradient"});
        cost_polynomial all{};
        int const intermediates = add_intermediates(t_, all);
        std::string arena = amount(*t_.arena);
        if (sizes_ != nullptr || t_.arena->is_static()) {   // as it is allocated
            std::int64_t bytes = 0;
            dim_size const none{};
            for (int b = 0; b < t_.all_block_count; ++b)
                bytes += (evaluate(t_.all_blocks[b], sizes_ != nullptr ? sizes_ : &none) + 63) / 64 * 64;
            arena = grouped(bytes);
        }
        append(out, {"\narena      ", arena, " bytes in ", count(t_.all_block_count, "block", "blocks"), " for ",
                        count(intermediates, "intermediate", "intermediates"), " of ", amount(all), " bytes", given()});
        if (t_.fits)
            append(out, {"\ncost       ", amount(t_.cost->flops), " flops, ", amount(t_.cost->read), " bytes read, ",
                            amount(t_.cost->written), " bytes written in a call", given(), "\n"});
        else append(out, {"\ncost       a polynomial of too many terms\n"});
        return out;
    }
};

std::string summary_text(plan_text const& t, dim_size const* sizes);
#if XGRAD_COMPILED != 1
XGRAD_HOST std::string summary_text(plan_text const& t, dim_size const* sizes) { return summary_writer(t, sizes).write(); }
#endif

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
