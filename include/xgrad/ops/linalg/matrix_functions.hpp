// SPDX-License-Identifier: MIT
// Pseudo-inverses, ranks, least squares, powers and exponentials of the matrices in the last two axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/cholesky.hpp>
#include <xgrad/ops/linalg/matrix_exponential.hpp>
#include <xgrad/ops/linalg/qr.hpp>
#include <xgrad/ops/linalg/solve.hpp>
#include <xgrad/ops/linalg/svd.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The number below which singular values of tall matrices count as 0, divided by the largest one.
constexpr symbol relative_tolerance(symbol a, double times) {
    symbol_table& t = *a.table;
    value_info const& v = t.info(a);
    double const epsilon = v.type == dtype::float64 ? 0x1p-52 : 0x1p-23;
    return size_of_axes(t, v.dims, axis_set::of(v.dims.rank - 2), v.type) * t.constant(times * epsilon, v.type);
}
constexpr symbol largest_of_rows(symbol values) {
    return apply_with<max>({axis_set::of(values.table->info(values).dims.rank - 1), true}, values);
}
/// Of matrices with at least as many rows as columns.
/// Gradient: G. Golub, V. Pereyra, The differentiation of pseudo-inverses, 1973.
struct pseudo_inverse : composite_op {
    static constexpr std::string_view name = "pinv";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        std::swap(r.dims.extents[r.dims.rank - 1], r.dims.extents[r.dims.rank - 2]);
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        auto const [s, u, v] = apply_all<svd>(x[0]);
        symbol const kept = xgrad::greater(s, largest_of_rows(s) * relative_tolerance(x[0], 10));
        symbol const inverse = xgrad::select(kept, 1_c / xgrad::select(kept, s, 1_c), s * 0_c);   // NaN stays
        return multiply_pairs(v * apply_with<expand_dims>({-2}, inverse), u, false, true);
    }
    static constexpr symbol derivative(symbol a, symbol p, symbol g) {
        symbol const pt = transposed(p), gt = transposed(g);
        symbol const mine = multiply_pairs(multiply_pairs(pt, g), pt);
        symbol const left = multiply_pairs(gt, multiply_pairs(p, p, false, true)),
                     right = multiply_pairs(multiply_pairs(p, p, true, false), gt);
        return left - multiply_pairs(a, multiply_pairs(p, left)) + right - multiply_pairs(multiply_pairs(right, p), a) - mine;
    }
};
}

namespace detail {
// What both functions say of an axis that is not known.
template<class A>
constexpr bool compares_rows() {
    constexpr bool known = compared_rows<A>() != 0;
    static_assert(known,
        "xgrad::pinv(a), matrix_rank(a), lstsq(a, b): one of the last two extents of a is a named dimension, so the smaller one is not "
        "known; write integers");
    return known;
}
template<class A, class B>
constexpr linalg_slip least_squares_slip_of() {
    if constexpr (!Expr<A> || !Expr<B>) return linalg_slip::no_expression;
    else {
        if (linalg_slip const a = matrix_slip_of<A>(false); a != linalg_slip::none) return a;
        if (value_of<B>.wrong != fault::none) return linalg_slip::wrong;
        value_info const &a = value_of<A>, &b = value_of<B>;
        if (computed_type(a.type) != computed_type(b.type)) return linalg_slip::types;
        if (b.dims.rank < a.dims.rank) return linalg_slip::ranks;
        shape both = batch_of(b.dims);
        if (!broadcast_into(both, batch_of(a.dims))) return linalg_slip::batch;
        return op::rows_of(b.dims) == op::rows_of(a.dims) ? linalg_slip::none : linalg_slip::rows;
    }
}
template<std::int64_t N, class A>
constexpr auto power_of(A const& a) {
    if constexpr (N == 1) return a;
    else {
        auto const half = power_of<N / 2>(a);
        auto const even = matmul(half, half);
        if constexpr (N % 2 == 0) return even;
        else return matmul(even, a);
    }
}
}

/// The Moore-Penrose inverses [..., n, m] of matrices [..., m, n], by singular values. Those of at most 10 max(m, n) ε times the
/// largest one count as 0, as in TensorFlow's tf.linalg.pinv. ε is the distance from 1 to the next number. A matrix with NaN or
/// infinity gives NaN. The extents m and n are integers, or one named dimension.
///
/// Gradient: that of Golub and Pereyra (1973), for changes that keep the rank. Nothing is divided by differences of singular values.
template<class A>
constexpr auto pinv(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(false);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else if constexpr (!detail::compares_rows<A>()) return detail::refused{};
    else if constexpr (detail::compared_rows<A>() < 0)
        return detail::with_axes_exchanged(apply<op::pseudo_inverse>(detail::with_axes_exchanged(a)));
    else return apply<op::pseudo_inverse>(a);
}
/// The number of singular values above max(m, n) ε times the largest one: int32 [...] of matrices [..., m, n] (NumPy's and
/// TensorFlow's matrix_rank). It is 0 for a matrix with NaN. The extents m and n are integers, or one named dimension.
/// Gradient: none.
template<class A>
constexpr auto matrix_rank(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(false);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else if constexpr (!detail::compares_rows<A>()) return detail::refused{};
    else {
        constexpr bool tall = detail::compared_rows<A>() > 0;
        constexpr extent longer = detail::extent_from_end<A>(tall ? 2 : 1);
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        auto const s = stop_gradient(singular_values(a));
        auto const times = [&] {
            using namespace literals;
            if constexpr (std::is_same_v<T, double>) return detail::extent_as<longer, T>() * 2.220446049250313080847e-16_c;
            else return detail::extent_as<longer, T>() * 1.1920928955078125e-7_c;
        }();
        return sum<-1>(cast<std::int32_t>(greater(s, max<-1>(s, keep_dims) * times)));
    }
}
/// The x [..., n, k] with the least sum of squares of a x − b, for matrices a [..., m, n] of full rank and b [..., m, k]. With fewer rows
/// than columns, the smallest x with a x = b. With one matrix, b may be a vector [m]. The axes before the last two broadcast. It is
/// computed by QR (TensorFlow's tf.linalg.lstsq uses the normal equations). Other ranks give infinities, NaN or huge numbers;
/// `matmul(pinv(a), b)` takes them. The extents m and n are integers, or one named dimension.
/// Gradient: that of qr, of the triangular system and of the products.
template<class A, class B>
constexpr auto lstsq(A const& a, B const& b) {
    if constexpr (detail::has_vector<A, B>()) return squeeze<-1>(lstsq(a, expand_dims<-1>(b)));
    else {
        constexpr auto slip = detail::least_squares_slip_of<A, B>();
        if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A, B>();
        else if constexpr (!detail::compares_rows<A>()) return detail::refused{};
        else if constexpr (!(detail::batch_of(value_of<A>.dims) == detail::batch_of(value_of<B>.dims))) {
            constexpr shape both = [] {
                shape r = detail::batch_of(value_of<B>.dims);
                broadcast_into(r, detail::batch_of(value_of<A>.dims));
                return r;
            }();
            return lstsq(detail::repeated_to<detail::with_batch(both, value_of<A>.dims)>(a),
                detail::repeated_to<detail::with_batch(both, value_of<B>.dims)>(b));
        } else if constexpr (detail::compared_rows<A>() > 0) {
            auto const [q, r] = qr(a);
            return triangular_solve<triangle::upper>(r, matmul<true>(q, b));
        } else {
            auto const [q, r] = qr(detail::with_axes_exchanged(a));
            return matmul(q, triangular_solve<triangle::upper, true>(r, b));
        }
    }
}
/// The product of N equal square matrices [..., n, n], by repeated squares. N = 0 gives the identity, and a negative N is that of the
/// inverse (NumPy's matrix_power).
/// Gradient: that of the products.
template<std::int64_t N, class A>
constexpr auto matrix_power(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else if constexpr (N < 0) return detail::power_of<-N>(inverse(a));
    else if constexpr (N > 0) return detail::power_of<N>(a);
    else {
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        auto const [column, row] = detail::columns_and_rows<A>();
        return detail::repeated_to<value_of<A>.dims>(cast<T>(equal(column, row)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
