// SPDX-License-Identifier: MIT
// A plan whose steps are being formed: it adds steps and their members.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Who reads a node, seen through views.
struct readers {
    int last;    // step
    int count;   // loops, results and updates
};
/// What the lanes of a step want.
struct lane_wish {
    bool wants, needed;
};
/// What a node reads, seen through views and what is computed again in each loop.
struct node_source {
    int node;
    bool keeps;   // its elements
};
/// Memory that a nest reads or writes, and the axis of it along which the lanes lie, or -1.
struct lane_access {
    int node;
    axis_map map;
    int axis;
};

struct forming : draft {
    sequence<step_draft> step_list;
    sequence<member> member_list;
    sequence<int> stage_end;     // of each stage: its last step
    sequence<readers> read_by;   // of each node
    sequence<lane_wish> nests;   // of each step
    sequence<node_source> sources;
    sequence<int> source_end;   // of each node: behind its sources, which follow those of the node before it
    sequence<lane_access> accesses;
    sequence<int> access_end;       // of each step, likewise
    sequence<signed char> layout;   // of each node: the axis that lies innermost, or natural

    constexpr forming(
        table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* placed, int operands)
        : draft(table, extents, request, fuses, placed), step_list(table.count + operands), member_list(table.count + operands),
          stage_end(4), read_by(table.count, {-1, 0}), layout(table.count, static_cast<signed char>(-1)) {
        steps = step_list.at;   // as many as can be: they do not move
        members = member_list.at;
        for (int i = 0; i < t.count; ++i) {   // what is computed, and where, is known
            if (nodes[i].inlined == inlining::none && is_computed(nodes[i]))
                for_sources(static_cast<draft const&>(*this), i, [&](int o, bool keeps) { sources.push({o, keeps}); });
            source_end.push(sources.count);
        }
    }
};

/// As for any draft, of nodes that steps compute.
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

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
