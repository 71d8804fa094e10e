// SPDX-License-Identifier: MIT
// Hand-written: parts read and written by positions, and rows joined by segment. Every position is compared with its range.
#pragma once

#include "vec.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace hand {
inline namespace HAND_NAMESPACE {

HAND_INLINE std::int64_t checked(std::int32_t id, std::int64_t n) {
    if (std::uint32_t(id) >= std::uint32_t(n)) [[unlikely]]
        std::abort();
    return id;
}
template<int Width>
HAND_INLINE void add_row(float* __restrict y, float const* __restrict x) {
#pragma GCC unroll 8
    for (int j = 0; j < Width; j += wf) store<vf>(y + j, load<vf>(y + j) + load<vf>(x + j));
}
template<int Width>
HAND_INLINE void copy_row(float* __restrict y, float const* __restrict x) {
#pragma GCC unroll 8
    for (int j = 0; j < Width; j += wf) store<vf>(y + j, load<vf>(x + j));
}

[[gnu::noinline]] inline float dot(float const* x, float const* y, int n) {
    vf s[4]{};
    int j = 0;
    for (; j + 4 * wf <= n; j += 4 * wf)
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) s[k] = fma(load<vf>(x + j + k * wf), load<vf>(y + j + k * wf), s[k]);
    vf const all = (s[0] + s[1]) + (s[2] + s[3]);
    float sum = 0;
    for (int k = 0; k < wf; ++k) sum += all[k];
    for (; j < n; ++j) sum += x[j] * y[j];
    return sum;
}

/// Rows of Width numbers are added at their ids. Others than those in range are omitted, if asked.
template<int Width, bool Omit = false>
[[gnu::noinline]] void segment_sums(float const* x, std::int32_t const* ids, float* y, int count, int segments) {
    std::memset(y, 0, sizeof(float) * Width * std::size_t(segments));
    for (int i = 0; i < count; ++i) {
        if (Omit && ids[i] < 0) continue;
        add_row<Width>(y + checked(ids[i], segments) * Width, x + i * Width);
    }
}
template<int Width>
[[gnu::noinline]] void segment_means(float const* x, std::int32_t const* ids, float* y, std::int32_t* counts, int count, int segments) {
    std::memset(y, 0, sizeof(float) * Width * std::size_t(segments));
    std::memset(counts, 0, sizeof(std::int32_t) * std::size_t(segments));
    for (int i = 0; i < count; ++i) {
        std::int64_t const s = checked(ids[i], segments);
        ++counts[s];
        add_row<Width>(y + s * Width, x + i * Width);
    }
    for (int s = 0; s < segments; ++s) {
        float const scale = 1 / float(std::max(counts[s], 1));
        for (int j = 0; j < Width; j += wf) store<vf>(y + s * Width + j, load<vf>(y + s * Width + j) * scale);
    }
}
template<int Width>
[[gnu::noinline]] void segment_maxima(float const* x, std::int32_t const* ids, float* y, int count, int segments) {
    constexpr float none = -std::numeric_limits<float>::infinity();
    std::fill(y, y + Width * segments, none);
    for (int i = 0; i < count; ++i) {
        float* const to = y + checked(ids[i], segments) * Width;
#pragma GCC unroll 8
        for (int j = 0; j < Width; j += wf) store<vf>(to + j, max(load<vf>(x + i * Width + j), load<vf>(to + j)));
    }
    for (int s = 0; s < Width * segments; s += wf) {
        vf const v = load<vf>(y + s);
        store<vf>(y + s, v == none ? vf{} : v);
    }
}
/// g w of each row to its elements that are the maximum of its segment, divided by their number. y are the maxima.
template<int Width>
[[gnu::noinline]] void segment_maxima_gradient(
    float const* x, std::int32_t const* ids, float const* y, float const* g, float* counts, float* gradient, int count, int segments) {
    std::memset(counts, 0, sizeof(float) * Width * std::size_t(segments));
    for (int i = 0; i < count; ++i) {
        std::int64_t const s = ids[i] * std::int64_t(Width);
#pragma GCC unroll 8
        for (int j = 0; j < Width; j += wf) {
            vf const one = set1<vf>(1);
            store<vf>(counts + s + j, load<vf>(counts + s + j) + (load<vf>(x + i * Width + j) == load<vf>(y + s + j) ? one : vf{}));
        }
    }
    for (int s = 0; s < Width * segments; s += wf) store<vf>(counts + s, load<vf>(g + s) / load<vf>(counts + s));
    for (int i = 0; i < count; ++i) {
        std::int64_t const s = ids[i] * std::int64_t(Width);
#pragma GCC unroll 8
        for (int j = 0; j < Width; j += wf)
            store<vf>(gradient + i * Width + j, load<vf>(x + i * Width + j) == load<vf>(y + s + j) ? load<vf>(counts + s + j) : vf{});
    }
}
[[gnu::noinline]] inline void counts_of(std::int32_t const* ids, std::int32_t* y, int count, int bins) {
    std::memset(y, 0, sizeof(std::int32_t) * std::size_t(bins));
    for (int i = 0; i < count; ++i)
        if (std::uint32_t(ids[i]) < std::uint32_t(bins)) ++y[ids[i]];
}

/// y[r, j] = x[r, ids[j]].
[[gnu::noinline]] inline void take_elements(float const* x, std::int32_t const* ids, float* y, int rows, int n, int count) {
    for (int j = 0; j < count; ++j) checked(ids[j], n);
    for (int r = 0; r < rows; ++r, x += n, y += count)
        for (int j = 0; j < count; ++j) y[j] = x[ids[j]];
}
/// y[r, j, :] = x[r, ids[j], :].
template<int Width>
[[gnu::noinline]] void take_rows(float const* x, std::int32_t const* ids, float* y, int rows, int n, int count) {
    for (int r = 0; r < rows; ++r, x += n * Width, y += count * Width)
        for (int j = 0; j < count; ++j) copy_row<Width>(y + j * Width, x + checked(ids[j], n) * Width);
}
/// The gradient of the same: g is added at the ids.
template<int Width>
[[gnu::noinline]] void add_taken_rows(float const* g, std::int32_t const* ids, float* x, int rows, int n, int count) {
    std::memset(x, 0, sizeof(float) * Width * std::size_t(n) * std::size_t(rows));
    for (int r = 0; r < rows; ++r, x += n * Width, g += count * Width)
        for (int j = 0; j < count; ++j) add_row<Width>(x + checked(ids[j], n) * Width, g + j * Width);
}
[[gnu::noinline]] inline void take_along_rows(float const* x, std::int32_t const* ids, float* y, int rows, int n, int count) {
    for (int r = 0; r < rows; ++r, x += n, y += count, ids += count)
        for (int j = 0; j < count; ++j) y[j] = x[checked(ids[j], n)];
}
[[gnu::noinline]] inline void take_along_columns(float const* x, std::int32_t const* ids, float* y, int n, int columns, int count) {
    for (int j = 0; j < count; ++j, y += columns, ids += columns)
        for (int c = 0; c < columns; ++c) y[c] = x[checked(ids[c], n) * columns + c];
}
template<int Width>
[[gnu::noinline]] void gather_at_pairs(float const* x, std::int32_t const* ids, float* y, int m, int n, int count) {
    for (int j = 0; j < count; ++j) copy_row<Width>(y + j * Width, x + (checked(ids[2 * j], m) * n + checked(ids[2 * j + 1], n)) * Width);
}
template<int Width>
[[gnu::noinline]] void add_at_pairs(float const* x, std::int32_t const* ids, float const* updates, float* y, int m, int n, int count) {
    std::memcpy(y, x, sizeof(float) * Width * std::size_t(m) * std::size_t(n));
    for (int j = 0; j < count; ++j)
        add_row<Width>(y + (checked(ids[2 * j], m) * n + checked(ids[2 * j + 1], n)) * Width, updates + j * Width);
}
template<int Width>
[[gnu::noinline]] void add_rows(float const* x, std::int32_t const* ids, float const* updates, float* y, int rows, int n, int count) {
    std::memcpy(y, x, sizeof(float) * Width * std::size_t(n) * std::size_t(rows));
    for (int r = 0; r < rows; ++r, y += n * Width, updates += count * Width)
        for (int j = 0; j < count; ++j) add_row<Width>(y + checked(ids[j], n) * Width, updates + j * Width);
}
[[gnu::noinline]] inline void ones_at(std::int32_t const* ids, float* y, int count, int depth) {
    std::memset(y, 0, sizeof(float) * std::size_t(count) * std::size_t(depth));
    for (int i = 0; i < count; ++i)
        if (std::uint32_t(ids[i]) < std::uint32_t(depth)) y[i * depth + ids[i]] = 1;
}
/// The sums or means of the rows of bags of `length` ids, in registers. Ids that are the padding are omitted.
template<int Width, bool Mean, bool Padded>
[[gnu::noinline]] void bags(float const* table, std::int32_t const* ids, float* y, int bags, int length, int rows, std::int32_t padding) {
    for (int b = 0; b < bags; ++b, ids += length, y += Width) {
        vf sum[Width / wf]{};
        int members = 0;
        for (int k = 0; k < length; ++k) {
            if (Padded && ids[k] == padding) continue;
            ++members;
            float const* const row = table + checked(ids[k], rows) * Width;
#pragma GCC unroll 8
            for (int j = 0; j < Width / wf; ++j) sum[j] += load<vf>(row + j * wf);
        }
        float const scale = Mean ? 1 / float(std::max(members, 1)) : 1;
#pragma GCC unroll 8
        for (int j = 0; j < Width / wf; ++j) store<vf>(y + j * wf, sum[j] * scale);
    }
}

}
}   // namespace hand
