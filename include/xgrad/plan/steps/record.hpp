// SPDX-License-Identifier: MIT
// What the planner knows of a kind of step whose nodes open steps of their own.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/copies.hpp>
#include <xgrad/plan/writing.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

struct step_record {
    step_kind kind;
    op_kind node;                                             // the nodes that open such steps
    void (*copy_operands)(draft&, int node);                  // views that its kernel cannot address
    void (*write)(writing&, plan_step&, step_draft const&);   // operands, extents, what its kernel is made of
    bool (*finds_bad_index)(table_view const&, int node);     // may end a call; null: never
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
