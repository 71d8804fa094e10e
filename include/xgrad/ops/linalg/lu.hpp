// SPDX-License-Identifier: MIT
// The factors L and U of square matrices with exchanged rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/linalg/cholesky.hpp>
#include <xgrad/ops/linalg/solve.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Which row of the matrix each row of L U is, from the exchanges of factor_lu.
struct rows_of_pivots : row_op {
    static constexpr std::string_view name = "rows_of_pivots";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static void row(std::span<std::int32_t const> pivots, std::span<std::int32_t> rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i);
        for (std::size_t i = 0; i < rows.size(); ++i) std::swap(rows[i], rows[static_cast<std::size_t>(pivots[i])]);
    }
    static constexpr void derive(derivation&) {}
};
/// Row i of the result is row rows[i] of x, or, if Back, row rows[i] of the result is row i of x. `rows` is a permutation.
template<bool Back>
struct permute_rows : matrices_op {
    static constexpr std::string_view name = Back ? "put_rows_back" : "permute_rows";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size(); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> x, tensor_view<std::int32_t const, R - 1> rows, tensor_view<T, R> y) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t)
            for (std::int64_t i = 0; i < n; ++i) {
                std::int64_t const other = rows.data()[t * n + i], from = Back ? i : other, to = Back ? other : i;
                detail::loops::copy(y.data() + (t * n + to) * k, x.data() + (t * n + from) * k, k);
            }
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = apply_with<permute_rows<!Back>>(xgrad::attributes{}, d.gradient, d.operands[1]);
    }
};
/// L without its diagonal and U in one matrix. With G the gradient, that of the permuted matrix is
/// L⁻ᵀ (lower part of Lᵀ Gl + upper part of Gu Uᵀ) U⁻ᵀ.
struct packed_lu : composite_op {
    static constexpr std::string_view name = "packed_lu";
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return square_rule(v[0]); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        return std::get<0>(apply_all<factor_lu>(x[0]));
    }
    static constexpr symbol derivative(symbol a, symbol y, symbol g) {
        symbol const diagonal = on_diagonal(y), below = below_diagonal(y);
        symbol const l = xgrad::select(diagonal, 1_c, xgrad::select(below, y, 0_c)), u = xgrad::select(below, 0_c, y);
        symbol const gl = xgrad::select(below, g, 0_c), gu = xgrad::select(below, 0_c, g);
        symbol const inner = xgrad::select(below, multiply_pairs(l, gl, true, false), multiply_pairs(gu, u, false, true));
        symbol const left = apply_with<triangular_solve>({false, true}, l, inner);
        symbol const both = transposed(apply_with<triangular_solve>({true, false}, u, transposed(left)));
        symbol const rows = apply<rows_of_pivots>(std::get<1>(apply_all<factor_lu>(a)));
        return apply<permute_rows<true>>(both, rows);
    }
};
struct rows_of_lu : composite_op {
    static constexpr std::string_view name = "rows_of_lu";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = square_rule(v[0]);
        if (r.wrong == fault::none) --r.dims.rank;
        r.type = dtype::int32;
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        return apply<rows_of_pivots>(std::get<1>(apply_all<factor_lu>(x[0])));
    }
    static constexpr symbol derivative(symbol, symbol, symbol) { return {}; }
};
}

/// The factors of square matrices [..., n, n] with partial pivoting, as a tuple: `auto [lu, rows] = lu(a)`. `lu` [..., n, n] has U
/// in its upper triangle, and L without its diagonal of ones below. rows [..., n] (int32) say which row of a each row of L U is:
/// `take<0>(a, rows)` is L U for one matrix (TensorFlow's tf.linalg.lu). A singular matrix has zeros on the diagonal of U.
///
/// Gradient: of lu, PᵀL⁻ᵀ (the lower part of Lᵀ G + the upper part of G Uᵀ) U⁻ᵀ, which is infinite or NaN for singular matrices;
/// none of the rows.
template<class A>
constexpr auto lu(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R>{};
    } else return std::tuple{apply<op::packed_lu>(a), apply<op::rows_of_lu>(a)};
}
/// The factors of a = p l u as three matrices [..., n, n], as a tuple: `auto [p, l, u] = lu_factors(a)` (SciPy's linalg.lu). p is a
/// permutation, l has ones on its diagonal, and u is upper triangular.
/// Gradient: of l and u, that of lu; none of p.
template<class A>
constexpr auto lu_factors(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R, R>{};
    } else {
        auto const packed = apply<op::packed_lu>(a);
        auto const [column, row] = detail::columns_and_rows<decltype(packed)>();
        auto const p = cast<cpp_type_t<value_of<decltype(packed)>.type>>(equal(row, expand_dims<-2>(apply<op::rows_of_lu>(a))));
        return std::tuple{p, select(equal(column, row), detail::whole_literal<1>, tril<-1>(packed)), triu(packed)};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
