// SPDX-License-Identifier: MIT
// What a step of a program has found that ends the call, if it has a name.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// A loop whose number of iterations is out of range, a checked expression with a number that is not finite, or an index out of range.
struct call_fault {
    std::string_view name;      // of the loop's body, of the check, or of the operation that reads the index; empty: none
    std::int64_t found, most;   // iterations and their limit; of a number, its position, and 1 in a gradient; an index and its limit
    bool is_number = false;
    double number = 0;
    void const* index = nullptr;   // its address; null: no index is wrong
    bool is_unsigned = false;      // the index
    char const* reason = "";       // why an index below its limit is wrong
};
/// Whether an index is in [0, n).
template<class I>
XGRAD_INLINE bool is_position(I id, std::int64_t n) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(id)) < static_cast<std::uint64_t>(n);
}
/// Reports an index, unless an earlier one was reported. `fault` may be null.
template<class I>
XGRAD_COLD void report_index(
    bool* bad_index, call_fault* fault, std::string_view operation, I const& index, std::int64_t limit, char const* reason = "") {
    if (fault != nullptr && !*bad_index)
        *fault = {operation, static_cast<std::int64_t>(index), limit, false, 0, &index, static_cast<I>(-1) > I(0), reason};
    *bad_index = true;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
