// SPDX-License-Identifier: MIT
// Rows of an array with zeros on both sides. The last few rows stay in scratch memory, which a convolution reads many times.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/kernels/convolution/sizes.hpp>
#include <xgrad/kernels/convolution/transpose.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// More rows than one row of results needs: up to this number, and at most this many bytes.
inline constexpr std::int64_t more_rows = 64, more_bytes = 65536;
/// The bytes for sums over many rows of results, for a few rows of results, and for one.
inline constexpr std::int64_t many_rows_bytes = more_bytes, few_rows_bytes = 32768, one_row_bytes = 2048;

/// The number of rows that one row of results meets is within this range of rows.
constexpr std::int64_t row_range(sizes const& s, std::int64_t heights) {
    return (s.at[0].size - 1) * s.at[0].dilation * heights + s.at[1].span();
}

/// For short rows, where a call of memcpy costs more than the copy.
template<class T>
XGRAD_INLINE void copy_numbers(T const* from, T* to, std::int64_t n) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t i = 0;
    for (; i + 2 * W <= n; i += 2 * W) {
        simd::batch<T> const a = simd::load(from + i), b = simd::load(from + i + W);
        simd::store(to + i, a);
        simd::store(to + i + W, b);
    }
    for (; i < n; ++i) to[i] = from[i];
}
template<class T>
struct padded_rows {
    T const* array;
    std::int64_t row, before, after;   // elements of a row, and of its margins
    std::int64_t channels;
    std::int64_t slots;   // of rows in memory; 0 if rows are read in place
    T* rows;
    std::int64_t* held;       // which row a slot holds, or −1
    std::int64_t repeat;      // how often each channel occurs in memory
    std::int64_t plane = 0;   // elements of a channel with its margins, if pixels of one channel follow each other; otherwise 0

    std::int64_t length() const { return plane > 0 ? plane * channels : before + row * repeat + after; }
    /// `range` is the smallest number of slots.
    static padded_rows make(T const* array, std::int64_t pixels, std::int64_t channels, margins m, std::int64_t range,
        std::int64_t most_bytes, memory& from, std::int64_t repeat = 1) {
        padded_rows r{
            array, pixels * channels, m.before * channels * repeat, m.after * channels * repeat, channels, 0, nullptr, nullptr, repeat};
        if (m.before != 0 || m.after != 0 || repeat != 1) r.take(range, most_bytes, from);
        return r;
    }
    /// Each channel is a plane. Lanes of a batch may be read after its end.
    static padded_rows make_planes(
        T const* array, std::int64_t pixels, std::int64_t channels, margins m, std::int64_t range, memory& from) {
        padded_rows r{array, pixels * channels, m.before, m.after, channels, 0, nullptr, nullptr, 1,
            m.before + std::max(pixels + m.after, whole_batches(pixels))};
        r.take(range, few_rows_bytes, from);
        return r;
    }
    static std::int64_t whole_batches(std::int64_t n) {
        constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
        return (n + W - 1) / W * W;
    }
    void take(std::int64_t range, std::int64_t most_bytes, memory& from) {
        std::int64_t const bytes = std::max<std::int64_t>(length() * static_cast<std::int64_t>(sizeof(T)), 1);
        slots = range + std::min(more_rows, most_bytes / bytes);
        held = from.take<std::int64_t>(range + more_rows);
        rows = from.take<T>(slots * length() + static_cast<std::int64_t>(simd::width<T>));
        std::fill_n(held, slots, std::int64_t{-1});
    }
    /// Element 0 of row `key` of all rows. Rows whose numbers differ by less than `slots` stay valid together.
    T const* at(std::int64_t key) const {
        if (slots == 0) return array + key * row;
        std::int64_t const slot = key % slots;
        T* const to = rows + slot * length();
        if (held[slot] != key) {
            if (held[slot] < 0 && plane > 0) std::fill_n(to, length(), T(0));
            else if (held[slot] < 0) {
                std::fill_n(to, before, T(0));
                std::fill_n(to + length() - after, after, T(0));
            }
            copy(array + key * row, to + before);
            held[slot] = key;
        }
        return to + before;
    }
    void copy(T const* in, T* to) const {
        if (plane > 0) transpose(in, row / channels, channels, channels, to, plane, whole_batches(row / channels));
        else if (repeat == 1) copy_numbers(in, to, row);
        else
            for (std::int64_t i = 0; i < row; ++i) to = std::fill_n(to, repeat, in[i]);
    }
};

/// Widens low … high by the rows that row `r` of results meets. Back: results are rows of the array, and they meet rows of places.
template<bool Back>
void widen_range(sizes const& s, row_place r, std::int64_t& low, std::int64_t& high) {
    axis const &depth = s.at[0], &height = s.at[1];
    for (std::int64_t z = 0; z < depth.size; ++z) {
        std::int64_t const d = depth.template met<Back>(r.depth, z);
        for (std::int64_t y = 0; d >= 0 && y < height.size; ++y)
            if (std::int64_t const h = height.template met<Back>(r.height, y); h >= 0) {
                std::int64_t const row = (r.image * depth.template met_count<Back>() + d) * height.template met_count<Back>() + h;
                low = std::min(low, row);
                high = std::max(high, row);
            }
    }
}
/// The end of at most `most` rows of results, from `first` on, whose operands fit into memory together.
template<bool Back, class T>
std::int64_t rows_that_fit(sizes const& s, padded_rows<T> const& rows, std::int64_t first, std::int64_t last, std::int64_t most) {
    std::int64_t end = first, low = INT64_MAX, high = -1;
    for (last = std::min(last, first + most); end < last; ++end) {
        widen_range<Back>(s, row_place::of(end, s.at[0].results<Back>(), s.at[1].results<Back>()), low, high);
        if (rows.slots > 0 && end > first && high - low >= rows.slots) break;
    }
    return end;
}

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
