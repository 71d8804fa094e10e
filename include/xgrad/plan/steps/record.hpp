// SPDX-License-Identifier: MIT
// What the planner knows about a kind of step that nodes open.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/copies.hpp>
#include <xgrad/plan/writing.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

struct step_record {
    step_kind kind;
    op_kind node;                                             // the nodes that open such steps
    void (*copy_operands)(draft&, int node);                  // copies views that the kernel cannot address
    void (*write)(writing&, plan_step&, step_draft const&);   // writes operands, extents and everything that the kernel depends on
    bool (*finds_bad_index)(table_view const&, int node);     // whether the step may end a call; null: never
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
