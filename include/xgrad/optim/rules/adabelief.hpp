// SPDX-License-Identifier: MIT
// AdaBelief: Adam with the variance of the gradient around its mean as second moment.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (g − m)(1 − β₁); s ← β₂·s + (1 − β₂)·(g − m)² + ε_r with the new m; θ ← θ − η·m̂ / (√ŝ + ε).
/// Here m̂ = m / (1 − β₁ᵗ) and ŝ = s / (1 − β₂ᵗ).
/// Source: Zhuang et al. 2020, arXiv 2010.07468; optax.adabelief.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: like adam, if curvature matters more than the size of gradients.
struct adabelief {
    static constexpr std::string_view name = "adabelief", tf_name = "AdaBelief";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-16}, epsilon_root{1e-16};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 15;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("epsilon_root", epsilon_root, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars {
        debiased_scalars<T> adam;
        T epsilon_root;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {debiased_scalars<T>::of(*this, step, p), static_cast<T>(epsilon_root(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const m = slot[0] + (grad - slot[0]) * V(s.adam.one_minus_beta1), off = grad - m;
        slot[0] = m;
        slot[1] = slot[1] + (off * off - slot[1]) * V(s.adam.one_minus_beta2) + V(s.epsilon_root);
        param = param - detail::debiased_step(s.adam, m, slot[1]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
