// SPDX-License-Identifier: MIT
// Vectors of length 1, weights with a separate length, and weights divided by their largest singular value.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/normalization/standardize.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// x / √max(Σx², ε) of x and ε. As one operation it has x once in its type, also after many steps of a power method.
struct l2_normalize : composite_op {
    using attributes = reduction_attributes;
    static constexpr std::string_view name = "l2_normalize";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        return normalized_rule(v, 1, a.as<reduction_attributes>().axes);
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        symbol const squares = sum_over(xgrad::square(x[0]), a.as<reduction_attributes>().axes, true);
        return x[0] * (1_c / xgrad::sqrt(xgrad::maximum(squares, x[1])));
    }
};
}

/// x / √max(Σx², epsilon) over the axes (all if none is given): vectors of length 1, TensorFlow's l2_normalize.
/// `l2_normalize<1>(x)` of rows. epsilon is 1e-12 if it is not given, as in TensorFlow. Shorter vectors are divided by
/// √epsilon, and zeros stay zeros. PyTorch's normalize has max(‖x‖, 1e-12): write l2_normalize<1>(x, 1e-24_c) in double.
/// Gradient: (g − y Σ g y) / √max(Σx², epsilon), without the sum where Σx² is below epsilon.
template<int... Axes, class A, class E = decltype(1e-12_c)>
constexpr auto l2_normalize(A const& x, E const& epsilon = {}) {
    return detail::standardized<op::l2_normalize, Axes...>(x, epsilon);
}

namespace detail {
template<int... Axes, class V, class G>
constexpr auto weight_of_length(V const& v, G const& g) {
    auto const lengths = norm<Axes...>(v, keep_dims);
    auto const factors = g / lengths;
    using F = decltype(factors);
    constexpr bool fits = value_of<F>.wrong != fault::none || value_of<F>.dims == value_of<decltype(lengths)>.dims;
    static_assert(fits,
        "xgrad::weight_norm<axes...>(v, g): g has another shape than the lengths of v; for weight_norm<0> of [in, out] give "
        "g of [out], for weight_norm<1> of [in, 1]");
    if constexpr (!fits) return refused{};
    else return v * factors;
}
}
/// g v / ‖v‖ with the Euclidean norm of v over the axes (Salimans, Kingma 2016): weights whose lengths g are learned apart
/// from their directions. `weight_norm<0>(v, g)` of a matrix [in, out] with g [out]; PyTorch's weight_norm(dim=0) of [out,
/// in] is weight_norm<1> with g [out, 1]. g broadcasts to the lengths. A vector of zeros gives NaN, as in PyTorch.
/// Gradient: of g, Σ g' v / ‖v‖, where g' is the gradient of the result; of v, g (g' − u Σ g' u) / ‖v‖ with u = v / ‖v‖.
template<int... Axes, class V, class G>
constexpr auto weight_norm(V const& v, G const& g) {
    if constexpr (!Expr<V> || !Expr<G>) return detail::refuse_operand<V, G>();
    else return detail::weight_of_length<Axes...>(v, g);
}

namespace detail {
template<class W>
constexpr std::int64_t rows_before_last() {
    std::int64_t n = 1;
    for (int i = 0; i + 1 < value_of<W>.dims.rank; ++i) n *= value_of<W>.dims.extents[i].constant;
    return n;
}
template<class W, class U>
constexpr bool fits_singular_vector() {
    if constexpr (!Expr<W> || !Expr<U>) return true;
    else {
        constexpr value_info w = value_of<W>, u = value_of<U>;
        if (w.wrong != fault::none || u.wrong != fault::none) return true;
        if (w.dims.rank < 2 || !is_floating(w.type) || u.type != w.type || u.dims.rank != 1) return false;
        for (int i = 0; i < w.dims.rank; ++i)
            if (!w.dims.extents[i].is_static()) return false;
        return u.dims.extents[0] == w.dims.extents[w.dims.rank - 1];
    }
}
template<class W>
constexpr auto as_matrix(W const& w) {
    if constexpr (value_of<W>.dims.rank == 2) return w;
    else {
        constexpr std::int64_t rows = rows_before_last<W>(), units = value_of<W>.dims.extents[value_of<W>.dims.rank - 1].constant;
        return reshape<rows, units>(w);
    }
}
/// The left and right vectors, [1, rows] and [1, units], after iterations from u.
template<int Iterations, class M, class U>
constexpr auto singular_vectors(M const& m, U const& u) {
    auto const v = l2_normalize(matmul<false, true>(u, m));
    auto const next = l2_normalize(matmul(v, m));
    if constexpr (Iterations <= 1) return std::tuple{v, next};
    else return singular_vectors<Iterations - 1>(m, next);
}
/// v W uᵀ, [1, 1].
template<class M, class V, class U>
constexpr auto singular_value(M const& m, V const& v, U const& u) {
    return matmul<false, true>(matmul(stop_gradient(v), m), stop_gradient(u));
}
}
/// w / σ, where σ is nearly the largest singular value of w, and the next u: `auto [normalized, next] =
/// spectral_normalization(w, u)` (Miyato and others 2018). w is [..., units] with integer extents, seen as a matrix [rows,
/// units], and u is [units]. `Iterations` steps of the power method begin at u: v = w u / ‖w u‖, u = wᵀ v / ‖wᵀ v‖. Then σ
/// is vᵀ w u. u should be kept for the next step, as nn::spectral_norm does; zeros stay zeros, and σ is then 0. Semantics:
/// Keras' SpectralNormalization.
/// Gradient: of w, with u and v held constant: g / σ − (Σ g w) v uᵀ / σ². Of u, none.
template<int Iterations = 1, class W, class U>
constexpr auto spectral_normalization(W const& w, U const& u) {
    constexpr bool fits = detail::fits_singular_vector<W, U>();
    static_assert(fits,
        "xgrad::spectral_normalization(w, u): w is not float or double with integer extents and at least two axes, or u is not "
        "of its type and last extent; write u as [units]");
    static_assert(Iterations >= 1 || !fits, "xgrad::spectral_normalization<iterations>(w, u): iterations is below 1; write 1 or more");
    if constexpr (!Expr<W> || !Expr<U>) return std::tuple{detail::refuse_operand<W, U>(), detail::refused{}};
    else if constexpr (!fits || Iterations < 1 || value_of<W>.wrong != fault::none || value_of<U>.wrong != fault::none)
        return std::tuple{detail::refused{}, detail::refused{}};
    else {
        auto const m = detail::as_matrix(w);
        auto const [v, next] = detail::singular_vectors<Iterations>(m, expand_dims<0>(u));
        return std::tuple{w / reshape<>(detail::singular_value(m, v, next)), squeeze<0>(next)};
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
