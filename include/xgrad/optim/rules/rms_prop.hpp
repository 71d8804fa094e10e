// SPDX-License-Identifier: MIT
// RMSProp in TensorFlow 1's form, plain and centered.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of rms_prop, centered_rms_prop and their forms in PyTorch.
template<class T>
struct rms_prop_scalars {
    T rate, one_minus_decay, momentum, epsilon;
    template<class Rule>
    static rms_prop_scalars of(Rule const& r, std::int64_t step) {
        return {static_cast<T>(r.learning_rate(step)), static_cast<T>(1.0 - r.decay(step)), static_cast<T>(r.momentum(step)),
            static_cast<T>(r.epsilon(step))};
    }
};

/// s ← s + (g² − s)(1 − ρ); b ← μ·b + g·η / √(s + ε); θ ← θ − b. s begins at initial_accumulator. ε is inside the root,
/// η inside b.
/// Source: Tieleman, Hinton 2012; TensorFlow's RMSPropOptimizer. In Keras' RMSprop and optax.rmsprop s begins at 0.
/// Sparse: rows that occur.
/// Use: recurrent networks, and programs ported from TensorFlow.
struct rms_prop {
    static constexpr std::string_view name = "rms_prop", tf_name = "RMSProp";
    hyper learning_rate{1e-3}, decay{0.9}, momentum{0.0}, epsilon{1e-10};
    double initial_accumulator = 1;

    static constexpr std::array<slot_info, 2> slots{slot_info("rms"), slot_info("momentum")};
    static constexpr int flops = 11;
    double slot_init(int slot) const { return slot == 0 ? initial_accumulator : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("decay", decay, allow::up_to_one),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }
    template<class T>
    using scalars = rms_prop_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad * grad - slot[0]) * V(s.one_minus_decay);
        slot[1] = slot[1] * V(s.momentum) + grad * V(s.rate) / math::sqrt(slot[0] + V(s.epsilon));
        param = param - slot[1];
    }
};

/// As rms_prop, with the variance instead of the mean square: a ← a + (g − a)(1 − ρ); b ← μ·b + g·η / √(s − a² + ε);
/// θ ← θ − b.
/// Source: Graves 2013, arXiv 1308.0850; TensorFlow's RMSPropOptimizer with centered=True.
/// Sparse: rows that occur.
/// Use: like rms_prop, if gradients have a mean other than zero.
struct centered_rms_prop {
    static constexpr std::string_view name = "centered_rms_prop", tf_name = "RMSProp";
    hyper learning_rate{1e-3}, decay{0.9}, momentum{0.0}, epsilon{1e-10};
    double initial_accumulator = 1;

    static constexpr std::array<slot_info, 3> slots{slot_info("rms"), slot_info("mg"), slot_info("momentum")};
    static constexpr int flops = 16;
    double slot_init(int slot) const { return slot == 0 ? initial_accumulator : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("decay", decay, allow::up_to_one),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }
    template<class T>
    using scalars = rms_prop_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return scalars<T>::of(*this, step);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad * grad - slot[0]) * V(s.one_minus_decay);
        slot[1] = slot[1] + (grad - slot[1]) * V(s.one_minus_decay);
        slot[2] = slot[2] * V(s.momentum) + grad * V(s.rate) / math::sqrt(slot[0] - slot[1] * slot[1] + V(s.epsilon));
        param = param - slot[2];
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
