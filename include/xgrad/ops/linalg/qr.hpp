// SPDX-License-Identifier: MIT
// QR factors of the matrices in the last two axes, by Householder reflections.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/cholesky.hpp>
#include <xgrad/ops/matmul_stacks.hpp>
#include <xgrad/ops/linalg/reflection_loops.hpp>
#include <xgrad/ops/slice.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Of matrices with at least as many rows as columns. Gradient: TensorFlow's _QrGrad.
struct qr : matrices_op {
    static constexpr std::string_view name = "qr";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (output == 1) r.dims.extents[r.dims.rank - 2] = columns_of(v[0].dims);
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 4); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const &m = rows_of(v.dims(0)), &n = columns_of(v.dims(0)), most = static_extent(detail::loops::block_rows);
        extent const block = most * (m + most + n * static_extent(2));   // block_reflection::numbers
        return bytes_of(v[0].type, m * n + n + block);
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R> q, tensor_view<T, R> r) {
        std::int64_t const m = a.shape(R - 2), n = a.shape(R - 1);
        T* const work = reinterpret_cast<T*>(part.scratch);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            detail::loops::copy(work, a.data() + t * m * n, m * n);
            detail::loops::factor_qr(work, q.data() + t * m * n, r.data() + t * n * n, work + m * n, m, n);
        }
    }
    static constexpr void derive(derivation& d) {
        symbol const q = d.output(0), r = d.output(1);
        symbol upper{}, inner{}, outer{};   // the gradient is q upper + (q inner + outer) R⁻ᵀ
        if (d.gradients[0].exists()) {
            outer = d.gradients[0];
            symbol const p = multiply_pairs(q, outer, true, false);
            inner = lower_triangle(p - transposed(p)) - p;
        }
        if (d.gradients[1].exists()) {
            upper = upper_triangle(d.gradients[1]);
            symbol const p = multiply_pairs(r, upper, false, true), low = lower_triangle(p - transposed(p));
            inner = inner.exists() ? inner + low : low;
        }
        symbol turned = multiply_pairs(q, inner);
        if (outer.exists()) turned = turned + outer;
        turned = transposed(apply_with<triangular_solve>({true, false}, r, transposed(turned)));
        d.out[0] = upper.exists() ? multiply_pairs(q, upper) + turned : turned;
    }
};
}

namespace detail {
/// The columns First to before Last of matrices.
template<std::int64_t First, std::int64_t Last, class A>
constexpr auto columns_between(A const& a) {
    return slice<value_of<A>.dims.rank - 1, First, Last>(a);
}
/// The first m columns of a wide matrix [m, n] decide q.
template<class A>
constexpr auto qr_of_wide(A const& a) {
    constexpr shape s = value_of<A>.dims;
    constexpr std::int64_t m = op::rows_of(s).constant, n = op::columns_of(s).constant;
    auto const [q, r] = apply_all<op::qr>(columns_between<0, m>(a));
    return std::tuple{q, concat<s.rank - 1>(r, matmul<true>(q, columns_between<m, n>(a)))};
}
}

/// The factors of a = q r for matrices [..., m, n], as a tuple: `auto [q, r] = qr(a)`. With k the smaller one of m and n, q
/// [..., m, k] has orthonormal columns, and r [..., k, n] is upper triangular (NumPy's mode "reduced"). The signs are those of
/// Householder reflections, as in LAPACK, so the diagonal of r may be negative. The extents m and n are integers, or one named
/// dimension.
///
/// Gradient: for matrices of full rank, and of wide ones for m independent first columns: that of TensorFlow. It solves systems
/// with r, so it is infinite or NaN for others.
template<class A>
constexpr auto qr(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(false);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R>{};
    } else {
        constexpr int more = detail::compared_rows<A>();
        static_assert(more != 0,
            "xgrad::qr(a): one of the last two extents of a is a named dimension, so the smaller one is not known; write integers, or one "
            "dimension for both");
        if constexpr (more == 0) return std::tuple<detail::refused, detail::refused>{};
        else if constexpr (more < 0) return detail::qr_of_wide(a);
        else return apply_all<op::qr>(a);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
