// SPDX-License-Identifier: MIT
// Adam with Nesterov momentum in PyTorch's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// μₜ = β₁·(1 − ½·0.96^(t·ψ)), M = μ₁ ⋯ μₜ; m and v as in adam;
/// θ ← θ − η·((1 − μₜ) / (1 − M)·g + μₜ₊₁ / (1 − M·μₜ₊₁)·m) / (√(v / (1 − β₂ᵗ)) + ε). ψ is momentum_decay.
/// Source: Dozat 2016; torch.optim.NAdam, Keras' Nadam with momentum_decay = 1. With momentum_decay = 1e6, μ is β₁, as
/// in optax.nadam.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: like pytorch_adam, a little faster at the start.
struct pytorch_nadam {
    static constexpr std::string_view name = "pytorch_nadam", tf_name = "NAdam";
    hyper learning_rate{2e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8}, momentum_decay{4e-3};

    static constexpr std::array<slot_info, 4> slots{
        slot_info("m"), slot_info("v"), slot_info("beta2_power", per::optimizer), slot_info("mu_product", per::optimizer)};
    static constexpr int flops = 16;
    double slot_init(int slot) const { return slot == 2 ? beta2(0) : slot == 3 ? 1.0 : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("momentum_decay", momentum_decay, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const {
        p[0] *= beta2(step);
        p[1] *= mu(step, 1);
    }

    template<class T>
    struct scalars {
        T gradient_rate, mean_rate, one_minus_beta1, one_minus_beta2, root, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const rate = learning_rate(step), now = mu(step, 1), next = mu(step, 2), product = p[1] * now;
        return {static_cast<T>(rate * (1.0 - now) / (1.0 - product)), static_cast<T>(rate * next / (1.0 - product * next)),
            static_cast<T>(1.0 - beta1(step)), static_cast<T>(1.0 - beta2(step)), static_cast<T>(1.0 / libm::sqrt(1.0 - p[0])),
            static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        slot[1] = slot[1] + (grad * grad - slot[1]) * V(s.one_minus_beta2);
        param = param - (grad * V(s.gradient_rate) + slot[0] * V(s.mean_rate)) / (math::sqrt(slot[1]) * V(s.root) + V(s.epsilon));
    }

private:
    double mu(std::int64_t step, int ahead) const {
        double const t = static_cast<double>(step + ahead);
        return beta1(step) * (1.0 - 0.5 * libm::pow(0.96, t * momentum_decay(step)));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
