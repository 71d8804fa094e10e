// SPDX-License-Identifier: MIT
// Yogi: Adam with a second moment that grows slowly.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (g − m)(1 − β₁); v ← v − (1 − β₂)·sign(v − g²)·g²; θ ← θ − η·m̂ / (√v̂ + ε). Here m̂ = m / (1 − β₁ᵗ) and
/// v̂ = v / (1 − β₂ᵗ). m and v begin at initial_accumulator.
/// Source: Zaheer et al. 2018; optax.yogi, TensorFlow Addons.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: like adam, if gradients are often zero.
struct yogi {
    static constexpr std::string_view name = "yogi", tf_name = "Yogi";
    hyper learning_rate{0.01}, beta1{0.9}, beta2{0.999}, epsilon{1e-3};
    double initial_accumulator = 1e-6;

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 15;
    double slot_init(int slot) const { return slot < 2 ? initial_accumulator : detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    using scalars = debiased_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return scalars<T>::of(*this, step, p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const square = grad * grad;
        slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        slot[1] = slot[1] - math::sign(slot[1] - square) * square * V(s.one_minus_beta2);
        param = param - detail::debiased_step(s, slot[0], slot[1]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
