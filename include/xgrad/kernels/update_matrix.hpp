// SPDX-License-Identifier: MIT
// Applies an update rule that moves a matrix by products of matrices.
#pragma once

#include <xgrad/kernels/matmul.hpp>
#include <xgrad/kernels/update.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// C = α · product + β · B, all row-major without gaps; C may be B.
template<class T>
struct add_scaled_epilogue {
    T* c;
    T const* b;
    std::int64_t ldc;
    T alpha, beta;
    template<class V>
    XGRAD_KERNEL V at(V sum, V old) const {
        return V(alpha) * sum + V(beta) * old;
    }
    template<class V>
    XGRAD_KERNEL void tile(V sum, std::int64_t row, std::int64_t col) const {
        std::int64_t const i = row * ldc + col;
        simd::store(c + i, at(sum, simd::load(b + i)));
    }
    template<class V>
    XGRAD_KERNEL void partial(V sum, std::int64_t row, std::int64_t col, std::size_t count) const {
        std::int64_t const i = row * ldc + col;
        simd::store_partial(c + i, at(sum, simd::load_partial(b + i, count)), count);
    }
    template<class V>
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {   // ldc is 1
        tile(sum, row, 0);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t count) const {
        partial(sum, row, 0, count);
    }
};
}   // namespace detail

/// What a rule makes its matrix of: the matrix [rows, columns] that `matrix_of` has given, the memory that `workspace` has asked for, and products. All
/// matrices are row-major without gaps; what is written overlaps no operand.
template<class T>
struct matrix_work {
    std::int64_t rows, columns;
    T *matrix, *workspace, *scratch;   // scratch: of the products

    /// c [m, n] = op(A) op(B); op transposes where TransA (a lies as [k, m]) or TransB (b lies as [n, k]).
    template<bool TransA, bool TransB>
    void multiply(T* c, T const* a, T const* b, std::int64_t m, std::int64_t n, std::int64_t k) const {
        matmul<T, TransA, TransB>(a, TransA ? m : k, b, TransB ? k : n, m, n, k, store_epilogue<T>{c, n}, scratch);
    }
    /// c [m, n] = alpha · a b + beta · old, with a [m, k], b [k, n] and old [m, n].
    void multiply_and_add(
        T* c, T alpha, T const* a, T const* b, T beta, T const* old, std::int64_t m, std::int64_t n, std::int64_t k) const {
        matmul<T, false, false>(a, k, b, n, m, n, k, detail::add_scaled_epilogue<T>{c, old, n, alpha, beta}, scratch);
    }
    /// Σ x² over the matrix, in double.
    double sum_of_squares() const {
        double lanes[simd::width<T>]{};   // one sum for each lane: the additions of neighbours do not wait for each other
        std::int64_t const n = rows * columns;
        for (std::int64_t i = 0; i < n; ++i) {
            double const x = static_cast<double>(matrix[i]);
            lanes[static_cast<std::size_t>(i) % simd::width<T>] += x * x;
        }
        double sum = 0;
        for (double const lane : lanes) sum += lane;
        return sum;
    }
    /// The matrix times a number.
    void scale(T by) const {
        for (std::int64_t i = 0; i < rows * columns; ++i) matrix[i] *= by;
    }
};

namespace detail {
inline constexpr std::int64_t matrix_alignment = 64;   // bytes

template<class Rule, class T>
struct matrix_layout {
    std::int64_t matrix, workspace, end;   // in elements, behind the scratch memory of the products
    constexpr matrix_layout(std::int64_t rows, std::int64_t columns)
        : matrix(aligned(matmul_scratch<T>(rows, columns, std::max(rows, columns)))), workspace(matrix + aligned(rows * columns)),
          end(workspace + Rule::workspace(rows, columns)) {}
    static constexpr std::int64_t aligned(std::int64_t n) {
        constexpr auto line = matrix_alignment / static_cast<std::int64_t>(sizeof(T));
        return (n + line - 1) / line * line;
    }
};
}   // namespace detail

/// Bytes of scratch memory of an update of a variable [rows, columns].
template<class Rule, class T>
constexpr std::size_t matrix_bytes(std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(detail::matrix_layout<Rule, T>(rows, columns).end) * sizeof(T);
}

/// param, slots ← rule(param, grad, slots) on a variable [rows, columns]; slots are as for update_dense, `scratch` has matrix_bytes<Rule, T>(rows, columns).
template<class Rule, class T, class M, class Slot>
void update_matrix(rule_scalars<Rule, T> const& scalars, M* param, T const* grad, Slot* const* slots, std::int64_t rows,
    std::int64_t columns, void* scratch) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> const s = scalars;   // a copy: no store of a T can change it
    slot_pointers<Rule, T> const at(slots);
    detail::matrix_layout<Rule, T> const layout(rows, columns);
    T* const first = static_cast<T*>(scratch);
    matrix_work<T> const work{rows, columns, first + layout.matrix, first + layout.workspace, first};
    std::int64_t const n = rows * columns;
    simd::batch<T> slot[slot_pointers<Rule, T>::buffers];
    std::int64_t i = 0;
    for (; i + width <= n; i += width) {
        at.load(slot, {i});
        simd::store(work.matrix + i, Rule::matrix_of(s, simd::load_as<T>(param + i), simd::load(grad + i), slot));
        at.store(slot, {i});
    }
    if (i < n) {
        auto const rest = static_cast<std::size_t>(n - i);
        at.load_partial(slot, {i}, rest);
        simd::store_partial(
            work.matrix + i, Rule::matrix_of(s, simd::load_partial_as<T>(param + i, rest), simd::load_partial(grad + i, rest), slot), rest);
        at.store_partial(slot, {i}, rest);
    }
    update_dense<Rule, T>(scalars, param, Rule::transform(s, work), slots, n);
}

}   // namespace kernels
XGRAD_NAMESPACE_END
