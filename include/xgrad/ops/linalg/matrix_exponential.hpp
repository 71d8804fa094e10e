// SPDX-License-Identifier: MIT
// Exponentials of square matrices by Padé approximations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/linalg_parts.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail::loops {
/// c = a b for square matrices.
template<class T>
void multiply_square(T* c, T const* a, T const* b, std::int64_t n) {
    fill(c, T(0), n * n);
    add_product<true>(c, n, left_factor<T>{a, n, 1}, b, n, n, n, n);
}
/// The coefficients of the approximation, from the highest power on, and the largest norm for which it is exact.
template<class T>
struct pade_of_exponential {
    static constexpr int degree = 13;
    static constexpr double largest = 5.371920351148152;
    static constexpr double at[degree + 1]{1, 182, 16380, 960960, 40840800, 1323241920, 33522128640, 670442572800, 10559470521600,
        129060195264000, 1187353796428800, 7771770303897600, 32382376266240000, 64764752532480000};
};
template<>
struct pade_of_exponential<float> {
    static constexpr int degree = 7;
    static constexpr double largest = 3.925724783138660;
    static constexpr double at[degree + 1]{1, 56, 1512, 25200, 277200, 1995840, 8648640, 17297280};
};
/// y = the exponential of a. `work` has room for 6 n² elements. N. Higham, The scaling and squaring method, 2005.
template<class T>
void exponential(T const* a, T* y, T* work, std::int32_t* pivots, std::int64_t n) {
    using pade = pade_of_exponential<T>;
    std::int64_t const size = n * n;
    T *const x = work, *const x2 = work + size, *const x4 = work + 2 * size, *const x6 = work + 3 * size;
    T *const even = work + 4 * size, *const odd = work + 5 * size;
    double norm = 0;   // the largest sum of a row
    for (std::int64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < n; ++j) sum += static_cast<double>(libm::abs(a[i * n + j]));
        norm = sum > norm || sum != sum ? sum : norm;
        if (norm != norm) break;
    }
    if (!(norm <= std::numeric_limits<double>::max())) return fill(y, std::numeric_limits<T>::quiet_NaN(), size);
    int squares = 0;
    double factor = 1;
    for (; norm * factor > pade::largest; ++squares) factor /= 2;
    for (std::int64_t i = 0; i < size; ++i) x[i] = a[i] * static_cast<T>(factor);
    multiply_square(x2, x, x, n);
    multiply_square(x4, x2, x2, n);
    multiply_square(x6, x4, x2, n);
    // The numerator is even + odd, the denominator even − odd. Both are divided by the coefficient of the power 0.
    auto const coefficient = [](int power) { return static_cast<T>(pade::at[pade::degree - power] / pade::at[pade::degree]); };
    auto const add_powers = [&](T* sum, int power) {
        T const c6 = coefficient(power + 4), c4 = coefficient(power + 2), c2 = coefficient(power);
        for (std::int64_t i = 0; i < size; ++i) sum[i] += c6 * x6[i] + c4 * x4[i] + c2 * x2[i];
    };
    for (int parity : {0, 1}) {
        T* const sum = parity == 0 ? even : odd;
        fill(sum, T(0), size);
        if constexpr (pade::degree > 7) {
            add_powers(sum, 8 + parity);
            multiply_square(y, x6, sum, n);
            copy(sum, y, size);
        }
        add_powers(sum, 2 + parity);
        for (std::int64_t i = 0; i < n; ++i) sum[i * (n + 1)] += coefficient(parity);
    }
    multiply_square(y, x, odd, n);
    for (std::int64_t i = 0; i < size; ++i) {
        T const e = even[i];
        even[i] = e - y[i];
        y[i] = e + y[i];
    }
    factor_lu(even, pivots, n);
    solve_lu(even, pivots, false, y, n, n);
    for (; squares > 0; --squares) {
        multiply_square(x2, y, y, n);
        copy(y, x2, size);
    }
}
}

namespace op {
/// Gradient: the derivative of the exponential of aᵀ in the direction of g.
struct matrix_exponential : matrices_op {
    static constexpr std::string_view name = "expm";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return square_rule(v[0]); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0)), 20); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        extent const n = columns_of(v.dims(0));
        return bytes_of(v[0].type, n * n * static_extent(6)) + n * static_extent(4);
    }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T, R> y) {
        std::int64_t const n = a.shape(R - 1);
        T* const work = reinterpret_cast<T*>(part.scratch);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::exponential(
                a.data() + t * n * n, y.data() + t * n * n, work, reinterpret_cast<std::int32_t*>(work + 6 * n * n), n);
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = derivative_of_function<matrix_exponential>(d, transposed(d.operands[0]), d.gradient);
    }
};
}

/// The exponentials of square matrices [..., n, n], the sums of aᵏ / k! (TensorFlow's tf.linalg.expm): the identity for zeros. By a
/// Padé approximation of a / 2ˢ, of degree 13 in double and 7 in float, and s squares. A matrix with NaN or infinity gives NaN.
///
/// Gradient: a block of the exponential of [[aᵀ, g], [0, aᵀ]], so it costs about eight exponentials.
template<class A>
constexpr auto expm(A const& a) {
    constexpr auto slip = detail::matrix_slip_of<A>(true);
    if constexpr (slip != detail::linalg_slip::none) return detail::refuse_matrices<slip, A>();
    else return apply<op::matrix_exponential>(a);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
