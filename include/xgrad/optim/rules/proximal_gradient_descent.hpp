// SPDX-License-Identifier: MIT
// Gradient descent with l1 and l2 by proximal steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Moves w towards zero by t ≥ 0, but not past zero.
template<class V>
XGRAD_INLINE V nearer_zero(V w, V t) {
    return math::copysign(math::max(V(0), math::abs(w) - t), w);   // NaN of w passes max
}
}   // namespace detail

/// w = θ − η·g; θ ← sign(w)·max(|w| − η·l1, 0) / (1 + η·l2).
/// Source: Duchi, Singer 2009 (FOBOS); TensorFlow's ProximalGradientDescentOptimizer.
/// Sparse: rows that occur.
/// Use: linear models with exact zeros.
struct proximal_gradient_descent {
    static constexpr std::string_view name = "proximal_gradient_descent", tf_name = "ProximalGradientDescent";
    hyper learning_rate{0.01}, l1{0.0}, l2{0.0};

    static constexpr std::array<slot_info, 0> slots{};
    static constexpr int flops = 8;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("l1", l1, allow::zero_or_more),
            hyper_info("l2", l2, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, threshold, shrinkage;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        T const rate = static_cast<T>(learning_rate(step));
        return {rate, rate * static_cast<T>(l1(step)), T(1) / (T(1) + static_cast<T>(l2(step)) * rate)};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V*) {
        param = detail::nearer_zero(param - grad * V(s.rate), V(s.threshold)) * V(s.shrinkage);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
