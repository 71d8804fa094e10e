// SPDX-License-Identifier: MIT
// A product of a matrix with a vector, a loop over its elements, and the product of the transposed matrix with what the loop makes, in one pass:
// all three on a few rows while these are in the first cache.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nest_parts.hpp>
#include <xgrad/kernels/product.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// Hands on rows that are counted from `first`.
template<class Epilogue>
struct from_row {
    Epilogue const& epilogue;
    std::int64_t first;
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {
        epilogue.template column<V>(sum, first + row);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t count) const {
        epilogue.template column_part<V>(sum, first + row, count);
    }
};
/// Sums of a column that go on from the rows before; whole batches, also the last one.
template<class T>
struct running_column {
    T* sums;
    std::int64_t ahead;   // from an element to that of the next part, which is fetched meanwhile
    template<class V>
    XGRAD_KERNEL V begin(std::int64_t row) const {
        return simd::load(sums + row);
    }
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {
        simd::store(sums + row, sum);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t) const {
        simd::store(sums + row, sum);
    }
};

/// Adds the transposed product of `rows` rows of `columns` columns with x to the sums, blocks of columns whose sums stay in registers: whole ones, or
/// what is left behind them. One function of each for all matrices.
template<class T>
XGRAD_NOINLINE void add_whole_columns(
    T const* a, std::int64_t lda, T const* x, std::int64_t rows, running_column<T> to, std::int64_t columns) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>), whole = column_batches * W;
    for (std::int64_t c = 0; c + whole <= columns; c += whole)
        column_sums<T, column_batches, false>{}.run(a, lda, x, 1, rows, c, W, to, std::make_index_sequence<column_batches>{});
}
template<class T, std::int64_t Columns>   // -1: any number
XGRAD_NOINLINE void add_last_columns(
    T const* a, std::int64_t lda, T const* x, std::int64_t rows, running_column<T> to, [[maybe_unused]] std::int64_t columns) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>), last = Columns % W;
    constexpr int batches = static_cast<int>((Columns + W - 1) / W);
    if constexpr (Columns < 0) transposed_column<T, 4, -1>(a, lda, x, 1, columns, rows, 0, to);
    else if constexpr (Columns > 0)
        column_sums<T, batches, (last > 0)>{}.run(a, lda, x, 1, rows, 0, last > 0 ? last : W, to,
            std::make_index_sequence<static_cast<std::size_t>(last > 0 ? batches - 1 : batches)>{});
}
template<class T>
using add_columns_function = void (*)(T const*, std::int64_t, T const*, std::int64_t, running_column<T>, std::int64_t);
}   // namespace detail

/// Tail: the number of columns modulo two batches, or -1. Operand A of the first product is the matrix, operand B of the second one the vector. The loop
/// and the second product are LoopAt and BackAt steps behind the first one.
template<class T, std::int64_t Tail, int A, int B, int LoopAt, int BackAt, class Product, class Nest, class Transposed>
struct streamed {
    using type = T;
    static constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    static constexpr std::int64_t bytes_at_once = 16384;   // half of a first cache of 32 kB: the next part comes meanwhile

    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& p, detail::add_columns_function<T> add_last) {
        step_arguments const &n = (&p)[LoopAt], &t = (&p)[BackAt];
        T const* const a = reinterpret_cast<T const*>(p.operands[A].data);
        T const* const x = reinterpret_cast<T const*>(p.operands[A + 1].data);
        T const* const u = reinterpret_cast<T const*>(t.operands[B].data);
        std::int64_t const m = p.extent[0], k = p.extent[2], lda = p.operands[A].stride[0];
        T* const sums = static_cast<T*>(p.scratch);
        for (std::int64_t i = 0; i < k; i += W) simd::store(sums + i, simd::batch<T>(T(0)));
        std::int64_t rows = k > 0 ? bytes_at_once / (k * static_cast<std::int64_t>(sizeof(T))) / W * W : W;
        rows = rows < W ? W : rows;
        Product const product(p);
        nest_parts<typename Nest::loop> nest(n);
        std::int64_t const whole = k / (detail::column_batches * W) * (detail::column_batches * W);
        std::int64_t first = 0;
        do {
            std::int64_t const end = m - first > rows ? first + rows : m;
            detail::multiply_column<T, Tail>(a + first * lda, lda, x, end - first, k, detail::from_row<Product>{product, first});
            nest.run(first, end);
            detail::running_column<T> const to{sums, end < m ? rows * lda : 0};
            if (whole > 0) detail::add_whole_columns(a + first * lda, lda, u + first, end - first, to, whole);
            add_last(a + first * lda + whole, lda, u + first, end - first, {to.sums + whole, to.ahead}, k - whole);
            first = end;
        } while (first < m);
        nest.finish();
        Transposed const transposed(t);
        for (std::int64_t i = 0; i < k; i += W) detail::finish_column(transposed, simd::load(sums + i), i, k - i < W ? k - i : W);
    }
};

/// The same for a matrix of a number of columns that leaves Last behind whole blocks, or of any number (-1).
template<class Streamed, std::int64_t Last>
struct streamed_columns {
    static void run(step_arguments const& p) { Streamed::run(p, detail::add_last_columns<typename Streamed::type, Last>); }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
