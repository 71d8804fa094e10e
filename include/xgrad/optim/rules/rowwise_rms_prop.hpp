// SPDX-License-Identifier: MIT
// RMSProp with one mean square for each row of a table.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// For each row: s ← ρ·s + (1 − ρ)·mean(g²); θ ← θ − η·g / (√s + ε).
/// Source: pytorch_rms_prop with one mean square per row; rowwise_adagrad changes Adagrad in the same way.
/// Sparse: rows that occur.
/// Use: embeddings with gradients that change over time; n numbers for n rows.
struct rowwise_rms_prop {
    static constexpr std::string_view name = "rowwise_rms_prop", tf_name = "RowWiseRMSProp";
    hyper learning_rate{0.01}, decay{0.99}, epsilon{1e-8};

    static constexpr std::array<slot_info, 1> slots{slot_info("rms", per::row)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::row, reduction::mean)};
    static constexpr int flops = 7;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("decay", decay, allow::up_to_one),
            hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, one_minus_decay, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(1.0 - decay(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T>
    XGRAD_INLINE static void advance_row(scalars<T> const& s, T* slot, T const* reduced) {
        slot[0] = slot[0] + (reduced[0] - slot[0]) * s.one_minus_decay;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        param = param - grad * (V(s.rate) / (math::sqrt(slot[0]) + V(s.epsilon)));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
