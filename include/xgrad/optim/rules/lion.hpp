// SPDX-License-Identifier: MIT
// Lion: the sign of a mean of gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// θ ← θ − η·(sign(β₁·m + (1 − β₁)·g) + λ·θ); m ← β₂·m + (1 − β₂)·g.
/// Source: Chen et al. 2023, arXiv 2302.06675; optax.lion, with a default λ of 1e-3; keras.optimizers.Lion, with a
/// default η of 1e-3.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: large models with large batches, with a third of Adam's rate; one slot.
struct lion {
    static constexpr std::string_view name = "lion", tf_name = "Lion";
    hyper learning_rate{1e-4}, beta1{0.9}, beta2{0.99}, weight_decay{0.0};

    static constexpr std::array<slot_info, 1> slots{slot_info("m")};
    static constexpr int flops = 10;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, beta1, rest1, beta2, rest2, decay;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(beta1(step)), static_cast<T>(1.0 - beta1(step)),
            static_cast<T>(beta2(step)), static_cast<T>(1.0 - beta2(step)), static_cast<T>(weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const c = slot[0] * V(s.beta1) + grad * V(s.rest1);
        param = param - (math::sign(c) + param * V(s.decay)) * V(s.rate);
        slot[0] = slot[0] * V(s.beta2) + grad * V(s.rest2);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
