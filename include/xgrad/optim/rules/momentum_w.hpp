// SPDX-License-Identifier: MIT
// Momentum with decoupled weight decay.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/momentum.hpp>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − λ·θ, then momentum: λ is not multiplied by η.
/// Source: Loshchilov, Hutter, arXiv 1711.05101, in the form of TensorFlow contrib's MomentumWOptimizer.
/// Sparse: rows that occur decay once each and move.
/// Use: momentum with a decay that does not depend on the rate.
struct momentum_w {
    static constexpr std::string_view name = "momentum_w", tf_name = "MomentumW";
    hyper learning_rate{0.01}, momentum{0.9}, weight_decay{0.01};
    bool use_nesterov = false;

    static constexpr std::array<slot_info, 1> slots{slot_info("momentum")};
    static constexpr int flops = 6;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        xgrad::momentum::scalars<T> base;
        T decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {{static_cast<T>(learning_rate(step)), static_cast<T>(momentum(step)), use_nesterov}, static_cast<T>(weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - param * V(s.decay);
        xgrad::momentum::update(s.base, param, grad, slot);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
