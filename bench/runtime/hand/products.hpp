// SPDX-License-Identifier: MIT
// Products of matrices of float or double whose extents are known at run time: rows a multiple of 4, columns of a panel.
#pragma once

#include "data.hpp"
#include "gemm.hpp"

#include <algorithm>
#include <cstddef>

namespace hand {
inline namespace HAND_NAMESPACE {

/// A matrix as it is stored: element [i][k] at p[i * row + k * column].
template<class V>
struct view {
    scalar_t<V> const* p;
    std::ptrdiff_t row, column;
};

/// Two vectors of columns at a time, with a contiguous copy of this number of rows of B, which fits the first cache.
template<class V>
inline constexpr int panel_width = 2 * lanes<V>;
inline constexpr int panel_depth = 128;
inline constexpr int most_rows = HAND_BYTES == 64 ? 12 : 6;   // of a tile

template<class V>
class products {
    using T = scalar_t<V>;
    static constexpr int width = panel_width<V>;
    buffer<T> panel_ = buffer<T>(panel_depth * width);

    // R rows of a panel of C: the sum over this part of the depth, added to the sum over the earlier parts.
    template<int R, class Put>
    HAND_INLINE static void tile(
        view<V> a, T const* b, int depth, T* c, std::ptrdiff_t ldc, bool first, bool last, int row, int column, Put const& put) {
        V acc[R][2];
#pragma GCC unroll 12
        for (int r = 0; r < R; ++r) {
            acc[r][0] = first ? V{} : load<V>(c + r * ldc);
            acc[r][1] = first ? V{} : load<V>(c + r * ldc + lanes<V>);
        }
        for (int k = 0; k < depth; ++k) {
            V const b0 = load<V>(b + k * width), b1 = load<V>(b + k * width + lanes<V>);
#pragma GCC unroll 12
            for (int r = 0; r < R; ++r) {
                V const x = set1<V>(a.p[r * a.row + k * a.column]);
                acc[r][0] = fma(x, b0, acc[r][0]);
                acc[r][1] = fma(x, b1, acc[r][1]);
            }
        }
#pragma GCC unroll 12
        for (int r = 0; r < R; ++r) {
            if (last) {
                put(row + r, column, acc[r][0]);
                put(row + r, column + lanes<V>, acc[r][1]);
            } else {
                store<V>(c + r * ldc, acc[r][0]);
                store<V>(c + r * ldc + lanes<V>, acc[r][1]);
            }
        }
    }
    HAND_INLINE void pack(view<V> b, int from, int column, int depth) {
        if (b.column == 1) {
            for (int k = 0; k < depth; ++k)
                for (int j = 0; j < width; j += lanes<V>) store<V>(panel_ + k * width + j, load<V>(b.p + (from + k) * b.row + column + j));
        } else {
            for (int k = 0; k < depth; k += lanes<V>)
                for (int j = 0; j < width; j += lanes<V>)
                    transpose_block<V>(b.p + (from + k) + (column + j) * b.column, b.column, panel_ + k * width + j, width);
        }
    }

public:
    /// put(i, j, vector) gets the elements of A [m, k] B [k, n]; c [m, n] holds sums meanwhile.
    /// Symmetric: those above the diagonal and in the panel at it.
    template<class Put>
    [[gnu::noinline]] void multiply(view<V> a, view<V> b, int m, int n, int k, T* c, bool symmetric, Put put) {
        for (int column = 0; column < n; column += width) {
            int const rows = symmetric ? std::min(m, column + width) : m;
            for (int from = 0; from < k; from += panel_depth) {
                int const depth = std::min(panel_depth, k - from);
                bool const first = from == 0, last = from + depth == k;
                pack(b, from, column, depth);
                auto const go = [&]<int R>(std::integral_constant<int, R>, int row) __attribute__((always_inline)) {
                    tile<R>({a.p + row * a.row + from * a.column, a.row, a.column}, panel_, depth, c + row * n + column, n, first, last,
                        row, column, put);
                };
                int row = 0;
                for (; rows - row >= most_rows && (most_rows == 12 || rows - row != 8); row += most_rows)
                    go(std::integral_constant<int, most_rows>{}, row);
                if (most_rows == 12 && rows - row >= 8) {
                    go(std::integral_constant<int, 8>{}, row);
                    row += 8;
                }
                for (; row < rows; row += 4) go(std::integral_constant<int, 4>{}, row);
            }
        }
    }
    /// C [n, n] = made(i, j, vector of A B), which is symmetric.
    template<class Made>
    void symmetric(view<V> a, view<V> b, int n, int k, T* c, Made const& made) {
        multiply(
            a, b, n, n, k, c, true,
            [ c, n, made ](int i, int j, V x) __attribute__((always_inline)) { store<V>(c + i * n + j, made(i, j, x)); });
        for (int i = 0; i < n; i += lanes<V>)
            for (int j = (i / width + 1) * width; j < n; j += lanes<V>) transpose_block<V>(c + i * n + j, n, c + j * n + i, n);
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
