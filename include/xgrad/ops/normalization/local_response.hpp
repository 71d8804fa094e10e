// SPDX-License-Identifier: MIT
// Local response normalization: each element divided by a power of the squares of its neighbours.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/exponential.hpp>

#include <span>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Sums of neighbours along rows: y[j] = Σ x[k] with |k − j| ≤ Radius.
template<int Radius>
struct window_sum : row_op {
    static constexpr std::string_view name = "window_sum";
    static constexpr int flops = 2 * Radius + 1;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        if (!is_floating(r.type)) r.wrong = fault::not_floating;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> y) {
        auto const n = static_cast<std::int64_t>(x.size());
        T const* const from = x.data();
        T* const to = y.data();
        for (std::int64_t j = 0; j < n; ++j) to[j] = from[j];
        for (std::int64_t k = 1; k <= Radius && k < n; ++k) {
            for (std::int64_t j = 0; j < n - k; ++j) to[j] += from[j + k];
            for (std::int64_t j = k; j < n; ++j) to[j] += from[j - k];
        }
    }
    // Neighbours are mutual.
    static constexpr void derive(derivation& d) { d.out[0] = apply<window_sum>(d.gradient); }
};
}

namespace detail {
/// x / yᵇ. Roots are faster than a power.
template<class X, class Y, class B>
constexpr auto over_power(X const& x, Y const& y, B const& b) {
    if constexpr (is_literal<B>) {
        if constexpr (B::number == 0.5) return x / sqrt(y);
        else if constexpr (B::number == 0.75) return x / (sqrt(y) * sqrt(sqrt(y)));
        else if constexpr (B::number == 1) return x / y;
        else return x / pow(y, b);
    } else return x / pow(y, b);
}
}
/// x / (bias + alpha S)^beta along the last axis (Krizhevsky, Sutskever, Hinton 2012; TensorFlow's
/// local_response_normalization). S is the sum of the squares of an element and its neighbours, `Radius` of them to either
/// side (TensorFlow's depth_radius). At the ends there are fewer neighbours. The numbers are expressions of rank 0:
/// `local_response_normalization<2>(x, 1_c, 1e-4_c, 0.75_c)`. Radius is 5, bias 1, alpha 1 and beta 0.5 if they are not
/// given, as in TensorFlow. PyTorch's LocalResponseNorm(n) has the mean of n = 2 Radius + 1 squares: divide alpha by n.
///
/// Gradient: g / B^beta − 2 alpha beta x W(g y / B), where B is bias + alpha S and W the sum over the same neighbours.
template<int Radius = 5, class A, class Bias = decltype(1_c), class Alpha = decltype(1_c), class Beta = decltype(0.5_c)>
constexpr auto local_response_normalization(A const& x, Bias const& bias = {}, Alpha const& alpha = {}, Beta const& beta = {}) {
    constexpr bool radius = Radius >= 0;
    static_assert(
        radius, "xgrad::local_response_normalization<radius>(x): radius is negative; write the number of neighbours to either side");
    if constexpr (!Expr<A> || !Expr<Bias> || !Expr<Alpha> || !Expr<Beta>) return detail::refuse_operand<A, Bias, Alpha, Beta>();
    else if constexpr (!radius) return detail::refused{};
    else {
        constexpr fault f = detail::fault_of<op::window_sum<Radius>, A>();
        static_assert(f != fault::not_floating && f != fault::rank,
            "xgrad::local_response_normalization<radius>(x): x has no axis, or is neither float nor double; write cast<float>(x)");
        if constexpr (f != fault::none) return detail::refused{};
        else return detail::over_power(x, bias + alpha * apply<op::window_sum<Radius>>(square(x)), beta);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
