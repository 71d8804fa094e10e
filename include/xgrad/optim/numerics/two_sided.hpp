// SPDX-License-Identifier: MIT
// The two matrices of Shampoo's rules: sums of g·gᵀ and gᵀ·g, and the product with a root of each.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/update_matrix.hpp>
#include <xgrad/optim/numerics/inverse_root.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Works in double on a variable [rows, columns]. Slots 1 and 2 are the sums, 3 and 4 their roots.
template<class T>
struct two_sided {
    kernels::matrix_work<T> const& work;
    std::int64_t const rows = work.rows, columns = work.columns, size = rows * columns;
    double *const d = static_cast<double*>(work.workspace), *const product = d + size;
    double* const rest = product + size;   // workspace of a root

    static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns) {
        return static_cast<std::size_t>(2 * rows * columns + inverse_root_workspace(rows > columns ? rows : columns)) * sizeof(double);
    }
    double* matrix(int k) const { return static_cast<double*>(work.slots[k]); }
    void read(T const* from) const {
        for (std::int64_t i = 0; i < size; ++i) d[i] = static_cast<double>(from[i]);
    }
    /// Each sum ← decay · sum + weight · its product of the gradient, which has been read.
    void accumulate(double weight, double decay) const {
        work.template multiply_and_add_symmetric<false, true>(matrix(1), weight, d, d, decay, matrix(1), rows, columns);
        work.template multiply_and_add_symmetric<true, false>(matrix(2), weight, d, d, decay, matrix(2), columns, rows);
    }
    /// The left root times what has been read, times the right root.
    T const* precondition() const {
        work.template multiply<false, false>(product, matrix(3), d, rows, columns, rows);
        work.template multiply<false, false>(d, product, matrix(4), rows, columns, columns);
        for (std::int64_t i = 0; i < size; ++i) work.matrix[i] = static_cast<T>(d[i]);
        return work.matrix;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
