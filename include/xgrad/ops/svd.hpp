// SPDX-License-Identifier: MIT
// Singular values and vectors of the matrices in the last two axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg_parts.hpp>
#include <xgrad/ops/reflection_loops.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Of matrices with at least as many rows as columns. Gradient: J. Townsend, Differentiating the singular value decomposition, 2016.
struct svd : matrices_op {
    static constexpr std::string_view name = "svd";
    static constexpr int outputs = 3;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (output == 0) r.dims.extents[--r.dims.rank - 1] = columns_of(v[0].dims);
        if (output == 2) r.dims.extents[r.dims.rank - 2] = columns_of(v[0].dims);
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 40); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        return bytes_of(v[0].type, rows_of(v.dims(0)) * columns_of(v.dims(0)));
    }
    template<class T, int R>
    static void run(
        kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R - 1> values, tensor_view<T, R> u, tensor_view<T, R> v) {
        std::int64_t const m = a.shape(R - 2), n = a.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::singular_values(a.data() + t * m * n, values.data() + t * n, u.data() + t * m * n, v.data() + t * n * n,
                reinterpret_cast<T*>(part.scratch), m, n);
    }
    static constexpr void derive(derivation& d) {
        symbol const values = d.output(0), u = d.output(1), v = d.output(2);
        symbol const of_columns = apply_with<expand_dims>({-2}, values), of_rows = apply_with<expand_dims>({-1}, values);
        symbol const squares = xgrad::square(values);
        symbol const apart =
            xgrad::select(on_diagonal(v), 1_c, apply_with<expand_dims>({-2}, squares) - apply_with<expand_dims>({-1}, squares));
        symbol left{};   // the gradient is left vᵀ
        if (d.gradients[0].exists()) left = u * apply_with<expand_dims>({-2}, d.gradients[0]);
        if (d.gradients[1].exists()) {
            symbol const p = multiply_pairs(u, d.gradients[1], true, false);
            symbol const inside = multiply_pairs(u, (p - transposed(p)) / apart * of_columns);
            symbol const part = inside + (d.gradients[1] - multiply_pairs(u, p)) / of_columns;
            left = left.exists() ? left + part : part;
        }
        if (d.gradients[2].exists()) {
            symbol const p = multiply_pairs(v, d.gradients[2], true, false);
            symbol const part = multiply_pairs(u, of_rows * ((p - transposed(p)) / apart));
            left = left.exists() ? left + part : part;
        }
        d.out[0] = multiply_pairs(left, v, false, true);
    }
};
}

namespace detail {
/// The matrices of A, transposed.
template<class A>
constexpr auto with_axes_exchanged(A const& a) {
    return []<int... I>(auto const& x, std::integer_sequence<int, I...>) {
        constexpr int rank = sizeof...(I);
        return transpose<(I < rank - 2 ? I : 2 * rank - 3 - I)...>(x);
    }(a, std::make_integer_sequence<int, value_of<A>.dims.rank>{});
}
}

/// The singular values and vectors of matrices [..., m, n], as a tuple: `auto [s, u, v] = svd(a)`, a = u diag(s) vᵀ. With k the
/// smaller one of m and n, s [..., k] is in descending order, and u [..., m, k] and v [..., n, k] have orthonormal columns
/// (TensorFlow's tf.linalg.svd). The signs of the vectors are arbitrary. A matrix with NaN or infinity gives NaN. The extents m and
/// n are integers, or one named dimension.
///
/// Gradient: of the values, u diag(g) vᵀ. That of the vectors is infinite or NaN for equal singular values, and that of u or v also
/// for singular values of 0.
template<class A>
constexpr auto svd(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(false);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R, R>{};
    } else {
        constexpr int more = detail::compared_rows<A>();
        static_assert(more != 0,
            "xgrad::svd(a): one of the last two extents of a is a named dimension, so the smaller one is not known; write integers, or one "
            "dimension for both");
        if constexpr (more == 0) return std::tuple<detail::refused, detail::refused, detail::refused>{};
        else if constexpr (more < 0) {
            auto const [s, v, u] = apply_all<op::svd>(detail::with_axes_exchanged(a));
            return std::tuple{s, u, v};
        } else return apply_all<op::svd>(a);
    }
}
/// The singular values alone, in descending order: the first result of svd(a).
/// Gradient: u diag(g) vᵀ.
template<class A>
constexpr auto singular_values(A const& a) {
    return std::get<0>(svd(a));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
