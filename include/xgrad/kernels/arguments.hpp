// SPDX-License-Identifier: MIT
// What a compiled step is told at run time: extents, addresses and strides. Filled in when a call binds its arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// The most slots that an update rule may have.
inline constexpr int max_rule_slots = 8;

/// An operand: its first element and how far the next ones lie, in elements.
struct operand_argument {
    std::byte* data;                     // of a position: elements, as an address
    std::int64_t stride[max_rank - 1];   // along the outer dimensions
    std::int64_t inner;                  // along the inner one
};

/// The state of the random streams of one call.
struct random_state {
    std::uint64_t seed;
    std::uint64_t step;
    std::uint32_t worker;
    std::uint32_t iteration;   // the turn of a loop
};

/// What the kernel of one step reads.
struct step_arguments {
    std::int64_t extent[max_rank - 1];   // as in plan_step
    std::int64_t inner;
    std::int64_t first;   // of a kernel of an operation's own: the first turn of its outermost loop, of which it runs extent[0]
    std::int64_t last;    // of an update by indexed rows: it runs its share of rows `first` to before `last` of the variable
    operand_argument const* operands;
    double const* params;
    void* scratch;
    std::uint64_t const* names;   // hash of the stream of each operand, for random numbers
    random_state const* random;
    // updates
    void const* scalars;       // the rule's scalars<T> of this apply
    void* parameter;           // the variable
    void* const* rule_slots;   // the variable's slots
    std::int64_t
        row_step;   // of an update by indexed rows: elements from a row to the next, of the variable and of its slots per element; 0: a row's
    void* groups;   // of an update by indexed rows whose indices another one has too: memory of their groups; null: scratch
    bool grouped;   // the other one has made them
    // indices found out of range: set instead of reading beyond a table
    bool* bad_index;
    void* body;                              // scan: the runner of the body
    void (*kernel)(step_arguments const&);   // null: it runs with a step before it

    /// A parameter that is an extent: those of a kernel of an operation's own.
    std::int64_t size(int k) const { return static_cast<std::int64_t>(params[k]); }
};

/// Bytes of scratch memory that a kernel needs, from extents and parameters alone.
using scratch_function = std::size_t (*)(step_arguments const&);

/// A kernel, null for a step that runs with one before it, and what the step needs of scratch memory, null for nothing.
struct kernel_functions {
    void (*run)(step_arguments const&);
    scratch_function scratch;
};

/// Runs steps `first` to before `last` in order; false where an index was out of range (nothing has been updated then: updates come after all that
/// look at indices).
XGRAD_INLINE bool run_steps(step_arguments const* steps, int first, int last) {
    for (step_arguments const *a = steps + first, *const end = steps + last; a != end; ++a) {
        if (a->kernel == nullptr) continue;
        a->kernel(*a);
        if (*a->bad_index) return false;
    }
    return true;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
