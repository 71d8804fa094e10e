// SPDX-License-Identifier: MIT
// Precomputed facts about the nodes of the table, and where their elements are stored.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Offset and strides of a node's elements in the memory of node `base`.
struct memory_view {
    int base;
    extent_id offset;
    extent_id stride[max_rank];
};

/// For each axis of a node, the dimension of the space that it runs along; -1 for extents of 1.
struct axis_map {
    signed char to[max_rank];
};

/// Why each loop that reads a node computes it, instead of reading it from memory.
enum class inlining : unsigned char {
    none,      // it is computed once, by one step
    cheap,     // computing it costs less than reading it
    numbers,   // it is made of constants and sizes only
    spread     // it is larger than everything it is made of
};
/// Facts about a node that the passes need repeatedly.
struct node_facts {
    op_kind kind;
    dtype type;
    bool is_view;          // resolved to the memory of its operand: not copied
    bool keeps_elements;   // a view that maps elements one to one, so a register can hold its value
    bool is_leaf, is_number;
    bool copied;   // a view, or a leaf that is a result, whose elements are copied to separate memory
    bool live, stored;
    bool whole;              // read in full by the caller or an update: stored in the order of its axes
    signed char lane_axis;   // the axis that is innermost in memory because lanes run along it, or -1
    bool packed;             // a leaf that has a copy with this layout, for the steps with such lanes
    inlining inlined;        // whether each loop that reads it computes it
    int view_operand;        // of a view, copied or not
    int operand_count;       // number of operands that are read
    int const* operands;
    int placed;            // the concatenation in whose memory the node is computed, or -1
    extent_id placed_at;   // position of its first element along the axis of the concatenation
    int leaf;              // number of the input or variable, in the order of first appearance
    int step;              // the step that computes the node, or -1
    int ready;             // the step after which its memory is complete; -1: from the start
    short reg;             // the register of that step that holds the node, or -1
    signed char phase;     // the pass of that step that computes the node
    signed char stage;     // see node_stages
    // A lookup that runs after updates. A separate step checks its indices before them.
    bool checked_before;
    id_shape dims;
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
