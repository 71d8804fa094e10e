// SPDX-License-Identifier: MIT
// AMSGrad in TensorFlow's form: Adam with a second moment that never decreases.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m, v and α as in adam; v̂ ← max(v̂, v); θ ← θ − m·α / (√v̂ + ε).
/// Source: Reddi, Kale, Kumar 2018, with the bias correction of TensorFlow's kernel ApplyAdamWithAmsgrad.
/// pytorch_amsgrad adds ε after the correction.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: if Adam's steps grow again after rare large gradients.
struct amsgrad {
    static constexpr std::string_view name = "amsgrad", tf_name = "AMSGrad";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr std::array<slot_info, 5> slots{slot_info("m"), slot_info("v"), slot_info("vhat"),
        slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer)};
    static constexpr int flops = 14;
    double slot_init(int slot) const { return detail::adam_slot_init(slot - 1, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    using scalars = adam_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return detail::make_adam_scalars<T>(learning_rate(step), beta1(step), beta2(step), epsilon(step), p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::move_moments(s, grad, slot);
        slot[2] = math::max(slot[2], slot[1]);
        param = param - slot[0] * V(s.alpha) / (math::sqrt(slot[2]) + V(s.epsilon));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
