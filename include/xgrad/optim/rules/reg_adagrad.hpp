// SPDX-License-Identifier: MIT
// Adagrad with an accumulator that can be frozen.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adagrad.hpp>

XGRAD_NAMESPACE_BEGIN

/// As adagrad (a ← a + g²; θ ← θ − g·η / √a), but the accumulator a stays unchanged while freeze_slots is set. It may
/// change between steps: `train.rule().freeze_slots = true`.
/// Source: TensorFlow contrib's RegAdagradOptimizer with its avoid_updating_slots.
/// Sparse: rows that occur.
/// Use: steps of a regularizer that should not shorten the steps of the loss.
struct reg_adagrad {
    static constexpr std::string_view name = "reg_adagrad", tf_name = "RegAdagrad";
    hyper learning_rate{0.01};
    double initial_accumulator = 0.1;
    bool freeze_slots = false;

    static constexpr std::array<slot_info, 1> slots{slot_info("accumulator")};
    static constexpr int flops = 6;
    double slot_init(int) const { return initial_accumulator; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::positive)};
    }

    template<class T>
    struct scalars {
        T rate;
        bool frozen;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), freeze_slots};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        if (!s.frozen) slot[0] = slot[0] + grad * grad;
        param = param - grad * V(s.rate) / math::sqrt(slot[0]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
