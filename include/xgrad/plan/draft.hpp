// SPDX-License-Identifier: MIT
// A step while it is being formed: which rows it computes, over which space.
#pragma once

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN

/// One member of a step: a row, or the copy of an operand of a concatenation (or of a view) into place.
struct member {
    int row;
    int copy_operand;   // of a concat; -1 otherwise
    int next;           // of the same step, or -1
};

struct step_draft {
    step_kind kind;
    dtype type;   // the type its program computes in
    int anchor;   // product, gather, ...; -1 of a nest
    int first_member, last_member;
    int rank;   // iteration space, extents of 1 left out
    extent_id space[max_rank];
    signed char lane;   // dimension along which the lanes lie; -1: the last one, as operands are laid out
    bool in_blocks;     // blocks of lanes run whole rows; otherwise dimension `lane` comes last
    int weight;         // about as many instructions
    int goes_on;        // where those end up that find it full, or -1
};

struct draft_slot {
    operand_slot::where base;
    dtype type;
    int row;   // whose memory it is
    extent_id offset;
    extent_id stride[max_rank];   // by dimension of the step's space
};

/// Rows that must be in memory when all is done.
struct plan_roots {
    sequence<int> outputs;    // what the caller sees
    sequence<int> whole;      // outputs, dense gradients and indices: contiguous
    sequence<int> by_rows;    // values of indexed slices: contiguous rows
    sequence<int> row_axis;   // of each: the first axis within a row
};

XGRAD_NAMESPACE_END
