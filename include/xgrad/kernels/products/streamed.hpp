// SPDX-License-Identifier: MIT
// One pass over a matrix A for three steps: y = A x, a loop over y that makes u, and the product of transposed A with u.
// All three run on a few rows while these are in the first-level cache.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest_parts.hpp>
#include <xgrad/kernels/products/product.hpp>
#include <xgrad/kernels/products/running_sums.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// Passes on rows that are counted from `first`.
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
}   // namespace detail

/// Tail: the number of columns modulo two batches, or -1. Operand A of the first product is the matrix,
/// operand B of the second one is the vector. The loop and the second product are LoopAt and BackAt steps after the first product.
/// InDouble: the second product of floats is in double.
template<class T, std::int64_t Tail, int A, int B, int LoopAt, int BackAt, class Product, class Nest, class Transposed, bool InDouble>
struct streamed {
    using type = T;
    static constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    static constexpr std::int64_t bytes_at_once = 16384;   // half of a first-level cache of 32 kB; the other half is for the next part

    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& p, detail::add_columns_function<T> add_last) {
        step_arguments const &n = (&p)[LoopAt], &t = (&p)[BackAt];
        T const* const a = reinterpret_cast<T const*>(p.operands[A].data);
        T const* const x = reinterpret_cast<T const*>(p.operands[A + 1].data);
        T const* const u = reinterpret_cast<T const*>(t.operands[B].data);
        std::int64_t const m = p.extent[0], k = p.extent[2], lda = p.operands[A].stride[0];
        std::conditional_t<InDouble, detail::sums_of_rows_in_double<T>, detail::sums_of_rows<T>> all(p.scratch, m, k);
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
            std::int64_t const ahead = end < m ? rows * lda : 0;
            std::int64_t row = first;
            do {
                std::int64_t count = end - row;
                if constexpr (detail::takes_blocks<T>)
                    if (std::int64_t const room = all.at_once - all.added; room < count) count = room;
                if (whole > 0) detail::add_whole_columns(a + row * lda, lda, u + row, count, {all.sums, ahead}, whole);
                add_last(a + row * lda + whole, lda, u + row, count, {all.sums + whole, ahead}, k - whole);
                row += count;
                if constexpr (InDouble) all.next(a + row * lda, lda, u + row, count, k, row == m);
                else if constexpr (detail::takes_blocks<T>)
                    if (all.at_once < m) all.next(count, row == m);
            } while (row < end);
            first = end;
        } while (first < m);
        nest.finish();
        Transposed const transposed(t);
        if constexpr (InDouble) all.finish(transposed, k);
        else
            for (std::int64_t i = 0; i < k; i += W) detail::finish_column(transposed, simd::load(all.sums + i), i, k - i < W ? k - i : W);
    }
};

/// The same for a matrix with Last columns after the whole blocks, or with any number of columns (-1).
template<class Streamed, std::int64_t Last>
struct streamed_columns {
    static void run(step_arguments const& p) { Streamed::run(p, detail::add_last_columns<typename Streamed::type, Last>); }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
