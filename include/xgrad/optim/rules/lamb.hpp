// SPDX-License-Identifier: MIT
// LAMB: Adam with a step scaled to the norm of the variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (g − m)(1 − β₁); v ← v + (g² − v)(1 − β₂); u = m̂ / (√v̂ + ε) + λ·θ; θ ← θ − η·(‖θ‖ / ‖u‖)·u.
/// Here m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ). Norms are over a variable. The quotient of norms is 1 if a norm is
/// 0.
/// Source: You et al. 2020, arXiv 1904.00962, without its bounds of ‖θ‖, like TensorFlow Addons and optax.lamb. Keras'
/// ε is 1e-7.
/// Sparse: exact, as if the gradient were dense; `lazy{lamb{}}` moves the rows that occur, with the norms of those
/// rows.
/// Use: very large batches.
struct lamb {
    static constexpr std::string_view name = "lamb", tf_name = "LAMB";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-6}, weight_decay{0.0};

    static constexpr auto slots = detail::adam_slots;
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::variable), reduction_info(per::variable)};
    static constexpr int flops = 43;   // the moments twice, and the sums
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }
    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more),
            hyper_info("weight_decay", weight_decay, allow::zero_or_more)};
    }

    template<class T>
    struct scalars {
        T rate, one_minus_beta1, one_minus_beta2, first, second, epsilon, decay;   // m̂ = m·first, v̂ = v·second
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(1.0 - beta1(step)), static_cast<T>(1.0 - beta2(step)),
            static_cast<T>(1.0 / (1.0 - p[0])), static_cast<T>(1.0 / (1.0 - p[1])), static_cast<T>(epsilon(step)),
            static_cast<T>(weight_decay(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        V moments[]{slot[0], slot[1]};
        V const u = direction(s, param, grad, moments);
        term[0] = param * param;
        term[1] = u * u;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        V const one(T(1)), zero(T(0)), u = direction(s, param, grad, slot);
        V const both = math::where(math::greater(reduced[0], zero), math::greater(reduced[1], zero), zero);
        V const ratio = math::where(both, math::sqrt(reduced[0]) / math::sqrt(math::where(both, reduced[1], one)), one);
        param = param - u * (ratio * V(s.rate));
    }

private:
    template<class T, class V>
    XGRAD_INLINE static V direction(scalars<T> const& s, V param, V grad, V* moments) {
        V const m = moments[0] + (grad - moments[0]) * V(s.one_minus_beta1);
        V const v = moments[1] + (grad * grad - moments[1]) * V(s.one_minus_beta2);
        moments[0] = m;
        moments[1] = v;
        return m * V(s.first) / (math::sqrt(v * V(s.second)) + V(s.epsilon)) + param * V(s.decay);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
