// SPDX-License-Identifier: MIT
// The sizes of a convolution, and which rows of one array meet a row of the other.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// A window along one axis: element k of place p is element p · stride + k · dilation − before of the array.
struct axis {
    std::int64_t n, places, size, stride, dilation, before;

    /// The element of the array that element k of place p meets, or −1 if that is outside.
    constexpr std::int64_t element(std::int64_t p, std::int64_t k) const {
        std::int64_t const i = p * stride + k * dilation - before;
        return i >= 0 && i < n ? i : -1;
    }
    /// The place whose element k meets element i of the array, or −1 without one.
    constexpr std::int64_t place(std::int64_t i, std::int64_t k) const {
        std::int64_t const at = i + before - k * dilation;
        return at >= 0 && at % stride == 0 && at / stride < places ? at / stride : -1;
    }
    /// One of both: results are places and meet elements, or back, elements that meet places.
    template<bool Back>
    constexpr std::int64_t met(std::int64_t result, std::int64_t k) const {
        return Back ? place(result, k) : element(result, k);
    }
    template<bool Back>
    constexpr std::int64_t results() const {
        return Back ? n : places;
    }
    template<bool Back>
    constexpr std::int64_t met_count() const {
        return Back ? places : n;
    }
    /// Elements i ≡ phase (mod stride) meet element k of the window, and none else.
    constexpr std::int64_t phase(std::int64_t k) const { return ((k * dilation - before) % stride + stride) % stride; }
    /// Element phase(k) + stride · j meets element k of place j + shift(k).
    constexpr std::int64_t shift(std::int64_t k) const { return (phase(k) + before - k * dilation) / stride; }
    /// The number of elements phase + stride · j.
    constexpr std::int64_t elements(std::int64_t of_phase) const { return of_phase < n ? (n - of_phase - 1) / stride + 1 : 0; }
    constexpr std::int64_t span() const { return (size - 1) * dilation + 1; }
    constexpr bool is_plain() const { return size == 1 && stride == 1 && before == 0 && n == places; }
};

/// Zeros that are needed before and after a row.
struct margins {
    std::int64_t before, after;
};
/// Of a row of the array that the window moves over.
constexpr margins array_margins(axis const& a) {
    return {std::max<std::int64_t>(a.before, 0), std::max<std::int64_t>((a.places - 1) * a.stride + a.span() - a.before - a.n, 0)};
}
/// Of a row of places, for the gradient of the array.
constexpr margins place_margins(axis const& a) {
    margins m{0, 0};
    for (std::int64_t k = 0; k < a.size; ++k) {
        std::int64_t const first = a.shift(k), last = first + a.elements(a.phase(k)) - 1;
        m.before = std::max(m.before, -first);
        m.after = std::max(m.after, last - a.places + 1);
    }
    return m;
}

/// An array [batch, depth, height, width, channels], a filter [depth, height, width, in, groups · out] and the result.
struct sizes {
    std::int64_t batch;
    axis at[3];                     // depth, height, width; an axis that is missing has one element
    std::int64_t in, out, groups;   // channels of a group

    constexpr std::int64_t lines() const { return at[0].size * at[1].size; }   // rows of the window
    constexpr std::int64_t array_channels() const { return in * groups; }
    constexpr std::int64_t place_channels() const { return out * groups; }
    constexpr std::int64_t array_row() const { return at[2].n * array_channels(); }
    constexpr std::int64_t place_row() const { return at[2].places * place_channels(); }
    constexpr std::int64_t array_rows() const { return batch * at[0].n * at[1].n; }
    constexpr std::int64_t place_rows() const { return batch * at[0].places * at[1].places; }
    constexpr bool is_plain() const { return at[0].is_plain() && at[1].is_plain() && at[2].is_plain(); }
    /// Each channel has a separate filter, or several.
    constexpr bool is_by_channel() const { return in == 1 && groups > 1; }
    /// The gradient of the array has few channels: they would fill a register of `width` numbers in part. So its lanes may be pixels.
    constexpr bool may_be_planes(std::int64_t width) const { return in > 0 && 2 * in <= width && lines() * at[2].size >= 4; }
    constexpr bool is_by_planes(std::int64_t width) const {
        std::int64_t const pixels = (at[2].n + at[2].stride - 1) / at[2].stride, batches = (pixels + width - 1) / width;
        return may_be_planes(width) && 4 * batches * std::max<std::int64_t>(in, 4) <= 3 * pixels;
    }
    /// With the channels of the results as one group.
    constexpr sizes as_channels() const {
        sizes s = *this;
        s.in = s.out = place_channels();
        s.groups = 1;
        return s;
    }
    /// With a window of one element, rows first to last − 1 are one long row.
    constexpr sizes as_one_row(std::int64_t first, std::int64_t last) const {
        sizes s = *this;
        s.batch = s.at[0].n = s.at[0].places = s.at[1].n = s.at[1].places = 1;
        s.at[2].n = s.at[2].places = at[2].n * (last - first);
        return s;
    }
};

/// A row of one array by its position in [batch, depth, height].
struct row_place {
    std::int64_t image, depth, height;
    static constexpr row_place of(std::int64_t row, std::int64_t depths, std::int64_t heights) {
        return {row / heights / depths, row / heights % depths, row % heights};
    }
    constexpr void next(std::int64_t depths, std::int64_t heights) {
        if (++height < heights) return;
        height = 0;
        if (++depth < depths) return;
        depth = 0;
        ++image;
    }
};

/// Parts of memory, one after the other, each aligned.
struct memory {
    std::byte* next;
    static constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }
    template<class T>
    T* take(std::int64_t count) {
        auto* const p = reinterpret_cast<T*>(next);
        next += aligned(count * static_cast<std::int64_t>(sizeof(T)));
        return p;
    }
};

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
