// SPDX-License-Identifier: MIT
// Prodigy: Adam that estimates its step length.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/rules/adam.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

/// α = η·d·√(1 − β₂ᵗ) / (1 − β₁ᵗ); m ← β₁·m + (1 − β₁)·d·g; v ← β₂·v + (1 − β₂)·d²·g²; s ← β₃·s + α·d·g / d₀;
/// r ← β₃·r + α·d / d₀ · Σ g·(θ₀ − θ); d' = max(d, c·r / Σ|s|); θ ← θ − α·(m / (√v + d'·ε) + λ·θ); d ← d'.
/// Both sums are over all variables of the group. θ₀ is the variable before its first step; the slot "start" holds it
/// and is NaN until then. η is 1, or a schedule that begins at 1. If all s are 0, d stays; optax' d becomes NaN. The
/// default of β₃ is √β₂. With safeguard_warmup s uses d instead of α, so that a small η at the start does not make d
/// too large.
/// Source: Mishchenko, Defazio 2023, arXiv 2306.06101, algorithm 4; optax.contrib.prodigy.
/// Sparse: as if the gradient were dense; with `lazy` Σ|s| would count only the rows that occur.
/// Use: no known learning rate.
struct prodigy {
    static constexpr std::string_view name = "prodigy", tf_name = "Prodigy";
    hyper learning_rate{1.0}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, weight_decay{0.0};
    hyper beta3{-1};                // negative: √β₂
    double first_estimate = 1e-6;   // d₀
    hyper estimate_factor{1.0};     // c
    bool safeguard_warmup = false;

    static constexpr std::array<slot_info, 8> slots{slot_info("m"), slot_info("v"), slot_info("s"), slot_info("start"),
        slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer), slot_info("estimate", per::optimizer),
        slot_info("numerator", per::optimizer)};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::optimizer), reduction_info(per::optimizer)};
    static constexpr int flops = 28;   // s twice, and the sums
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    double slot_init(int slot) const {
        double const start[]{0, 0, 0, std::numeric_limits<double>::quiet_NaN(), beta1(0), beta2(0), first_estimate, 0};
        return start[slot];
    }
    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more), hyper_info("beta3", beta3, allow::below_one_or_negative),
            hyper_info("first_estimate", first_estimate, allow::positive),
            hyper_info("estimate_factor", estimate_factor, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T alpha, estimate, beta1, beta2, beta3, one_minus_beta1, one_minus_beta2, weight, epsilon, decay;   // weight: factor of g in s
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return make<T>(step, p, p[2]);
    }
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p, double const* reduced) const {
        return make<T>(step, p, moved(step, p, reduced).estimate);
    }
    void advance_powers(double* p, std::int64_t step, double const* reduced) const {
        auto const [estimate, numerator] = moved(step, p, reduced);
        p[0] *= beta1(step);
        p[1] *= beta2(step);
        p[2] = estimate;
        p[3] = numerator;
    }
    template<class T, class V>
    XGRAD_INLINE static void optimizer_terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        term[0] = grad * (detail::begun(slot[3], param) - param);
        term[1] = math::abs(weighted(s, grad, slot[2]));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const g = V(s.estimate) * grad;
        slot[0] = V(s.beta1) * slot[0] + V(s.one_minus_beta1) * g;
        slot[1] = V(s.beta2) * slot[1] + V(s.one_minus_beta2) * g * g;
        slot[2] = weighted(s, grad, slot[2]);
        slot[3] = detail::begun(slot[3], param);
        param = param - V(s.decay) * param - V(s.alpha) * slot[0] / (math::sqrt(slot[1]) + V(s.epsilon));
    }

private:
    double rate(std::int64_t step, double const* p) const { return learning_rate(step) * p[2] * libm::sqrt(1 - p[1]) / (1 - p[0]); }
    double decay_of_sums(std::int64_t step) const {
        double const given = beta3(step);
        return given < 0 ? libm::sqrt(beta2(step)) : given;
    }
    struct estimates {
        double estimate, numerator;
    };
    estimates moved(std::int64_t step, double const* p, double const* reduced) const {
        double const numerator = decay_of_sums(step) * p[3] + rate(step, p) * p[2] / first_estimate * reduced[0];
        double const found = estimate_factor(step) * numerator / reduced[1];
        return {reduced[1] == 0 || found <= p[2] ? p[2] : found, numerator};   // NaN stays NaN
    }
    template<class T>
    scalars<T> make(std::int64_t step, double const* p, double estimate) const {
        double const alpha = rate(step, p), d = p[2];
        return {static_cast<T>(alpha), static_cast<T>(d), static_cast<T>(beta1(step)), static_cast<T>(beta2(step)),
            static_cast<T>(decay_of_sums(step)), static_cast<T>(1 - beta1(step)), static_cast<T>(1 - beta2(step)),
            static_cast<T>((safeguard_warmup ? d : alpha) * d / first_estimate), static_cast<T>(estimate * epsilon(step)),
            static_cast<T>(weight_decay(step) * alpha)};
    }
    template<class T, class V>
    XGRAD_INLINE static V weighted(scalars<T> const& s, V grad, V sum) {
        return V(s.beta3) * sum + V(s.weight) * grad;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
