// SPDX-License-Identifier: MIT
// Scratch memory of convolutions, as polynomials of extents that may be known only at run time.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/extent.hpp>
#include <xgrad/kernels/convolution/channels_filter_gradient.hpp>
#include <xgrad/kernels/convolution/convolve.hpp>
#include <xgrad/kernels/convolution/convolve_channels.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::convolution {

/// An array whose rows are read with margins: its height and width, which may be named dimensions.
struct read_array {
    extent height, width;
    std::int64_t channels;
};
/// `row_range`, or more if both extents are named dimensions: an extent has at most two products of them.
constexpr extent row_range_of(sizes const& s, read_array const& a) {
    std::int64_t const rows = s.at[1].span(), of_height = (s.at[0].size - 1) * s.at[0].dilation;
    if (of_height == 0) return static_extent(rows);
    return a.height.is_static() || a.width.is_static() ? a.height * static_extent(of_height) + static_extent(rows)
                                                       : a.height * static_extent(of_height + rows);
}
/// Bytes of `padded_rows`. `element` is the size of a number in bytes. `more` pixels are the rest of the last batch of a plane.
constexpr extent padded_rows_memory(
    sizes const& s, read_array const& a, margins m, std::int64_t element, std::int64_t repeat = 1, std::int64_t more = 0) {
    if (m.before == 0 && m.after == 0 && repeat == 1 && more == 0) return static_extent(0);
    extent const range = row_range_of(s, a);
    extent const length = (a.width + static_extent(m.before + m.after + more)) * static_extent(a.channels * repeat * element);
    return range * (length + static_extent(8)) + static_extent(8 * more_rows + more_bytes + 192);
}
/// The tables of a sweep.
constexpr std::int64_t sweep_tables(sizes const& s, std::int64_t channels) {
    std::int64_t const runs = most_runs(s, channels);
    return runs * static_cast<std::int64_t>(sizeof(run)) + s.at[2].stride * static_cast<std::int64_t>(sizeof(phase)) +
           rows_together * s.lines() * runs * static_cast<std::int64_t>(sizeof(segment<double>)) + 6 * 64;
}
constexpr extent convolve_memory(sizes const& s, read_array const& x, std::int64_t element) {
    std::int64_t const filter = s.lines() * s.at[2].size * s.in * s.place_channels() * element + 64;
    return padded_rows_memory(s, x, array_margins(s.at[2]), element) + static_extent(filter + sweep_tables(s, s.in));
}
constexpr extent convolve_back_memory(sizes const& s, read_array const& g, std::int64_t element) {
    std::int64_t const width = 64 / element, padded = (s.in + width - 1) / width * width;
    std::int64_t const filter = s.groups * s.lines() * s.at[2].size * s.out * padded * element + s.at[2].size * 8;
    margins const m = place_margins(s.at[2]);
    extent const tables = static_extent(filter + sweep_tables(s, s.out));
    if (!s.may_be_planes(width)) return padded_rows_memory(s, g, m, element) + tables;
    extent const row = (g.width + static_extent(m.before + m.after)) * static_extent(s.in * element);
    return padded_rows_memory(s, g, m, element, 1, width) + row + tables + static_extent(64);
}
constexpr extent convolve_filter_memory(sizes const& s, read_array const& x, std::int64_t element) {
    std::int64_t const filter = s.lines() * s.at[2].size * s.in * s.place_channels(), pixels = most_places_in_batch(s, 64 / element),
                       line_sums = (s.at[2].size + (pixels - 1) * s.at[2].stride) * s.in,
                       of_pixels = pixels > 1 ? s.lines() * line_sums * pixels * s.out : 0,
                       tail = places_together * s.place_channels() * element + 3 * 64,
                       segments = place_rows_together * static_cast<std::int64_t>(sizeof(segment<double>));
    return padded_rows_memory(s, x, array_margins(s.at[2]), element) +
           static_extent(filter * 8 + of_pixels * (8 + element) + tail + segments + 5 * 64);
}

/// Numbers of a filter, or of its gradient, for pixels of few channels that are one batch.
constexpr std::int64_t repeated_filter(sizes const& s, std::int64_t element) {
    return s.place_channels() * element < 64 ? s.lines() * s.at[2].size * (64 / element) : 0;
}
constexpr extent convolve_channels_memory(sizes const& s, read_array const& x, std::int64_t element) {
    return padded_rows_memory(s, x, array_margins(s.at[2]), element, s.out) +
           static_extent(sweep_tables(s, 1) + repeated_filter(s, element) * element + 64);
}
constexpr extent convolve_channels_back_memory(sizes const& s, read_array const& g, extent const& width, std::int64_t element) {
    bool const many = s.at[0].size > 1 && !g.height.is_static() && !width.is_static();
    extent const row = s.out == 1 ? static_extent(0) : (many ? g.height * width : width) * static_extent(s.place_channels() * element);
    return padded_rows_memory(s, g, place_margins(s.at[2]), element) + row +
           static_extent(sweep_tables(s, 1) + repeated_filter(s, element) * element + 64);
}
constexpr extent convolve_channels_filter_memory(sizes const& s, read_array const& x, std::int64_t element) {
    std::int64_t const filter = s.lines() * s.at[2].size * s.place_channels(),
                       tables = place_rows_together * (s.lines() * 8 + static_cast<std::int64_t>(sizeof(met_rows<double>)));
    return padded_rows_memory(s, x, array_margins(s.at[2]), element, s.out) +
           static_extent(filter * 8 + repeated_filter(s, element) * (element + 8) + 64 + zeros_of_channels(s) * element + tables + 5 * 64);
}

}   // namespace kernels::convolution
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
