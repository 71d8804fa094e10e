// SPDX-License-Identifier: MIT
// Sums of the rows of a transposed matrix times a vector. The rows come in parts.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>
#include <xgrad/kernels/long_sums.hpp>
#include <xgrad/kernels/products/matmul_column.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

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

/// Columns in whole batches.
template<class T>
constexpr std::int64_t whole_batches(std::int64_t k) {
    constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>);
    return (k + W - 1) / W * W;
}

/// Sums of m rows of the transposed product, one sum for each of k columns, in whole batches. Long sums have additional memory.
template<class T>
struct sums_of_rows {
    T* sums;
    std::int64_t columns, at_once, added = 0;   // added: rows of the current block
    block_sums all{};

    XGRAD_KERNEL sums_of_rows(void* memory, std::int64_t m, std::int64_t k) : sums(static_cast<T*>(memory)), at_once(terms_at_once<T>(m)) {
        columns = whole_batches<T>(k);
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

/// The same sums in double, for products outside the range of floats too. Blocks of rows are added in float.
/// The rows of a sum that may have left that range are added again in double.
template<class T>
struct sums_of_rows_in_double {
    static constexpr std::int64_t W = static_cast<std::int64_t>(simd::width<T>), half = W / 2;
    T *sums, *blocks;
    double* totals;
    std::int64_t columns, at_once, added = 0, in_blocks = 0;   // rows since the sums and the blocks began

    static constexpr std::size_t bytes(std::int64_t k) {
        return static_cast<std::size_t>(whole_batches<T>(k)) * (2 * sizeof(T) + sizeof(double));
    }
    XGRAD_KERNEL sums_of_rows_in_double(void* memory, std::int64_t m, std::int64_t k)
        : sums(static_cast<T*>(memory)), blocks(sums + whole_batches<T>(k)),
          totals(reinterpret_cast<double*>(blocks + whole_batches<T>(k))), columns(whole_batches<T>(k)), at_once(terms_at_once<T>(m)) {
        for (std::int64_t i = 0; i < columns; ++i) sums[i] = blocks[i] = 0;
        for (std::int64_t i = 0; i < columns; ++i) totals[i] = 0;
    }
    /// Call after `rows` rows of k columns have been added: at most at_once - added. They are before `a`, and their elements before `x`.
    XGRAD_KERNEL void next(T const* a, std::int64_t lda, T const* x, std::int64_t rows, std::int64_t k, bool last) {
        added += rows;
        if (added == at_once || last) finish_block(a, lda, x, k, last);
    }
    template<class Epilogue>
    XGRAD_KERNEL void finish(Epilogue const& e, std::int64_t k) const {
        constexpr std::int64_t D = static_cast<std::int64_t>(simd::width<double>);
        for (std::int64_t i = 0; i < k; i += D) finish_column(e, simd::load(totals + i), i, k - i < D ? k - i : D);
    }

private:
    XGRAD_NOINLINE void finish_block(T const* a, std::int64_t lda, T const* x, std::int64_t k, bool last) {
        simd::batch<T> const zero(T(0));
        for (std::int64_t i = 0; i < columns; i += W) {
            simd::store(blocks + i, simd::load(blocks + i) + simd::load(sums + i));
            simd::store(sums + i, zero);
        }
        in_blocks += added;
        added = 0;
        if (in_blocks < sum_block * blocks_together && !last) return;
        for (std::int64_t i = 0; i < columns; i += W) {
            simd::batch<T> const sum = simd::load(blocks + i);
            if (is_sure(sum, k - i)) add_batch_to_doubles<T>(sum, totals + i);
            else add_again(a - in_blocks * lda + i, lda, x - in_blocks, i, k - i < W ? k - i : W);
            simd::store(blocks + i, zero);
        }
        in_blocks = 0;
    }
    // Such a sum has lost nothing above the range, and below it nothing that matters.
    static constexpr T least = T(1e-27), most = std::numeric_limits<T>::max();
    XGRAD_KERNEL static bool is_sure(simd::batch<T> sum, std::int64_t n) {
        using V = simd::batch<T>;
        V const size = math::abs(sum), inside = math::select((size >= V(least)) & (size <= V(most)), V(T(0)), V(T(1)));
        return simd::max(n < W ? math::select(simd::iota<V>() < V(static_cast<T>(n)), inside, V(T(0))) : inside) == T(0);
    }
    // Adds the rows of n columns of a batch again. Sums that are sure stay as they are.
    XGRAD_NOINLINE void add_again(T const* a, std::int64_t lda, T const* x, std::int64_t at, std::int64_t n) const {
        simd::batch<double> low(0.0), high(0.0);
        for (std::int64_t r = 0; r < in_blocks; ++r, a += lda) {
            simd::batch<T> const row = n < W ? simd::load_partial(a, static_cast<std::size_t>(n)) : simd::load(a);
            simd::batch<double> const by(static_cast<double>(x[r]));
            low = fma(simd::doubles<0>(row), by, low);
            high = fma(simd::doubles<1>(row), by, high);
        }
        double again[W];
        simd::store(again, low);
        simd::store(again + half, high);
        for (std::int64_t l = 0; l < n; ++l) {
            T const sum = blocks[at + l], size = sum < 0 ? -sum : sum;
            totals[at + l] += size >= least && size <= most ? static_cast<double>(sum) : again[l];
        }
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

template<class T>
std::size_t sums_in_double_scratch(step_arguments const& a) {
    return detail::sums_of_rows_in_double<T>::bytes(a.extent[0]) + static_cast<std::size_t>(a.extent[2]) * sizeof(T);
}

/// A float matrix times a vector as the product of a step, in double. Operand `Operands` is a, the next one is b.
template<class T, bool TransA, bool TransB, int Operands, class Epilogue>
struct product_in_double {
    XGRAD_FLATTEN static void run(step_arguments const& p) {
        operand_argument const &x = p.operands[Operands], &y = p.operands[Operands + 1];
        Epilogue const epilogue(p);
        T const *const a = reinterpret_cast<T const*>(x.data), *b = reinterpret_cast<T const*>(y.data);
        std::int64_t const m = p.extent[0], k = p.extent[2], lda = x.stride[0];
        detail::sums_of_rows_in_double<T> all(p.scratch, k, m);
        if (std::int64_t const step = TransB ? 1 : y.stride[0]; step != 1) {
            T* const copy = reinterpret_cast<T*>(static_cast<std::byte*>(p.scratch) + detail::sums_of_rows_in_double<T>::bytes(m));
            for (std::int64_t i = 0; i < k; ++i) copy[i] = b[i * step];
            b = copy;
        }
        if constexpr (TransA) {
            constexpr std::int64_t block = detail::column_batches * static_cast<std::int64_t>(simd::width<T>);
            std::int64_t const whole = m / block * block;
            for (std::int64_t i = 0; i < k;) {
                std::int64_t const rows = std::min(k - i, all.at_once);
                T const* const from = a + i * lda;
                detail::add_whole_columns(from, lda, b + i, rows, {all.sums, 0}, whole);
                detail::add_last_columns<T, -1>(from + whole, lda, b + i, rows, {all.sums + whole, 0}, m - whole);
                i += rows;
                all.next(a + i * lda, lda, b + i, rows, m, i == k);
            }
        } else {   // of a column-major matrix
            for (std::int64_t j = 0; j < m; ++j)
                for (std::int64_t i = 0; i < k; ++i) all.totals[j] += static_cast<double>(a[j * lda + i]) * static_cast<double>(b[i]);
        }
        all.finish(epilogue, m);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
