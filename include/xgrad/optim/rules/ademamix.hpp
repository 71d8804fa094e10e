// SPDX-License-Identifier: MIT
// AdEMAMix: AdamW with a second, slowly decaying mean of gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (g − m)(1 − β₁); l ← l + (g − l)(1 − β₃); v ← v + (g² − v)(1 − β₂);
/// θ ← θ − η·((m̂ + α·l) / (√v̂ + ε) + λ·θ).
/// Here m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ). α and β₃ may be schedules; the paper increases them at the start.
/// Source: Pagliardini, Ablin, Grangier 2024, arXiv 2409.03137; optax.contrib.ademamix.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: long training of language models; one slot more than pytorch_adamw.
struct ademamix {
    static constexpr std::string_view name = "ademamix", tf_name = "AdEMAMix";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, beta3{0.9999}, alpha{5.0}, epsilon{1e-8}, weight_decay{0.0};

    static constexpr std::array<slot_info, 5> slots{
        slot_info("m"), slot_info("v"), slot_info("l"), slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer)};
    static constexpr int flops = 21;
    double slot_init(int slot) const { return detail::adam_slot_init(slot - 1, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("beta3", beta3, allow::below_one),
            hyper_info("alpha", alpha, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars {
        debiased_scalars<T> adam;
        T one_minus_beta3, slow, decay;   // slow: α·(1 − β₁ᵗ), because the rate of m is divided by 1 − β₁ᵗ
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {debiased_scalars<T>::of(*this, step, p), static_cast<T>(1.0 - beta3(step)), static_cast<T>(alpha(step) * (1.0 - p[0])),
            static_cast<T>(learning_rate(step) * weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::move_moments(s.adam, grad, slot);
        slot[2] = slot[2] + (grad - slot[2]) * V(s.one_minus_beta3);
        param = param - detail::debiased_step(s.adam, slot[0] + slot[2] * V(s.slow), slot[1]) - param * V(s.decay);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
