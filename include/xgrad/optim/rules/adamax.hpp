// SPDX-License-Identifier: MIT
// AdaMax: Adam with a decaying maximum of gradients instead of the root mean square.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of adamax and pytorch_adamax; rate = η / (1 − β₁ᵗ).
template<class T>
struct adamax_scalars {
    T rate, one_minus_beta1, beta2, epsilon;
    template<class Rule>
    static adamax_scalars of(Rule const& r, std::int64_t step, double const* powers) {
        return {static_cast<T>(r.learning_rate(step) / (1.0 - powers[0])), static_cast<T>(1.0 - r.beta1(step)),
            static_cast<T>(r.beta2(step)), static_cast<T>(r.epsilon(step))};
    }
};

/// m ← m + (g − m)(1 − β₁); v ← max(β₂·v, |g|); θ ← θ − η / (1 − β₁ᵗ)·m / (v + ε).
/// Source: Kingma, Ba 2015, arXiv 1412.6980, section 7.1; TensorFlow contrib's AdaMaxOptimizer;
/// keras.optimizers.Adamax, whose ε is 1e-7.
/// Sparse: rows that occur; t counts the steps of the trainer.
/// Use: if single large gradients should be remembered for long.
struct adamax {
    static constexpr std::string_view name = "adamax", tf_name = "AdaMax";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr std::array<slot_info, 3> slots{slot_info("m"), slot_info("v"), slot_info("beta1_power", per::optimizer)};
    static constexpr int flops = 9;
    double slot_init(int slot) const { return slot == 2 ? beta1(0) : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { p[0] *= beta1(step); }

    template<class T>
    using scalars = adamax_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return scalars<T>::of(*this, step, p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        slot[1] = math::max(slot[1] * V(s.beta2), math::abs(grad));
        param = param - slot[0] / (slot[1] + V(s.epsilon)) * V(s.rate);
    }
};

/// As adamax with ε inside the maximum: v ← max(β₂·v, |g| + ε); θ ← θ − η / (1 − β₁ᵗ)·m / v.
/// Source: torch.optim.Adamax, optax.adamax.
/// Sparse: as if dense.
/// Use: programs ported from PyTorch.
struct pytorch_adamax {
    static constexpr std::string_view name = "pytorch_adamax", tf_name = "Adamax";
    hyper learning_rate{2e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr std::array<slot_info, 3> slots{slot_info("m"), slot_info("v"), slot_info("beta1_power", per::optimizer)};
    static constexpr int flops = 9;
    double slot_init(int slot) const { return slot == 2 ? beta1(0) : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { p[0] *= beta1(step); }

    template<class T>
    using scalars = adamax_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return scalars<T>::of(*this, step, p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        slot[1] = math::max(slot[1] * V(s.beta2), math::abs(grad) + V(s.epsilon));
        param = param - slot[0] / slot[1] * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
