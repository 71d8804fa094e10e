// SPDX-License-Identifier: MIT
// AdamW with averaging instead of a schedule.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/schedule_free_sgd.hpp>

XGRAD_NAMESPACE_BEGIN

/// v ← v + (g² − v)(1 − β₂); d = g / (√(v / (1 − β₂ᵗ)) + ε) + λ·y; z, x, y and c as in schedule_free_sgd, with β₁ for
/// β. The variable holds y, where gradients are taken. Evaluate with x = y + (z − y)·(1 − 1/β₁): `average(y, z, β₁)`
/// for an element y of the variable and z of the slot "z".
/// Source: Defazio et al. 2024, arXiv 2405.15682; schedulefree.AdamWScheduleFree, optax.contrib.schedule_free_adamw. A
/// warm-up is a schedule of η; optax then uses the η of the next step for w. keras.optimizers.ScheduleFreeAdamW has
/// weight_power 0.
/// Sparse: as if dense: every row moves to its mean.
/// Use: like pytorch_adamw, if the number of steps is not known.
struct schedule_free_adamw {
    static constexpr std::string_view name = "schedule_free_adamw", tf_name = "ScheduleFreeAdamW";
    hyper learning_rate{2.5e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, weight_decay{0.0}, weight_power{2.0};

    static constexpr std::array<slot_info, 5> slots{slot_info("z"), slot_info("v"), slot_info("weight_sum", per::optimizer),
        slot_info("largest_rate", per::optimizer), slot_info("beta2_power", per::optimizer)};
    static constexpr int flops = 17;
    double slot_init(int slot) const { return slot == 0 ? std::numeric_limits<double>::quiet_NaN() : slot == 4 ? beta2(0) : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("beta1", beta1, allow::between_zero_and_one), hyper_info("beta2", beta2, allow::below_one),
            hyper_info("epsilon", epsilon, allow::zero_or_more), hyper_info("weight_decay", weight_decay, allow::zero_or_more),
            hyper_info("weight_power", weight_power, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const {
        detail::schedule_free_weight(learning_rate(step), weight_power(step), p).store(p);
        p[2] *= beta2(step);
    }

    template<class T>
    struct scalars {
        T rate, share, along, decay, one_minus_beta2, root, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const rate = learning_rate(step);
        detail::schedule_free_weight const w(rate, weight_power(step), p);
        return {static_cast<T>(rate), static_cast<T>(w.share), static_cast<T>(rate * (beta1(step) * (1.0 - w.share) - 1.0)),
            static_cast<T>(weight_decay(step)), static_cast<T>(1.0 - beta2(step)), static_cast<T>(1.0 / libm::sqrt(1.0 - p[2])),
            static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[1] = slot[1] + (grad * grad - slot[1]) * V(s.one_minus_beta2);
        V const d = grad / (math::sqrt(slot[1]) * V(s.root) + V(s.epsilon)) + param * V(s.decay);
        detail::schedule_free_step(s, param, d, detail::begun(slot[0], param), slot[0]);
    }
    /// The value to evaluate with, for an element y of the variable and its z.
    template<class V>
    static V average(V y, V z, double beta1) {
        return schedule_free_sgd::average(y, z, beta1);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
