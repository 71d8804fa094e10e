// SPDX-License-Identifier: MIT
// Adam with Nesterov momentum, in TensorFlow's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m and v as in adam; θ ← θ − ((1 − β₁)·g + β₁·m)·α / (√v + ε) with the new m and Adam's α.
/// Source: Dozat 2016 without its schedule of momentum; TensorFlow contrib's NadamOptimizer. pytorch_nadam has the
/// schedule.
/// Sparse: m and v of every row decay, as if dense; θ moves only on the rows that occur.
/// Use: like adam, a little faster at the start.
struct nadam {
    static constexpr std::string_view name = "nadam", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 15;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
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
        V const ahead = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
        param = param - ahead * V(s.alpha) / (math::sqrt(slot[1]) + V(s.epsilon));
    }
    /// No step. ε is 1, so that 0 / 0 does not occur.
    template<class T>
    static scalars<T> absent_row(scalars<T> s) {
        s.alpha = T(0);
        s.epsilon = T(1);
        return s;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
