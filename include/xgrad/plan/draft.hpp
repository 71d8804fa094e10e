// SPDX-License-Identifier: MIT
// The state that all passes of the planner work on: the table, facts about its nodes, extents by number, and the steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/facts.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// A member of a step: a node, or the copy of one operand of a concatenation to its place.
struct member {
    int node;
    int copy_operand;   // number of the concatenation's operand; -1: the node itself
    int next;           // next member of the same step, or -1
};

/// A step while it is being formed.
struct step_draft {
    step_kind kind;
    dtype type;   // in which its instructions compute
    int anchor;   // the node of a product, lookup, ...; -1 for a nest
    int first_member, last_member;
    int rank;   // of the iteration space; extents of 1 are omitted
    extent_id space[max_rank];
    signed char lane;   // dimension along which the SIMD lanes run; -1: the last one, in the order of memory
    bool in_blocks;     // blocks of lanes run whole rows; false: dimension `lane` becomes the innermost loop
    int weight;         // approximate number of instructions
    int continued_in;   // if this step is full: the step for nodes that would have joined it, or -1
};

/// An operand of the current step, before its dimensions are merged.
struct draft_operand {
    step_operand::where base;
    dtype type;
    int node;   // that owns the memory
    extent_id offset;
    extent_id stride[max_rank];   // by dimension of the step's space
};

/// A plan under construction. A pass is a function that changes it.
/// Each constant evaluation makes a new draft from the result of the previous one.
struct draft {
    table_view t;
    extent_pool& pool;
    plan_request asked;
    bool fuse;
    sequence<node_facts> fact_list;
    node_facts* nodes;   // the facts of each node
    step_draft const* steps = nullptr;
    member const* members = nullptr;
    bool reads_packed = false;   // the current step reads packed copies of leaves

    constexpr draft(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses)
        : t(table), pool(extents), asked(request), fuse(fuses), fact_list(table.count, zero_elements), nodes(fact_list.at) {}
    constexpr draft(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* known)
        : draft(table, extents, request, fuses) {
        for (node_facts *p = nodes, *end = nodes + t.count; p != end; ++p) *p = *known++;
    }
    draft(draft const&) = delete;
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
