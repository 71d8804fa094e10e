// SPDX-License-Identifier: MIT
// One pass over a matrix A for three steps: y = A x, a loop over y that makes u, and the product of transposed A with u.
// All three run on a few rows while these are in the first-level cache.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest_parts.hpp>
#include <xgrad/kernels/products/product.hpp>

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
/// Sums of a column that continue from earlier rows. All batches are whole, including the last one.
template<class T>
struct running_column {
    T* sums;
    std::int64_t ahead;   // distance to the same element in the next part, which is prefetched meanwhile
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

/// Sums of m rows of the transposed product, one sum for each of k columns, in whole batches. Long sums have additional memory.
template<class T>
struct sums_of_rows {
    T* sums;
    std::int64_t columns, at_once, added = 0;   // added: rows of the current block
    long_sums all{};

    XGRAD_KERNEL sums_of_rows(void* memory, std::int64_t m, std::int64_t k) : sums(static_cast<T*>(memory)), at_once(terms_at_once<T>(m)) {
        constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
        columns = (k + W - 1) / W * W;
        if constexpr (takes_blocks<T>) all = {sums + columns, reinterpret_cast<double*>(sums + 2 * columns), columns};
        clear();
    }
    XGRAD_KERNEL void clear() const {
        for (std::int64_t i = 0; i < columns; i += static_cast<std::int64_t>(simd::width<T>)) simd::store(sums + i, simd::batch<T>(T(0)));
    }
    /// Call after `rows` rows have been added: at most at_once - added.
    XGRAD_KERNEL void next(std::int64_t rows, bool last) {
        added += rows;
        if (added == at_once || last) finish_block(last);
    }
    XGRAD_NOINLINE void finish_block(bool last) {
        added = 0;
        for (std::int64_t i = 0; i < columns; i += static_cast<std::int64_t>(simd::width<T>)) all.add(i, simd::load(sums + i));
        all.next(last);
        if (last) sums = all.blocks;
        else clear();
    }
};

/// Adds the transposed product of `rows` rows with x to the sums. Sums of a block of columns stay in registers.
/// The first function runs whole blocks of columns, the second one the remaining columns. All matrices share these functions.
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

/// Tail: the number of columns modulo two batches, or -1. Operand A of the first product is the matrix,
/// operand B of the second one is the vector. The loop and the second product are LoopAt and BackAt steps after the first product.
template<class T, std::int64_t Tail, int A, int B, int LoopAt, int BackAt, class Product, class Nest, class Transposed>
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
        detail::sums_of_rows<T> all(p.scratch, m, k);
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
                if constexpr (detail::takes_blocks<T>)
                    if (all.at_once < m) all.next(count, row == m);
            } while (row < end);
            first = end;
        } while (first < m);
        nest.finish();
        Transposed const transposed(t);
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
