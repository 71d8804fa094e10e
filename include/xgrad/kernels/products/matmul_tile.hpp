// SPDX-License-Identifier: MIT
// The register tile of matrix products: a few rows times one to four batches of columns, kept in registers over all of k.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/kernels/sum_blocks.hpp>

#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// Rows of the full tile with two batches of columns.
/// - 16 registers hold 6 x 2 sums, two batches of B and an element of A.
/// - Without fused multiply-add the product needs one more register.
/// - With 32 registers, 8 x 2 reach the peak, and 8 divides more extents than 12 does.
#if XGRAD_USE_AVX512 || defined(__aarch64__)
inline constexpr int tile_rows = 8;
#elif defined(__FMA__)
inline constexpr int tile_rows = 6;
#else
inline constexpr int tile_rows = 4;
#endif
/// Rows of the two smaller tiles. They also compute fewer rows than they have.
/// With less than four rows the sums of a tile wait for each other, so fewer rows are not faster.
#if XGRAD_USE_AVX512 || defined(__aarch64__)
inline constexpr int middle_rows = 7, low_rows = 4;
#elif defined(__FMA__)
inline constexpr int middle_rows = 5, low_rows = 4;
#else
inline constexpr int middle_rows = 3, low_rows = 2;
#endif
/// Batches of columns of the full tile.
inline constexpr int tile_batches = 2;
/// Batches of columns for one or two rows. With fewer batches, the few sums would wait for each other.
inline constexpr int few_rows = 2, few_rows_batches = 4;

/// Up to this number of rows, loads of B are kept separate from the sums: g++ would load each batch again for each row.
inline constexpr int load_apart_rows = 4;

/// Access to op(A): the address of element (i, k).
template<class T, bool TransA>
struct left_operand {
    T const* a;
    std::int64_t lda;
    XGRAD_INLINE T const* at(std::int64_t i, std::int64_t k) const {
        if constexpr (TransA) return a + k * lda + i;
        else return a + i * lda + k;
    }
};

/// Sums of Rows x Batches. Every sum runs over k = 0, 1, ... in order in every tile, so results do not depend on the tiling.
template<class T, bool TransA, int Rows, int Batches>
struct tile {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size), rows_ahead = 8;
    using every = std::make_index_sequence<static_cast<std::size_t>(Rows* Batches)>;
    V sums[Rows * Batches];

    template<std::size_t... C>
    XGRAD_INLINE static void load_right(V (&b)[Batches], T const* p, std::index_sequence<C...>) {
        ((b[C] = simd::load(p + static_cast<std::int64_t>(C) * W)), ...);
        if constexpr (Rows <= load_apart_rows) (simd::keep_register(b[C]), ...);
    }
    /// Prefetches a row of B. If a matrix is read in place, its rows are too far apart for the hardware prefetcher, unless they are wide.
    XGRAD_INLINE static void fetch_row([[maybe_unused]] T const* p) {
        if constexpr (Batches >= few_rows_batches) return;
        for (std::int64_t c = 0; c < Batches * W; c += 64 / static_cast<std::int64_t>(sizeof(T))) simd::prefetch(p + c);
    }
    template<std::size_t... C>
    XGRAD_INLINE void add_row(std::size_t r, V a, V const (&b)[Batches], std::index_sequence<C...>) {
        ((sums[r * Batches + C] = fma(a, b[C], sums[r * Batches + C])), ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE void add_rows(T const* const (&a)[Rows], std::int64_t k, V const (&b)[Batches], std::index_sequence<R...>) {
        (add_row(R, V(a[R][k]), b, std::make_index_sequence<Batches>{}), ...);
    }
    template<std::size_t... R>
    XGRAD_INLINE void add_column(T const* a, V const (&b)[Batches], std::index_sequence<R...>) {
        (add_row(R, V(a[R]), b, std::make_index_sequence<Batches>{}), ...);
    }
    template<std::size_t... I>
    XGRAD_KERNEL void clear(std::index_sequence<I...>) {
        ((sums[I] = V(T(0))), ...);
    }
    /// Rows after the first `count` are copies of the last one.
    template<std::size_t... R>
    XGRAD_KERNEL static void row_starts(
        T const* (&p)[Rows], left_operand<T, TransA> a, std::int64_t row, std::int64_t count, std::index_sequence<R...>) {
        ((p[R] = a.at(row + (static_cast<std::int64_t>(R) < count ? static_cast<std::int64_t>(R) : count - 1), 0)), ...);
    }

    template<std::size_t... I>
    XGRAD_KERNEL void load(T const* from, std::index_sequence<I...>) {
        ((sums[I] = simd::load(from + static_cast<std::int64_t>(I) * W)), ...);
    }

    /// Rows from `row` on of op(A), times k rows of B at b, `step` elements apart. All batches are full.
    XGRAD_KERNEL void multiply(left_operand<T, TransA> a, std::int64_t row, T const* b, std::int64_t step, std::int64_t k) {
        clear(every{});
        add(a, row, b, step, k);
    }
    /// The same, added to the sums.
    XGRAD_KERNEL void add(left_operand<T, TransA> a, std::int64_t row, T const* b, std::int64_t step, std::int64_t k) {
        if constexpr (TransA) {
            V right[Batches];
            T const* p = a.at(row, 0);
            for (std::int64_t i = 0; i < k; ++i) {
                load_right(right, b, std::make_index_sequence<Batches>{});
                add_column(p, right, std::make_index_sequence<Rows>{});
                b += step;
                p += a.lda;
            }
        } else {
            add_some(a, row, Rows, b, step, k);
        }
    }
    /// The same for the first `count` rows.
    XGRAD_KERNEL void add_some(
        left_operand<T, TransA> a, std::int64_t row, std::int64_t count, T const* b, std::int64_t step, std::int64_t k) {
        constexpr auto rows = std::make_index_sequence<Rows>{};
        V right[Batches];
        T const* p[Rows];
        row_starts(p, a, row, count, rows);
        std::int64_t const next = TransA ? a.lda : 1;
        for (std::int64_t i = 0, at = 0; i < k; ++i, at += next) {
            load_right(right, b, std::make_index_sequence<Batches>{});
            fetch_row(b + rows_ahead * step);
            add_rows(p, at, right, rows);
            b += step;
        }
    }

    /// Passes the sums to the epilogue. The last batch has `last` columns (W if it is full). I: all positions in `every`.
    template<class Epilogue, std::size_t... I>
    XGRAD_KERNEL void finish(Epilogue const& e, std::int64_t row, std::int64_t col, std::int64_t last, std::index_sequence<I...>) const {
        if (last == W)
            (e.template tile<V>(sums[I], row + static_cast<std::int64_t>(I / Batches), col + static_cast<std::int64_t>(I % Batches) * W),
                ...);
        else (finish_one<I>(e, row + static_cast<std::int64_t>(I / Batches), col, last), ...);
    }
    template<std::size_t I, class Epilogue>
    XGRAD_KERNEL void finish_one(Epilogue const& e, std::int64_t row, std::int64_t col, [[maybe_unused]] std::int64_t last) const {
        constexpr std::int64_t batch = I % Batches;
        if constexpr (batch + 1 < Batches) e.template tile<V>(sums[I], row, col + batch * W);
        else e.template partial<V>(sums[I], row, col + batch * W, static_cast<std::size_t>(last));
    }
    template<std::size_t... I>
    XGRAD_KERNEL void keep(T* to, std::index_sequence<I...>) const {
        (simd::store(to + static_cast<std::int64_t>(I) * W, sums[I]), ...);
    }
    template<std::size_t... I>
    XGRAD_KERNEL void add_to(T* to, std::index_sequence<I...>) const {
        (simd::store(to + static_cast<std::int64_t>(I) * W, simd::load(to + static_cast<std::int64_t>(I) * W) + sums[I]), ...);
    }
};

/// From this static height on, products may also run in parts.
inline constexpr std::int64_t cut_from_rows = 128;

/// A part of the depth of a product. Its sums continue from the parts before it.
struct depth_part {
    std::int64_t first, all;   // number of terms before it, and of all parts
    double* totals;            // of the sums
};

/// Writes the sums of `count` <= Rows rows to memory, as [Rows, Batches * W].
/// Long sums are split into blocks that depend only on the depth.
/// The sums of a part of the depth continue. A part that is not the last one has whole groups of blocks.
/// A full tile has all its rows. All products share this function.
template<class T, bool TransA, int Rows, int Batches>
XGRAD_NOINLINE void multiply_rows(
    left_operand<T, TransA> a, std::int64_t count, T const* b, std::int64_t step, std::int64_t k, T* to, depth_part const* part = nullptr) {
    using part_tile = tile<T, TransA, Rows, Batches>;
    constexpr std::int64_t size = Rows * Batches * part_tile::W;
    constexpr typename part_tile::every every{};
    [[maybe_unused]] double totals[takes_blocks<T> ? size : 1];
    [[maybe_unused]] block_sums all{};
    std::int64_t const first = part == nullptr ? 0 : part->first, total = part == nullptr ? k : part->all,
                       at_once = terms_at_once<T>(total);
    bool const in_blocks = takes_blocks<T> && at_once < total, last = first + k == total;
    if constexpr (takes_blocks<T>) {
        all = {to, part == nullptr ? totals : part->totals, size, first / sum_block};
        if (in_blocks && first == 0) all.clear();
    }
    for (std::int64_t left = k;;) {
        std::int64_t const terms = left < at_once ? left : at_once;
        part_tile sums;
        if (!in_blocks && first > 0) sums.load(to, every);
        else sums.clear(every);
        if constexpr (Rows == tile_rows || Batches == few_rows_batches) sums.add(a, 0, b, step, terms);
        else sums.add_some(a, 0, count, b, step, terms);
        left -= terms;
        if (!in_blocks) return sums.keep(to, every);
        sums.add_to(to, every);
        if constexpr (takes_blocks<T>)
            if (++all.count % blocks_together == 0 || (last && left == 0)) all.move(last && left == 0);
        if (left == 0) return;
        a.a = a.at(0, terms);
        b += terms * step;
    }
}

/// Passes `count` rows of sums in memory, in whole batches, to the epilogue. So the code of the epilogue exists only once.
template<class T, class Epilogue>
XGRAD_KERNEL void finish_rows(
    T const* sums, std::int64_t row, std::int64_t count, std::int64_t col, std::int64_t columns, Epilogue const& epilogue) {
    using V = simd::batch<T>;
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    for (std::int64_t const end = row + count; row < end; ++row)
        for (std::int64_t c = 0; c < columns; c += W, sums += W)
            if (columns - c >= W) epilogue.template tile<V>(simd::load(sums), row, col + c);
            else epilogue.template partial<V>(simd::load(sums), row, col + c, static_cast<std::size_t>(columns - c));
}

/// Sums of one or two rows of a wider panel. M is their static number or -1.
template<class T, bool TransA, std::int64_t M>
XGRAD_KERNEL void multiply_few_rows(left_operand<T, TransA> a, std::int64_t m, T const* b, std::int64_t step, std::int64_t k, T* sums) {
    if (M == 1 || (M < 0 && m == 1)) {
        if constexpr (M != few_rows) multiply_rows<T, TransA, 1, few_rows_batches>(a, m, b, step, k, sums);
    } else {
        if constexpr (M != 1) multiply_rows<T, TransA, few_rows, few_rows_batches>(a, m, b, step, k, sums);
    }
}
/// One or two rows of a wider panel. M is their static number or -1. Long sums pass through memory.
template<class T, bool TransA, std::int64_t M, bool MayBeLong, class Epilogue>
XGRAD_KERNEL void few_rows_panel(
    left_operand<T, TransA> a, std::int64_t m, T const* b, std::int64_t step, std::int64_t k, std::int64_t col, Epilogue const& epilogue) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    if (M > 0 && !(MayBeLong && k > long_sum)) {
        if constexpr (M > 0) {
            tile<T, TransA, static_cast<int>(M), few_rows_batches> sums;
            sums.multiply(a, 0, b, step, k);
            sums.finish(epilogue, 0, col, W, typename decltype(sums)::every{});
        }
    } else if constexpr (M < 0 || MayBeLong) {
        T sums[few_rows * few_rows_batches * W];
        multiply_few_rows<T, TransA, M>(a, m, b, step, k, sums);
        finish_rows(sums, 0, m, col, few_rows_batches * W, epilogue);
    }
}

/// Columns of a wide row that are computed together, and the number of elements of B from which a row runs along those of B.
inline constexpr std::int64_t wide_row_columns = 1024, wide_row_from = 8192;
/// Sums of one row for many columns, in whole batches. It runs along the rows of B, so the hardware prefetcher sees them. The sums are in
/// memory between groups of four rows. Each is over k = 0, 1, ... as in a tile.
template<class T, bool TransA>
XGRAD_NOINLINE void multiply_wide_row(
    left_operand<T, TransA> a, T const* b, std::int64_t step, std::int64_t k, std::int64_t columns, T* sums) {
    using V = simd::batch<T>;
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    for (std::int64_t c = 0; c < columns; c += W) simd::store(sums + c, V(T(0)));
    std::int64_t i = 0;
    for (; i + 4 <= k; i += 4, b += 4 * step) {
        V const p(*a.at(0, i)), q(*a.at(0, i + 1)), r(*a.at(0, i + 2)), s(*a.at(0, i + 3));
        T const *const b1 = b + step, *const b2 = b1 + step, *const b3 = b2 + step;
        for (std::int64_t c = 0; c < columns; c += W) {
            V sum = fma(p, simd::load(b + c), simd::load(sums + c));
            sum = fma(q, simd::load(b1 + c), sum);
            sum = fma(r, simd::load(b2 + c), sum);
            simd::store(sums + c, fma(s, simd::load(b3 + c), sum));
        }
    }
    // At most three. With i < k as its condition, g++ -O3 warns of a loop without end.
    for (std::int64_t left = k % 4; left > 0; --left, ++i, b += step) {
        V const p(*a.at(0, i));
        for (std::int64_t c = 0; c < columns; c += W) simd::store(sums + c, fma(p, simd::load(b + c), simd::load(sums + c)));
    }
}

/// For a static extent m: the number of rows that are not in full tiles.
constexpr std::int64_t rows_apart(std::int64_t m, std::int64_t tile) {
    std::int64_t const left_over = m % tile;
    return left_over > 0 && m > tile && left_over + tile <= middle_rows + low_rows ? left_over + tile : left_over;
}
/// A panel with a static height M that has no full tiles. It uses tiles of exactly this size, without memory.
template<class T, bool TransA, int Batches, std::int64_t M, class Epilogue>
XGRAD_KERNEL void low_panel(left_operand<T, TransA> a, T const* b, std::int64_t step, std::int64_t k, std::int64_t col, std::int64_t last,
    Epilogue const& epilogue) {
    constexpr std::int64_t first = M > tile_rows ? (M + 1) / 2 : M;   // rows in the first of two tiles
    tile<T, TransA, static_cast<int>(first), Batches> sums;
    sums.multiply(a, 0, b, step, k);
    sums.finish(epilogue, 0, col, last, typename decltype(sums)::every{});
    if constexpr (M > first) {
        tile<T, TransA, static_cast<int>(M - first), Batches> others;
        others.multiply(a, first, b, step, k);
        others.finish(epilogue, first, col, last, typename decltype(others)::every{});
    }
}

/// The tiles that rows apart from full tiles need. Heights that need the same ones share a function.
struct rest_tiles {
    bool full, middle, low;
};
/// Those of m rows (-1: any number). full: full tiles may be among them.
constexpr rest_tiles rest_tiles_of(std::int64_t m, bool full) {
    if (m < 0) return {full, true, true};
    std::int64_t const apart = rows_apart(m, tile_rows), first = apart > middle_rows ? apart - low_rows : apart;
    return {full && m > middle_rows, first > low_rows, apart > first || (first > 0 && first <= low_rows)};
}

/// Sums of `count` rows, by the smallest tile that holds them.
template<class T, bool TransA, int Batches, rest_tiles Tiles>
XGRAD_KERNEL void multiply_rest(left_operand<T, TransA> a, std::int64_t count, T const* b, std::int64_t step, std::int64_t k, T* sums,
    depth_part const* part = nullptr) {
    if (count > middle_rows) {
        if constexpr (Tiles.full) multiply_rows<T, TransA, tile_rows, Batches>(a, count, b, step, k, sums, part);
    } else if (count > low_rows) {
        if constexpr (Tiles.middle) multiply_rows<T, TransA, middle_rows, Batches>(a, count, b, step, k, sums, part);
    } else {
        if constexpr (Tiles.low) multiply_rows<T, TransA, low_rows, Batches>(a, count, b, step, k, sums, part);
    }
}

/// Whether the next tile is a full one if `left` rows are left. If the two smaller tiles can hold them, these are used instead.
constexpr bool full_tile(std::int64_t left) { return left > middle_rows + low_rows || left == tile_rows; }
/// The number of rows in the next tile.
constexpr std::int64_t rows_at_once(std::int64_t left) { return full_tile(left) ? tile_rows : left > middle_rows ? left - low_rows : left; }

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
