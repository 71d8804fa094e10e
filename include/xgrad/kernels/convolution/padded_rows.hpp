// SPDX-License-Identifier: MIT
// Rows of an array with zeros on both sides. The last few rows stay in scratch memory, which a convolution reads many times.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/kernels/convolution/sizes.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// More rows than one row of results needs: up to this number, and about this many bytes.
inline constexpr std::int64_t more_rows = 64, more_bytes = 65536;

/// The number of rows that one row of results meets lies within this range of rows.
constexpr std::int64_t row_range(sizes const& s, std::int64_t heights) {
    return (s.at[0].size - 1) * s.at[0].dilation * heights + s.at[1].span();
}

template<class T>
struct padded_rows {
    T const* array;
    std::int64_t row, before, after;   // elements of a row, and of its margins
    std::int64_t slots;                // of rows in memory; 0 if rows are read in place
    T* rows;
    std::int64_t* held;   // which row a slot holds, or −1

    std::int64_t length() const { return before + row + after; }
    /// `range` is the smallest number of slots.
    static padded_rows make(T const* array, std::int64_t pixels, std::int64_t channels, margins m, std::int64_t range, memory& from) {
        padded_rows r{array, pixels * channels, m.before * channels, m.after * channels, 0, nullptr, nullptr};
        if (m.before == 0 && m.after == 0) return r;
        std::int64_t const bytes = std::max<std::int64_t>(r.length() * static_cast<std::int64_t>(sizeof(T)), 1);
        r.slots = range + std::min(more_rows, more_bytes / bytes);
        r.held = from.take<std::int64_t>(range + more_rows);
        r.rows = from.take<T>(r.slots * r.length());
        std::fill_n(r.held, r.slots, std::int64_t{-1});
        return r;
    }
    /// Element 0 of row `key` of all rows. Rows whose numbers differ by less than `slots` stay valid together.
    T const* at(std::int64_t key) const {
        if (slots == 0) return array + key * row;
        std::int64_t const slot = key % slots;
        T* const to = rows + slot * length();
        if (held[slot] != key) {
            if (held[slot] < 0) {
                std::fill_n(to, before, T(0));
                std::fill_n(to + before + row, after, T(0));
            }
            std::copy_n(array + key * row, row, to + before);
            held[slot] = key;
        }
        return to + before;
    }
};

/// A copy of n numbers that may be read up to a batch beyond the end.
template<class T>
T const* with_more_memory(T const* numbers, std::int64_t n, memory& from) {
    T* const copy = from.take<T>(n + static_cast<std::int64_t>(simd::width<T>));
    std::copy_n(numbers, n, copy);
    std::fill_n(copy + n, simd::width<T>, T(0));
    return copy;
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
