// SPDX-License-Identifier: MIT
// QHAdam: Adam that mixes its moments with the current gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (g − m)(1 − β₁) / (1 − β₁ᵗ), likewise v of g²; θ ← θ − η·((1 − ν₁)·g + ν₁·m) / (√((1 − ν₂)·g² + ν₂·v) + ε).
/// The slots hold moments after bias correction. ν₁ = ν₂ = 1 is Adam; ν₂ = 1 is its usual second moment.
/// Source: Ma, Yarats 2019, arXiv 1810.06801; torch_optimizer.QHAdam.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: like adam, with ν₁ = 0.7 for noisy gradients.
struct qhadam {
    static constexpr std::string_view name = "qhadam", tf_name = "QHAdam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, nu1{1.0}, nu2{1.0}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 17;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("nu1", nu1, allow::up_to_one),
            hyper_info("nu2", nu2, allow::up_to_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars {
        T rate, first, second, nu1, rest1, nu2, rest2, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>((1.0 - beta1(step)) / (1.0 - p[0])),
            static_cast<T>((1.0 - beta2(step)) / (1.0 - p[1])), static_cast<T>(nu1(step)), static_cast<T>(1.0 - nu1(step)),
            static_cast<T>(nu2(step)), static_cast<T>(1.0 - nu2(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        V const square = grad * grad;
        slot[0] = slot[0] + (grad - slot[0]) * V(s.first);
        slot[1] = slot[1] + (square - slot[1]) * V(s.second);
        param = param - (grad * V(s.rest1) + slot[0] * V(s.nu1)) * V(s.rate) /
                            (math::sqrt(square * V(s.rest2) + slot[1] * V(s.nu2)) + V(s.epsilon));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
