// SPDX-License-Identifier: MIT
// to_dot: a plan as a picture, in the language of Graphviz.
#pragma once

#include <xgrad/inspect/step_text.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

class dot_writer {
    struct colours {
        std::string_view title, fill, line;
    };
    constexpr colours colour_of(int step) const {
        switch (t_.steps[step].kind) {
        case planner::step_kind::nest: return {"loop", "#e8f1fb", "#4a78a8"};
        case planner::step_kind::matmul: return {"product", "#fdeedd", "#b8762c"};
        case planner::step_kind::update: return {"update", "#f1e9f7", "#7d55a0"};
        case planner::step_kind::kernel: return {t_.kernels[step].text.title, "#e7f5e9", "#4a8a55"};
        case planner::step_kind::check: return {"check", "#f3f3f3", "#777777"};
        case planner::step_kind::scan: return {"loop over time", "#f7f7f4", "#8a8a70"};
        }
        return {};
    }
    struct reg {
        std::string node;   // empty: a number, or memory
        std::string text;   // of numbers and positions
        int operand = -1;   // of loads
    };
    plan_text const& t_;
    std::string at_;   // before the names of nodes: of the body of a loop those of its step
    memory_names names_;
    std::string nodes_, edges_;
    std::vector<std::vector<std::string>> makers_;   // nodes that write a buffer, by buffer
    std::vector<std::vector<int>> writing_steps_;
    std::vector<std::string> drawn_;   // edges, each once
    std::vector<std::pair<std::string, int>> first_reader_;
    std::vector<int> depth_;          // of a step: how many stand above it
    int current_ = 0;                 // depth of the step that is drawn
    static constexpr int late_ = 1;   // deeper than the first reader

    static std::string quoted(std::string_view s) {
        std::string r = "\"";
        for (char c : s) {
            if (c == '"' || c == '\\') r += '\\';
            if (c == '\n') r += "\\n";
            else r += c;
        }
        return r + "\"";
    }
    /// `batch × 16`; a number has no shape.
    static std::string size_text(shape const& d) {
        std::string s;
        for (int i = 0; i < d.rank; ++i) s += (i > 0 ? " × " : "") + polynomial_text(d.extents[i]);
        return s;
    }
    /// A leaf with its shape below the name.
    static std::string leaf_text(named_value const& v) {
        std::string const size = size_text(v.dims);
        return std::string(v.name) + (size.empty() ? "" : "\n" + size);
    }
    void edge(std::string const& from, std::string const& to, std::string const& style) {
        std::string const line = "    " + from + " -> " + to;
        if (std::find(drawn_.begin(), drawn_.end(), line) != drawn_.end()) return;
        drawn_.push_back(line);
        edges_ += line + (style.empty() ? "" : " [" + style + "]") + ";\n";
    }
    /// Memory from its node to that of a step: the shape at the first reader, late readers in grey.
    void memory_edge(std::string const& from, std::string const& to, std::string const& size) {
        int first = -1;
        for (auto const& [node, depth] : first_reader_)
            if (node == from) first = depth;
        std::string style;
        if (first < 0) {
            first_reader_.emplace_back(from, current_);
            style = size.empty() ? "" : "label=" + quoted(size);
        } else if (current_ > first + late_) style = "style=dashed, color=\"#b0b0b0\"";
        edge(from, to, style);
    }
    /// A value that stays in the registers.
    void register_edge(std::string const& from, std::string const& to) { edge(from, to, "weight=8"); }
    void node(std::string const& id, std::string const& label, std::string_view more = "") {
        nodes_ += "        " + id + " [label=" + quoted(label) + std::string(more) + "];\n";
    }

    bool shared(int buffer) const { return writing_steps_[static_cast<std::size_t>(buffer)].size() > 1; }
    int update_of(int variable) const {
        int i = 0;
        while (t_.steps[i].kind != planner::step_kind::update || t_.steps[i].variable != variable) ++i;
        return i;
    }
    // Memory to the node that reads it.
    void read(planner::step_operand const& o, std::string const& to) {
        if (o.base == planner::step_operand::where::input) memory_edge(at_ + "input" + std::to_string(o.index), to, "");
        else if (o.base == planner::step_operand::where::variable)
            memory_edge(at_ + (o.is_new ? "s" + std::to_string(update_of(o.index)) : "variable" + std::to_string(o.index)), to, "");
        else if (o.base == planner::step_operand::where::buffer) {
            std::string const label = size_text(t_.values[o.index].dims);
            if (shared(o.index)) memory_edge(at_ + "buffer" + std::to_string(o.index), to, "");
            else
                for (auto const& m : makers_[static_cast<std::size_t>(o.index)])
                    if (m != to) memory_edge(m, to, label);
        }
    }
    void wrote(planner::step_operand const& o, std::string const& by) {
        if (o.base != planner::step_operand::where::buffer) return;
        if (shared(o.index)) edge(by, at_ + "buffer" + std::to_string(o.index), "");
        else makers_[static_cast<std::size_t>(o.index)].assign(1, by);
    }
    static std::string apply_text(std::string_view op, std::vector<std::string> const& x) {
        for (auto const& s : infix_signs)
            if (s.op == op && x.size() == 2) return x[0] + std::string(s.sign) + x[1];
        std::string r = std::string(op) + "(";
        for (std::size_t i = 0; i < x.size(); ++i) r += (i > 0 ? ", " : "") + x[i];
        return r + ")";
    }
    void instructions(int step, std::string const& product) {
        planner::plan_step const& s = t_.steps[step];
        std::vector<reg> r(static_cast<std::size_t>(s.ins_count));
        std::string const id = at_ + "s" + std::to_string(step) + "_";
        auto operand = [&](int k) -> planner::step_operand const& { return t_.operands[s.first_operand + k]; };
        auto feed = [&](int from, std::string const& to) {
            reg const& x = r[static_cast<std::size_t>(from)];
            if (x.operand >= 0) read(operand(x.operand), to);
            else if (!x.node.empty()) register_edge(x.node, to);
        };
        for (int k = 0; k < s.ins_count; ++k) {
            planner::instruction const& i = t_.ins[s.first_ins + k];
            reg& x = r[static_cast<std::size_t>(k)];
            std::string const here = id + std::to_string(k);
            switch (i.kind) {
            case planner::ins_kind::load: x.operand = i.operand; break;
            case planner::ins_kind::accumulator: x.node = product; break;
            case planner::ins_kind::parameter: {
                planner::parameter const& p = t_.params[s.first_param + i.operand];
                x.text = p.is_size ? polynomial_text(t_.pool[p.size]) : number_text(p.value);
                break;
            }
            case planner::ins_kind::index: x.text = "position"; break;
            case planner::ins_kind::random:
                x.node = here;
                node(here, "uniform " + std::string(t_.streams[s.first_operand + i.operand]));
                break;
            case planner::ins_kind::apply: {
                std::vector<std::string> texts;
                bool any = false, all = true;
                short const operands[]{i.a, i.b, i.c};
                for (int o = 0; o < i.arity; ++o) {
                    reg const& y = r[static_cast<std::size_t>(operands[o])];
                    any = any || !y.text.empty();
                    all = all && !y.text.empty();
                    texts.push_back(y.text.empty() ? "_" : y.text);
                }
                std::string const op(t_.ops[s.first_ins + k]);
                if (all) {
                    x.text = apply_text(op, texts);
                    break;
                }
                x.node = here;
                node(here, any ? apply_text(op, texts) : op);
                for (int o = 0; o < i.arity; ++o) feed(operands[o], here);
                break;
            }
            case planner::ins_kind::reduce:
                x.node = here;
                node(here, i.combine == monoid::sum ? "sum" : "max", ", style=\"filled,rounded,bold\"");
                feed(i.a, here);
                if (i.outer != 0 || i.inner == 0) wrote(operand(i.operand), here);
                break;
            case planner::ins_kind::store: {
                reg const& y = r[static_cast<std::size_t>(i.a)];
                std::string from = y.node;
                if (from.empty()) {
                    from = here;
                    node(here, y.operand >= 0 ? "copy" : y.text);
                    feed(i.a, here);
                }
                wrote(operand(i.operand), from);
                break;
            }
            }
        }
    }
    static std::string transposed(bool a, bool b) { return std::string(a ? "aᵀ" : "a") + " · " + (b ? "bᵀ" : "b"); }
    void update(int step, std::string const& gradient) {
        planner::plan_step const& s = t_.steps[step];
        std::string const id = at_ + "s" + std::to_string(step);
        node(id, std::string(t_.rules[s.group].name) + "\n" + names_.variable(s.variable), ", fillcolor=\"#e3d4ef\"");
        if (!gradient.empty()) register_edge(gradient, id);
        for (int k = 0; k < s.operand_count; ++k) read(t_.operands[s.first_operand + k], id);
    }
    void step(int i) {
        planner::plan_step const& s = t_.steps[i];
        current_ = depth_[static_cast<std::size_t>(i)];
        if (s.fused) return;   // drawn in its product
        auto const c = colour_of(i);
        std::string const id = at_ + "s" + std::to_string(i);
        nodes_ += "    subgraph cluster_" + id + " {\n        label=" + quoted(std::to_string(i) + " " + std::string(c.title)) +
                  "; style=\"rounded,filled\"; fillcolor=\"" + std::string(c.fill) + "\"; color=\"" + std::string(c.line) +
                  "\"; fontcolor=\"" + std::string(c.line) + "\";\n";
        switch (s.kind) {
        case planner::step_kind::nest: instructions(i, {}); break;
        case planner::step_kind::matmul: {
            std::string const p = id + "_0";
            node(p, transposed(s.transpose_a, s.transpose_b), ", fillcolor=\"#f8d3a4\"");
            read(t_.operands[s.first_operand + s.read_count], p);
            read(t_.operands[s.first_operand + s.read_count + 1], p);
            if (s.update_at > 0) update(i + s.update_at, p);
            else instructions(i, p);
            break;
        }
        case planner::step_kind::update: update(i, {}); break;
        case planner::step_kind::check:
            node(id + "_0", "rows of\n" + (s.variable < 0 ? std::string("a table") : names_.variable(s.variable)) + "?");
            read(t_.operands[s.first_operand], id + "_0");
            break;
        case planner::step_kind::scan: scan(i, id); break;
        case planner::step_kind::kernel: {
            kernel_name const& k = t_.kernels[i];
            node(id + "_0", std::string(k.text.label.empty() ? k.name : k.text.label), ", fillcolor=\"#c9e8cf\"");
            for (int n = 0; n < s.operand_count; ++n)
                n < s.read_count ? read(t_.operands[s.first_operand + n], id + "_0") : wrote(t_.operands[s.first_operand + n], id + "_0");
            break;
        }
        }
        nodes_ += "    }\n";
    }
    void find_writers() {
        makers_.resize(static_cast<std::size_t>(t_.buffer_count));
        writing_steps_.resize(static_cast<std::size_t>(t_.buffer_count));
        auto note = [&](int step, int k) {
            planner::step_operand const& o = t_.operands[t_.steps[step].first_operand + k];
            if (o.base != planner::step_operand::where::buffer) return;
            auto& w = writing_steps_[static_cast<std::size_t>(o.index)];
            if (w.empty() || w.back() != step) w.push_back(step);
        };
        for (int i = 0; i < t_.step_count; ++i) {
            planner::plan_step const& s = t_.steps[i];
            for (int k = 0; k < s.ins_count; ++k) {
                planner::instruction const& q = t_.ins[s.first_ins + k];
                if (q.kind == planner::ins_kind::store || (q.kind == planner::ins_kind::reduce && (q.outer != 0 || q.inner == 0)))
                    note(i, q.operand);
            }
            for (int k = s.read_count; (s.kind == planner::step_kind::kernel || s.kind == planner::step_kind::scan) && k < s.operand_count;
                 ++k)
                note(i, k);
        }
        for (int i = 0; i < t_.step_count; ++i) {
            planner::plan_step const& s = t_.steps[i];
            int depth = 0;
            for (int k = 0; k < s.operand_count; ++k) {
                planner::step_operand const& o = t_.operands[s.first_operand + k];
                if (o.base != planner::step_operand::where::buffer) continue;
                for (int w : writing_steps_[static_cast<std::size_t>(o.index)])
                    if (w < i) depth = std::max(depth, depth_[static_cast<std::size_t>(w)] + 1);
            }
            depth_.push_back(depth);
        }
    }

    // The body stands in the frame of its loop; its inputs and results are joined to the memory that they are in.
    void scan(int i, std::string const& id) {
        planner::plan_step const& s = t_.steps[i];
        loop_text const& loop = t_.loop(i);
        plan_text const text = loop.body();
        dot_writer body(text, id + "_");
        body.contents();
        nodes_ += body.nodes_;
        edges_ += body.edges_;
        auto operand = [&](int k) -> planner::step_operand const& { return t_.operands[s.first_operand + k]; };
        int const operands = loop.carries + loop.slices + loop.captures;
        for (int n = 0; n < text.input_count; ++n) read(operand(loop.operand_of_input[n]), id + "_input" + std::to_string(n));
        auto result = [&](int n) { return id + "_result" + std::to_string(n); };
        auto carry = [&](int c) {   // its node in the body
            int n = 0;
            while (loop.operand_of_input[n] != c) ++n;
            return id + "_input" + std::to_string(n);
        };
        int n = loop.carries;
        for (int k = 0; k < loop.carries; ++k) {
            wrote(operand(operands + k), result(k));
            edge(result(k), carry(k), "style=dotted, constraint=false");
        }
        for (int k = 0; k < loop.stacked + loop.summed; ++k) {
            planner::step_operand const& o = operand(operands + loop.carries + k);
            if (!o.has_memory()) continue;
            wrote(o, k >= loop.emitted && k < loop.stacked ? carry(k - loop.emitted) : result(n++));
        }
    }
    void contents() {
        for (int i = 0; i < t_.input_count; ++i)
            nodes_ += "    " + at_ + "input" + std::to_string(i) + " [label=" + quoted(leaf_text(t_.inputs[i])) +
                      ", shape=ellipse, fillcolor=\"#dfe3e8\"];\n";
        for (int i = 0; i < t_.variable_count; ++i)
            nodes_ += "    " + at_ + "variable" + std::to_string(i) + " [label=" + quoted(leaf_text(t_.variables[i])) +
                      ", shape=cylinder, fillcolor=\"#fff3b8\"];\n";
        for (int b = 0; b < t_.buffer_count; ++b)
            if (shared(b))
                nodes_ += "    " + at_ + "buffer" + std::to_string(b) + " [label=" + quoted(leaf_text(t_.values[b])) +
                          ", shape=folder, fillcolor=\"#ffffff\"];\n";
        for (int i = 0; i < t_.step_count; ++i) step(i);
        for (int k = 0; k < t_.output_count; ++k) {
            std::string const id = at_ + "result" + std::to_string(k);
            nodes_ += "    " + id + " [label=" + quoted(t_.output_count == 1 ? "result" : "result." + std::to_string(k)) +
                      ", shape=ellipse, penwidth=2, fillcolor=\"#ffffff\"];\n";
            read(t_.output_operands[k], id);
        }
    }

public:
    explicit dot_writer(plan_text const& t, std::string at = {}) : t_(t), at_(std::move(at)), names_(t) { find_writers(); }

    std::string write() {
        contents();
        return "digraph plan {\n"
               "    graph [fontname=\"Helvetica\", fontsize=10, labeljust=l, newrank=true, nodesep=0.18, ranksep=0.4];\n"
               "    node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"filled,rounded\", fillcolor=\"#ffffff\", "
               "color=\"#606060\", height=0.25, margin=\"0.08,0.03\"];\n"
               "    edge [fontname=\"Helvetica\", fontsize=8, color=\"#707070\", fontcolor=\"#505050\", arrowsize=0.6];\n" +
               nodes_ + edges_ + "}\n";
    }
};

inline std::string dot_text(plan_text const& t) { return dot_writer(t).write(); }

}   // namespace detail

/// The plan of a trainer, function or program type for Graphviz: `std::ofstream("model.dot") << xg::to_dot(train);`, then `dot -Tsvg
/// model.dot > model.svg`. A frame for each step (loops blue, products orange, rows by index green, updates violet), in it a box for each
/// operation; sums and maxima have a bold border, `_` stands for an operand that comes along an edge. Inputs are ellipses, variables
/// cylinders. Edges between steps are memory and carry its shape at the first reader (that of leaves stands below their name), dashed to
/// late readers; edges inside a step never leave the registers. An update that is done in the tiles of a product stands in the frame of
/// that product. The body of a loop stands in the frame of the loop, with its own inputs and results; dotted edges lead to the next turn.
template<class X>
std::string to_dot() {
    return detail::dot_text(detail::text_of<program_type_of<X>>());
}
template<class X>
std::string to_dot(X const&) {
    return to_dot<X>();
}

XGRAD_NAMESPACE_END
