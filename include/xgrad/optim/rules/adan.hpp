// SPDX-License-Identifier: MIT
// Adan: Nesterov momentum computed from differences of gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// d = g − g'; m ← β₁·m + (1 − β₁)·g; v ← β₂·v + (1 − β₂)·d; n ← β₃·n + (1 − β₃)·(g + (1 − β₂)·d)²;
/// θ ← θ − η·((m̂ + (1 − β₂)·v̂) / (√(n̂ + ε_r) + ε) + λ·θ).
/// g' is the gradient of the previous step. In the first step d is 0. m̂, v̂ and n̂ are divided by 1 − β₁ᵗ, 1 − β₂ᵗ and
/// 1 − β₃ᵗ.
/// Source: Xie et al. 2022, arXiv 2208.06677; optax.adan. The paper has no ε_r and divides by 1 + λ·η instead of the
/// last term.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: image and language models with large learning rates; four slots.
struct adan {
    static constexpr std::string_view name = "adan", tf_name = "Adan";
    hyper learning_rate{1e-3}, beta1{0.98}, beta2{0.92}, beta3{0.99}, epsilon{1e-8}, epsilon_root{1e-8}, weight_decay{0.0};

    static constexpr std::array<slot_info, 7> slots{slot_info("m"), slot_info("v"), slot_info("n"), slot_info("gradient"),
        slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer), slot_info("beta3_power", per::optimizer)};
    static constexpr int flops = 24;
    double slot_init(int slot) const { return slot == 4 ? beta1(0) : slot == 5 ? beta2(0) : slot == 6 ? beta3(0) : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("beta3", beta3, allow::below_one),
            hyper_info("epsilon", epsilon, allow::zero_or_more), hyper_info("epsilon_root", epsilon_root, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const {
        p[0] *= beta1(step);
        p[1] *= beta2(step);
        p[2] *= beta3(step);
    }

    /// (m·first + v·second) / (√(n + epsilon_root) + epsilon) equals η·(m̂ + (1 − β₂)·v̂) / (√(n̂ + ε_r) + ε):
    /// numerator and denominator are multiplied by √(1 − β₃ᵗ).
    template<class T>
    struct scalars {
        T first, second, one_minus_beta1, one_minus_beta2, one_minus_beta3, epsilon, epsilon_root, decay;   // decay: η·λ
        bool first_step;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const rate = learning_rate(step), rest = 1.0 - p[2], root = libm::sqrt(rest);
        return {static_cast<T>(rate * root / (1.0 - p[0])), static_cast<T>(rate * root * (1.0 - beta2(step)) / (1.0 - p[1])),
            static_cast<T>(1.0 - beta1(step)), static_cast<T>(1.0 - beta2(step)), static_cast<T>(1.0 - beta3(step)),
            static_cast<T>(epsilon(step) * root), static_cast<T>(epsilon_root(step) * rest), static_cast<T>(rate * weight_decay(step)),
            step == 0};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V d = grad - slot[3];
        if (s.first_step) d = V(T(0));
        V const ahead = grad + d * V(s.one_minus_beta2);
        slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        slot[1] = slot[1] + (d - slot[1]) * V(s.one_minus_beta2);
        slot[2] = slot[2] + (ahead * ahead - slot[2]) * V(s.one_minus_beta3);
        slot[3] = grad;
        V const u = (slot[0] * V(s.first) + slot[1] * V(s.second)) / (math::sqrt(slot[2] + V(s.epsilon_root)) + V(s.epsilon));
        param = param - param * V(s.decay) - u;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
