// SPDX-License-Identifier: MIT
// Linear systems, inverses and determinants of the matrices in the last two axes, by LU with partial pivoting.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/linalg_parts.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// L without its diagonal of ones and U in one matrix, and the row that each step has exchanged. The composites below have the
/// derivatives, and equal factorizations are one node.
struct factor_lu : matrices_op {
    static constexpr std::string_view name = "lu";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = square_rule(v[0]);
        if (r.wrong == fault::none && output == 1) {
            --r.dims.rank;
            r.type = dtype::int32;
        }
        return r;
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R> lu, tensor_view<std::int32_t, R - 1> pivots) {
        std::int64_t const n = a.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            detail::loops::copy(lu.data() + t * n * n, a.data() + t * n * n, n * n);
            detail::loops::factor_lu(lu.data() + t * n * n, pivots.data() + t * n, n);
        }
    }
};
template<bool Transposed>
struct solve_factored : matrices_op {
    static constexpr std::string_view name = Transposed ? "lu_solve_transposed" : "lu_solve";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[2]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(2)), 2); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> lu, tensor_view<std::int32_t const, R - 1> pivots,
        tensor_view<T const, R> b, tensor_view<T, R> x) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            detail::loops::copy(x.data() + t * n * k, b.data() + t * n * k, n * k);
            detail::loops::solve_lu(lu.data() + t * n * n, pivots.data() + t * n, Transposed, x.data() + t * n * k, n, k);
        }
    }
};
struct invert_factored : matrices_op {
    static constexpr std::string_view name = "lu_inverse";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 2); }
    template<class T, int R>
    static void run(
        kernel_part const& part, tensor_view<T const, R> lu, tensor_view<std::int32_t const, R - 1> pivots, tensor_view<T, R> x) {
        std::int64_t const n = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            detail::loops::fill_identity(x.data() + t * n * n, n);
            detail::loops::solve_lu(lu.data() + t * n * n, pivots.data() + t * n, false, x.data() + t * n * n, n, n);
        }
    }
};
/// The determinant, its sign, and the logarithm of its size.
struct factored_determinant : matrices_op {
    static constexpr std::string_view name = "lu_determinant";
    static constexpr int outputs = 3;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.dims.rank -= 2;
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(1).size(); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> lu, tensor_view<std::int32_t const, R - 1> pivots,
        tensor_view<T, R - 2> det, tensor_view<T, R - 2> sign, tensor_view<T, R - 2> logarithm) {
        std::int64_t const n = lu.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            T product = 1, signs = 1;
            double sum = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                T const e = lu.data()[t * n * n + i * (n + 1)], exchange = pivots.data()[t * n + i] == i ? T(1) : T(-1);
                product *= e * exchange;
                signs *= e > T(0) ? exchange : e < T(0) ? -exchange : e == T(0) ? T(0) : e;   // NaN stays
                sum += libm::log(static_cast<double>(libm::abs(e)));
            }
            det.data()[t] = product;
            sign.data()[t] = signs;
            logarithm.data()[t] = static_cast<T>(sum);
        }
    }
};

/// Gradients: TensorFlow's _MatrixSolveGrad.
template<bool Transposed>
struct solve : composite_op {
    static constexpr std::string_view name = Transposed ? "solve_transposed" : "solve";
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return system_rule(v); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        auto const [lu, pivots] = apply_all<factor_lu>(x[0]);
        return apply<solve_factored<Transposed>>(lu, pivots, x[1]);
    }
    static constexpr symbols derivative(symbol a, symbol, symbol y, symbol g) {
        symbol const gb = apply<solve<!Transposed>>(a, g);
        return {{-(Transposed ? multiply_pairs(y, gb, false, true) : multiply_pairs(gb, y, false, true)), gb}};
    }
};
struct inverse : composite_op {
    static constexpr std::string_view name = "inverse";
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return square_rule(v[0]); }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        auto const [lu, pivots] = apply_all<factor_lu>(x[0]);
        return apply<invert_factored>(lu, pivots);
    }
    static constexpr symbol derivative(symbol, symbol y, symbol g) {
        return -multiply_pairs(multiply_pairs(y, g, true, false), y, false, true);
    }
};
/// Output 0 is the determinant, 1 its sign, 2 the logarithm of its size. Each has another gradient, so each is a composite.
template<int Output>
struct determinant : composite_op {
    static constexpr std::string_view name = Output == 0 ? "det" : Output == 1 ? "sign_of_det" : "log_abs_det";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = square_rule(v[0]);
        if (r.wrong == fault::none) r.dims.rank -= 2;
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        auto const [lu, pivots] = apply_all<factor_lu>(x[0]);
        return std::get<Output>(apply_all<factored_determinant>(lu, pivots));
    }
    static constexpr symbol derivative(symbol a, symbol y, symbol g) {
        if (Output == 1) return {};
        return as_matrices(Output == 0 ? g * y : g) * transposed(apply<inverse>(a));
    }
};
}

namespace detail {
struct solve_pairs {
    template<class A, class B>
    constexpr auto operator()(A const& a, B const& b) const {
        return apply<op::solve<false>>(a, b);
    }
};
}

/// The solutions x of a x = b for square matrices a [..., n, n] and b [..., n, k], by LU with partial pivoting, in float or
/// double. With one matrix, b may be a vector [n]. The axes before the last two broadcast; one matrix for all b is factored once.
/// A singular matrix gives infinities or NaN.
///
/// Gradient: of b, the solution h of aᵀ h = g; of a, −h xᵀ. It uses the same factorization.
template<class A, class B>
constexpr auto solve(A const& a, B const& b) {
    return detail::solve_systems(detail::solve_pairs{}, a, b);
}
/// The inverses of square matrices [..., n, n]. `solve(a, b)` is faster and more accurate than `matmul(inverse(a), b)`. A
/// singular matrix gives infinities or NaN.
/// Gradient: −yᵀ g yᵀ.
template<class A>
constexpr auto inverse(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else return apply<op::inverse>(a);
}
/// The determinants of square matrices: [...] of [..., n, n], 1 for n = 0. The determinant of large matrices overflows easily;
/// slogdet does not.
/// Gradient: g times the determinant times the transposed inverse, as in TensorFlow. So it is NaN for a singular matrix.
template<class A>
constexpr auto det(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else return apply<op::determinant<0>>(a);
}
/// The signs of the determinants and the logarithms of their absolute values, as a tuple:
/// `auto [sign, log_size] = slogdet(a)`, each [...] of [..., n, n]. A singular matrix gives 0 and −infinity (NumPy's slogdet).
/// Gradient: of the logarithm, g times the transposed inverse; none of the sign.
template<class A>
constexpr auto slogdet(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) {
        using R = decltype(detail::refuse_matrices<slip, A>());
        return std::tuple<R, R>{};
    } else return std::tuple{apply<op::determinant<1>>(a), apply<op::determinant<2>>(a)};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
