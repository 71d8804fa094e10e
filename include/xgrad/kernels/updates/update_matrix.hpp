// SPDX-License-Identifier: MIT
// Applies an update rule that computes the step of a matrix from matrix products.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul.hpp>
#include <xgrad/kernels/updates/update.hpp>
#include <xgrad/meta/libm.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// C = alpha · product + beta · B, both row-major with leading dimension ldc; C may be B.
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
    XGRAD_KERNEL void column(V sum, std::int64_t row) const {
        if (ldc == 1) tile(sum, row, 0);
        else column_part(sum, row, V::size);
    }
    template<class V>
    XGRAD_KERNEL void column_part(V sum, std::int64_t row, std::size_t count) const {
        for (std::size_t l = 0; l < count; ++l) {
            std::int64_t const i = (row + static_cast<std::int64_t>(l)) * ldc;
            c[i] = alpha * sum[l] + beta * b[i];
        }
    }
};
}   // namespace detail

/// The arguments of a rule's `transform`:
/// - the matrix [rows, columns] from `matrix_of`;
/// - the slots of the variable;
/// - the memory that `workspace` has requested;
/// - products of float or double.
///
/// All matrices are row-major without gaps. Results must not overlap operands.
template<class T>
struct matrix_work {
    std::int64_t rows, columns;
    T* matrix;
    void* const* slots;
    void *workspace, *scratch;   // scratch: memory of the products

    /// c [m, n] = op(A) op(B). op transposes if TransA (a is stored as [k, m]) or TransB (b is stored as [n, k]).
    template<bool TransA, bool TransB, class U>
    void multiply(U* c, U const* a, U const* b, std::int64_t m, std::int64_t n, std::int64_t k) const {
        matmul<U, TransA, TransB>(a, TransA ? m : k, b, TransB ? k : n, m, n, k, store_epilogue<U>{c, n}, static_cast<U*>(scratch));
    }
    /// c [m, n] = alpha · op(A) op(B) + beta · old [m, n]; old may be c.
    template<bool TransA, bool TransB, class U>
    void multiply_and_add(
        U* c, U alpha, U const* a, U const* b, U beta, U const* old, std::int64_t m, std::int64_t n, std::int64_t k) const {
        detail::add_scaled_epilogue<U> const sum{c, old, n, alpha, beta};
        matmul<U, TransA, TransB>(a, TransA ? m : k, b, TransB ? k : n, m, n, k, sum, static_cast<U*>(scratch));
    }
    /// The same for symmetric results; c [n, n] and `old` are symmetric too.
    /// Only the part above the diagonal is computed, then copied below it.
    template<bool TransA, bool TransB, class U>
    void multiply_symmetric(U* c, U const* a, U const* b, std::int64_t n, std::int64_t k) const {
        upper<TransA, TransB>(c, a, b, n, k, [&](std::int64_t first) { return store_epilogue<U>{c + first, n}; });
    }
    template<bool TransA, bool TransB, class U>
    void multiply_and_add_symmetric(U* c, U alpha, U const* a, U const* b, U beta, U const* old, std::int64_t n, std::int64_t k) const {
        upper<TransA, TransB>(c, a, b, n, k, [&](std::int64_t first) {
            return detail::add_scaled_epilogue<U>{c + first, old + first, n, alpha, beta};
        });
    }

private:
    // Computes panels of columns down to the diagonal. `from(first)` is the epilogue of the panel that begins at column `first`.
    template<bool TransA, bool TransB, class U, class From>
    void upper(U* c, U const* a, U const* b, std::int64_t n, std::int64_t k, From const& from) const {
        constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<U>), panel = detail::tile_batches * width;
        for (std::int64_t first = 0; first < n; first += panel) {
            std::int64_t const columns = std::min(panel, n - first);
            matmul<U, TransA, TransB>(a, TransA ? n : k, b + (TransB ? first * k : first), TransB ? k : n, first + columns, columns, k,
                from(first), static_cast<U*>(scratch));
            for (std::int64_t r = 0; r < first; r += width)
                detail::pack_transposed_batch(c + r * n + first, n, columns, width, c + first * n + r, n);
        }
    }
};
/// √Σx² of n numbers, in double.
template<class T>
double norm_of(T const* x, std::int64_t n) {
    double lanes[simd::width<T>]{};   // one sum per lane: additions of adjacent elements do not wait for each other
    for (std::int64_t i = 0; i < n; ++i)
        lanes[static_cast<std::size_t>(i) % simd::width<T>] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    double sum = 0;
    for (double const lane : lanes) sum += lane;
    return libm::sqrt(sum);
}

/// The scratch memory for an update of a variable [rows, columns], in bytes: products, matrix, workspace.
template<class Rule, class T>
struct matrix_scratch {
    std::size_t matrix, workspace, all;
    constexpr matrix_scratch(std::int64_t rows, std::int64_t columns)
        : matrix(aligned(static_cast<std::size_t>(matmul_scratch<double>(rows, columns, std::max(rows, columns))) * sizeof(double))),
          workspace(matrix + aligned(static_cast<std::size_t>(rows * columns) * sizeof(T))),
          all(workspace + Rule::template workspace<T>(rows, columns)) {}
    static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
};

/// param, slots = rule(param, grad, slots) on a variable [rows, columns]. Slots are as for update_dense.
/// `scratch` has matrix_scratch<Rule, T>(rows, columns).all bytes.
template<class Rule, class T, class M, class Slot>
void update_matrix(rule_scalars<Rule, T> const& scalars, M* param, T const* grad, Slot* const* slots, std::int64_t rows,
    std::int64_t columns, void* scratch) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> const s = scalars;   // a copy: no store of a T can change it
    slot_pointers<Rule, T> const at(slots);
    matrix_scratch<Rule, T> const offset(rows, columns);
    std::byte* const first = static_cast<std::byte*>(scratch);
    matrix_work<T> const work{rows, columns, reinterpret_cast<T*>(first + offset.matrix), at.at, first + offset.workspace, first};
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
#include <xgrad/config/macros_end.hpp>
