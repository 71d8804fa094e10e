// SPDX-License-Identifier: MIT
// Adagrad by dual averaging.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// With t = step + 1: G ← G + g; Q ← Q + g²; θ ← −sign(G)·η·max(|G| − l1·t, 0) / (l2·t·η + √Q). θ is computed from G
/// and Q; its old value is not used.
/// Source: Duchi, Hazan, Singer 2011; TensorFlow's AdagradDAOptimizer. t counts the steps of the trainer.
/// Sparse: rows that occur, with the t of the trainer.
/// Use: sparse linear models that start at zero and should have exact zeros.
struct adagrad_da {
    static constexpr std::string_view name = "adagrad_da", tf_name = "AdagradDA";
    hyper learning_rate{0.01};
    double initial_accumulator = 0.1;
    hyper l1{0.0}, l2{0.0};

    static constexpr std::array<slot_info, 2> slots{slot_info("gradient_accumulator"), slot_info("gradient_squared_accumulator")};
    static constexpr int flops = 14;
    double slot_init(int slot) const { return slot == 1 ? initial_accumulator : 0.0; }
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("initial_accumulator", initial_accumulator, allow::positive), hyper_info("l1", l1, allow::zero_or_more),
            hyper_info("l2", l2, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, l1, l2;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const t = static_cast<double>(step) + 1, rate = learning_rate(step);
        return {static_cast<T>(rate), static_cast<T>(l1(step) * t), static_cast<T>(l2(step) * t * rate)};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + grad;
        slot[1] = slot[1] + grad * grad;
        V const length = math::max(V(T(0)), math::abs(slot[0]) - V(s.l1));   // NaN passes
        param = V(T(0)) - math::copysign(length, slot[0]) * V(s.rate) / (V(s.l2) + math::sqrt(slot[1]));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
