// SPDX-License-Identifier: MIT
// The plan as plain data: the steps in order, the instructions of their loops, the memory of their operands, and the arena.
//
// Terms of the planner and the kernels:
//     nest          a loop nest; one run of its innermost loop is a row
//     pass, phase   a loop over a whole row; a nest may have several, one after the other
//     lanes         the elements of a SIMD register
//     tile          a part of a matrix product that is computed in registers
//     turn          (in names) an iteration of a loop
//     handing on    (in names) a kernel passes its output to the next loop, block by block
//     polynomial    a size that depends on named dimensions; short numbers refer to the plan's list of polynomials
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/table.hpp>
#include <xgrad/plan/step_kinds.hpp>

#include <array>
#include <bit>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// When variables are updated.
/// - none: each variable as soon as its gradient is ready and its old value has been read.
/// - op: like none, but every update is a separate step. No update runs in the tiles of a matrix product.
/// - graph: all updates run after everything else.
enum class gating : unsigned char { none, op, graph };

namespace planner {

/// A hash of all bytes of T. T must have no padding: a constant expression cannot read padding bytes.
template<std::size_t Words, class T>
constexpr std::uint64_t hash_words(T const& x) {
    std::uint64_t h = 0;
    for (std::uint64_t w : std::bit_cast<std::array<std::uint64_t, Words>>(x)) h = hash_mix(h, w);
    return h;
}

/// What an instruction does.
enum class ins_kind : unsigned char {
    load,          // reads an operand
    accumulator,   // the tile of a matrix product
    parameter,     // a constant or a size
    index,         // position along the inner dimension
    random,        // uniform random numbers of the stream of `operand`
    apply,         // applies op to registers a, b, c
    reduce,        // reduces register a over the inner dimension, the outer dimensions, or both
    store          // writes register a to an operand
};

/// The parts of an instruction that the type of a kernel depends on, except the operation.
struct instruction_form {
    ins_kind kind;
    monoid combine;
    dtype memory;        // load, store: element type in memory
    signed char level;   // runs 0: once per step, 1: once for each row of the nest, 2: for each element
    signed char phase;   // the pass over the row in which it runs
    // Load, store: 0 the same for the whole row, 1 contiguous, 2 strided; +4 if the lanes are adjacent in memory.
    // Reduce: whether the inner dimension is reduced.
    unsigned char inner;
    unsigned char outer;   // reduce: bit mask of the reduced outer dimensions
    unsigned char arity;   // apply: how many of a, b, c are used
    short a, b, c;
    short operand;   // number within the step; parameter: number within the parameters of the step

    constexpr bool operator==(instruction_form const&) const = default;
    constexpr std::uint64_t hash() const { return hash_words<2>(*this); }
};
/// One instruction. The number of its register is its position in the step.
struct instruction : instruction_form {
    op_info const* op;
    constexpr bool operator==(instruction const&) const = default;
};

/// An operand's memory: a base, an offset and strides. Offset and strides are indices into the pool of polynomials.
struct step_operand {
    enum class where : unsigned char {
        // No memory: the position of the loops.
        position,
        // Scratch memory of this step for an unused output. It has `inner` elements.
        scratch,
        input,
        variable,
        buffer
    };
    where base;
    dtype type;
    short index;                  // number of the input, variable or buffer
    short offset;                 // polynomial, in elements
    short stride[max_rank - 1];   // polynomials: of the outer dimensions
    short inner;                  // polynomial: of the inner dimension
    short node;                   // the node of the table that owns the memory
    signed char version;          // variable: the value is read after this many of its updates

    constexpr bool has_memory() const { return base >= where::input; }
};

/// A number that instructions and kernels get at run time: a constant or a size.
struct parameter {
    bool is_size;
    double value;
    short size;   // polynomial
};

/// A value of static_inner: the length is known when the plan is made, but is passed at run time and is not part of the kernel's type.
/// The nest kernel sums in the same order as for a static length.
inline constexpr std::int64_t run_time_length = -2;
/// The parts of a step that the type of its kernel depends on, except the operation and the instructions.
struct step_numbers {
    step_kind kind;
    dtype type;         // in which the instructions or the rule compute
    dtype index_type;   // update, check: element type of the indices
    bool transpose_a, transpose_b;
    bool sparse;              // update
    bool fused;               // update: runs in the tiles of a product
    signed char lane;         // nest: the outer dimension along which the SIMD lanes run; -1: the inner one
    signed char outer_rank;   // nest
    dtype memory;             // update: element type of the variable in memory; product: of its matrices
    short phases;             // nest: passes over a row
    // Nest: the inner dimension is processed in blocks.
    // This is the space for the rows that visit a block before the next block starts. 0: each row runs to its end.
    short block_rows;
    // How many operands are read. Of a product: those that its instructions read. They come before a and b.
    short read_count;
    int group;   // update: number of the rule
    int ins_count;
    // The static sizes; -1: dynamic; run_time_length: known, but passed at run time. Of a kernel: the extents that it wants to be static.
    std::int64_t static_inner, static_m, static_n, static_k;

    constexpr bool operator==(step_numbers const&) const = default;
    constexpr std::uint64_t hash() const { return hash_words<7>(*this); }
};
/// Everything that the type of a step's kernel depends on, except the instructions.
struct step_form : step_numbers {
    op_info const* op;   // kernel, region
    constexpr bool operator==(step_form const&) const = default;
};
/// From this height on, a product with a static height is split into parts that may run in parallel.
inline constexpr std::int64_t parts_from_rows = 128;
/// Whether the type of the product's kernel allows parts of its rows to run separately.
constexpr bool has_parts_of_rows(step_numbers const& s) { return s.static_m < 0 || (s.static_m >= parts_from_rows && s.static_n != 1); }

/// A step: its form, and everything that binds it to its place in the plan.
struct plan_step : step_form {
    short node;   // the node that it computes; update: the value that is replaced; check: the table
    short first_ins;
    short first_operand, operand_count;
    short first_param, param_count;
    short extent[max_rank - 1];     // polynomials: the extents of its loops, see step_kind
    short inner;                    // polynomial
    short variable;                 // update: number of the variable
    short first_body, body_count;   // region: its bodies among those of the plan
    // One of its loops may run in parts, in parallel, with bitwise equal results.
    bool in_parts;
    // Nest: the loop that is split, an outer one or (outer_rank) the inner one. All other kinds split their outermost loop.
    short part_loop;
    // A compound step consists of several steps that run in one kernel, that of the first step.
    // These fields are distances in steps; 0 means none.
    //
    //     field       of                             points to
    //     update_at   product                        the update that runs in its tiles
    //     update_at   loop over a body               the last of the updates after it that run by rows, one after each iteration
    //     loop_at     product of matrix and vector   the loop of the same pass over the matrix
    //     back_at     the same product               the transposed product of that pass
    //     loop_at     kernel                         the loop that consumes its output block by block
    //     joined_to   all but the first step         back to the first step
    //
    // For a kernel with a loop, extent[1] and extent[2] are the iterations of kernel and loop per block.
    // extent[3] is the number of elements that one iteration of the kernel writes.
    // For an update by rows, extent[0] is the number of elements of a row.
    short update_at;
    short loop_at, back_at;
    short joined_to;

    /// Whether the step is part of a group whose members take turns: each runs a few iterations at a time.
    constexpr bool in_pass() const { return loop_at > 0 || (joined_to > 0 && !facts_of(kind).updates_variable); }
    constexpr bool hands_on() const { return loop_at > 0 && facts_of(kind).has_own_kernel; }
    constexpr bool updates_rows() const { return facts_of(kind).updates_variable && sparse; }
    /// The loops that its instructions run in: the number of outer loops, and the inner one as a polynomial.
    constexpr int outer_loops() const { return facts_of(kind).in_tiles ? 1 : outer_rank; }
    constexpr short inner_loop() const { return facts_of(kind).in_tiles ? extent[1] : inner; }
    /// The distance to the last step of the group.
    constexpr int reach() const { return back_at > loop_at ? back_at : loop_at; }
};

/// A buffer: the memory of one node. It is placed in a block of the arena.
struct plan_buffer {
    short node;
    dtype type;
    short size;          // polynomial: elements
    short first, last;   // the first and the last step that use it
    short place;         // index of the arena block that it shares
    // Written by a kernel for the loop after it, block by block. The memory holds one block and is overwritten by the next one.
    bool passing;
};

/// A block of the arena. Buffers with different lifetimes share it.
struct arena_block {
    extent bytes;
};

/// An update that was requested: which variable, with which gradient, by which rule.
struct plan_update {
    int variable;          // node: the variable, or the updated(...) that an earlier update leaves
    int dense;             // node of the dense gradient, or -1
    int values, indices;   // nodes of indexed slices, or -1
    int group;             // number of the rule
    bool whole = false;    // the rule reads more than one element at a time: its gradient must be complete before it runs
    int column_sums = 0;   // scratch memory per column, in doubles
};
/// The variable of which node `i` is a value, and after how many of its updates.
struct variable_value {
    int variable, version;
};
constexpr variable_value value_of_variable(table_view const& t, int i) {
    variable_value v{i, 0};
    for (; t.kind(v.variable) == op_kind::updated; ++v.version) v.variable = t.operand(v.variable, 0);
    return v;
}
/// The request to the planner: what to compute and which updates to do.
struct plan_request {
    int const* outputs;   // nodes
    int output_count;
    plan_update const* updates;
    int update_count;
    gating gate;
};

/// A plan with arrays of exact size. Only the arrays for buffers, blocks, inputs and variables have spare elements.
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
    // The size of a tensor is not a polynomial that fits into `extent`.
    bool too_large;
};

}   // namespace planner

namespace detail {
template<class Plan>
constexpr int count_bodies(Plan const& p) {
    int n = 0;
    for (int s = 0; s < p.step_count; ++s) n += p.steps[s].body_count;
    return n;
}
/// The bodies of a program's plan, numbered in the order of their steps. `P::region<K>` is the program of body K.
template<class P>
using body_numbers = std::make_integer_sequence<int, count_bodies(P::plan)>;
/// Whether body K of P runs in registers.
template<class P, int K>
struct runs_in_registers;   // defined in compile/number_body.hpp
template<class P, int... K>
constexpr auto find_planned_bodies(std::integer_sequence<int, K...>) {
    constexpr bool planned[] = {!runs_in_registers<P, K>::value..., false};
    constexpr auto nth = [](bool const* of, int n) {
        int k = 0;
        while (!of[k] || n-- > 0) ++k;
        return k;
    };
    return [&]<int... N>(std::integer_sequence<int, N...>) { return std::integer_sequence<int, nth(planned, N)...>{}; }(
               std::make_integer_sequence<int, (0 + ... + !runs_in_registers<P, K>::value)>{});
}
template<class P>
constexpr std::integer_sequence<int> find_planned_bodies(std::integer_sequence<int>) {
    return {};
}
/// The bodies of a program that have a plan and an arena: those that do not run in registers.
template<class P>
using planned_bodies = decltype(find_planned_bodies<P>(body_numbers<P>{}));
}

namespace planner {

/// The index of the first update of a plan in any form, or the number of steps if the plan has no update.
template<class Plan>
constexpr int first_update(Plan const& p) {
    int i = 0;
    while (i < p.step_count && !facts_of(p.steps[i].kind).updates_variable) ++i;
    return i;
}
/// The number of the operand of `loop` that is the memory of `made`, or -1.
template<class Plan>
constexpr int taking_operand(Plan const& p, plan_step const& loop, step_operand const& made) {
    for (int k = 0; k < loop.operand_count; ++k)
        if (step_operand const& o = p.operands[loop.first_operand + k];
            made.base == step_operand::where::buffer && o.base == made.base && o.node == made.node)
            return k;
    return -1;
}
/// The output of step s, a kernel, that the loop after it consumes block by block, as the number of an operand; -1: none.
template<class Plan>
constexpr int handed_operand(Plan const& p, int s) {
    plan_step const& k = p.steps[s];
    if (!k.hands_on()) return -1;
    plan_step const& loop = p.steps[s + k.loop_at];
    for (int w = k.read_count; w < k.operand_count; ++w)
        if (taking_operand(p, loop, p.operands[k.first_operand + w]) >= 0) return w;
    return -1;
}
/// Whether step s reads a value that an update has left.
template<class Plan>
constexpr bool reads_new(Plan const& p, plan_step const& s) {
    for (int k = 0; k < s.operand_count; ++k)
        if (p.operands[s.first_operand + k].version > 0) return true;
    return false;
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
