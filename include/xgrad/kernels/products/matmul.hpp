// SPDX-License-Identifier: MIT
// Matrix products over raw memory. An epilogue takes the result from registers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/blas.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/kernels/products/matmul_column.hpp>
#include <xgrad/kernels/products/matmul_rest.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Stores a product to C, row-major with leading dimension ldc.
template<class T>
struct store_epilogue {
    T* c;
    std::int64_t ldc;
    template<class V>
    XGRAD_KERNEL void tile(V sum, std::int64_t row, std::int64_t col) const {
        simd::store(c + row * ldc + col, sum);
    }
    template<class V>
    XGRAD_KERNEL void partial(V sum, std::int64_t row, std::int64_t col, std::size_t count) const {
        simd::store_partial(c + row * ldc + col, sum, count);
    }
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {
        column_part(sum, row, V::size);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t count) const {
        if (ldc == 1 && count == V::size) simd::store(c + row, sum);
        else
            for (std::size_t l = 0; l < count; ++l) c[(row + static_cast<std::int64_t>(l)) * ldc] = sum[l];
    }
};

/// Adds a product to C.
template<class T>
struct accumulate_epilogue {
    T* c;
    std::int64_t ldc;
    template<class V>
    XGRAD_KERNEL void tile(V sum, std::int64_t row, std::int64_t col) const {
        T* const p = c + row * ldc + col;
        simd::store(p, simd::load(p) + sum);
    }
    template<class V>
    XGRAD_KERNEL void partial(V sum, std::int64_t row, std::int64_t col, std::size_t count) const {
        T* const p = c + row * ldc + col;
        simd::store_partial(p, simd::load_partial(p, count) + sum, count);
    }
};

namespace detail {
/// Treats a row of C as the column of its transpose.
template<class Epilogue>
struct as_row {
    Epilogue const& epilogue;
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t col) const {
        epilogue.template tile<V>(sum, 0, col);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t col, std::size_t count) const {
        epilogue.template partial<V>(sum, 0, col, count);
    }
};
}   // namespace detail

/// Products with at least this many multiply-adds use CBLAS if it is enabled.
inline constexpr std::int64_t blas_threshold = std::int64_t(1) << 22;

namespace detail {
inline constexpr std::int64_t blas_rows = 64, blas_columns = 256;
/// Number of terms that CBLAS sums in float. OpenBLAS sums blocks of some hundreds, and adds the sums of the blocks in float.
inline constexpr std::int64_t blas_depth = 2048;

/// From this number of rows of C on, copying a panel of B pays off even if it could be read in place.
inline constexpr std::int64_t pack_from_rows = 4 * tile_rows;
/// Rows of B whose distance is a multiple of this many bytes share few sets of a cache, which then do not hold a panel in place.
/// So a second tile would read it from memory that is farther away.
inline constexpr std::int64_t shared_sets_bytes = 4096, shared_sets_rows = 64;
/// A panel of few short rows stays in the first cache in place, for any number of tiles.
inline constexpr std::int64_t near_rows_bytes = 1024;
template<class T>
constexpr bool is_near(std::int64_t ldb, std::int64_t k) {
    return k <= shared_sets_rows && ldb * static_cast<std::int64_t>(sizeof(T)) < near_rows_bytes;
}
template<class T>
constexpr bool packs_rows(std::int64_t m, std::int64_t ldb, std::int64_t k) {
    if (is_near<T>(ldb, k)) return false;
    return m >= pack_from_rows ||
           (m > tile_rows && k > shared_sets_rows && ldb * static_cast<std::int64_t>(sizeof(T)) % shared_sets_bytes == 0);
}
}   // namespace detail

/// Takes the place of a static extent: told_like(E) means all extents that need the code for E itself. Products that differ in nothing
/// else then share one function. The extent itself is an argument.
constexpr std::int64_t told_like(std::int64_t extent) { return -2 - extent; }
/// The extent whose code is needed, -1 for any.
constexpr std::int64_t code_extent(std::int64_t extent) { return extent <= -2 ? -2 - extent : extent; }

namespace detail {
/// The rows, columns and depth that are part of the code.
/// - Few rows or columns need other tiles, and a short sum may be unrolled.
/// - For more rows and columns, only the rest after the full tiles matters.
/// - Tiles of several rows are faster if the depth is a constant.
inline constexpr std::int64_t static_depth = 64;   // as for loops: see held_row
constexpr std::int64_t told_depth(std::int64_t k, std::int64_t m) {
    return k <= static_depth || m < 0 || m > few_rows ? k : told_like(k > longest_panel ? longest_panel + 1 : static_depth + 1);
}
template<class T>
constexpr std::int64_t told_columns(std::int64_t n) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>), panel = tile_batches * W;
    if (n <= panel) return n;
    std::int64_t const rest = n % panel;
    return told_like(rest == 0 ? panel : rest <= W ? panel + 1 : panel + W + 1);
}
constexpr std::int64_t told_rows(std::int64_t m, std::int64_t n, bool transposed_a) {
    if (m <= middle_rows + low_rows) return m;
    if (n == 1) return transposed_a ? m : told_like(cut_from_rows);   // row batches in sequence, or unrolled
    return told_like((m < cut_from_rows ? 2 : (cut_from_rows + tile_rows - 1) / tile_rows) * tile_rows + m % tile_rows);
}
}   // namespace detail

/// Number of elements of T that `scratch` of matmul must hold, independent of m.
/// Of a single column it is 4 k. Otherwise it grows with k up to detail::longest_panel.
template<class T>
constexpr std::int64_t matmul_scratch(std::int64_t /*m*/, std::int64_t n, std::int64_t k) {
    std::int64_t const columns = n == 1 ? 4 : detail::tile_batches * static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const panel = columns * (n == 1 || k < detail::longest_panel ? k : detail::longest_panel);
    return panel + (XGRAD_USE_BLAS ? detail::blas_rows * detail::blas_columns * (detail::takes_blocks<T> ? 3 : 1) : 0) + 64;
}

/// Whether a product with a right factor that other products have too keeps the copies of its panels. One or two rows read it in place.
template<class T>
constexpr bool keeps_panels(std::int64_t m, std::int64_t n, std::int64_t k) {
    bool const blas = XGRAD_USE_BLAS && std::is_floating_point_v<T> && m * n * k >= blas_threshold;
    return m > detail::few_rows && n > 1 && k <= detail::longest_panel && !blas;
}
/// The type of the last argument of matmul tells at compile time that nothing is kept.
using no_kept_panels = std::integral_constant<panel_use, panel_use::alone>;
/// The same as matmul_scratch if panels are kept: it holds all panels.
template<class T>
constexpr std::int64_t kept_panels_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
    constexpr std::int64_t panel = detail::tile_batches * static_cast<std::int64_t>(simd::width<T>);
    return matmul_scratch<T>(m, n, k) + (n - 1) / panel * panel * k;
}

namespace detail {

/// The panel of up to `Width` columns from `col` on.
template<class T, bool TransB, std::int64_t Width, std::int64_t N, std::int64_t K>
XGRAD_KERNEL right_panel<T> panel_at(
    T const* b, std::int64_t ldb, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t col, T* scratch, panel_use panels) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const columns = (N >= 0 && N % Width == 0) || n - col > Width ? Width : n - col;
    bool const one = Width > W && columns <= W;   // only one batch
    std::int64_t const step = one ? W : (Width + W - 1) / W * W;
    if (panels != panel_use::alone && (TransB || !is_near<T>(ldb, k))) {
        scratch += col * k;
        if (panels == panel_use::make) {
            if constexpr (TransB) pack_transposed(b + col * ldb, ldb, k, columns, scratch);
            else pack_rows(b + col, ldb, k, columns, scratch);
        }
        return {scratch, step, columns, one};
    }
    if constexpr (TransB) {
        if (K == 1 && ldb == 1 && columns == step) return {b + col, step, columns, one};   // one row, in either orientation
        if (may_be_deep(K) && k > longest_panel) return {b + col * ldb, ldb, columns, one, scratch};
        pack_transposed(b + col * ldb, ldb, k, columns, scratch);
    } else {
        if (columns == step && (ldb == step || !packs_rows<T>(m, ldb, k))) return {b + col, ldb, columns, one};
        if (may_be_deep(K) && k > longest_panel) return {b + col, ldb, columns, one, scratch};
        pack_rows(b + col, ldb, k, columns, scratch);
    }
    return {scratch, step, columns, one};
}

/// Whether products with these static extents may have long sums in tiles. Such sums pass through memory:
/// sums of blocks in registers would displace what the epilogue keeps there.
template<class T, bool TransA, bool TransB, std::int64_t N, std::int64_t Depth, std::int64_t M>
inline constexpr bool may_be_long = takes_blocks<T> && N != 1 && (Depth<0 || Depth> long_sum) && !(M == 1 && TransB && !TransA);
#if XGRAD_USE_BLAS
template<class T, bool TransA, bool TransB, class Epilogue>
inline void multiply_by_blas(T const* a, std::int64_t lda, T const* b, std::int64_t ldb, std::int64_t m, std::int64_t n, std::int64_t k,
    Epilogue const& epilogue, T* scratch) {
    using V = simd::batch<T>;
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    std::int64_t const depth = takes_blocks<T> && k > blas_depth ? blas_depth : k;
    [[maybe_unused]] double* const totals = reinterpret_cast<double*>(scratch + blas_rows * blas_columns);
    for (std::int64_t col = 0; col < n; col += blas_columns) {
        std::int64_t const columns = n - col < blas_columns ? n - col : blas_columns;
        for (std::int64_t row = 0; row < m; row += blas_rows) {
            std::int64_t const rows = m - row < blas_rows ? m - row : blas_rows;
            for (std::int64_t i = 0; i < k; i += depth) {
                std::int64_t const terms = k - i < depth ? k - i : depth;
                blas::gemm<TransA, TransB>(a + (TransA ? i * lda + row : row * lda + i), lda, b + (TransB ? col * ldb + i : i * ldb + col),
                    ldb, rows, columns, terms, T(0), scratch, blas_columns);
                if constexpr (takes_blocks<T>)
                    if (depth < k) add_blocks(scratch, totals, rows * blas_columns, i == 0);
            }
            if constexpr (takes_blocks<T>)
                if (depth < k) take_totals(scratch, totals, rows * blas_columns);
            for (std::int64_t r = 0; r < rows; ++r) {
                T const* const line = scratch + r * blas_columns;
                std::int64_t c = 0;
                for (; c + W <= columns; c += W) epilogue.template tile<V>(simd::load(line + c), row + r, col + c);
                if (c < columns) {
                    std::size_t const rest = static_cast<std::size_t>(columns - c);
                    epilogue.template partial<V>(simd::load_partial(line + c, rest), row + r, col + c, rest);
                }
            }
        }
    }
}
#endif

}   // namespace detail

/// C[m, n] = op(A) op(B), row-major. T is float, double, int32 or int64.
/// op transposes if TransA (A is stored as [k, m]) or TransB (B is stored as [n, k]).
///
/// Columns (N), Depth (K) and Rows (M) are static extents, -1 for extents known only at run time, or told_like(E).
/// m, n and k are always the values, with one exception: for M >= 128 and N != 1, m may be a part of the rows.
/// A part is a multiple of tile_rows, or the rows from such a multiple to the end. lda and ldb are the distances of stored rows,
/// in elements. `scratch` holds matmul_scratch<T>(m, n, k) elements, ideally aligned to 64 bytes. It must not overlap the operands.
/// `panels`, of type panel_use: if keeps_panels<T>(m, n, k), `scratch` may hold copies of all panels for further products with the same B.
/// Then it has kept_panels_scratch<T>(m, n, k) elements. The bits are the same.
///
/// The kernel does not store C. It calls the epilogue:
/// - `epilogue.template tile<V>(sum, row, col)` once for each batch of columns;
/// - `epilogue.template partial<V>(sum, row, col, count)` for `count` < width lanes at the right edge;
/// - for a single column (n = 1), `column<V>(sum, row)` and `column_part<V>(sum, row, count)` with batches of rows, if they exist.
///
/// Operands are still read after such a call, so the epilogue must not write to A or B.
///
/// Order of summation:
/// - Every element is summed over k = 0, 1, 2, ... in order, with fused multiply-add if the machine has it.
/// - A single column (n = 1, A not transposed) is summed by lanes along k. So is a single row if M is 1 and only B is transposed.
/// - Long sums in float are split into blocks whose sums are added in double (kernels/sum_blocks.hpp).
/// - The order depends only on M, n and k: row i does not change with m.
/// - Products that XGRAD_USE_BLAS sends to CBLAS (from blas_threshold multiply-adds on) are an exception.
///   Their long sums have blocks of blas_depth terms.
template<class T, bool TransA, bool TransB, std::int64_t Columns = -1, std::int64_t Depth = -1, std::int64_t Rows = -1, class Epilogue,
    class Panels = no_kept_panels>
inline void matmul(T const* a, std::int64_t lda, T const* b, std::int64_t ldb, std::int64_t m, std::int64_t n, std::int64_t k,
    Epilogue const& epilogue, T* scratch, Panels panels = {}) {
    using namespace detail;
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    constexpr std::int64_t M = code_extent(Rows), N = code_extent(Columns), K = code_extent(Depth);
    constexpr bool cut = M >= cut_from_rows && N != 1;   // m may be less than M
    m = Rows < 0 || cut ? m : M;
    n = Columns < 0 ? n : N;
    k = Depth < 0 ? k : K;
#if XGRAD_USE_BLAS
    if constexpr (std::is_floating_point_v<T>) {
        if (m * n * k >= blas_threshold) {
            multiply_by_blas<T, TransA, TransB>(a, lda, b, ldb, m, n, k, epilogue, scratch);
            return;
        }
    }
#endif
    if constexpr (N < 0 || N == 1) {
        if (n == 1) {
            std::int64_t const step = TransB ? 1 : ldb;
            if constexpr (TransA) {
                multiply_transposed_column<T, (cut ? -1 : M)>(a, lda, b, step, m, k, epilogue);
            } else {
                T const* x = b;
                if (step != 1) {
                    for (std::int64_t i = 0; i < k; ++i) scratch[i] = b[i * step];
                    x = scratch;
                }
                multiply_column(a, lda, x, m, k, epilogue);
            }
            return;
        }
    }
    if constexpr (M == 1 && TransB && !TransA && N != 1 && (K < 0 || K >= 4)) {
        if ((N > 1 || n > 1) && (K >= 4 || k >= 4)) {   // nothing to copy: the rows of B are read in place
            multiply_column(b, ldb, a, n, k, as_row<Epilogue>{epilogue});
            return;
        }
    }
    if constexpr (N != 1) {
        constexpr bool may_be_long = detail::may_be_long<T, TransA, TransB, Columns, Depth, Rows>, deep = may_be_deep(K);
        bool const in_blocks = may_be_long && k > long_sum;
        left_operand<T, TransA> const left{a, lda};
        std::int64_t col = 0;
        if constexpr (!TransB && (M < 0 || M == 1) && !(Columns >= 0 && Depth >= 0 && Columns * Depth < wide_row_from)) {
            if (m == 1 && !in_blocks && n >= 2 * few_rows_batches * W && n * k >= wide_row_from)
                for (; col + W <= n;) {
                    std::int64_t const columns = n - col < wide_row_columns ? (n - col) / W * W : wide_row_columns;
                    T sums[wide_row_columns];
                    multiply_wide_row<T, TransA>(left, b + col, ldb, k, columns, sums);
                    finish_rows(sums, 0, 1, col, columns, epilogue);
                    col += columns;
                }
        }
        if constexpr (!TransB && M <= few_rows) {
            constexpr std::int64_t columns = few_rows_batches * W;
            for (; m > 0 && m <= few_rows && col + columns <= n; col += columns)
                few_rows_panel<T, TransA, M, may_be_long>(left, m, b + col, ldb, k, col, epilogue);
        }
        constexpr std::int64_t panel = tile_batches * W, width = N >= 0 && N < panel ? N : panel;
        constexpr int batches = static_cast<int>((width + W - 1) / W);
        // The loops around a full tile are part of this function. In a separate function a compiler would optimize its whole body twice.
        panel_use const use = keeps_panels<T>(m, n, k) ? static_cast<panel_use>(panels) : panel_use::alone;
        while (col < n) {
            auto const right = panel_at<T, TransB, width, N, K>(b, ldb, m, n, k, col, scratch, use);
            bool const in_registers = !in_blocks && !(deep && right.copies != nullptr);
            std::int64_t row = 0;
            if constexpr (M >= 0 && M <= middle_rows + low_rows && M != tile_rows) {
                if (in_registers) {
                    if (right.one) low_panel<T, TransA, 1, M>(left, right.b, right.step, k, col, right.columns, epilogue);
                    else low_panel<T, TransA, batches, M>(left, right.b, right.step, k, col, right.columns - (batches - 1) * W, epilogue);
                    row = M;
                }
            } else {
                if (right.columns == width && in_registers)
                    for (; full_tile(m - row); row += tile_rows) {
                        tile<T, TransA, tile_rows, batches> sums;
                        sums.multiply(left, row, right.b, right.step, k);
                        sums.finish(epilogue, row, col, width - (batches - 1) * W, typename decltype(sums)::every{});
                    }
            }
            if constexpr (may_be_long || deep || M < 0 || M > middle_rows + low_rows || M == tile_rows)
                rest_rows<T, TransA, TransB, width, M, N, (may_be_long || deep), deep>(left, row, m, right, k, col, epilogue);
            col += right.columns;
        }
    }
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
