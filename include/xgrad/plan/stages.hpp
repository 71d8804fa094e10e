// SPDX-License-Identifier: MIT
// Stages of a training step. Stage 0 computes from the values before the step, stage 1 from the values that updates of stage 0 have left,
// and so on. Nearly all programs have only stage 0.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// What is wrong with the new values that an expression reads.
enum class new_value_fault : unsigned char { none, not_updated, cyclic, late_index };

/// The stage of each node is the largest stage of its operands.
/// The stage of a new value is one more than that of the update that leaves it.
struct node_stages {
    sequence<signed char> of;   // empty: all are 0
    int count = 1;
    new_value_fault wrong = new_value_fault::none;
    std::string_view wrong_variable{};   // of not_updated and cyclic

    constexpr int at(int node) const { return of.count == 0 || node < 0 ? 0 : of.at[node]; }
    /// The stage of an update: the largest stage of what it reads and of the value that it replaces.
    /// If the new value of its variable is read, the update runs at the end of this stage at the latest.
    constexpr int at(plan_update const& u) const {
        int stage = at(u.variable);
        for (int r : {u.dense, u.values, u.indices})
            if (at(r) > stage) stage = at(r);
        return stage;
    }
};

// A lookup must find an index that is out of range before any update runs.
constexpr bool has_late_index(table_view const& t, plan_request const& asked, node_stages const& stages) {
    sequence<bool> live(t.count, zero_elements);
    for (int k = 0; k < asked.output_count; ++k) live.at[asked.outputs[k]] = true;
    for (int k = 0; k < asked.update_count; ++k) {
        plan_update const& u = asked.updates[k];
        if (stages.at(u.indices) > 0) return true;
        for (int r : {u.dense, u.values, u.indices})
            if (r >= 0) live.at[r] = true;
    }
    for (int i = t.count; i-- > 0;) {
        if (!live.at[i]) continue;
        op_kind const kind = t.kind(i);
        bool const in_body = kind == op_kind::region && t[i].op->region->may_fail;
        bool const names_them = !in_body && t[i].op->indices.operand >= 0;
        if ((in_body || reports_indices(*t[i].op)) && stages.at(names_them ? indices_of(t, i) : i) > 0) return true;
        for (int k = kind == op_kind::composite ? t[i].count - 1 : 0; k < t[i].count; ++k) live.at[t.operand(i, k)] = true;
    }
    return false;
}

// The name of the variable whose new value is `node`.
constexpr std::string_view variable_of_new_value(table_view const& t, int node) {
    while (t.kind(node) == op_kind::updated) node = t.operand(node, 0);
    return t.attrs(node).name;
}

constexpr node_stages stages_of(table_view const& t, plan_request const& asked) {
    node_stages stages;
    bool any = false;
    for (int i = 0; i < t.count; ++i) any = any || t.kind(i) == op_kind::updated;
    if (!any) return stages;
    sequence<signed char> zeros(t.count, 0);
    stages.of.swap(zeros);
    // Gradients may come after the nodes that read the new values, so one pass is not enough.
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < t.count; ++i) {
            int stage = 0;
            for (int k = 0; k < t[i].count; ++k)
                if (int const s = stages.at(t.operand(i, k)); s > stage) stage = s;
            if (t.kind(i) == op_kind::updated) {
                int u = 0;
                while (u < asked.update_count && asked.updates[u].variable != t.operand(i, 0)) ++u;
                if (u == asked.update_count) {
                    stages.wrong = new_value_fault::not_updated;
                    stages.wrong_variable = variable_of_new_value(t, i);
                } else stage = stages.at(asked.updates[u]) + 1;
            }
            if (stage == stages.of.at[i]) continue;
            if (stage > asked.update_count) {   // only a cycle can need more stages than there are updates
                int latest = i;                 // its new value is on the cycle
                for (int k = 0; k < t.count; ++k)
                    if (t.kind(k) == op_kind::updated && (t.kind(latest) != op_kind::updated || stages.at(k) > stages.at(latest)))
                        latest = k;
                stages.wrong = new_value_fault::cyclic;
                stages.wrong_variable = variable_of_new_value(t, latest);
                stages.of.clear();
                stages.count = 1;
                return stages;
            }
            stages.of.at[i] = static_cast<signed char>(stage);
            if (stage >= stages.count) stages.count = stage + 1;
            changed = true;
        }
    }
    if (stages.wrong == new_value_fault::none && has_late_index(t, asked, stages)) stages.wrong = new_value_fault::late_index;
    return stages;
}

/// What is wrong with the new values that a program reads, and of which variable.
struct wrong_new_value {
    new_value_fault fault;
    std::string_view variable;
};
constexpr wrong_new_value find_wrong_new_value(table_view const& t, plan_request const& asked) {
    node_stages const stages = stages_of(t, asked);
    return {stages.wrong, stages.wrong_variable};
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
