// SPDX-License-Identifier: MIT
// Square roots of square matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/lu.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail::loops {
/// y = the principal square root of a, or NaN. `work` has room for 5 n² numbers. The iteration is the product form of Denman
/// and Beavers: m → 1 and x → the root. S. Cheng, N. Higham and others, Approximating the logarithm of a matrix, 2001.
template<class T>
void square_root(T const* a, T* y, double* work, std::int32_t* pivots, std::int64_t n) {
    std::int64_t const size = n * n;
    double *const m = work, *const inverse = work + size, *const factors = work + 2 * size, *const x = work + 3 * size,
                  *const next = work + 4 * size;
    double scale = 0;   // so the largest element is 1
    for (std::int64_t i = 0; i < size; ++i) {
        double const one = libm::abs(static_cast<double>(a[i]));
        scale = one > scale || one != one ? one : scale;
        if (scale != scale) break;
    }
    for (std::int64_t i = 0; i < size; ++i) m[i] = x[i] = static_cast<double>(a[i]) / scale;
    double apart = std::numeric_limits<double>::infinity();   // the distance of m from 1
    // Each iteration divides it by four at first, then squares it. It stops where rounding stops it.
    for (int turn = 0; turn < 100; ++turn) {
        copy(factors, m, size);
        factor_lu(factors, pivots, n);
        fill(inverse, 0.0, size);
        for (std::int64_t i = 0; i < n; ++i) inverse[i * (n + 1)] = 1;
        solve_lu(factors, pivots, false, inverse, n, n);
        for (std::int64_t i = 0; i < n; ++i) inverse[i * (n + 1)] += 1;   // 1 + 1 / m
        fill(next, 0.0, size);
        add_product<true>(next, n, left_factor<double>{x, n, 1}, inverse, n, n, n, n);
        for (std::int64_t i = 0; i < n; ++i) inverse[i * (n + 1)] += 1;   // 2 + 1 / m
        double const before = apart;
        apart = 0;
        for (std::int64_t i = 0; i < size; ++i) {
            x[i] = next[i] / 2;
            m[i] = (m[i] + inverse[i]) / 4;
            double const off = libm::abs(m[i] - (i % (n + 1) == 0 ? 1.0 : 0.0));
            apart = off > apart || off != off ? off : apart;
            if (apart != apart) break;
        }
        if (apart != apart || apart == 0 || (apart < 1e-3 && apart >= before / 2)) break;
    }
    double const factor = libm::sqrt(scale);
    for (std::int64_t i = 0; i < size; ++i)   // m keeps an eigenvalue below 0 if a has one
        y[i] = apart < 1e-3 ? static_cast<T>(x[i] * factor) : std::numeric_limits<T>::quiet_NaN();
}
}

namespace op {
/// Gradient: the derivative of the root of aᵀ in the direction of g, which is a block of the root of [[aᵀ, g], [0, aᵀ]]. It solves
/// Sylvester's equation yᵀ s + s yᵀ = g. R. Mathias, A chain rule for matrix functions, 1996.
struct matrix_square_root : matrices_op {
    static constexpr std::string_view name = "sqrtm";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return square_rule(v[0]); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 50); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const n = columns_of(v.dims(0));
        return n * n * static_extent(40) + n * static_extent(4);
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R> y) {
        std::int64_t const n = a.shape(R - 1);
        double* const work = reinterpret_cast<double*>(part.scratch);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::square_root(
                a.data() + t * n * n, y.data() + t * n * n, work, reinterpret_cast<std::int32_t*>(work + 5 * n * n), n);
    }
    static constexpr void derive(derivation& d) {
        int const last = d.info(0).dims.rank - 1;
        symbol const at = transposed(d.operands[0]);
        // g gets the size of a, because both are elements of one matrix
        auto const most = [&](symbol x) {
            axis_set both = axis_set::of(last);
            both.add(last - 1);
            return apply_with<max>({both, true}, xgrad::abs(x));
        };
        symbol const of_g = most(d.gradient), nothing = xgrad::equal(of_g, 0_c);
        symbol const factor = xgrad::stop_gradient(xgrad::select(nothing, 1_c, most(at) / xgrad::select(nothing, 1_c, of_g)));
        d.out[0] = derivative_of_function<matrix_square_root>(d, at, d.gradient * factor) / factor;
    }
};
}

/// The principal square roots y of square matrices [..., n, n]: y y = a, and no eigenvalue of y has a negative real part (SciPy's sqrtm,
/// TensorFlow's tf.linalg.sqrtm). It is computed in double, by an iteration of Denman and Beavers. A matrix with NaN, with the eigenvalue
/// 0 or with a negative one gives NaN.
///
/// Gradient: the s of Sylvester's equation yᵀ s + s yᵀ = g, as a block of the root of [[aᵀ, g], [0, aᵀ]].
template<class A>
constexpr auto sqrtm(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else return apply<op::matrix_square_root>(a);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
