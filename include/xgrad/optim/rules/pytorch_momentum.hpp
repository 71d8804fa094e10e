// SPDX-License-Identifier: MIT
// Momentum with dampening.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// a ← μ·a + (1 − τ)·g with the dampening τ, in the first step a = g; θ ← θ − η·a, or with Nesterov θ ← θ − η·(g + μ·a)
/// with the new a.
/// Source: torch.optim.SGD with momentum and dampening. Its default μ is 0, its weight_decay is l2_regularization, and
/// it does not allow Nesterov with dampening. Here the first step is that of the trainer.
/// Sparse: as if dense, including the velocity; `lazy` moves the rows that occur.
/// Use: programs ported from PyTorch with dampening or sparse gradients; else momentum, with the same numbers.
struct pytorch_momentum {
    static constexpr std::string_view name = "pytorch_momentum", tf_name = "Momentum";
    hyper learning_rate{1e-3}, momentum{0.9}, dampening{0.0};
    bool use_nesterov = false;

    static constexpr std::array<slot_info, 1> slots{"momentum"};
    static constexpr int flops = 5;   // without Nesterov
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::zero_or_more), hyper_info("dampening", dampening, allow::up_to_one)};
    }
    template<class T>
    struct scalars {
        T rate, decay, rest;
        bool nesterov;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(momentum(step)),
            static_cast<T>(step == 0 ? 1.0 : 1.0 - dampening(step)), use_nesterov};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const a = slot[0] * V(s.decay) + grad * V(s.rest);
        slot[0] = a;
        if (s.nesterov) param = param - (grad + a * V(s.decay)) * V(s.rate);
        else param = param - a * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
