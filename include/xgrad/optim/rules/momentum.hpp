// SPDX-License-Identifier: MIT
// Momentum and Nesterov momentum.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// a ← a·μ + g; θ ← θ − a·η, or with Nesterov θ ← θ − (g·η + a·μ·η) with the new a. η is not part of a: a change of η
/// rescales the whole velocity.
/// Source: Polyak 1964, Sutskever et al. 2013; TensorFlow's MomentumOptimizer, torch.optim.SGD without dampening,
/// optax.sgd. With sparse gradients PyTorch also moves idle rows, like pytorch_momentum. Keras keeps η·a, a different
/// velocity if η changes.
/// Sparse: rows that occur; the velocity of absent rows does not decay.
/// Use: image models, with a schedule of the rate.
struct momentum {
    static constexpr std::string_view name = "momentum", tf_name = "Momentum";
    hyper learning_rate{0.01}, momentum{0.9};
    bool use_nesterov = false;

    static constexpr std::array<slot_info, 1> slots{"momentum"};
    static constexpr int flops = 4;   // without Nesterov
    static constexpr bool idle_is_linear = true;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{
            hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("momentum", momentum, allow::zero_or_more)};
    }
    template<class T>
    struct scalars {
        T rate, decay;
        bool nesterov;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(momentum(step)), use_nesterov};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const a = slot[0] * V(s.decay) + grad;
        slot[0] = a;
        if (s.nesterov) param = param - (grad * V(s.rate) + a * V(s.decay) * V(s.rate));
        else param = param - a * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
