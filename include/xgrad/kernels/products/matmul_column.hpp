// SPDX-License-Identifier: MIT
// Products with a single column: dot products along k, or sums of rows if the left operand is transposed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_tile.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// Dot products of Rows rows of A with x, both contiguous along k. Each row has two sums of batches: batch j is added to sum j % 2.
/// An incomplete last batch is always added to the second sum. Long sums are split into blocks. The order depends only on k.
/// Tail: k % (2 W), or -1 if it is not static.
template<class T, int Rows, std::int64_t Tail>
struct dot_rows {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size), size = 2 * Rows * W;
    V even[Rows], odd[Rows];

    template<std::size_t... R>
    XGRAD_KERNEL void run(T const* a, std::int64_t lda, T const* x, std::int64_t k, [[maybe_unused]] std::index_sequence<R...> rows) {
        std::int64_t const pairs = k / (2 * W) * (2 * W), at_once = terms_at_once<T>(k / (2 * W), long_sum_from_memory) * (2 * W);
        float blocks[size];
        double totals[size];
        [[maybe_unused]] block_sums all{blocks, totals, size};
        std::int64_t i = 0;
        for (bool last = false; !last;) {
            ((even[R] = V(T(0)), odd[R] = V(T(0))), ...);
            last = pairs - i <= at_once;
            for (std::int64_t const end = last ? pairs : i + at_once; i < end; i += 2 * W) {
                V const x0 = simd::load(x + i), x1 = simd::load(x + i + W);
                ((even[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i), x0, even[R]),
                     odd[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i + W), x1, odd[R])),
                    ...);
            }
            if constexpr (takes_blocks<T>)
                if (at_once < pairs) finish_block(all, last, rows);
        }
        if (Tail < 0 ? i + W <= k : Tail >= W) {
            V const x0 = simd::load(x + i);
            ((even[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i), x0, even[R])), ...);
            i += W;
        }
        if (Tail < 0 ? i < k : Tail % W > 0) {
            std::size_t const rest = static_cast<std::size_t>(Tail < 0 ? k - i : Tail % W);
            V const x0 = simd::load_partial(x + i, rest);
            ((odd[R] = fma(simd::load_partial(a + static_cast<std::int64_t>(R) * lda + i, rest), x0, odd[R])), ...);
        }
    }
    template<std::size_t... R>
    XGRAD_KERNEL void finish_block(block_sums& all, bool last, std::index_sequence<R...>) {
        ((all.add(2 * W * static_cast<std::int64_t>(R), even[R]), all.add(2 * W * static_cast<std::int64_t>(R) + W, odd[R])), ...);
        all.next(last);
        float const* const sums = all.blocks;
        if (last)
            ((even[R] = simd::load(sums + 2 * W * static_cast<std::int64_t>(R)),
                 odd[R] = simd::load(sums + 2 * W * static_cast<std::int64_t>(R) + W)),
                ...);
    }
    template<std::size_t... R>
    XGRAD_KERNEL void put(V* out, std::index_sequence<R...>) const {
        ((out[R] = even[R] + odd[R]), ...);
    }
};

/// Passes `count` <= W rows of a single column to the epilogue, in one call if the epilogue can take them.
template<class V, class Epilogue>
XGRAD_KERNEL void finish_column(Epilogue const& e, V sum, std::int64_t row, std::int64_t count) {
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    if constexpr (requires { e.template column<V>(sum, row); })
        if (count == W) e.template column<V>(sum, row);
        else e.template column_part<V>(sum, row, static_cast<std::size_t>(count));
    else
        for (std::int64_t j = 0; j < count; ++j) e.template partial<V>(V(sum[static_cast<std::size_t>(j)]), row + j, 0, 1);
}

/// C[m, 1] = A x, x contiguous.
template<class T, std::int64_t Tail = -1, class Epilogue>
XGRAD_KERNEL void multiply_column(T const* a, std::int64_t lda, T const* x, std::int64_t m, std::int64_t k, Epilogue const& epilogue) {
    using V = simd::batch<T>;
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    constexpr int most = simd::register_bytes == 64 ? 8 : 4;   // rows at a time: as many as registers hold
    constexpr int rows = W < most ? static_cast<int>(W) : most;
    std::int64_t const whole = m / W * W;
    for (std::int64_t row = 0; row < whole; row += W) {
        V sums[W];
        for (std::int64_t r = 0; r < W; r += rows) {
            dot_rows<T, rows, Tail> dots;
            dots.run(a + (row + r) * lda, lda, x, k, std::make_index_sequence<rows>{});
            dots.put(sums + r, std::make_index_sequence<rows>{});
        }
        finish_column(epilogue, simd::sums(sums), row, W);
    }
    if (whole < m) {
        V sum(T(0));
        for (std::int64_t row = whole; row < m; ++row) {
            dot_rows<T, 1, Tail> dots;
            dots.run(a + row * lda, lda, x, k, std::make_index_sequence<1>{});
            V one[1];
            dots.put(one, std::make_index_sequence<1>{});
            sum.v[row - whole] = simd::sum(one[0]);
        }
        finish_column(epilogue, sum, whole, m - whole);
    }
}

/// C[m, 1] = transposed A[k, m] times x (elements `step` apart). Batches run along m, and the last one has `last` <= W rows.
template<class T, int Batches, bool Partial>
struct column_sums {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    static constexpr int full = Partial ? Batches - 1 : Batches;
    V sums[Batches];

    template<class Epilogue, std::size_t... C>
    XGRAD_KERNEL void run(T const* a, std::int64_t lda, T const* x, std::int64_t step, std::int64_t k, std::int64_t row, std::int64_t last,
        Epilogue const& e, std::index_sequence<C...>) {
        constexpr bool goes_on = requires { e.template begin<V>(row); };   // an epilogue that keeps the sums also handles long ones
        std::int64_t const at_once = goes_on ? k : terms_at_once<T>(k);
        float blocks[Batches * W];
        double totals[Batches * W];
        [[maybe_unused]] block_sums all{blocks, totals, Batches * W};
        std::int64_t i = 0;
        do {
            for (int c = 0; c < Batches; ++c)
                if constexpr (goes_on) sums[c] = e.template begin<V>(row + c * W);
                else sums[c] = V(T(0));
            for (std::int64_t const end = k - i < at_once ? k : i + at_once; i < end; ++i) {
                T const* const p = a + i * lda + row;
                V const b(x[i * step]);
                if constexpr (requires { e.ahead; }) {   // interleaved with the sums: in a burst the prefetches would wait for each other
                    T const* const next = simd::base_address(p + e.ahead);
                    ((sums[C] = fma(simd::load(p + static_cast<std::int64_t>(C) * W), b, sums[C]),
                         simd::prefetch(next + static_cast<std::int64_t>(C) * W)),
                        ...);
                    if constexpr (Partial) simd::prefetch(next + full * W);
                } else ((sums[C] = fma(simd::load(p + static_cast<std::int64_t>(C) * W), b, sums[C])), ...);
                if constexpr (Partial) sums[full] = fma(simd::load_partial(p + full * W, static_cast<std::size_t>(last)), b, sums[full]);
            }
            if constexpr (takes_blocks<T> && !goes_on)
                if (at_once < k) finish_block(all, i == k, std::make_index_sequence<Batches>{});
        } while (i < k);
        (finish_column(e, sums[C], row + static_cast<std::int64_t>(C) * W, W), ...);
        if constexpr (Partial) finish_column(e, sums[full], row + full * W, last);
    }
    template<std::size_t... C>
    XGRAD_KERNEL void finish_block(block_sums& all, bool last, std::index_sequence<C...>) {
        (all.add(static_cast<std::int64_t>(C) * W, sums[C]), ...);
        all.next(last);
        if (last) ((sums[C] = simd::load(all.blocks + static_cast<std::int64_t>(C) * W)), ...);
    }
};
/// Batches of a column that are summed at a time: as many as registers hold.
inline constexpr int column_batches = simd::register_bytes == 64 ? 16 : 8;

template<class T, int Batches, std::int64_t M, class Epilogue>
XGRAD_KERNEL void transposed_column(T const* a, std::int64_t lda, T const* x, std::int64_t step, std::int64_t m, std::int64_t k,
    std::int64_t row, Epilogue const& epilogue) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    if constexpr (M < 0 || M >= Batches * W)
        for (; row + Batches * W <= m; row += Batches * W)
            column_sums<T, Batches, false>{}.run(a, lda, x, step, k, row, W, epilogue, std::make_index_sequence<Batches>{});
    if constexpr (M >= 0) {
        constexpr std::int64_t rest = M % (Batches * W);
        constexpr int batches = static_cast<int>((rest + W - 1) / W);
        constexpr bool partial = rest % W != 0;
        if constexpr (rest > 0) {
            column_sums<T, batches, partial>{}.run(a, lda, x, step, k, row, partial ? rest % W : W, epilogue,
                std::make_index_sequence<static_cast<std::size_t>(partial ? batches - 1 : batches)>{});
        }
    } else if constexpr (Batches > 1) {
        transposed_column<T, (Batches > 4 ? 4 : 1), M>(a, lda, x, step, m, k, row, epilogue);
    } else if (row < m) {
        column_sums<T, 1, true>{}.run(a, lda, x, step, k, row, m - row, epilogue, std::make_index_sequence<0>{});
    }
}

template<class T, std::int64_t M, class Epilogue>
XGRAD_KERNEL void multiply_transposed_column(
    T const* a, std::int64_t lda, T const* x, std::int64_t step, std::int64_t m, std::int64_t k, Epilogue const& epilogue) {
    transposed_column<T, column_batches, M>(a, lda, x, step, m, k, 0, epilogue);
}

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
