// SPDX-License-Identifier: MIT
// Cholesky factors and triangular systems of the matrices in the last two axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/linalg/linalg_parts.hpp>

XGRAD_NAMESPACE_BEGIN

/// Which triangle of a matrix is read.
enum class triangle { lower, upper };

namespace op {
struct triangular_solve : matrices_op {
    struct attributes {
        flag upper, transposed;
    };
    static constexpr std::string_view name = "triangular_solve";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return system_rule(v); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(1))); }
    template<class T, int R>
    static void run(
        attributes const& how, kernel_part const& part, tensor_view<T const, R> l, tensor_view<T const, R> b, tensor_view<T, R> x) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            T const* const a = l.data() + t * n * n;
            detail::loops::copy(x.data() + t * n * k, b.data() + t * n * k, n * k);
            detail::loops::solve_triangle<T>(
                how.transposed ? detail::loops::left_factor<T>{a, 1, n} : detail::loops::left_factor<T>{a, n, 1},
                how.upper == how.transposed, false, x.data() + t * n * k, n, k);
        }
    }
    static constexpr void derive(derivation& d) {
        auto const how = d.attrs->as<attributes>();
        symbol const x = d.result, gb = apply_with<triangular_solve>({how.upper, !how.transposed}, d.operands[0], d.gradient);
        d.out[1] = gb;
        if (!d.wanted[0]) return;
        symbol const ga = -(how.transposed ? multiply_pairs(x, gb, false, true) : multiply_pairs(gb, x, false, true));
        d.out[0] = how.upper ? upper_triangle(ga) : lower_triangle(ga);
    }
};
/// Source: I. Murray, Differentiation of the Cholesky decomposition, 2016; TensorFlow's _CholeskyGrad.
struct cholesky : matrices_op {
    static constexpr std::string_view name = "cholesky";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return square_rule(v[0]); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R> l) {
        std::int64_t const n = a.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) detail::loops::factor_cholesky(a.data() + t * n * n, l.data() + t * n * n, n);
    }
    static constexpr void derive(derivation& d) {
        symbol const l = d.result, product = multiply_pairs(l, d.gradient, true, false);
        symbol const half = xgrad::select(on_diagonal(product), 0.5_c * product, xgrad::select(below_diagonal(product), product, 0_c));
        symbol const left = apply_with<triangular_solve>({false, true}, l, half);
        symbol const s = apply_with<triangular_solve>({false, true}, l, transposed(left));
        d.out[0] = 0.5_c * (s + transposed(s));
    }
};
}

namespace detail {
template<triangle Side, bool Transposed>
struct solve_triangles {
    template<class L, class B>
    constexpr auto operator()(L const& l, B const& b) const {
        return apply<with<op::triangular_solve, op::triangular_solve::attributes{Side == triangle::upper, Transposed}>>(l, b);
    }
};
struct solve_by_factors {
    template<class L, class B>
    constexpr auto operator()(L const& l, B const& b) const {
        return solve_triangles<triangle::lower, true>{}(l, solve_triangles<triangle::lower, false>{}(l, b));
    }
};
}

/// The lower factors L of symmetric positive definite matrices: a = L Lᵀ, zeros above the diagonal. The matrices are the last
/// two axes, [..., n, n], in float or double. Only the lower triangle of a is read (TensorFlow's tf.linalg.cholesky). The
/// factor of a matrix that is not positive definite is NaN in its whole lower triangle.
///
/// Gradient: the symmetric matrix (S + Sᵀ) / 2 with S = L⁻ᵀ Φ(Lᵀ g) L⁻¹, where Φ takes the lower triangle and half the diagonal.
template<class A>
constexpr auto cholesky(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else return apply<op::cholesky>(a);
}
/// The solutions x of l x = b for triangular matrices l [..., n, n] and b [..., n, k]. `triangular_solve<triangle::upper>(l, b)`
/// reads the upper triangle, and `triangular_solve<triangle::lower, true>(l, b)` solves lᵀ x = b. The other triangle is not read.
/// With one matrix, b may be a vector [n]. The axes before the last two broadcast. A zero on the diagonal gives infinities or
/// NaN.
///
/// Gradient: of b, the solution of the transposed system for g; of l, −(gradient of b) xᵀ in the triangle that is read.
template<triangle Side = triangle::lower, bool Transposed = false, class L, class B>
constexpr auto triangular_solve(L const& l, B const& b) {
    return detail::solve_systems(detail::solve_triangles<Side, Transposed>{}, l, b);
}
/// The solutions x of l lᵀ x = b, where l is what cholesky(a) returns: those of a x = b. With one matrix, b may be a vector [n].
/// The axes before the last two broadcast.
/// Gradient: that of the two triangular systems.
template<class L, class B>
constexpr auto cholesky_solve(L const& l, B const& b) {
    return detail::solve_systems(detail::solve_by_factors{}, l, b);
}
/// The logarithms of the determinants of symmetric positive definite matrices, by their Cholesky factors: [...] of
/// [..., n, n] (TensorFlow's tf.linalg.logdet). NaN for other matrices, and 0 for n = 0.
/// Gradient: g times the inverse matrix, through the factor.
template<class A>
constexpr auto logdet(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else {
        using namespace literals;
        return 2_c * sum<-1>(log(diag_part(cholesky(a))));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
