// SPDX-License-Identifier: MIT
// Plain gradient descent.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − g·η.
/// Source: Robbins, Monro 1951; TensorFlow's GradientDescentOptimizer, torch.optim.SGD, optax.sgd.
/// Sparse: rows that occur.
/// Use: little memory, and as a baseline.
struct gradient_descent {
    static constexpr std::string_view name = "gradient_descent", tf_name = "GradientDescent";
    hyper learning_rate{0.01};

    static constexpr std::array<slot_info, 0> slots{};
    static constexpr int flops = 2;
    static constexpr bool idle_is_linear = true;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const { return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more)}; }
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V*) {
        param = param - grad * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
