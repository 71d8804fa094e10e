// SPDX-License-Identifier: MIT
// The run-time arguments of a compiled step: extents, addresses and strides. They are filled in when a call binds its arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/call_fault.hpp>
#include <xgrad/core/shape.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN

class runner;

/// Maximal number of slots of an update rule.
inline constexpr int max_rule_slots = 8;

/// An operand: the address of its first element, and its strides in elements.
struct operand_argument {
    std::byte* data;                     // a position has no memory: this is a number of elements, stored as an address
    std::int64_t stride[max_rank - 1];   // along the outer dimensions
    std::int64_t inner;                  // along the inner one
};

/// The state of the random streams of one call.
struct random_state {
    std::uint64_t seed;
    std::uint64_t step;
    std::uint32_t worker;
    std::uint32_t iteration;   // iteration of the loop that the step is in
};

/// What a product in the body of a loop does with the copies of the panels of its right factor, if that is the same in all iterations.
enum class panel_use : unsigned char {
    alone,   // the run needs nothing of other runs
    make,    // all panels are copied, and the copies stay in the scratch memory of the step
    reuse    // an earlier iteration has made the copies
};

/// The arguments of one step's kernel.
struct step_arguments {
    std::int64_t extent[max_rank - 1];   // as in plan_step
    std::int64_t inner;
    std::int64_t first;   // kernels of operations: the first iteration of the outermost loop; extent[0] iterations are run
    std::int64_t last;    // updates by indexed rows: only rows [first, last) of the variable are updated
    operand_argument const* operands;
    double const* params;
    void* scratch;
    std::uint64_t const* names;   // hash of the stream of each operand, for random numbers
    random_state const* random;
    // For updates:
    void const* scalars;       // the rule's scalars<T> for this step
    void* parameter;           // the variable
    void* const* rule_slots;   // the variable's slots
    // Updates by indexed rows: the distance between rows, in elements, of the variable and of its slots per element.
    // 0: the length of a row.
    std::int64_t row_step;
    // Updates by indexed rows that share their indices with another update: memory of the row groups.
    // Null: the groups are in scratch memory.
    void* groups;
    bool grouped;       // the other update has already computed the groups
    panel_use panels;   // products
    // Set to true if an index is out of range, instead of reading outside a table.
    // `fault` then says more: about the index, a number of iterations, or a number that is not finite.
    bool* bad_index;
    call_fault* fault;
    runner* const* bodies;                   // region: the runners of its bodies
    void (*kernel)(step_arguments const&);   // null: the step runs as part of an earlier step

    /// Parameter k as an extent. All parameters of an operation's kernel are extents.
    std::int64_t size(int k) const { return static_cast<std::int64_t>(params[k]); }
};

/// The bytes of scratch memory that a kernel needs. Uses only extents and parameters.
using scratch_function = std::size_t (*)(step_arguments const&);

/// A kernel, and the function for its scratch memory. run is null if an earlier step runs this one; scratch is null if no memory is needed.
struct kernel_functions {
    void (*run)(step_arguments const&);
    scratch_function scratch;
};

/// Runs steps [first, last) in order. Returns false if an index was out of range.
/// In that case nothing has been updated, because updates come after all checks of indices.
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
