// SPDX-License-Identifier: MIT
// describe: a plan as text, one line for each step. summarize: the same in five lines.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/inspect/step_text.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

constexpr std::string_view kind_text(plan_text const& t, int step) {
    switch (t.steps[step].kind) {
    case planner::step_kind::nest: return "nest";
    case planner::step_kind::matmul: return "matmul";
    case planner::step_kind::kernel: return t.kernels[step].text.title;
    case planner::step_kind::check: return "check";
    case planner::step_kind::scan: return "scan";
    case planner::step_kind::update: return "update";
    }
    return {};
}

class plan_writer {
    plan_text const& t_;
    memory_names names_;
    std::string out_;

    static std::string padded(std::string s, std::size_t width) {
        s.append(s.size() < width ? width - s.size() : 0, ' ');
        return s;
    }
    std::string extent_of(short i) const { return polynomial_text(t_.pool[i]); }
    std::string operand_name(planner::plan_step const& s, int k) const { return names_(t_.operands[s.first_operand + k]); }
    void list(char const* title, named_value const* v, int count, bool mark_fixed) {
        for (int i = 0; i < count; ++i) {
            out_ += padded(i == 0 ? title : "", 11) + value_text(v[i]);
            if (mark_fixed && !v[i].trained) out_ += ", not updated";
            out_ += "\n";
        }
    }
    void write_nest(int index) {
        planner::plan_step const& s = t_.steps[index];
        out_ += "[";
        for (int d = 0; d < s.outer_rank; ++d) out_ += extent_of(s.extent[d]) + (d == s.lane ? " in lanes, " : ", ");
        out_ += extent_of(s.inner) + "]";
        auto const lines = step_writer(t_, names_, index).statements();
        if (lines.count == 1) {
            out_ += "  " + lines.at[0].text + "\n";
            return;
        }
        int passes = 0, phase = -1;
        for (auto const& l : lines) {
            passes += l.phase != phase;
            phase = l.phase;
        }
        if (passes > 1) out_ += ", " + std::to_string(passes) + (s.outer_rank > 0 ? " passes over each row" : " passes");
        out_ += "\n";
        int pass = 0;
        phase = -1;
        for (auto const& l : lines) {
            pass += l.phase != phase;
            out_ += std::string(12, ' ');
            if (passes > 1) out_ += l.phase != phase ? std::to_string(pass) + ": " : "   ";
            out_ += l.text + "\n";
            phase = l.phase;
        }
    }
    void write_product(int index) {
        planner::plan_step const& s = t_.steps[index];
        std::string const a = operand_name(s, s.read_count) + (s.transpose_a ? "ᵀ" : ""),
                          b = operand_name(s, s.read_count + 1) + (s.transpose_b ? "ᵀ" : "");
        out_ += "[" + extent_of(s.extent[0]) + ", " + extent_of(s.extent[1]) + "] = " + a + " · " + b;
        if (s.back_at > 0)
            out_ += ", a few rows at a time with steps " + std::to_string(index + s.loop_at) + " and " + std::to_string(index + s.back_at);
        if (s.update_at > 0) {
            planner::plan_step const& u = t_.steps[index + s.update_at];
            out_ += ", then " + std::string(t_.rules[u.group].name) + " on " + names_.variable(u.variable) + "\n";
            return;
        }
        std::string chain;
        if (step_writer(t_, names_, index).chain(chain)) {
            out_ += chain + "\n";
            return;
        }
        out_ += "\n";
        for (auto const& l : step_writer(t_, names_, index).statements()) out_ += std::string(12, ' ') + l.text + "\n";
    }
    void write_check(planner::plan_step const& s) {
        out_ += "rows of " + (s.variable < 0 ? std::string("a table") : names_.variable(s.variable)) + " are [0, " +
                extent_of(s.extent[2]) + "): all of " + operand_name(s, 0) + "\n";
    }
    std::string kernel_operands(planner::plan_step const& s, int first, int last) const {
        std::string r;
        for (int k = first; k < last; ++k) {
            bool const unread = !t_.operands[s.first_operand + k].has_memory();
            r += (k > first ? ", " : "") + (unread ? "_" : operand_at(s, k));
        }
        return r;
    }
    void write_kernel(int index) {
        planner::plan_step const& s = t_.steps[index];
        std::string_view const line = t_.kernels[index].text.line;
        auto const number = [&](std::size_t at) { return line[at] - '0'; };
        for (std::size_t at = 0; at < line.size(); ++at) switch (line[at]) {
            case '@': out_ += std::string(t_.kernels[index].name) + "(" + kernel_operands(s, 0, s.read_count) + ")"; break;
            case '%': out_ += operand_at(s, number(++at)); break;
            case '#': out_ += extent_of(t_.params[s.first_param + number(++at)].size); break;
            case '>':
                if (line[++at] == '*') out_ += kernel_operands(s, s.read_count, s.operand_count - t_.kernels[index].scratch_operands);
                else out_ += operand_at(s, s.read_count + number(at));
                break;
            default: out_ += line[at];
            }
        out_ += "\n";
    }
    void write_update(int index) {
        planner::plan_step const& s = t_.steps[index];
        rule_facts const& rule = t_.rules[s.group];
        out_ += names_.variable(s.variable) + " by " + std::string(rule.name);
        if (s.fused) out_ += ", done in step " + std::to_string(index - s.joined_to);
        else if (!s.sparse) out_ += ", gradient " + operand_name(s, 0);
        else out_ += ", gradient rows " + operand_name(s, 0) + " by " + operand_name(s, 1) + (rule.lazy ? "" : ", all rows move");
        out_ += "\n";
    }

    std::string arena() const {
        cost_polynomial sum{};
        for (int b = 0; b < t_.block_count; ++b) sum.add(t_.blocks[b].bytes);
        return polynomial_text(sum) + " bytes in " + std::to_string(t_.block_count) + (t_.block_count == 1 ? " block" : " blocks");
    }
    void write_scan(int index) {
        planner::plan_step const& s = t_.steps[index];
        loop_text const& loop = t_.loop(index);
        plan_text const text = loop.body();
        plan_writer body(text);
        int const operands = loop.carries + loop.slices + loop.captures;
        auto line = [&](std::string const& words) { out_ += std::string(12, ' ') + words + "\n"; };
        auto output = [&](int k) {
            planner::step_operand const& o = t_.operands[s.first_operand + operands + k];
            return !o.has_memory() ? std::string("_") : operand_at(s, operands + k);
        };
        auto result = [&](int k) { return body.names_(text.output_operands[k]); };
        out_ += extent_of(s.extent[0]) + " turns" + (loop.backwards ? ", backwards" : "") + "\n";
        for (int i = 0; i < text.input_count; ++i) {
            int const k = loop.operand_of_input[i];
            std::string const from = operand_at(s, k), name(text.inputs[i].name);
            if (k < loop.carries) line(name + " from " + from + ", then " + result(k) + " → " + output(k));
            else if (k < loop.carries + loop.slices) line(name + " = " + from + "[t]");
            else if (name != from) line(name + " = " + from);
        }
        int n = loop.carries;
        for (int k = 0; k < loop.stacked + loop.summed; ++k) {
            std::string const to = output(loop.carries + k);
            if (to == "_") continue;
            bool const history = k >= loop.emitted && k < loop.stacked;
            if (history) line("carry " + std::to_string(k - loop.emitted) + " before each turn → " + to + "[t]");
            else line(result(n++) + (k < loop.stacked ? " → " + to + "[t]" : ", summed → " + to));
        }
        body.write_steps();
        std::string const& steps = body.out_;
        for (std::size_t at = 0; at < steps.size();) {
            std::size_t const end = steps.find('\n', at);
            line(steps.substr(at, end - at));
            at = end + 1;
        }
        line("arena of a turn " + body.arena());
    }
    /// An operand of a loop: its `inner` is the length of a turn and no stride.
    std::string operand_at(planner::plan_step const& s, int k) const {
        planner::step_operand o = t_.operands[s.first_operand + k];
        o.inner = planner::one_extent;
        return names_(o);
    }
    void write_steps() {
        for (int i = 0; i < t_.step_count; ++i) {
            std::string const number = std::to_string(i);
            out_ += std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " " + padded(std::string(kind_text(t_, i)), 8);
            switch (t_.steps[i].kind) {
            case planner::step_kind::nest: write_nest(i); break;
            case planner::step_kind::matmul: write_product(i); break;
            case planner::step_kind::update: write_update(i); break;
            case planner::step_kind::check: write_check(t_.steps[i]); break;
            case planner::step_kind::kernel: write_kernel(i); break;
            case planner::step_kind::scan: write_scan(i); break;
            }
        }
    }

public:
    explicit plan_writer(plan_text const& t) : t_(t), names_(t) {}

    std::string write() {
        int updates = 0;
        for (int i = 0; i < t_.step_count; ++i) updates += t_.steps[i].kind == planner::step_kind::update;
        out_ = "steps      " + std::to_string(t_.step_count);
        if (updates > 0) out_ += ", " + std::to_string(updates) + (updates == 1 ? " of them an update" : " of them updates");
        out_ += "\n";
        list("inputs", t_.inputs, t_.input_count, false);
        list("variables", t_.variables, t_.variable_count, updates > 0);
        for (int k = 0; k < t_.output_count; ++k) {
            out_ += padded(k == 0 ? t_.output_count == 1 ? "result" : "results" : "", 11) + names_(t_.output_operands[k]) + " " +
                    shape_text(t_.outputs[k].dims) + " " + std::string(to_string(t_.outputs[k].type)) + "\n";
        }
        out_ += "\n";
        write_steps();
        out_ += "\narena      " + arena() + "\n";
        for (int b = 0; b < t_.block_count; ++b) {
            out_ += padded("  " + std::to_string(b), 11) + polynomial_text(t_.blocks[b].bytes) + ":";
            char const* comma = " ";
            for (int k = 0; k < t_.buffer_count; ++k) {
                planner::plan_buffer const& q = t_.buffers[k];
                if (q.place != b) continue;
                bool const kept = q.last >= t_.step_count;
                out_ += comma + names_.buffer(k) + " (" + std::to_string(q.first) +
                        (kept                  ? " to the end"
                            : q.last > q.first ? " to " + std::to_string(q.last)
                                               : "") +
                        ")";
                comma = ", ";
            }
            out_ += "\n";
        }
        auto cost = [&](char const* title, cost_polynomial const& p, char const* unit) {
            out_ += padded(title, 11) + (t_.fits ? polynomial_text(p) : std::string("a polynomial of too many terms")) + unit + "\n";
        };
        cost("flops", t_.cost->flops, "");
        cost("read", t_.cost->read, " bytes");
        cost("written", t_.cost->written, " bytes");
        return out_;
    }
};

inline std::string describe_text(plan_text const& t) { return plan_writer(t).write(); }

class summary_writer {
    plan_text const& t_;
    dim_size const* sizes_;   // ends with an empty one; null: none given

    static std::string count(int n, std::string_view one, std::string_view many) {
        return std::to_string(n) + " " + std::string(n == 1 ? one : many);
    }
    struct counted_kernel {
        kernel_text const* text;
        int count;
    };
    static void count_kernel(sequence<counted_kernel>& list, kernel_text const& text) {
        for (auto& k : list)
            if (k.text->many == text.many) {
                ++k.count;
                return;
            }
        list.push({&text, 1});
    }
    static void join(std::string& s, std::string const& part) { s += (s.empty() ? "" : ", ") + part; }
    template<class Polynomial>
    std::string amount(Polynomial const& p) const {
        return p.is_static() || sizes_ == nullptr ? (p.is_static() ? grouped(p.constant) : polynomial_text(p))
                                                  : grouped(evaluate(p, sizes_));
    }
    static int add_intermediates(plan_text const& t, cost_polynomial& bytes) {
        int n = t.buffer_count;
        for (int b = 0; b < t.buffer_count; ++b)
            bytes.add(t.pool[t.buffers[b].size], static_cast<std::int64_t>(size_of(t.buffers[b].type)));
        for (int s = 0; s < t.step_count; ++s)
            if (t.steps[s].kind == planner::step_kind::scan) n += add_intermediates(t.loop(s).body(), bytes);
        return n;
    }
    std::string given() const {   // " at batch = 64"
        std::string s;
        if (sizes_ == nullptr) return s;
        for (dim_size const* d = sizes_; d->hash != 0; ++d)
            for (int i = 0; i < t_.input_count && d->hash != 0; ++i)
                for (int a = 0; a < t_.inputs[i].dims.rank; ++a)
                    for (auto const& term : t_.inputs[i].dims.extents[a].terms)
                        if (dim_info const* q = term.dims[0]; q != nullptr && q->hash == d->hash) {
                            std::string const part = std::string(q->name) + " = " + std::to_string(d->size);
                            if (s.find(part) == std::string::npos) s += (s.empty() ? " at " : ", ") + part;
                        }
        return s;
    }

public:
    summary_writer(plan_text const& t, dim_size const* sizes) : t_(t), sizes_(sizes) {}

    std::string write() const {
        cost_polynomial parameters{};
        for (int i = 0; i < t_.variable_count; ++i) parameters.add(t_.variables[i].dims.size());
        std::string out = "parameters " + amount(parameters) + " in " + count(t_.variable_count, "variable", "variables");
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
            out += "; " + std::string(t_.rules[g].name) + " moves " + amount(moved) + " with " + amount(held) + " slot values";
        }
        int steps[6]{}, operations = 0, in_products = 0, fused = 0;
        sequence<counted_kernel> kernels;
        for (int s = 0; s < t_.step_count; ++s) {
            planner::plan_step const& p = t_.steps[s];
            ++steps[static_cast<int>(p.kind)];
            if (p.kind == planner::step_kind::kernel) count_kernel(kernels, t_.kernels[s].text);
            fused += p.fused;
            for (int k = 0; k < p.ins_count; ++k) {
                planner::ins_kind const i = t_.ins[p.first_ins + k].kind;
                bool const operation = i == planner::ins_kind::apply || i == planner::ins_kind::reduce || i == planner::ins_kind::random;
                operations += operation;
                in_products += operation && p.kind == planner::step_kind::matmul;
            }
        }
        std::string what;
        auto const add = [&](planner::step_kind k, char const* one, char const* many) {
            if (int const n = steps[static_cast<int>(k)]; n > 0) join(what, count(n, one, many));
        };
        add(planner::step_kind::scan, "loop over a body", "loops over a body");
        add(planner::step_kind::matmul, "matrix product", "matrix products");
        add(planner::step_kind::nest, "loop nest", "loop nests");
        for (auto const& k : kernels) join(what, count(k.count, k.text->one, k.text->many));
        add(planner::step_kind::check, "check of indices", "checks of indices");
        add(planner::step_kind::update, "update", "updates");
        int const nests = steps[static_cast<int>(planner::step_kind::nest)], products = steps[static_cast<int>(planner::step_kind::matmul)],
                  updates = steps[static_cast<int>(planner::step_kind::update)];
        out += "\nsteps      " + std::to_string(t_.step_count) + ": " + what;
        out +=
            "\nfused      " + count(operations - in_products, "operation", "operations") + " in " + count(nests, "loop nest", "loop nests");
        if (products > 0) out += ", " + std::to_string(in_products) + " in the tiles of products";
        if (updates > 0)
            out += ", " + std::to_string(fused) + " of " + count(updates, "update", "updates") + " in the product that makes the gradient";
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
        out += "\narena      " + arena + " bytes in " + count(t_.all_block_count, "block", "blocks") + " for " +
               count(intermediates, "intermediate", "intermediates") + " of " + amount(all) + " bytes" + given();
        if (t_.fits)
            out += "\ncost       " + amount(t_.cost->flops) + " flops, " + amount(t_.cost->read) + " bytes read, " +
                   amount(t_.cost->written) + " bytes written in a call" + given();
        else out += "\ncost       a polynomial of too many terms";
        return out + "\n";
    }
};

inline std::string summary_text(plan_text const& t, dim_size const* sizes) { return summary_writer(t, sizes).write(); }

}   // namespace detail

/// The plan of a trainer, function or program type as text: inputs, variables, results; each step with what is fused into it; the arena's
/// blocks and who shares them; flops and bytes. The text is the same on every machine: it does not depend on the instruction set.
/// docs/describe.md explains the notation.
template<class X>
std::string describe() {
    return detail::describe_text(detail::text_of<program_type_of<X>>());
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
    static_assert((std::is_same_v<D, dim_size> && ...), "xgrad: sizes of named dimensions are written batch = 64");
    dim_size const list[]{sizes..., {}};
    return detail::summary_text(detail::text_of<program_type_of<X>>(), sizeof...(D) > 0 ? list : nullptr);
}

XGRAD_NAMESPACE_END
