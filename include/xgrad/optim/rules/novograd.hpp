// SPDX-License-Identifier: MIT
// NovoGrad: one second moment for each variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// v ← β₂·v + (1 − β₂)·‖g‖², in the first step ‖g‖²; m ← β₁·m + g / (√(v + ε_r) + ε) + λ·θ; θ ← θ − η·m. v and the norm
/// are per variable.
/// Source: Ginsburg et al. 2019, arXiv 1905.11286; optax.novograd.
/// Sparse: as if dense; `lazy` moves the rows that occur, with the norm of those rows.
/// Use: speech models; keeps one slot and one number per variable.
struct novograd {
    static constexpr std::string_view name = "novograd", tf_name = "NovoGrad";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.25}, epsilon{1e-6}, epsilon_root{0.0}, weight_decay{0.0};

    static constexpr std::array<slot_info, 2> slots{slot_info("m"), slot_info("v", per::variable)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::variable)};
    static constexpr int flops = 9;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("epsilon_root", epsilon_root, allow::zero_or_more), hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, beta1, beta2, rest, epsilon, epsilon_root, decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(beta1(step)), static_cast<T>(step == 0 ? 0.0 : beta2(step)),
            static_cast<T>(step == 0 ? 1.0 : 1.0 - beta2(step)), static_cast<T>(epsilon(step)), static_cast<T>(epsilon_root(step)),
            static_cast<T>(weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T>
    XGRAD_INLINE static void advance_variable(scalars<T> const& s, T* slot, T const* reduced) {
        slot[1] = s.beta2 * slot[1] + s.rest * reduced[0];
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        slot[0] = slot[0] * V(s.beta1) + grad / (math::sqrt(slot[1] + V(s.epsilon_root)) + V(s.epsilon)) + param * V(s.decay);
        param = param - slot[0] * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
