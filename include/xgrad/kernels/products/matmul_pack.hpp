// SPDX-License-Identifier: MIT
// Copies a panel of B to [k][columns] with whole batches, so that tiles read memory sequentially.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// Copies `columns` columns of B[k, .] (row-major) into one or two whole batches per row. Missing columns become 0.
template<class T>
XGRAD_NOINLINE void pack_rows(T const* b, std::int64_t ldb, std::int64_t k, std::int64_t columns, T* panel) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const first = columns > W ? W : 0;   // columns of the batch before the last one
    std::size_t const last = static_cast<std::size_t>(columns - first);
    if (last == simd::width<T> && first > 0) {
        for (std::int64_t i = 0; i < k; ++i, b += ldb, panel += 2 * W) {
            simd::store(panel, simd::load(b));
            simd::store(panel + W, simd::load(b + W));
        }
        return;
    }
    for (std::int64_t i = 0; i < k; ++i, b += ldb, panel += W) {
        if (first > 0) {
            simd::store(panel, simd::load(b));
            panel += W;
        }
        simd::store(panel, simd::load_partial(b + first, last));
    }
}

/// Joins 16-byte pieces of several rows into one batch.
template<class T, std::size_t Bytes>
XGRAD_KERNEL simd::detail::vec<T, Bytes> join(T const* const* rows, std::int64_t offset, std::int64_t stride) {
    simd::detail::vec<T, Bytes> r;
    if constexpr (Bytes == 16) {
        __builtin_memcpy(&r, rows[0] + offset, 16);
    } else {
        T const* const* const upper = rows + stride * static_cast<std::int64_t>(Bytes / 32);
        simd::detail::vec<T, Bytes / 2> half[2] = {join<T, Bytes / 2>(rows, offset, stride), join<T, Bytes / 2>(upper, offset, stride)};
        if constexpr (Bytes == 32 && sizeof(T) == 4) r = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 4, 5, 6, 7);
        else if constexpr (Bytes == 32) r = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3);
        else if constexpr (sizeof(T) == 4)
            r = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        else r = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 4, 5, 6, 7);
    }
    return r;
}

/// Interleaves the lower (High = 0) or upper halves of every 16 bytes of a and b in pieces of Piece bytes, like the unpack instructions.
template<int Piece, int High, class V>
XGRAD_KERNEL V interleave(V a, V b) {
    if constexpr (Piece == 4 && sizeof(V) == 16) {
        return High ? __builtin_shufflevector(a, b, 2, 6, 3, 7) : __builtin_shufflevector(a, b, 0, 4, 1, 5);
    } else if constexpr (Piece == 4 && sizeof(V) == 32) {
        return High ? __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15) : __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    } else if constexpr (Piece == 4) {
        return High ? __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
                    : __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    } else {
        using wide = simd::detail::vec<double, sizeof(V)>;
        wide const x = (wide)a, y = (wide)b;
        if constexpr (sizeof(V) == 16) {
            return (V)(High ? __builtin_shufflevector(x, y, 1, 3) : __builtin_shufflevector(x, y, 0, 2));
        } else if constexpr (sizeof(V) == 32) {
            return (V)(High ? __builtin_shufflevector(x, y, 1, 5, 3, 7) : __builtin_shufflevector(x, y, 0, 4, 2, 6));
        } else {
            return (V)(High ? __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15)
                            : __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14));
        }
    }
}

/// One batch of columns of op(B) = transposed B[., k]: copies rows b, b + ldb, ... to panel[i * step + 0 .. W), i < k.
/// There are `columns` rows; the last one is repeated for missing ones. Whole 16-byte pieces are transposed in registers.
template<class T>
XGRAD_NOINLINE void pack_transposed_batch(T const* b, std::int64_t ldb, std::int64_t k, std::int64_t columns, T* panel, std::int64_t step) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    constexpr std::int64_t P = 16 / static_cast<std::int64_t>(sizeof(T));   // elements of a piece
    using vec = simd::detail::vec<T>;
    T const* rows[W];
    for (std::int64_t r = 0; r < W; ++r) rows[r] = b + (r < columns ? r : columns - 1) * ldb;
    std::int64_t const whole = k / P * P;
    for (std::int64_t i = 0; i < whole; i += P) {
        T* const out = panel + i * step;
        // Piece j of the batch holds rows P j + r of x_r.
        if constexpr (P == 4) {
            vec const x0 = join<T, sizeof(vec)>(rows + 0, i, 4), x1 = join<T, sizeof(vec)>(rows + 1, i, 4);
            vec const x2 = join<T, sizeof(vec)>(rows + 2, i, 4), x3 = join<T, sizeof(vec)>(rows + 3, i, 4);
            vec const a = interleave<4, 0>(x0, x1), c = interleave<4, 1>(x0, x1);
            vec const d = interleave<4, 0>(x2, x3), e = interleave<4, 1>(x2, x3);
            simd::store(out, simd::batch<T>(interleave<8, 0>(a, d)));
            simd::store(out + step, simd::batch<T>(interleave<8, 1>(a, d)));
            simd::store(out + 2 * step, simd::batch<T>(interleave<8, 0>(c, e)));
            simd::store(out + 3 * step, simd::batch<T>(interleave<8, 1>(c, e)));
        } else {
            vec const x0 = join<T, sizeof(vec)>(rows + 0, i, 2), x1 = join<T, sizeof(vec)>(rows + 1, i, 2);
            simd::store(out, simd::batch<T>(interleave<8, 0>(x0, x1)));
            simd::store(out + step, simd::batch<T>(interleave<8, 1>(x0, x1)));
        }
    }
    for (std::int64_t i = whole; i < k; ++i)
        for (std::int64_t r = 0; r < W; ++r) panel[i * step + r] = rows[r][i];
}

template<class T>
XGRAD_NOINLINE void pack_transposed(T const* b, std::int64_t ldb, std::int64_t k, std::int64_t columns, T* panel) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const step = (columns + W - 1) / W * W;
    for (std::int64_t c = 0; c < columns; c += W)
        pack_transposed_batch(b + c * ldb, ldb, k, columns - c < W ? columns - c : W, panel + c, step);
}

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
