// SPDX-License-Identifier: MIT
// A plan as data: steps in order, the instructions of their loops, where operands lie, and the arena.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/table.hpp>

#include <array>
#include <bit>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// When variables move: as soon as a gradient is there, each by a step of its own, or all of them behind everything else.
enum class gating : unsigned char { none, op, graph };

namespace planner {

/// A hash of all bytes of T, which has no padding: reading that would be no constant expression.
template<std::size_t Words, class T>
constexpr std::uint64_t hash_words(T const& x) {
    std::uint64_t h = 0;
    for (std::uint64_t w : std::bit_cast<std::array<std::uint64_t, Words>>(x)) h = hash_mix(h, w);
    return h;
}

/// What a step does, and the extents of its loops.
enum class step_kind : unsigned char {
    nest,     // loops over outer dimensions and an inner one, running instructions. Extents: the outer dimensions
    matmul,   // a matrix product whose tiles go through instructions. Extents: m, n, k
    kernel,   // a kernel of an operation's own. Extents: turns of its outermost loop, and see loop_at; all that it asks for are parameters
    scan,     // a loop over a region, which has a plan of its own. Extents: turns
    update,   // an optimizer's rule on one variable. Extents: see update_whole and update_sparse
    check     // indices of an update that no lookup has looked at. Extents: how many, rows that there are
};
inline constexpr int step_kind_count = static_cast<int>(step_kind::check) + 1;   // check is the last one

enum class ins_kind : unsigned char {
    load,          // an operand
    accumulator,   // the tile of a matrix product
    parameter,     // a constant or a size
    index,         // position along the inner dimension
    random,        // uniform numbers of the stream of `operand`
    apply,         // op on registers a, b, c
    reduce,        // register a over the inner dimension, the outer ones, or both
    store          // register a to an operand
};

/// All of an instruction that the type of a kernel is made of, but for the operation.
struct instruction_form {
    ins_kind kind;
    monoid combine;
    dtype memory;        // element type in memory of load and store
    signed char level;   // 0: once, 1: once for each row of the nest, 2: for each element
    signed char phase;   // passes over the row, in order
    unsigned char
        inner;   // access: 0 the same for the whole row, 1 contiguous, 2 strided, +4: lanes side by side; reduce: inner dimension is reduced
    unsigned char outer;   // reduce: bit mask of reduced outer dimensions
    unsigned char arity;   // apply: how many of a, b, c
    short a, b, c;
    short operand;   // within the step; parameter: within the step's parameters

    constexpr bool operator==(instruction_form const&) const = default;
    constexpr std::uint64_t hash() const { return hash_words<2>(*this); }
};
/// One instruction; its register is its position in the step.
struct instruction : instruction_form {
    op_info const* op;
    constexpr bool operator==(instruction const&) const = default;
};

/// Where an operand lies: base memory, offset and strides as indices into the pool of polynomials.
struct step_operand {
    enum class where : unsigned char {
        position,   // no memory: where the loops stand
        scratch,    // of the step alone: an output that nobody reads; `inner` elements
        input,
        variable,
        buffer
    };
    where base;
    dtype type;
    short index;                  // of the input, variable or buffer
    short offset;                 // polynomials, in elements
    short stride[max_rank - 1];   // of the outer dimensions
    short inner;                  // of the inner one
    short node;                   // of the table, whose memory it is
    signed char version;          // of a variable: behind how many of its updates it is read

    constexpr bool has_memory() const { return base >= where::input; }
};

struct parameter {
    bool is_size;
    double value;
    short size;   // polynomial
};

/// In place of static_inner: a number that no type holds. The kernel of nests is told it, and sums as if it were static.
inline constexpr std::int64_t told_length = -2;
/// All of a step that the type of its kernel is made of, but for operation and instructions.
struct step_numbers {
    step_kind kind;
    dtype type;         // in which the instructions compute, or a rule
    dtype index_type;   // update, check: of indices
    bool transpose_a, transpose_b;
    bool sparse;              // update
    bool fused;               // update runs in the tiles of a product
    signed char lane;         // nest: the outer dimension along which the lanes lie; -1: the inner one
    signed char outer_rank;   // nest
    dtype memory;             // update: of the variable; product: of the matrices
    short phases;             // nest: passes over a row
    short
        block_rows;   // nest: room for the rows that visit a block of the inner dimension before the next one; 0: each row goes to its end
    short read_count;   // how many operands are read; of a product: those of its instructions, which stand in front of a and b
    int group;          // update: which rule
    int ins_count;
    std::int64_t static_inner, static_m, static_n,
        static_k;   // -1: dynamic; kernel: the extents that it wants to be static. Or told_length

    constexpr bool operator==(step_numbers const&) const = default;
    constexpr std::uint64_t hash() const { return hash_words<7>(*this); }
};
struct step_form : step_numbers {
    op_info const* op;   // kernel, scan
    constexpr bool operator==(step_form const&) const = default;
};
/// Products whose height is static run in parts from so many rows on.
inline constexpr std::int64_t parts_from_rows = 128;
/// Whether the type of a product's kernel lets parts of its rows run.
constexpr bool has_parts_of_rows(step_numbers const& s) { return s.static_m < 0 || (s.static_m >= parts_from_rows && s.static_n != 1); }

/// A step: its form, and what binds it to its place in the plan.
struct plan_step : step_form {
    short node;   // what it is for
    short first_ins;
    short first_operand, operand_count;
    short first_param, param_count;
    short extent[max_rank - 1];   // polynomials: of its loops, see the kinds
    short inner;                  // polynomial
    short variable;               // update: which variable
    bool in_parts;                // a loop of it may run part by part, at the same time and with the same bits
    short part_loop;              // of a nest: which one, an outer one or (outer_rank) the inner one; of others it is the outermost
    // Compound steps: distances to steps of this one's kernel, or back to the step whose kernel runs this one; 0: none.
    // update_at: of a product, the update that takes its tiles. loop_at, back_at: of a product with a vector, the loop and the transposed product
    // that go over its matrix with it. loop_at: of a kernel, the loop that takes what it leaves; further extents are then the turns of kernel and
    // loop that run at a time, and the elements that a turn of the kernel leaves
    short update_at;
    short loop_at, back_at;
    short joined_to;

    /// Of those that run a few turns of their loops at a time, in turn.
    constexpr bool in_pass() const { return loop_at > 0 || (joined_to > 0 && kind != step_kind::update); }
    constexpr bool hands_on() const { return loop_at > 0 && kind == step_kind::kernel; }
    /// How far the last one of them is.
    constexpr int reach() const { return back_at > loop_at ? back_at : loop_at; }
};

/// A block of the arena.
struct plan_buffer {
    short node;
    dtype type;
    short size;          // polynomial, elements
    short first, last;   // steps
    short place;         // index of the arena block it shares
    bool passing;        // handed on by a kernel to the loop behind it: so many elements at a time, each time from the start
};

struct arena_block {
    extent bytes;
};

/// A graph's outputs and what a step changes.
struct plan_update {
    int variable;          // node: of the variable, or the updated(...) that an update before this one leaves
    int dense;             // node of the gradient, or -1
    int values, indices;   // nodes of indexed slices, or -1
    int group;             // which rule
    bool whole = false;    // the rule needs more than one element at a time: its gradient is complete before it runs
    int column_sums = 0;   // doubles of scratch memory that it needs for each column
};
/// The variable of which node `i` is a value, before its updates or behind some of them, and behind how many.
struct variable_value {
    int variable, version;
};
constexpr variable_value value_of_variable(table_view const& t, int i) {
    variable_value v{i, 0};
    for (; t.kind(v.variable) == op_kind::updated; ++v.version) v.variable = t.operand(v.variable, 0);
    return v;
}
/// What the planner was asked for.
struct plan_request {
    int const* outputs;   // nodes
    int output_count;
    plan_update const* updates;
    int update_count;
    gating gate;
};

/// A plan in its exact size, but for buffers and blocks.
template<int Nodes, int Steps, int Ins, int Operands, int Params, int Polynomials, int Outputs>
struct plan_storage {
    plan_step steps[Steps + 1];
    instruction ins[Ins + 1];
    step_operand operands[Operands + 1];
    parameter params[Params + 1];
    plan_buffer buffers[Nodes + 1];
    arena_block blocks[Nodes + 1];
    extent polynomials[Polynomials + 1];
    int inputs[Nodes + 1], variables[Nodes + 1];
    step_operand outputs[Outputs + 1];
    int step_count, ins_count, operand_count, param_count, buffer_count, block_count, polynomial_count, input_count, variable_count,
        output_count;
    bool too_large;   // the size of a tensor is no polynomial that fits
};

}   // namespace planner

namespace detail {
template<class Plan>
constexpr int count_loops(Plan const& p) {
    int n = 0;
    for (int s = 0; s < p.step_count; ++s) n += p.steps[s].kind == planner::step_kind::scan;
    return n;
}
/// The loops of a program's plan, numbered in the order of their steps; `P::region<K>` is the program of the body of loop K.
template<class P>
using loop_numbers = std::make_integer_sequence<int, count_loops(P::plan)>;
}

namespace planner {

/// The first update of a plan, whichever form the plan is in; the number of steps where there is none.
template<class Plan>
constexpr int first_update(Plan const& p) {
    int i = 0;
    while (i < p.step_count && p.steps[i].kind != step_kind::update) ++i;
    return i;
}
/// The operand of a loop that is the memory `made`, or -1.
template<class Plan>
constexpr int taking_operand(Plan const& p, plan_step const& loop, step_operand const& made) {
    for (int k = 0; k < loop.operand_count; ++k)
        if (step_operand const& o = p.operands[loop.first_operand + k];
            made.base == step_operand::where::buffer && o.base == made.base && o.node == made.node)
            return k;
    return -1;
}
/// The output of step s, a kernel, that the loop behind it takes as they run, as one of its operands; -1: it hands nothing on.
template<class Plan>
constexpr int handed_operand(Plan const& p, int s) {
    plan_step const& k = p.steps[s];
    if (!k.hands_on()) return -1;
    plan_step const& loop = p.steps[s + k.loop_at];
    for (int w = k.read_count; w < k.operand_count; ++w)
        if (taking_operand(p, loop, p.operands[k.first_operand + w]) >= 0) return w;
    return -1;
}
/// Whether step s reads a new value.
template<class Plan>
constexpr bool reads_new(Plan const& p, plan_step const& s) {
    for (int k = 0; k < s.operand_count; ++k)
        if (p.operands[s.first_operand + k].version > 0) return true;
    return false;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
