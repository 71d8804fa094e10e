// SPDX-License-Identifier: MIT
// Adam with bias correction by the global step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// As adam, with βᵗ⁺¹ of the trainer's step t instead of stored powers. Gradients applied twice in one step, or again
/// after a restart, get the same bias correction.
/// Source: TensorFlow contrib's AdamGSOptimizer; `lazy{adam_gs{}}` is its LazyAdamGSOptimizer.
/// Sparse: as if dense.
/// Use: like adam, if workers apply gradients of one step several times.
struct adam_gs {
    static constexpr std::string_view name = "adam_gs", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr std::array<slot_info, 2> slots{slot_info("m"), slot_info("v")};
    static constexpr int flops = 12;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    using scalars = adam_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const t = static_cast<double>(step) + 1, powers[]{libm::pow(beta1(step), t), libm::pow(beta2(step), t)};
        return detail::make_adam_scalars<T>(learning_rate(step), beta1(step), beta2(step), epsilon(step), powers);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::adam_update(s, param, grad, slot);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
