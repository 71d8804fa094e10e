// SPDX-License-Identifier: MIT
// Arrays as text, as NumPy writes them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <iosfwd>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// An array of `rank` axes from `first` on; of axes that are longer than `most` the first and last three alone. Lines begin below the first bracket, `depth` to the right.
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
        for (int line = 1; i > 0 && line < rank; ++line) out << '\n';   // matrices stand apart
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
/// All elements of up to 1000, as NumPy.
template<class Stream, class T>
Stream& print_shaped(Stream& out, T const* first, std::int64_t const* extents, int rank, std::int64_t size) {
    if (size == 0) {   // whose extents no elements show
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
