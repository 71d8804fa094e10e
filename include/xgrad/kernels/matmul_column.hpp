// SPDX-License-Identifier: MIT
// Products with a single column: dot products along K, or sums of rows of a transposed left operand.
#pragma once

#include <xgrad/kernels/matmul_tile.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels::detail {

/// Dot products of Rows rows of A with x, both contiguous along k. Two sums of batches per row: batch j goes to sum j % 2,
/// an incomplete last one always to the second. The order depends on k alone.
template<class T, int Rows>
struct dot_rows {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    V even[Rows], odd[Rows];

    template<std::size_t... R>
    XGRAD_INLINE void run(T const* a, std::int64_t lda, T const* x, std::int64_t k, std::index_sequence<R...>) {
        ((even[R] = V(T(0)), odd[R] = V(T(0))), ...);
        std::int64_t const pairs = k / (2 * W) * (2 * W);
        for (std::int64_t i = 0; i < pairs; i += 2 * W) {
            V const x0 = simd::load(x + i), x1 = simd::load(x + i + W);
            ((even[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i), x0, even[R]),
              odd[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i + W), x1, odd[R])),
             ...);
        }
        std::int64_t i = pairs;
        if (i + W <= k) {
            V const x0 = simd::load(x + i);
            ((even[R] = fma(simd::load(a + static_cast<std::int64_t>(R) * lda + i), x0, even[R])), ...);
            i += W;
        }
        if (i < k) {
            std::size_t const rest = static_cast<std::size_t>(k - i);
            V const x0 = simd::load_partial(x + i, rest);
            ((odd[R] = fma(simd::load_partial(a + static_cast<std::int64_t>(R) * lda + i, rest), x0, odd[R])), ...);
        }
    }
    template<class Epilogue, std::size_t... R>
    XGRAD_INLINE void finish(Epilogue const& e, std::int64_t row, std::index_sequence<R...>) const {
        (e.template partial<V>(V(simd::sum(even[R] + odd[R])), row + static_cast<std::int64_t>(R), 0, 1), ...);
    }
};

/// C[m, 1] = A x, x contiguous.
template<class T, class Epilogue>
XGRAD_INLINE void multiply_column(T const* a, std::int64_t lda, T const* x, std::int64_t m, std::int64_t k, Epilogue const& epilogue) {
    std::int64_t const whole = m / 4 * 4;
    for (std::int64_t row = 0; row < whole; row += 4) {
        dot_rows<T, 4> dots;
        dots.run(a + row * lda, lda, x, k, std::make_index_sequence<4>{});
        dots.finish(epilogue, row, std::make_index_sequence<4>{});
    }
    for (std::int64_t row = whole; row < m; ++row) {
        dot_rows<T, 1> dots;
        dots.run(a + row * lda, lda, x, k, std::make_index_sequence<1>{});
        dots.finish(epilogue, row, std::make_index_sequence<1>{});
    }
}

/// C[m, 1] = transposed A[k, m] times x (elements `step` apart): batches run along m.
template<class T, int Batches>
struct column_sums {
    using V = simd::batch<T>;
    static constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    V sums[Batches];

    template<class Epilogue, std::size_t... C>
    XGRAD_INLINE void run(T const* a, std::int64_t lda, T const* x, std::int64_t step, std::int64_t k, std::int64_t row, Epilogue const& e,
                          std::index_sequence<C...>) {
        ((sums[C] = V(T(0))), ...);
        for (std::int64_t i = 0; i < k; ++i) {
            V const b(x[i * step]);
            ((sums[C] = fma(simd::load(a + i * lda + row + static_cast<std::int64_t>(C) * W), b, sums[C])), ...);
        }
        (finish(e, sums[C], row + static_cast<std::int64_t>(C) * W, W), ...);
    }
    template<class Epilogue>
    XGRAD_INLINE static void finish(Epilogue const& e, V sum, std::int64_t row, std::int64_t count) {
        alignas(64) T lanes[W];
        simd::store(lanes, sum);
        for (std::int64_t j = 0; j < count; ++j) {
            e.template partial<V>(V(lanes[j]), row + j, 0, 1);
        }
    }
};

template<class T, class Epilogue>
XGRAD_INLINE void multiply_transposed_column(T const* a, std::int64_t lda, T const* x, std::int64_t step, std::int64_t m, std::int64_t k,
                                             Epilogue const& epilogue) {
    using V = simd::batch<T>;
    constexpr std::int64_t W = static_cast<std::int64_t>(V::size);
    std::int64_t const fours = m / (4 * W) * (4 * W), whole = m / W * W;
    for (std::int64_t row = 0; row < fours; row += 4 * W) {
        column_sums<T, 4>{}.run(a, lda, x, step, k, row, epilogue, std::make_index_sequence<4>{});
    }
    for (std::int64_t row = fours; row < whole; row += W) {
        column_sums<T, 1>{}.run(a, lda, x, step, k, row, epilogue, std::make_index_sequence<1>{});
    }
    if (whole < m) {
        std::size_t const rest = static_cast<std::size_t>(m - whole);
        V sum(T(0));
        for (std::int64_t i = 0; i < k; ++i) {
            sum = fma(simd::load_partial(a + i * lda + whole, rest), V(x[i * step]), sum);
        }
        column_sums<T, 1>::finish(epilogue, sum, whole, m - whole);
    }
}

}   // namespace kernels::detail
XGRAD_NAMESPACE_END
