// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of square matrices that need not be symmetric, and roots of polynomials.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/complex.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/linalg/eig_loops.hpp>
#include <xgrad/ops/linalg/solve.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Outputs: real and imaginary parts of the values [..., n] and of the vectors [..., n, n].
struct eig : matrices_op {
    static constexpr std::string_view name = "eig";
    static constexpr int outputs = 4;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = square_rule(v[0]);
        if (r.wrong == fault::none && output < 2) --r.dims.rank;
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 60); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const n = columns_of(v.dims(0));
        return n * n * static_extent(32) + n * static_extent(64);
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R - 1> re, tensor_view<T, R - 1> im,
        tensor_view<T, R> vectors_re, tensor_view<T, R> vectors_im) {
        std::int64_t const n = a.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::eigen(a.data() + t * n * n, re.data() + t * n, im.data() + t * n, vectors_re.data() + t * n * n,
                vectors_im.data() + t * n * n, reinterpret_cast<detail::loops::number*>(part.scratch), n);
    }
    /// TensorFlow's _EigGrad in real numbers: the real part of the x of vᴴ x = m vᴴ, with m of the gradients of values and vectors.
    static constexpr void derive(derivation& d) {
        symbol const re = d.output(0), im = d.output(1), v = d.output(2), w = d.output(3), diagonal = on_diagonal(v);
        shape const s = d.info(0).dims;
        int const last = s.rank - 1;
        shape of_values = s;
        --of_values.rank;
        auto const gradient = [&](int k, shape const& dims) { return d.gradients[k].exists() ? d.gradients[k] : zeros_of(d, dims); };
        auto const row = [](symbol x) { return apply_with<expand_dims>({-2}, x); };
        auto const column = [](symbol x) { return apply_with<expand_dims>({-1}, x); };
        symbol const g = row(gradient(0, of_values)), h = row(gradient(1, of_values));
        symbol upper{}, lower{};   // m vᴴ
        if (d.gradients[2].exists() || d.gradients[3].exists()) {
            symbol const p = gradient(2, s), q = gradient(3, s);
            symbol const along = multiply_pairs(v, p, true) + multiply_pairs(w, q, true);
            symbol const across = multiply_pairs(v, q, true) - multiply_pairs(w, p, true);
            symbol const own =
                sum_over(xgrad::select(diagonal, along, 0_c), axis_set::of(last - 1), true);   // keeps the length of a vector
            symbol const a = along - own * (multiply_pairs(v, v, true) + multiply_pairs(w, w, true));
            symbol const b = across - own * (multiply_pairs(v, w, true) - multiply_pairs(w, v, true));
            symbol const x = row(re) - column(re), y = row(im) - column(im), size = x * x + y * y;
            symbol const equal = xgrad::equal(size, 0_c), by = xgrad::select(equal, 0_c, 1_c / xgrad::select(equal, 1_c, size));
            symbol const m = xgrad::select(diagonal, g, (x * a - y * b) * by), k = xgrad::select(diagonal, h, (x * b + y * a) * by);
            upper = multiply_pairs(m, v, false, true) + multiply_pairs(k, w, false, true);
            lower = multiply_pairs(k, v, false, true) - multiply_pairs(m, w, false, true);
        } else {
            upper = transposed(v * g + w * h);
            lower = transposed(v * h - w * g);
        }
        symbol const first[]{v, -w}, second[]{w, v};
        symbol const rows[]{concat_along(last, first, 2), concat_along(last, second, 2)}, right[]{upper, lower};
        symbol const solution =
            apply_with<solve<true>>(xgrad::attributes{}, concat_along(last - 1, rows, 2), concat_along(last - 1, right, 2));
        d.out[0] = slice_of(solution, last - 1, static_extent(0), columns_of(s));
    }
};
}

/// The complex eigenvalues of square matrices, [..., n], and eigenvectors, the columns of [..., n, n], as a tuple: `auto const [values,
/// vectors] = eig(a)` of a [..., n, n] in float or double. Values ascend by their real and then by their imaginary parts. Those of a
/// pair are conjugated, and others have the imaginary part 0. A vector has the length 1, and its largest element is real (TensorFlow's
/// linalg.eig, whose order differs). It is computed in double. A matrix with NaN or infinity gives NaN. For symmetric matrices eigh(a)
/// is faster.
///
/// Gradient: TensorFlow's; it holds for losses that do not depend on the phases of the vectors. It is infinite or NaN where the vectors
/// are linearly dependent, as of [[1, 1], [0, 1]]. Of equal values the part between their vectors is 0.
template<class A>
constexpr auto eig(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R>{};
    } else {
        auto const [re, im, v, w] = apply_all<op::eig>(a);
        return std::tuple{complex(re, im), complex(v, w)};
    }
}

namespace detail {
template<class P>
constexpr bool is_polynomial() {
    if constexpr (!Expr<P>) return true;
    else {
        value_info const& p = value_of<P>;
        if (p.wrong != fault::none) return true;
        return p.dims.rank >= 1 && p.dims.rank < max_rank && is_floating(p.type) && p.dims.extents[p.dims.rank - 1].is_static() &&
               p.dims.extents[p.dims.rank - 1].constant >= 2;
    }
}
/// The matrix whose eigenvalues are the roots: −p₁/p₀ ... −pₙ/p₀ above ones below the diagonal.
template<class P>
constexpr auto companion(P const& p) {
    constexpr shape s = value_of<P>.dims;
    constexpr std::int64_t n = s.extents[s.rank - 1].constant - 1;
    auto const row = expand_dims<-2>(-slice<-1, 1, n + 1>(p) / slice<-1, 0, 1>(p));
    if constexpr (n == 1) return row;
    else {
        constexpr shape below = [] {
            shape r = value_of<P>.dims;
            r.extents[r.rank - 1] = static_extent(n - 1);
            r.extents[r.rank++] = static_extent(n);
            return r;
        }();
        return concat<-2>(row, repeated_to<below>(slice<0, 0, n - 1>(eye<n, cpp_type_t<value_of<P>.type>>())));
    }
}
}
/// The complex roots of polynomials with real coefficients, [..., n] of [..., n + 1], the highest power first: `roots(p)`. They are the
/// eigenvalues of a companion matrix, in the order of eig. The first coefficient is not 0, or all are infinite or NaN (NumPy's roots,
/// in another order).
/// Gradient: −x^k / p'(x) for the coefficient of the power k of a root x, by the implicit function theorem. It is infinite or NaN at a
/// root that occurs several times.
template<class P>
constexpr auto roots(P const& p) {
    constexpr bool fits = detail::is_polynomial<P>();
    static_assert(fits,
        "xgrad::roots(p): p is neither float nor double, or its last extent is no integer of at least 2; give [..., n + 1] coefficients of "
        "x^n ... 1");
    if constexpr (!Expr<P>) return detail::refuse_operand<P>();
    else if constexpr (!fits || value_of<P>.wrong != fault::none) return detail::refused{};
    else return std::get<0>(eig(detail::companion(p)));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
