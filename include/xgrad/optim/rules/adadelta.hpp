// SPDX-License-Identifier: MIT
// Adadelta.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// a ← ρ·a + (1 − ρ)·g²; u = g·√((b + ε) / (a + ε)); b ← ρ·b + (1 − ρ)·u²; θ ← θ − η·u.
/// Source: Zeiler 2012, arXiv 1212.5701; TensorFlow's AdadeltaOptimizer, torch.optim.Adadelta and optax.adadelta
/// (η = 1, ρ = 0.9, ε = 1e-6).
/// Sparse: rows that occur.
/// Use: no known learning rate; the paper has η = 1.
struct adadelta {
    static constexpr std::string_view name = "adadelta", tf_name = "Adadelta";
    hyper learning_rate{1e-3}, rho{0.95}, epsilon{1e-8};

    static constexpr std::array<slot_info, 2> slots{slot_info("accum"), slot_info("accum_update")};
    static constexpr int flops = 12;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("rho", rho, allow::up_to_one),
            hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, rho, rest, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {
            static_cast<T>(learning_rate(step)), static_cast<T>(rho(step)), static_cast<T>(1.0 - rho(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const a = slot[0] * V(s.rho) + grad * grad * V(s.rest);
        V const u = math::sqrt((slot[1] + V(s.epsilon)) / (a + V(s.epsilon))) * grad;   // one root instead of two
        slot[0] = a;
        slot[1] = slot[1] * V(s.rho) + u * u * V(s.rest);
        param = param - u * V(s.rate);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
