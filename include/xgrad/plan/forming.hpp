// SPDX-License-Identifier: MIT
// The plan while its steps are formed: steps and their members are appended.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The readers of a node, including those that read it through views.
struct readers {
    int last;    // the last step that reads it
    int count;   // number of loops, results and updates
};
/// Whether a nest should use another dimension for the lanes:
/// for its own gain (wants), or also for nests that share memory with it (needed).
struct lane_wish {
    bool wants, needed;
};
/// A node that another node reads. Views are resolved, and nodes that are computed again in each loop are replaced by what they read.
struct node_source {
    int node;
    bool keeps;   // the elements are read one by one, so a register can hold them
};
/// Memory that a nest reads or writes. `axis` is the axis along which the lanes run, or -1.
struct lane_access {
    int node;
    axis_map map;
    int axis;
};

/// A draft whose steps are being formed.
struct forming : draft {
    sequence<step_draft> step_list;
    sequence<member> member_list;
    sequence<int> stage_end;     // of each stage: its last step
    sequence<readers> read_by;   // of each node
    sequence<lane_wish> nests;   // of each step
    sequence<node_source> sources;
    // Of each node: the end of its sources. They start where those of the previous node end.
    sequence<int> source_end;
    sequence<lane_access> accesses;
    sequence<int> access_end;       // of each step, likewise
    sequence<signed char> layout;   // of each node: the axis that is innermost in memory, or natural

    constexpr forming(
        table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* placed, int operands)
        : draft(table, extents, request, fuses, placed), step_list(table.count + operands), member_list(table.count + operands),
          stage_end(4), read_by(table.count, {-1, 0}), layout(table.count, static_cast<signed char>(-1)) {
        steps = step_list.at;   // the lists have their maximal size, so they never move
        members = member_list.at;
        for (int i = 0; i < t.count; ++i) {   // what is computed, and in which memory, is known by now
            if (nodes[i].inlined == inlining::none && is_computed(nodes[i]))
                for_sources(static_cast<draft const&>(*this), i, [&](int o, bool keeps) { sources.push({o, keeps}); });
            source_end.push(sources.count);
        }
    }
};

/// The overload for any draft computes this again; here it is stored for the nodes that steps compute.
template<class F>
constexpr void for_sources(forming const& plan, int i, F&& f) {
    for (int k = i > 0 ? plan.source_end.at[i - 1] : 0, end = plan.source_end.at[i]; k < end; ++k)
        f(plan.sources.at[k].node, plan.sources.at[k].keeps);
}

constexpr void add_member(forming& plan, int step, int node, int copy_operand) {
    step_draft& d = plan.step_list.at[step];
    int const m = plan.member_list.count;
    plan.member_list.push({node, copy_operand, -1});
    if (d.first_member < 0) d.first_member = m;
    else plan.member_list.at[d.last_member].next = m;
    d.last_member = m;
}
constexpr int open(forming& plan, step_kind kind, dtype type, int anchor) {
    plan.step_list.push({kind, type, anchor, -1, -1, 0, {}, -1, false, 0, -1});
    return plan.step_list.count - 1;
}
constexpr int open_loop(forming& plan, dtype type) { return open(plan, step_kind::nest, type, -1); }

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
