// SPDX-License-Identifier: MIT
// to_dot: a plan as a graph in the Graphviz language.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/step_text.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Writes one plan, or the body of a loop, in the Graphviz language.
class dot_writer {
    struct reg {
        std::string node;   // empty: a number, or memory
        std::string text;   // of numbers and positions
        int operand = -1;   // of loads
    };
    // A prefix for node names. In the body of a loop it is the name of the loop's step.
    std::string at_;
    std::vector<std::vector<std::string>> makers_;   // of each buffer: the nodes that write it
    std::vector<std::vector<int>> writing_steps_;
    std::vector<std::string> drawn_;   // edges, each once
    std::vector<std::pair<std::string, int>> first_reader_;
    // Of each step: its depth in the graph, from the steps whose memory it reads.
    std::vector<int> depth_;
    int current_ = 0;          // depth of the current step
    std::string first_node_;   // of the current step
    // A reader that is more than this much deeper than the first one gets a dashed edge.
    static constexpr int late_ = 1;

    static std::string quoted(std::string_view s) {
        std::string r = "\"";
        for (char c : s) {
            if (c == '"' || c == '\\') r += '\\';
            if (c == '\n') r += "\\n";
            else r += c;
        }
        return r + "\"";
    }
    /// `batch × 16`; a scalar has no shape.
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
    /// An edge from memory to a node of a step. Edges to late readers are grey.
    void memory_edge(std::string const& from, std::string const& to) {
        int first = -1;
        for (auto const& [node, depth] : first_reader_)
            if (node == from) first = depth;
        if (first < 0) first_reader_.emplace_back(from, current_);
        edge(from, to, first >= 0 && current_ > first + late_ ? "style=dashed, color=\"#b0b0b0\"" : "");
    }
    /// Adds, below the name of a node, the shape of the memory that it writes. As a label of an edge it would overlap other edges.
    void add_shape(std::string const& node, shape const& d) {
        std::string const begin = " " + node + " [label=\"", line = "\\n" + size_text(d);
        std::size_t at = nodes.rfind(begin);
        if (d.rank == 0 || at == std::string::npos) return;
        for (at += begin.size(); nodes[at] != '"';) at += nodes[at] == '\\' ? 2 : 1;
        if (!std::string_view(nodes).substr(0, at).ends_with(line)) nodes.insert(at, line);
    }
    /// A value that stays in registers.
    void register_edge(std::string const& from, std::string const& to) { edge(from, to, "weight=8"); }
    bool shared(int buffer) const { return writing_steps_[static_cast<std::size_t>(buffer)].size() > 1; }
    // The update that leaves this value.
    int update_of(int variable, int version) const {
        int i = 0;
        for (int left = version;; ++i)
            if (planner::facts_of(text.steps[i].kind).updates_variable && text.steps[i].variable == variable && --left == 0) return i;
    }
    static std::string apply_text(std::string_view op, std::vector<std::string> const& x) {
        for (auto const& s : infix_signs)
            if (s.op == op && x.size() == 2) return x[0] + std::string(s.sign) + x[1];
        std::string r = std::string(op) + "(";
        for (std::size_t i = 0; i < x.size(); ++i) r += (i > 0 ? ", " : "") + x[i];
        return r + ")";
    }
    void step(int i) {
        planner::plan_step const& s = text.steps[i];
        current_ = depth_[static_cast<std::size_t>(i)];
        if (s.fused) return;   // drawn in its product
        inspected_steps::visit(s.kind, [&](auto kind) {
            step_frame const& f = kind.frame;
            std::string_view const title = f.title.empty() ? words_of(text, i).title : f.title;
            std::string const name = std::to_string(i) + " " + std::string(title), colour = "color=\"" + std::string(f.line) + "\"";
            nodes += "    subgraph cluster_" + id(i) + " {\n        style=\"rounded,filled\"; fillcolor=\"" + std::string(f.fill) + "\"; " +
                     colour + ";\n";
            first_node_.clear();
            kind.draw(*this, i);
            // The name of a frame is a separate node above the first one, because Graphviz routes edges around nodes but across labels.
            if (first_node_.empty()) nodes += "        label=" + quoted(name) + "; font" + colour + ";\n";
            else {
                std::string const above = id(i) + "_name";
                node(above, name, ", shape=plaintext, style=\"\", height=0.15, margin=0, font" + colour);
                nodes += "        { rank=same; " + first_node_ + " -> " + above + " [style=invis]; }\n";
            }
            nodes += "    }\n";
        });
    }
    void find_writers() {
        makers_.resize(static_cast<std::size_t>(text.buffer_count));
        writing_steps_.resize(static_cast<std::size_t>(text.buffer_count));
        auto note = [&](int step, int k) {
            planner::step_operand const& o = text.operands[text.steps[step].first_operand + k];
            if (o.base != planner::step_operand::where::buffer) return;
            auto& w = writing_steps_[static_cast<std::size_t>(o.index)];
            if (w.empty() || w.back() != step) w.push_back(step);
        };
        for (int i = 0; i < text.step_count; ++i) {
            planner::plan_step const& s = text.steps[i];
            for (int k = 0; k < s.ins_count; ++k) {
                planner::instruction const& q = text.ins[s.first_ins + k];
                if (q.kind == planner::ins_kind::store || (q.kind == planner::ins_kind::reduce && (q.outer != 0 || q.inner == 0)))
                    note(i, q.operand);
            }
            bool has_writes = false;
            inspected_steps::visit(s.kind, [&](auto kind) { has_writes = kind.writes_behind_reads; });
            for (int k = s.read_count; has_writes && k < s.operand_count; ++k) note(i, k);
        }
        for (int i = 0; i < text.step_count; ++i) {
            planner::plan_step const& s = text.steps[i];
            int depth = 0;
            for (int k = 0; k < s.operand_count; ++k) {
                planner::step_operand const& o = text.operands[s.first_operand + k];
                if (o.base != planner::step_operand::where::buffer) continue;
                for (int w : writing_steps_[static_cast<std::size_t>(o.index)])
                    if (w < i) depth = std::max(depth, depth_[static_cast<std::size_t>(w)] + 1);
            }
            depth_.push_back(depth);
        }
    }

public:
    plan_text const& text;
    memory_names names;
    std::string nodes, edges;

    explicit dot_writer(plan_text const& t, std::string at = {}) : at_(std::move(at)), text(t), names(t) { find_writers(); }

    // Used by the kinds of steps to draw themselves.
    std::string id(int step) const { return at_ + "s" + std::to_string(step); }
    planner::step_operand const& operand(planner::plan_step const& s, int k) const { return text.operands[s.first_operand + k]; }
    void edge(std::string const& from, std::string const& to, std::string const& style) {
        std::string const line = "    " + from + " -> " + to;
        if (std::find(drawn_.begin(), drawn_.end(), line) != drawn_.end()) return;
        drawn_.push_back(line);
        edges += line + (style.empty() ? "" : " [" + style + "]") + ";\n";
    }
    void node(std::string const& id, std::string const& label, std::string_view more = "") {
        if (first_node_.empty()) first_node_ = id;
        nodes += "        " + id + " [label=" + quoted(label) + std::string(more) + "];\n";
    }
    // An edge from memory to the node that reads it.
    void read(planner::step_operand const& o, std::string const& to) {
        if (o.base == planner::step_operand::where::input) memory_edge(at_ + "input" + std::to_string(o.index), to);
        else if (o.base == planner::step_operand::where::variable)
            memory_edge(
                at_ + (o.version > 0 ? "s" + std::to_string(update_of(o.index, o.version)) : "variable" + std::to_string(o.index)), to);
        else if (o.base == planner::step_operand::where::buffer) {
            if (shared(o.index)) memory_edge(at_ + "buffer" + std::to_string(o.index), to);
            else
                for (auto const& m : makers_[static_cast<std::size_t>(o.index)])
                    if (m != to) memory_edge(m, to);
        }
    }
    void wrote(planner::step_operand const& o, std::string const& by) {
        if (o.base != planner::step_operand::where::buffer) return;
        if (shared(o.index)) edge(by, at_ + "buffer" + std::to_string(o.index), "");
        else {
            makers_[static_cast<std::size_t>(o.index)].assign(1, by);
            add_shape(by, text.values[o.index].dims);
        }
    }
    /// Draws the operations of a step. `product`: the node whose tiles they process.
    void instructions(int step, std::string const& product) {
        planner::plan_step const& s = text.steps[step];
        std::vector<reg> r(static_cast<std::size_t>(s.ins_count));
        std::string const before = id(step) + "_";
        auto feed = [&](int from, std::string const& to) {
            reg const& x = r[static_cast<std::size_t>(from)];
            if (x.operand >= 0) read(operand(s, x.operand), to);
            else if (!x.node.empty()) register_edge(x.node, to);
        };
        for (int k = 0; k < s.ins_count; ++k) {
            planner::instruction const& i = text.ins[s.first_ins + k];
            reg& x = r[static_cast<std::size_t>(k)];
            std::string const here = before + std::to_string(k);
            switch (i.kind) {
            case planner::ins_kind::load: x.operand = i.operand; break;
            case planner::ins_kind::accumulator: x.node = product; break;
            case planner::ins_kind::parameter: {
                planner::parameter const& p = text.params[s.first_param + i.operand];
                x.text = p.is_size ? polynomial_text(text.pool[p.size]) : number_text(p.value);
                break;
            }
            case planner::ins_kind::index: x.text = "position"; break;
            case planner::ins_kind::random:
                x.node = here;
                node(here, "uniform " + std::string(text.streams[s.first_operand + i.operand]));
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
                std::string const op(text.ops[s.first_ins + k]);
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
                if (i.outer != 0 || i.inner == 0) wrote(operand(s, i.operand), here);
                break;
            case planner::ins_kind::store: {
                reg const& y = r[static_cast<std::size_t>(i.a)];
                std::string from = y.node;
                if (from.empty()) {
                    from = here;
                    node(here, y.operand >= 0 ? "copy" : y.text);
                    feed(i.a, here);
                }
                wrote(operand(s, i.operand), from);
                break;
            }
            }
        }
    }
    /// Draws a rule with what it reads. `gradient`: the node of the product whose tiles it uses.
    void update(int step, std::string const& gradient) {
        planner::plan_step const& s = text.steps[step];
        std::string const rule = id(step);
        node(rule, std::string(text.rules[s.group].name) + "\n" + names.variable(s.variable), ", fillcolor=\"#e3d4ef\"");
        if (!gradient.empty()) register_edge(gradient, rule);
        for (int k = 0; k < s.operand_count; ++k) read(operand(s, k), rule);
    }
    void contents() {
        for (int i = 0; i < text.input_count; ++i)
            nodes += "    " + at_ + "input" + std::to_string(i) + " [label=" + quoted(leaf_text(text.inputs[i])) +
                     ", shape=ellipse, fillcolor=\"#dfe3e8\"];\n";
        for (int i = 0; i < text.variable_count; ++i)
            nodes += "    " + at_ + "variable" + std::to_string(i) + " [label=" + quoted(leaf_text(text.variables[i])) +
                     ", shape=cylinder, margin=\"0.12,0.08\", fillcolor=\"#fff3b8\"];\n";
        for (int b = 0; b < text.buffer_count; ++b)
            if (shared(b))
                nodes += "    " + at_ + "buffer" + std::to_string(b) + " [label=" + quoted(leaf_text(text.values[b])) +
                         ", shape=folder, fillcolor=\"#ffffff\"];\n";
        for (int i = 0; i < text.step_count; ++i) step(i);
        for (int k = 0; k < text.output_count; ++k) {
            std::string const result = at_ + "result" + std::to_string(k);
            nodes += "    " + result + " [label=" + quoted(text.output_count == 1 ? "result" : "result." + std::to_string(k)) +
                     ", shape=ellipse, penwidth=2, fillcolor=\"#ffffff\"];\n";
            read(text.output_operands[k], result);
        }
    }

    std::string write() {
        contents();
        return "digraph plan {\n"
               "    graph [fontname=\"Helvetica\", fontsize=10, labeljust=l, newrank=true, rankdir=LR, nodesep=0.12, ranksep=0.35, pad=0.15, "
               "bgcolor=\"#ffffff\"];\n"
               "    node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"filled,rounded\", fillcolor=\"#ffffff\", "
               "color=\"#606060\", height=0.25, margin=\"0.12,0.05\"];\n"
               "    edge [color=\"#707070\", arrowsize=0.6];\n" +
               nodes + edges + "}\n";
    }
};

std::string dot_text(plan_text const& t);
#if XGRAD_COMPILED != 1
XGRAD_HOST std::string dot_text(plan_text const& t) { return dot_writer(t).write(); }
#endif

}   // namespace detail

/// The plan of a trainer, function or program type for Graphviz:
/// `std::ofstream("model.dot") << xg::to_dot(train);`, then `dot -Tsvg model.dot > model.svg`.
/// - Each step is a frame: loops blue, products orange, rows by index green, updates violet.
/// - In the frame, each operation is a box. Sums and maxima have a bold border. `_` is an operand that comes along an edge.
/// - Inputs are ellipses, variables cylinders.
/// - Edges between steps are memory, dashed to late readers. The shape is below the name of the node that writes the memory.
/// - Edges inside a step are values that never leave registers.
/// - An update in the tiles of a product is in the frame of that product.
/// - The body of a loop is in the frame of the loop, with its inputs and results. Dotted edges lead to the next iteration.
template<class X>
std::string to_dot() {
    if constexpr (detail::is_program<program_type_of<X>>) return detail::dot_text(detail::text_of<program_type_of<X>>());
    else return {};
}
template<class X>
[[nodiscard("to_dot returns text; write it to a file")]] std::string to_dot(X const&) {
    return to_dot<X>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
