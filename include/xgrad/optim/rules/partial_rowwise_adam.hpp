// SPDX-License-Identifier: MIT
// Adam with one second moment for each row of a table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// For each row: v ← v + (mean(g²) − v)(1 − β₂); m ← m + (g − m)(1 − β₁); θ ← θ − η·(m̂ / (√v̂ + ε) + λ·θ). Here
/// m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ).
/// Source: FBGEMM's PARTIAL_ROWWISE_ADAM, with a default η of 0.01. t counts the steps of the trainer.
/// Sparse: rows that occur.
/// Use: embeddings: Adam with little more than one slot.
struct partial_rowwise_adam {
    static constexpr std::string_view name = "partial_rowwise_adam", tf_name = "PartialRowWiseAdam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, weight_decay{0.0};

    static constexpr std::array<slot_info, 4> slots{
        slot_info("m"), slot_info("v", per::row), slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::row, reduction::mean)};
    static constexpr int flops = 13;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

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
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const& s, T* slot, T const* reduced) {
        slot[1] = slot[1] + (reduced[0] - slot[1]) * s.adam.one_minus_beta2;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        slot[0] = slot[0] + (grad - slot[0]) * V(s.adam.one_minus_beta1);
        param = param - detail::debiased_step(s.adam, slot[0], slot[1]) - param * V(s.decay);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
