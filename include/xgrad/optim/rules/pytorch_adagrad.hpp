// SPDX-License-Identifier: MIT
// Adagrad in PyTorch's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// a ← a + g²; θ ← θ − η·g / (√a + ε). a begins at initial_accumulator, 0. PyTorch's lr_decay d is the rate
/// inverse_time_decay{η, 1, d}.
/// Source: Duchi, Hazan, Singer 2011; torch.optim.Adagrad.
/// Sparse: rows that occur.
/// Use: programs ported from PyTorch.
struct pytorch_adagrad {
    static constexpr std::string_view name = "pytorch_adagrad", tf_name = "Adagrad";
    hyper learning_rate{0.01}, epsilon{1e-10};
    double initial_accumulator = 0.0;

    static constexpr std::array<slot_info, 1> slots{slot_info("accumulator")};
    static constexpr int flops = 7;
    double slot_init(int) const { return initial_accumulator; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + grad * grad;
        param = param - grad * V(s.rate) / (math::sqrt(slot[0]) + V(s.epsilon));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
