// SPDX-License-Identifier: MIT
// MADGRAD: dual averaging with a cube root.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// w = (η + ε)·√t, 0 if η is 0; v ← v + w·g²; s ← s + w·g; z = θ₀ − s / (v^⅓ + ε); θ ← μ·θ + (1 − μ)·z. θ₀ is the
/// variable before its first step. The slot "start" holds θ₀; it is NaN until then.
/// Source: Defazio, Jelassi 2021, arXiv 2101.11075; madgrad.MADGRAD, optax.contrib.madgrad. For their weight_decay use
/// l2_regularization; t counts the steps of the trainer.
/// Sparse: as if dense: rows without a gradient move further to their z; `lazy` moves the rows that occur.
/// Use: if momentum generalizes better and adam is faster; with little or no weight decay and a rate tuned for it.
struct madgrad {
    static constexpr std::string_view name = "madgrad", tf_name = "MADGRAD";
    hyper learning_rate{0.01}, momentum{0.9}, epsilon{1e-6};

    static constexpr std::array<slot_info, 3> slots{slot_info("s"), slot_info("v"), slot_info("start")};
    static constexpr int flops = 30;   // including the power
    double slot_init(int slot) const { return slot == 2 ? std::numeric_limits<double>::quiet_NaN() : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::below_one), hyper_info("epsilon", epsilon, allow::positive)};
    }

    template<class T>
    struct scalars {
        T weight, momentum, rest, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const rate = learning_rate(step), e = epsilon(step), mu = momentum(step);
        return {static_cast<T>(rate == 0 ? 0.0 : (rate + e) * libm::sqrt(static_cast<double>(step) + 1)), static_cast<T>(mu),
            static_cast<T>(1.0 - mu), static_cast<T>(e)};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const weighted = grad * V(s.weight);
        slot[0] = slot[0] + weighted;
        slot[1] = slot[1] + weighted * grad;
        slot[2] = detail::begun(slot[2], param);
        V const z = slot[2] - slot[0] / (math::pow(slot[1], V(T(1.0 / 3.0))) + V(s.epsilon));
        param = param * V(s.momentum) + z * V(s.rest);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
