// SPDX-License-Identifier: MIT
// What all passes of the planner work on: the table, facts of its nodes, extents by number, steps while they are being formed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/facts.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// One member of a step: a node, or the copy of an operand of a concatenation (or of a view) into place.
struct member {
    int node;
    int copy_operand;   // of a concat; -1 otherwise
    int next;           // of the same step, or -1
};

struct step_draft {
    step_kind kind;
    dtype type;   // the type its instructions compute in
    int anchor;   // product, gather, ...; -1 of a nest
    int first_member, last_member;
    int rank;   // iteration space, extents of 1 left out
    extent_id space[max_rank];
    signed char lane;   // dimension along which the lanes lie; -1: the last one, as operands are laid out
    bool in_blocks;     // blocks of lanes run whole rows; otherwise dimension `lane` comes last
    int weight;         // about as many instructions
    int goes_on;        // where those end up that find it full, or -1
};

struct draft_operand {
    step_operand::where base;
    dtype type;
    int node;   // whose memory it is
    extent_id offset;
    extent_id stride[max_rank];   // by dimension of the step's space
};

/// A plan in the making. A pass is a function that takes it and changes it; each constant evaluation makes its own from what the one before left.
struct draft {
    table_view t;
    extent_pool& pool;
    plan_request asked;
    bool fuse;
    sequence<node_facts> fact_list;
    node_facts* nodes;   // the facts of each node
    step_draft const* steps = nullptr;
    member const* members = nullptr;
    bool reads_packed = false;   // the step at hand reads packed leaves in their copies

    constexpr draft(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses)
        : t(table), pool(extents), asked(request), fuse(fuses), fact_list(table.count, zeros), nodes(fact_list.at) {}
    constexpr draft(table_view const& table, extent_pool& extents, plan_request const& request, bool fuses, node_facts const* known)
        : draft(table, extents, request, fuses) {
        for (node_facts *p = nodes, *end = nodes + t.count; p != end; ++p) *p = *known++;
    }
    draft(draft const&) = delete;
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
