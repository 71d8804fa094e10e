// SPDX-License-Identifier: MIT
// What full tiles of a product do not process: remaining rows, long sums, and products whose panel would be a large copy.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_pack.hpp>
#include <xgrad/kernels/products/matmul_tile.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// A panel of B: `columns` columns, `step` elements from row to row, read in place or copied. `one`: only the first batch has columns.
template<class T>
struct right_panel {
    T const* b;
    std::int64_t step, columns;
    bool one;
    T* copies = nullptr;   // memory for parts of the panel of a deep product, whose `b` is B itself
};

/// The longest depth of a panel that is copied as a whole. A deeper panel is copied part by part, for some tiles at a time.
/// The bits do not change.
inline constexpr std::int64_t longest_panel = 32768, panel_part = 4096, tiles_together = 8;
static_assert(panel_part % (sum_block * blocks_together) == 0);
static_assert(panel_part + tiles_together * tile_rows <= longest_panel);   // the sums are stored before a part
constexpr bool may_be_deep(std::int64_t depth) { return depth < 0 || depth > longest_panel; }

/// Writes the sums of the next tiles of a deep product, from row `row` on, to `sums`, which has space for a full tile each.
template<class T, bool TransA, bool TransB, int Batches, rest_tiles Tiles>
XGRAD_NOINLINE void multiply_deep(
    left_operand<T, TransA> a, std::int64_t row, std::int64_t m, right_panel<T> const& right, std::int64_t k, T* sums) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>), size = tile_rows * Batches * W;
    T* const panel = sums + tiles_together * size;
    double totals[takes_blocks<T> ? tiles_together * size : 1];
    for (std::int64_t i = 0; i < k; i += panel_part) {
        std::int64_t const terms = k - i < panel_part ? k - i : panel_part;
        if constexpr (TransB) pack_transposed(right.b + i, right.step, terms, right.columns, panel);
        else pack_rows(right.b + i * right.step, right.step, terms, right.columns, panel);
        std::int64_t r = row;
        for (std::int64_t tile = 0; tile < tiles_together && r < m; ++tile) {
            std::int64_t const count = rows_at_once(m - r);
            depth_part const part{i, k, totals + (takes_blocks<T> ? tile * size : 0)};
            multiply_rest<T, TransA, Batches, Tiles>({a.at(r, i), a.lda}, count, panel, Batches * W, terms, sums + tile * size, &part);
            r += count;
        }
    }
}

/// Rows [row, m) of a panel of `Width` columns that no full tile has processed.
/// These rare cases pass through memory, in two parts if necessary.
/// - M and N are static extents or -1. If M >= cut_from_rows, m may be smaller than M.
///   The rows are then a part of the matrix, which ends after full tiles or with the matrix.
/// - TakesAll: full tiles also come here if sums are long or the product is deep. MayBeDeep: the product may be deep.
template<class T, bool TransA, bool TransB, std::int64_t Width, std::int64_t M, std::int64_t N, bool TakesAll, bool MayBeDeep,
    class Epilogue>
XGRAD_KERNEL void rest_rows([[maybe_unused]] left_operand<T, TransA> a, [[maybe_unused]] std::int64_t row, [[maybe_unused]] std::int64_t m,
    [[maybe_unused]] right_panel<T> const& right, [[maybe_unused]] std::int64_t k, [[maybe_unused]] std::int64_t col,
    [[maybe_unused]] Epilogue const& epilogue) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    constexpr int batches = static_cast<int>((Width + W - 1) / W);
    constexpr std::int64_t rest = N < 0 ? -1 : N % Width;
    constexpr bool narrow = batches > 1 && (N < 0 || (rest > 0 && rest <= W)), wide = N < 0 || rest > W;
    if constexpr (TakesAll || N < 0 || rest > 0 || M < 0 || rows_apart(M, tile_rows) > 0) {
        T sums[tile_rows * batches * W];
        bool const one = narrow && right.columns <= W;
        [[maybe_unused]] std::int64_t tile = 0;
        for (std::int64_t count; row < m; row += count) {
            count = rows_at_once(m - row);
            T const* at = sums;
            left_operand<T, TransA> const from{a.at(row, 0), a.lda};
            if (MayBeDeep && right.copies != nullptr) {
                if constexpr (MayBeDeep) {
                    if (tile == 0) {
                        if (one) multiply_deep<T, TransA, TransB, 1, rest_tiles_of(M, narrow)>(a, row, m, right, k, right.copies);
                        else
                            multiply_deep<T, TransA, TransB, batches, rest_tiles_of(M, wide || TakesAll)>(
                                a, row, m, right, k, right.copies);
                    }
                    at = right.copies + tile * (tile_rows * (one ? 1 : batches) * W);
                    tile = (tile + 1) % tiles_together;
                }
            } else if (one) multiply_rest<T, TransA, 1, rest_tiles_of(M, narrow)>(from, count, right.b, right.step, k, sums);
            else multiply_rest<T, TransA, batches, rest_tiles_of(M, wide || TakesAll)>(from, count, right.b, right.step, k, sums);
            finish_rows(at, row, count, col, right.columns, epilogue);
        }
    }
}

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
