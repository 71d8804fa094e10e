// SPDX-License-Identifier: MIT
// What planning asks of a node of the table again and again, and where its elements lie.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Offset and strides of a node's elements in the memory of `base`.
struct memory_view {
    int base;
    extent_id offset;
    extent_id stride[max_rank];
};

/// Which space dimension each axis of a node runs along; -1 for extents of 1.
struct axis_map {
    signed char to[max_rank];
};

/// Why each loop that reads a node computes it, in place of reading it from memory.
enum class inlining : unsigned char {
    none,      // it is computed once
    cheap,     // computing it costs less than reading it
    numbers,   // it is made of constants and sizes
    spread     // it is larger than what it is made of
};
/// What planning asks of a node again and again.
struct node_facts {
    op_kind kind;
    dtype type;
    bool is_view;          // seen through: not copied
    bool keeps_elements;   // a view that keeps the elements one by one, so that a register can stand for it
    bool is_leaf, is_number;
    bool copied;   // a view (or a leaf asked for as a result) whose elements are copied to memory of their own
    bool live, stored;
    bool whole;              // of what the caller or an update reads: laid out in the order of its axes
    signed char lane_axis;   // the axis that lies innermost where the lanes want it so, or -1
    bool packed;             // a leaf that is copied so, for the steps with such lanes
    inlining inlined;        // whether each loop that reads it computes it
    int view_operand;        // of a view, copied or not
    int operand_count;       // that are read
    int const* operands;
    int placed;            // node of the concatenation in whose memory a node is computed, or -1
    extent_id placed_at;   // its first element along the axis
    int leaf;              // which input or which variable, in the order of their first appearance
    int step;              // in which a node is computed, or -1
    int ready;             // the step after which a node's memory is complete; -1: from the start
    short reg;             // of that step, which holds the node, or -1
    signed char phase;     // the pass of that step in which it is computed
    signed char stage;     // see node_stages
    bool checked_before;   // a lookup behind updates, whose indices are looked at before them
    id_shape dims;
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
