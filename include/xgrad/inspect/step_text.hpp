// SPDX-License-Identifier: MIT
// The instructions of one step as readable statements: `t1 = %add - r1`, `%sum += log(r2) - r3`.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/memory_names.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A statement and the pass over the row in which it runs.
struct statement {
    int phase;
    std::string text;
};

/// Operations that are written between their operands.
struct infix {
    std::string_view op, sign;
    int precedence;
};
inline constexpr infix infix_signs[]{{"add", " + ", 2}, {"sub", " - ", 2}, {"mul", " * ", 3}, {"div", " / ", 3}, {"greater", " > ", 1},
    {"greater_equal", " >= ", 1}, {"less", " < ", 1}, {"less_equal", " <= ", 1}, {"equal", " == ", 1}, {"not_equal", " != ", 1}};

/// Writes the statements of one step.
class step_writer {
    static constexpr std::size_t longest_ = 56;   // a longer expression gets a name
    static constexpr int atom_ = 9;
    struct value {
        std::string text;
        int precedence = atom_;
        int uses = 0;      // by other registers
        int stored = -1;   // first instruction that stores it
        bool from_product = false;
    };
    plan_text const& t_;
    memory_names const& names_;
    planner::plan_step const& s_;
    sequence<value> r_;
    sequence<statement> out_;
    int temporaries_ = 0, row_values_ = 0;

    planner::instruction const& ins(int k) const { return t_.ins[s_.first_ins + k]; }
    std::string_view op(int k) const { return t_.ops[s_.first_ins + k]; }
    value& reg(int k) { return r_.at[k]; }
    std::string operand_name(short k) const { return names_(t_.operands[s_.first_operand + k]); }
    static short operand(planner::instruction const& i, int k) { return k == 0 ? i.a : k == 1 ? i.b : i.c; }

    XGRAD_COLD std::string bracket(int k, int precedence, bool right) {
        value const& v = reg(k);
        return v.precedence < precedence || (right && v.precedence == precedence) ? "(" + v.text + ")" : v.text;
    }
    /// Writes the operation of instruction k, with `_` for the operand `blank`.
    XGRAD_COLD void write_apply(int k, int blank = -1) {
        planner::instruction const& i = ins(k);
        std::string const saved = blank >= 0 ? reg(blank).text : std::string();
        int const saved_precedence = blank >= 0 ? reg(blank).precedence : 0;
        if (blank >= 0) {
            reg(blank).text = "_";
            reg(blank).precedence = atom_;
        }
        value& v = reg(k);
        v.precedence = atom_;
        v.text.clear();
        for (auto const& s : infix_signs)
            if (s.op == op(k) && i.arity == 2) {
                v.precedence = s.precedence;
                v.text = bracket(i.a, s.precedence, s.precedence == 1);
                v.text += s.sign;
                v.text += bracket(i.b, s.precedence, true);
            }
        if (op(k) == "neg") {
            v.precedence = 3;
            v.text = "-" + bracket(i.a, 3, true);
        } else if (v.text.empty()) {
            v.text = std::string(op(k)) + "(";
            for (int o = 0; o < i.arity; ++o) v.text += (o > 0 ? ", " : "") + reg(operand(i, o)).text;
            v.text += ")";
        }
        if (blank >= 0) {
            reg(blank).text = saved;
            reg(blank).precedence = saved_precedence;
        }
    }
    XGRAD_COLD void say(int phase, std::string text) { out_.push({phase, std::move(text)}); }
    // Writes a statement that gives the value in register k a name.
    XGRAD_COLD void name(int k, std::string const& by) {
        value& v = reg(k);
        say(ins(k).phase, by + " = " + v.text);
        v.text = by;
        v.precedence = atom_;
    }
    XGRAD_COLD void settle(int k) {
        value& v = reg(k);
        if (v.stored >= 0) name(k, operand_name(ins(v.stored).operand));
        else if (ins(k).kind == planner::ins_kind::reduce) name(k, "r" + std::to_string(++row_values_));
        else if ((v.uses > 1 && v.precedence != atom_) || (v.uses > 1 && ins(k).kind == planner::ins_kind::apply) ||
                 v.text.size() > longest_)
            name(k, "t" + std::to_string(++temporaries_));
    }
    XGRAD_COLD void write(int k) {
        planner::instruction const& i = ins(k);
        value& v = reg(k);
        switch (i.kind) {
        case planner::ins_kind::load: v.text = operand_name(i.operand); break;
        case planner::ins_kind::accumulator: v.text = "product"; break;
        case planner::ins_kind::parameter: {
            planner::parameter const& p = t_.params[s_.first_param + i.operand];
            extent const& e = t_.pool[p.size];
            v.text = p.is_size ? polynomial_text(e) : number_text(p.value);
            if (p.is_size && (e.count > 1 || (e.count == 1 && e.constant != 0))) v.precedence = 2;
            else if (p.is_size && v.text.find('*') != std::string::npos) v.precedence = 3;
            break;
        }
        case planner::ins_kind::index: v.text = i.level == 2 ? "j" : i.level == 1 ? "i" : "0"; break;
        case planner::ins_kind::random:
            v.text = "uniform(" + std::string(t_.streams[s_.first_operand + i.operand]) + ")";
            settle(k);
            break;
        case planner::ins_kind::apply:
            write_apply(k);
            settle(k);
            break;
        case planner::ins_kind::reduce: write_reduce(k); break;
        case planner::ins_kind::store:
            if (reg(i.a).stored != k) say(i.phase, operand_name(i.operand) + " = " + reg(i.a).text);
            break;
        }
    }
    XGRAD_COLD void write_reduce(int k) {
        planner::instruction const& i = ins(k);
        bool const sum = i.combine == monoid::sum;
        std::string x = reg(i.a).text;
        if (i.inner != 0 && i.level == 2) x = (sum ? "sum(" : "max(") + x + ")";
        if (i.outer == 0 && i.inner != 0) {
            reg(k).text = x;
            return settle(k);
        }
        bool const row = i.level == 2 && i.inner == 0 && !(t_.pool[t_.operands[s_.first_operand + i.operand].inner] == static_extent(0));
        std::string const to = operand_name(i.operand) + (row ? "[j]" : "");
        say(i.phase, sum ? to + " += " + x : to + " = max(" + to + ", " + x + ")");
    }
    XGRAD_COLD void count_uses() {
        for (int k = 0; k < s_.ins_count; ++k) {
            planner::instruction const& i = ins(k);
            if (i.kind == planner::ins_kind::apply) {
                for (int o = 0; o < i.arity; ++o) {
                    ++reg(operand(i, o)).uses;
                    reg(k).from_product = reg(k).from_product || reg(operand(i, o)).from_product;
                }
            } else if (i.kind == planner::ins_kind::reduce) ++reg(i.a).uses;
            else if (i.kind == planner::ins_kind::accumulator) reg(k).from_product = true;
            else if (i.kind == planner::ins_kind::store && reg(i.a).stored < 0) {
                planner::ins_kind const made = ins(i.a).kind;
                if (made == planner::ins_kind::apply || made == planner::ins_kind::reduce || made == planner::ins_kind::random)
                    reg(i.a).stored = k;
            }
        }
    }

public:
    step_writer(plan_text const& t, memory_names const& names, int step)
        : t_(t), names_(names), s_(t.steps[step]), r_(s_.ins_count, value{}) {
        count_uses();
    }

    /// The instructions as statements, in the order of the passes.
    XGRAD_COLD sequence<statement> statements() {
        for (int k = 0; k < s_.ins_count; ++k) write(k);
        sequence<statement> sorted;
        for (int p = 0; p < 64 && sorted.count < out_.count; ++p)
            for (auto const& s : out_)
                if (s.phase == p) sorted.push(s);
        return sorted;
    }
    /// Appends the operations after a product as a chain: `add b1, relu → h`.
    /// Returns false if some operation does not take the previous result.
    XGRAD_COLD bool chain(std::string& text) {
        int last = 0;
        for (int k = 1; k < s_.ins_count; ++k) {
            planner::instruction const& i = ins(k);
            if (i.kind == planner::ins_kind::reduce) return false;
            if (i.kind == planner::ins_kind::apply && reg(k).from_product) {
                int hits = 0;
                for (int o = 0; o < i.arity; ++o) {
                    hits += operand(i, o) == last;
                    if (reg(operand(i, o)).from_product && operand(i, o) != last) return false;
                }
                if (hits != 1) return false;
                last = k;
            }
        }
        int cur = 0;
        bool first = true, open = false;   // open: the text ends with an arrow and a name
        auto follow = [&](std::string const& word) {
            text += first ? ", then " : ", ";
            text += word;
            first = open = false;
        };
        for (int k = 0; k < s_.ins_count; ++k) {
            planner::instruction const& i = ins(k);
            if (i.kind == planner::ins_kind::store) {
                text += (open ? " and " : " → ") + operand_name(i.operand);
                open = true;
            } else if (i.kind != planner::ins_kind::apply) write(k);
            else if (!reg(k).from_product) write_apply(k);
            else {
                bool const symmetric = op(k) == "add" || op(k) == "mul";
                if (i.arity == 1) follow(std::string(op(k)));
                else if (i.arity == 2 && (i.a == cur || symmetric))
                    follow(std::string(op(k)) + " " + bracket(i.a == cur ? i.b : i.a, atom_, false));
                else {
                    write_apply(k, cur);
                    follow(reg(k).text);
                }
                cur = k;
            }
        }
        return true;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
