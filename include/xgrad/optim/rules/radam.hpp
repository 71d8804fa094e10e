// SPDX-License-Identifier: MIT
// RAdam: Adam that uses its second moment only after enough steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/pytorch_adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m, v and m̂ as in pytorch_adam; ρ∞ = 2 / (1 − β₂) − 1; ρ = ρ∞ − 2·t·β₂ᵗ / (1 − β₂ᵗ); if ρ > 5,
/// θ ← θ − η·r·√(1 − β₂ᵗ)·m̂ / (√v + ε) with r² = (ρ − 4)(ρ − 2)·ρ∞ / ((ρ∞ − 4)(ρ∞ − 2)·ρ), else θ ← θ − η·m̂.
/// Source: Liu et al. 2020, arXiv 1908.03265; torch.optim.RAdam. optax.radam divides by √v̂ + ε, like this rule with
/// the epsilon ε·√(1 − β₂ᵗ). t counts the steps of the trainer.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: Adam without a warm-up of the rate.
struct radam {
    static constexpr std::string_view name = "radam", tf_name = "RAdam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 13;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars {
        debiased_scalars<T> adam;
        bool adapts;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        scalars<T> s{debiased_scalars<T>::of(*this, step, p), false};
        double const all = 2.0 / (1.0 - beta2(step)) - 1.0, rho = all - 2.0 * (static_cast<double>(step) + 1.0) * p[1] / (1.0 - p[1]);
        if (rho > 5.0) {
            double const r = libm::sqrt((rho - 4.0) * (rho - 2.0) * all / ((all - 4.0) * (all - 2.0) * rho)) * libm::sqrt(1.0 - p[1]);
            s = {{static_cast<T>(learning_rate(step) / (1.0 - p[0]) * r), s.adam.one_minus_beta1, s.adam.one_minus_beta2, T(1),
                     s.adam.epsilon},
                true};
        }
        return s;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::move_moments(s.adam, grad, slot);
        if (s.adapts) param = param - detail::debiased_step(s.adam, slot[0], slot[1]);
        else param = param - slot[0] * V(s.adam.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
