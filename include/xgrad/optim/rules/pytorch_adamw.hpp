// SPDX-License-Identifier: MIT
// Adam with decoupled weight decay in PyTorch's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − η·λ·θ, then pytorch_adam.
/// Source: Loshchilov, Hutter 2019, arXiv 1711.05101; torch.optim.AdamW, optax.adamw (with a default λ of 1e-4).
/// Sparse: as if dense, including the decay; `lazy` moves the rows that occur.
/// Use: transformers, and programs ported from PyTorch or JAX.
struct pytorch_adamw {
    static constexpr std::string_view name = "pytorch_adamw", tf_name = "AdamW";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, weight_decay{0.01};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 15;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars {
        debiased_scalars<T> adam;
        T decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {debiased_scalars<T>::of(*this, step, p), static_cast<T>(learning_rate(step) * weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - param * V(s.decay);
        detail::move_moments(s.adam, grad, slot);
        param = param - detail::debiased_step(s.adam, slot[0], slot[1]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
