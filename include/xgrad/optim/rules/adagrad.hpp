// SPDX-License-Identifier: MIT
// Adagrad.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// a ← a + g²; θ ← θ − g·η / √a. An epsilon is not needed: a starts above zero.
/// Source: Duchi, Hazan, Singer 2011; TensorFlow's AdagradOptimizer. optax.adagrad and Keras' Adagrad add ε = 1e-7 to a
/// in the root, which is the same as initial_accumulator = 0.1 + 1e-7.
/// Sparse: rows that occur.
/// Use: sparse features and embeddings: frequent rows take shorter steps.
struct adagrad {
    static constexpr std::string_view name = "adagrad", tf_name = "Adagrad";
    hyper learning_rate{0.01};
    double initial_accumulator = 0.1;

    static constexpr std::array<slot_info, 1> slots{"accumulator"};
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
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const a = slot[0] + grad * grad;
        slot[0] = a;
        param = param - grad * V(s.rate) / math::sqrt(a);
    }
};

/// As adagrad, with an approximation of 1 / √a within 3 ULP in float. double is computed as in adagrad. It is faster if
/// variables fit the cache, but bits differ between processors.
/// Source: adagrad, with one step of Newton's method on the processor's estimate.
/// Sparse: rows that occur.
/// Use: `fast_adagrad{{.learning_rate = 0.1}}`, if runs on different processors need not be bitwise equal.
struct fast_adagrad : adagrad {
    static constexpr std::string_view name = "fast_adagrad";
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const a = slot[0] + grad * grad;
        slot[0] = a;
        param = param - grad * V(s.rate) * math::rsqrt(a);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
