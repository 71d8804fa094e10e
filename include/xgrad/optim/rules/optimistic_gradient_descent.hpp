// SPDX-License-Identifier: MIT
// Optimistic gradient descent: it extrapolates from the previous gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − η·((α + β)·g − β·g') with g' the gradient of the previous step. In the first step the direction is α·g.
/// Source: Mokhtari, Ozdaglar, Pattathil 2020, arXiv 1901.08511; optax.optimistic_gradient_descent.
/// Sparse: as if dense: a row without a gradient steps back by β·g' once; `lazy` moves the rows that occur.
/// Use: games of two losses, such as generative adversarial networks, in which gradient descent circles around the
/// solution.
struct optimistic_gradient_descent {
    static constexpr std::string_view name = "optimistic_gradient_descent", tf_name = "OptimisticGradientDescent";
    hyper learning_rate{0.01}, alpha{1.0}, beta{1.0};

    static constexpr std::array<slot_info, 1> slots{"gradient"};
    static constexpr int flops = 4;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("alpha", alpha, allow::zero_or_more),
            hyper_info("beta", beta, allow::zero_or_more)};
    }
    template<class T>
    struct scalars {
        T now, before;   // the weights of the two gradients
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const rate = learning_rate(step), back = step == 0 ? 0.0 : beta(step);
        return {static_cast<T>(rate * (alpha(step) + back)), static_cast<T>(rate * back)};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - (grad * V(s.now) - slot[0] * V(s.before));
        slot[0] = grad;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
