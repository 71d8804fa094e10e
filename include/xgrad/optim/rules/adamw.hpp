// SPDX-License-Identifier: MIT
// Adam with decoupled weight decay.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − λ·θ, then adam. λ is not multiplied by η. With decay_by_rate, θ ← θ − η·λ·θ, the form of most other tools.
/// Source: Loshchilov, Hutter 2019, arXiv 1711.05101; TensorFlow contrib's AdamWOptimizer.
/// Sparse: rows that occur decay once each; the Adam part is exact.
/// Use: programs ported from TensorFlow; else pytorch_adamw.
struct adamw {
    static constexpr std::string_view name = "adamw", tf_name = "AdamW";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, weight_decay{0.01};
    bool decay_by_rate = false;

    static constexpr auto slots = detail::adam_slots;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr int flops = 14;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }
    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        adam_scalars<T> adam;
        T decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const rate = learning_rate(step);
        return {detail::make_adam_scalars<T>(rate, beta1(step), beta2(step), epsilon(step), p),
            static_cast<T>(weight_decay(step) * (decay_by_rate ? rate : 1.0))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - param * V(s.decay);
        detail::adam_update(s.adam, param, grad, slot);
    }
    /// Rows that do not occur do not decay.
    template<class T>
    static scalars<T> absent_row(scalars<T> s) {
        s.decay = T(0);
        return s;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
