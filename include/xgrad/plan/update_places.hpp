// SPDX-License-Identifier: MIT
// Decides when each update runs: after which step, and whether in the tiles of a product.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/index_checks.hpp>
#include <xgrad/plan/lanes.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// When an update runs.
struct due_update {
    int next;      // the next update after the same step, or -1
    bool fused;    // runs in the tiles of the product before it
    bool checks;   // a check step after step check_at checks its indices
};

// Finds the readers of each node, also through views: the last step, and the number of loops, results and updates.
constexpr void find_readers(forming& plan) {
    auto const [outputs, output_count, updates, update_count, gate] = plan.asked;
    auto read = [&](int o, int step) {
        if (!plan.nodes[o].is_leaf || !plan.nodes[o].copied) plan.read_by.at[o].last = step;
        ++plan.read_by.at[o].count;
    };
    for (int s = 0; s < plan.step_list.count; ++s) {
        step_draft const& d = plan.steps[s];
        if (d.anchor >= 0) for_sources(plan, d.anchor, [&](int o, bool) { read(o, s); });
        for (int m = d.first_member; m >= 0; m = plan.members[m].next) {
            member const& w = plan.members[m];
            if (plan.nodes[w.node].is_leaf) plan.read_by.at[w.node] = {s, plan.read_by.at[w.node].count + 1};   // the copy of a leaf itself
            if (w.copy_operand >= 0) for_copied(plan, w, [&](int o) { read(o, s); });
            else for_sources(plan, w.node, [&](int o, bool) { read(o, s); });
        }
    }
    for (int k = 0; k < output_count; ++k) ++plan.read_by.at[owner(plan, outputs[k])].count;
    for (int k = 0; k < update_count; ++k)
        for (int o : {updates[k].dense, updates[k].values, updates[k].indices})
            if (o >= 0) ++plan.read_by.at[owner(plan, o)].count;
}

constexpr int stage_of(forming const& plan, plan_update const& u) {
    int stage = plan.nodes[u.variable].stage;
    for (int r : {u.dense, u.values, u.indices})
        if (r >= 0 && plan.nodes[r].stage > stage) stage = plan.nodes[r].stage;
    return stage;
}
// The step after which an update runs. By then:
// - its gradient is complete;
// - the stage before its own has ended;
// - its old value has been read;
// - all indices have been checked.
//
// It runs in the tiles of a product only if it has to wait for nothing else.
constexpr int place_update(forming& plan, plan_update const& u, index_checks const& checks, bool& fused) {
    int const g = owner(plan, u.dense >= 0 ? u.dense : rows_of_slices(plan, u.values).node), stage = stage_of(plan, u);
    int complete = plan.nodes[g].ready;
    if (u.dense < 0)
        if (int const q = plan.nodes[owner(plan, u.indices)].ready; q > complete) complete = q;
    int others = plan.read_by.at[u.variable].last;
    if (stage > 0 && plan.stage_end.at[stage - 1] > others) others = plan.stage_end.at[stage - 1];
    if (checks.last > others) others = checks.last;
    node_facts& f = plan.nodes[g];
    if (plan.asked.gate == gating::none && plan.fuse && u.dense >= 0 && !u.whole && f.kind == op_kind::matmul && !f.copied &&
        f.placed < 0 && plan.steps[f.step].first_member < 0 && others < complete && f.dims.rank == 2 &&
        f.dims == plan.nodes[u.variable].dims && plan.read_by.at[g].count == 1) {   // only this update reads the gradient
        fused = true;
        f.stored = false;
    }
    if (plan.asked.gate == gating::graph && plan.stage_end.at[stage] > others) others = plan.stage_end.at[stage];
    return others > complete ? others : complete;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
