// SPDX-License-Identifier: MIT
// Results in memory of the caller. A whole buffer of the plan that is a result is placed there during a call.
// A part or another view of a buffer is copied.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array_like.hpp>
#include <xgrad/run/runtime_plan.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN

/// The rank of an array for results that has only a number of elements, such as a vector. Its first extent is this number.
inline constexpr int any_shape = -1;

/// Which results of a runner are in memory of its caller. Arrays are counted over the results that are not scalars.
struct result_memory {
    struct patch {   // an operand that points into a buffer
        int operand, array;
        std::int64_t bytes;
    };
    sequence<short> array_of;     // of each buffer: the array that takes its place, -1 for none
    sequence<patch> patches;      // of the sizes that are laid out
    sequence<std::byte*> given;   // the arrays of the last call
    bool wanted = false;          // any call so far had arrays: the lists above have enough space
    bool lent = false;            // the last call had arrays

    /// Allocates all lists, so that later calls do not allocate.
    XGRAD_COLD void want(runtime_plan const& plan) {
        sequence<short> arrays(plan.buffer_count, short{-1});
        sequence<patch> room(plan.operand_count);
        sequence<std::byte*> all(plan.output_count, nullptr);
        array_of.swap(arrays);
        patches.swap(room);
        given.swap(all);
        wanted = true;
    }
    /// Whether the result is a buffer in memory of the caller.
    bool takes(planner::step_operand const& result) const {
        return wanted && result.base == planner::step_operand::where::buffer && array_of[result.index] >= 0;
    }
};

namespace detail {
/// The bytes of an array.
struct byte_range {
    std::uintptr_t first, last;   // last: the address after the range
    byte_range(void const* p, std::int64_t elements, dtype type)
        : first(reinterpret_cast<std::uintptr_t>(p)), last(first + static_cast<std::uintptr_t>(elements) * size_of(type)) {}
    bool meets(byte_range const& o) const { return first < o.last && o.first < last && first != last && o.first != o.last; }
};
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
