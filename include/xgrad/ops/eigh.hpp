// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of the symmetric matrices in the last two axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg_parts.hpp>
#include <xgrad/ops/reflection_loops.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Gradient: TensorFlow's _SelfAdjointEigV2Grad.
struct eigh : matrices_op {
    static constexpr std::string_view name = "eigh";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = square_rule(v[0]);
        if (r.wrong == fault::none && output == 0) --r.dims.rank;
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 9); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const n = columns_of(v.dims(0));
        return n * static_extent(16) + bytes_of(v[0].type, n * n + n * static_extent(2));
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R - 1> values, tensor_view<T, R> vectors) {
        std::int64_t const n = a.shape(R - 1);
        double* const numbers = reinterpret_cast<double*>(part.scratch);
        T* const work = reinterpret_cast<T*>(part.scratch + 2 * n * static_cast<std::int64_t>(sizeof(double)));
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::eigen_symmetric(a.data() + t * n * n, values.data() + t * n, vectors.data() + t * n * n, numbers, work, n);
    }
    static constexpr void derive(derivation& d) {
        symbol const values = d.output(0), v = d.output(1), diagonal = on_diagonal(v);
        symbol inner{};
        symbol const direct = d.gradients[0].exists() ? apply_with<expand_dims>({-1}, d.gradients[0]) : symbol{};
        if (d.gradients[1].exists()) {
            symbol const apart = apply_with<expand_dims>({-2}, values) - apply_with<expand_dims>({-1}, values);
            inner = multiply_pairs(v, d.gradients[1], true, false) / xgrad::select(diagonal, 1_c, apart);
            inner = direct.exists() ? xgrad::select(diagonal, direct, inner) : xgrad::select(diagonal, 0_c, inner);
            inner = multiply_pairs(v, inner);
        } else {   // the columns of v, each times the gradient of its eigenvalue
            inner = v * apply_with<expand_dims>({-2}, d.gradients[0]);
        }
        symbol const g = multiply_pairs(inner, v, false, true);
        d.out[0] = xgrad::select(diagonal, g, xgrad::select(below_diagonal(v), g + transposed(g), 0_c));
    }
};
}

/// The eigenvalues of symmetric matrices in ascending order, [..., n], and their eigenvectors, the columns of [..., n, n], as a
/// tuple: `auto [values, vectors] = eigh(a)` of a [..., n, n] in float or double. Only the lower triangle of a is read
/// (TensorFlow's tf.linalg.eigh, NumPy's linalg.eigh). The sign of an eigenvector is arbitrary. A matrix with NaN or infinity
/// gives NaN.
///
/// Gradient: L with the lower triangle of G + Gᵀ, its diagonal halved, where G = V (diag(gradient of the values) + F ∘ Vᵀ
/// (gradient of the vectors)) Vᵀ, F[i, j] = 1 / (e[j] − e[i]), and zeros on its diagonal. As in TensorFlow it is in the lower
/// triangle, which alone is read. The gradient of vectors is infinite or NaN for equal eigenvalues; that of values is not.
template<class A>
constexpr auto eigh(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R>{};
    } else return apply_all<op::eigh>(a);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
