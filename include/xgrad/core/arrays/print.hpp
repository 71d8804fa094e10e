// SPDX-License-Identifier: MIT
// Prints arrays in NumPy's format.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <iosfwd>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Prints an array of `rank` axes. Of an axis longer than `most`, only the first and last three entries. `depth` is the
/// indentation: continued lines begin below the first bracket.
template<class Stream, class T>
void print_array(Stream& out, T const* first, std::int64_t const* extents, int rank, std::int64_t most, int depth = 0) {
    if (rank == 0) {
        if constexpr (std::is_arithmetic_v<T>) out << +*first;   // numbers, not characters
        else out << static_cast<float>(*first);
        return;
    }
    std::int64_t const n = extents[0];
    std::int64_t row = 1;
    for (int d = 1; d < rank; ++d) row *= extents[d];
    out << '[';
    for (std::int64_t i = 0; i < n; ++i) {
        if (i > 0) out << ',';
        if (i > 0 && rank == 1) out << ' ';
        for (int line = 1; i > 0 && line < rank; ++line) out << '\n';   // blank lines between matrices
        for (int column = 0; i > 0 && rank > 1 && column <= depth; ++column) out << ' ';
        if (n > most && i == 3) {
            out << "...";
            i = n - 4;
        } else {
            print_array(out, first + i * row, extents + 1, rank - 1, most, depth + 1);
        }
    }
    out << ']';
}
/// Prints all elements if there are at most 1000, like NumPy.
template<class Stream, class T>
Stream& print_shaped(Stream& out, T const* first, std::int64_t const* extents, int rank, std::int64_t size) {
    if (size == 0) {   // the extents are printed because no elements show them
        out << "[] of shape [";
        for (int d = 0; d < rank; ++d) out << (d == 0 ? "" : ", ") << extents[d];
        out << ']';
    } else {
        print_array(out, first, extents, rank, size > 1000 ? std::int64_t{6} : size);
    }
    return out;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
