// SPDX-License-Identifier: MIT
// A finding of the verifier as text: "step 3 (nest), operand 1: reads what no step has written; buffer 2, node 7 (mul)".
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/kinds.hpp>

#include <string>

XGRAD_NAMESPACE_BEGIN
namespace planner {

constexpr char const* name_of(step_kind k) {
    char const* name = "a step of no kind";
    checked_kinds::visit(k, [&](auto kind) { name = kind.name; });
    return name;
}
constexpr char const* name_of(plan_rule r) {
    constexpr char const* names[]{"none", "malformed", "disagrees with the table", "unwritten memory", "overwritten value", "shared bytes",
        "out of bounds", "early update", "unchecked index", "lost update"};
    return names[static_cast<int>(r)];
}

inline std::string text_of(plan_finding const& f, table_view const& t, plan_view const& p) {
    if (!f) return "nothing";
    auto number = [](char const* before, int n) { return std::string(before) + std::to_string(n); };
    auto node = [&](int r) { return number(", node ", r) + " (" + std::string(t[r].op->name) + ")"; };
    std::string s = std::string(name_of(f.rule)) + ": ";
    if (f.step >= 0) s += number("step ", f.step) + " (" + name_of(p.steps[f.step].kind) + ")";
    if (f.operand >= 0) s += number(f.step >= 0 ? ", operand " : "result ", f.operand);
    if (f.ins >= 0) s += number(", instruction ", f.ins);
    if (f.buffer >= 0 && f.step < 0) s += number("buffer ", f.buffer);
    s += std::string(s.back() == ' ' ? "" : ": ") + f.what;
    if (f.buffer >= 0) {
        s += f.step >= 0 ? number("; buffer ", f.buffer) : std::string();
        if (int const r = p.buffers[f.buffer].node; r >= 0 && r < t.count) s += node(r);
    } else if (f.operand >= 0 && f.step >= 0) {
        if (int const r = p.operands[p.steps[f.step].first_operand + f.operand].node; r >= 0 && r < t.count) s += node(r);
    }
    if (f.other >= 0)
        s += number(f.rule == plan_rule::shared_bytes ? "; the other is buffer "
                    : f.step >= 0                     ? "; the other is step "
                                                      : " of update ",
            f.other);
    return s;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
