// SPDX-License-Identifier: MIT
// A step while it is being formed: which rows it computes, over which space.
#pragma once

#include <xgrad/plan/plan.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN

/// One member of a step: a row, or the copy of an operand of a concatenation (or of a view) into place.
struct member {
    int row;
    int copy_operand;   // of a concat; -1 otherwise
};

/// Rows that must be in memory when all is done.
struct plan_roots {
    std::vector<int> outputs;   // what the caller sees
    std::vector<int> whole;     // outputs, dense gradients and indices: contiguous
    std::vector<int> by_rows;   // values of indexed slices: contiguous rows
};

struct step_draft {
    step_kind kind;
    dtype type;                 // the type its program computes in
    int rank = 0;               // iteration space, extents of 1 left out
    extent space[max_rank]{};
    int anchor = -1;            // product, gather, ...
    std::vector<member> members{};
};

XGRAD_NAMESPACE_END
