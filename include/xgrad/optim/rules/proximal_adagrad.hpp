// SPDX-License-Identifier: MIT
// Adagrad with l1 and l2 by proximal steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/proximal_gradient_descent.hpp>

XGRAD_NAMESPACE_BEGIN

/// a ← a + g²; e = η / √a; w = θ − e·g; θ ← sign(w)·max(|w| − e·l1, 0) / (1 + e·l2).
/// Source: Duchi, Hazan, Singer 2011; TensorFlow's ProximalAdagradOptimizer.
/// Sparse: rows that occur.
/// Use: like adagrad, if exact zeros are wanted.
struct proximal_adagrad {
    static constexpr std::string_view name = "proximal_adagrad", tf_name = "ProximalAdagrad";
    hyper learning_rate{0.01};
    double initial_accumulator = 0.1;
    hyper l1{0.0}, l2{0.0};

    static constexpr std::array<slot_info, 1> slots{slot_info("accumulator")};
    static constexpr int flops = 14;
    double slot_init(int) const { return initial_accumulator; }
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
        return {static_cast<T>(learning_rate(step)), static_cast<T>(l1(step)), static_cast<T>(l2(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = slot[0] + grad * grad;
        V const e = V(s.rate) / math::sqrt(slot[0]);
        param = detail::nearer_zero(param - grad * e, e * V(s.l1)) / (V(1) + V(s.l2) * e);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
