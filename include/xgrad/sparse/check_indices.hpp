// SPDX-License-Identifier: MIT
// Finds and reports indices outside a table, before anything is changed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/core/error.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace sparse {

/// The offset of the first index outside [0, rows), or -1. One pass without a branch per index.
template<class Index>
std::int64_t first_out_of_range(Index const* indices, std::int64_t n, std::int64_t rows) noexcept {
    using Unsigned = std::make_unsigned_t<Index>;
    auto const limit = static_cast<std::uint64_t>(rows);
    constexpr std::int64_t block = 16;   // a constant length, of which -O2 makes SIMD
    Unsigned each[block]{};              // a negative index is a huge unsigned one
    auto const larger = [](Unsigned a, Index b) { return static_cast<Unsigned>(b) > a ? static_cast<Unsigned>(b) : a; };
    std::int64_t k = 0;
    for (; k + block <= n; k += block)
        for (std::int64_t e = 0; e < block; ++e) each[e] = larger(each[e], indices[k + e]);
    for (; k < n; ++k) each[0] = larger(each[0], indices[k]);
    Unsigned largest = 0;
    for (Unsigned const l : each) largest = l > largest ? l : largest;
    if (n <= 0 || largest < limit) return -1;
    k = 0;
    while (static_cast<Unsigned>(indices[k]) < limit) ++k;
    return k;
}

/// \throws value_error if an index is negative or too large. The message names the table, the index and its offset.
template<class Index>
void check_indices(Index const* indices, std::int64_t n, std::int64_t rows, std::string_view table) {
    std::int64_t const k = first_out_of_range(indices, n, rows);
    if (k >= 0) {
        raise_parts<value_error>(
            {table, ": index ", static_cast<std::int64_t>(indices[k]), " at offset ", k, " in indices is out of range [0, ", rows, ")"});
    }
}

}   // namespace sparse
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
